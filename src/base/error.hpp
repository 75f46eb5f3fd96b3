/// \file
/// Errors that reach the user. Each says what was found, where, and what to do; app/ turns it into an exit code.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace galerna {

/// Exit codes of the program (docs/user-guide.md).
enum class ExitCode { done = 0, wrong_input = 2, simulation_failed = 3, system_failure = 4, interrupted = 130 };

/// A place in a text file; line and column count from 1, 0 means unknown (then only the file is printed).
struct SourcePlace {
  std::string file;
  int line = 0;
  int column = 0;
};

/// One thing wrong with the input, printed like a compiler's message: `case.toml:12:3: error: TEXT`.
struct Problem {
  SourcePlace place;
  std::string text;
};

/// "FILE:LINE:COLUMN: error: TEXT", leaving out what is unknown.
std::string format(const Problem& problem);

/// Base of all errors that Galerna throws on purpose.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& what) : std::runtime_error(what), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// Wrong input (case file, mesh, command line): holds every problem found, one line each in what().
class InputError : public Error {
 public:
  explicit InputError(std::vector<Problem> problems);
  InputError(SourcePlace place, std::string text) : InputError({Problem{std::move(place), std::move(text)}}) {}
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// The device, the file system or a compiler failed; the input is not to blame.
class SystemError : public Error {
 public:
  explicit SystemError(const std::string& what) : Error(ExitCode::system_failure, what) {}
};

/// The name in `allowed` nearest to `name` by edit distance, or "" when none is near enough to be a likely slip.
std::string nearest_name(const std::string& name, const std::vector<std::string>& allowed);

/// "a, b or c": for messages that list what is allowed. \param last stands before the last name.
std::string list_names(const std::vector<std::string>& names, const std::string& last = "or");

}  // namespace galerna
