/// \file
/// What compilers say of a user's equations, in the form of galerna's own messages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "case/settings.hpp"
#include "device/program.hpp"

namespace galerna::solver {

/// One error of a compiler.
struct CompilerMessage {
  SourcePlace place;
  std::string text;
};

/// The errors in a log of GCC, Clang or NVRTC, in its order.
std::vector<CompilerMessage> compiler_errors(const std::string& log);

/// The error that is to blame: the first in the user's header or of galerna's checks of it, else the first at all. The
/// rest is in the log that the message names.
InputError user_error(const device::CompileError& error, const case_file::EquationSettings::User& user);

/// Calls f(). \throws InputError in place of CompileError where the case has equations of its user.
template <class F>
auto with_user_errors(const case_file::Settings& settings, const F& f) {
  try {
    return f();
  } catch (const device::CompileError& error) {
    if (!settings.equations.user) throw;
    throw user_error(error, *settings.equations.user);
  }
}

}  // namespace galerna::solver
