/// \file
/// How a program ends that was asked to stop.
#pragma once

#include <functional>
#include <string>

#include "base/error.hpp"

namespace galerna {

/// Somebody asked the program to stop before there was anything to continue from.
class Interruption : public Error {
 public:
  explicit Interruption(const std::string& what) : Error(ExitCode::interrupted, what) {}
};

/// Who says whether somebody wants the program to stop; asked by work that takes long, from any thread.
void on_interruption(std::function<bool()> asked);
/// Whether somebody does.
bool interrupted();
/// Whether anybody is there to say so.
bool may_be_interrupted();
/// \param doing "assembling the matrix" \throws Interruption that says so
void stop_if_interrupted(const std::string& doing);

}  // namespace galerna
