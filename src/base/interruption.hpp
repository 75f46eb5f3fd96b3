/// \file
/// How a program ends that was asked to stop.
#pragma once

#include "base/error.hpp"

namespace galerna {

/// Somebody asked the program to stop before there was anything to continue from.
class Interruption : public Error {
 public:
  explicit Interruption(const std::string& what) : Error(ExitCode::interrupted, what) {}
};

}  // namespace galerna
