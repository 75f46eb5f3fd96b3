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

/// While one lives, loops of in_parallel() end with an Interruption where somebody wants the program to stop.
class Interruptible {
 public:
  explicit Interruptible(std::string doing);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  std::string doing_;
  const Interruptible* before_;
  friend void stop_interruptible();
};
/// From any thread. \throws Interruption
void stop_interruptible();

}  // namespace galerna
