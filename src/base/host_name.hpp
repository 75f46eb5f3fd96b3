/// \file
/// The name of this machine.
#pragma once

#include <string>

namespace galerna {

std::string host_name();

}  // namespace galerna
