/// \file
/// The system of equations in a program's text.
#pragma once

#include <string>
#include <vector>

#include "dg/spec.hpp"

namespace galerna::dg {

/// Includes that the system of equations takes.
std::vector<std::string> equation_headers(const Spec& spec);
/// C++ text of `struct Parameters` and `using System`, and checks of what the case says of the equations, which fail
/// with messages for people.
std::string equations_text(const Spec& spec);

}  // namespace galerna::dg
