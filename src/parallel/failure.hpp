/// \file
/// Exceptions that travel from one rank to others.
#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace galerna::parallel {

using Bytes = std::vector<std::byte>;

/// Another rank is gone, so a run on several ranks cannot go on. The message says which rank, on which host, and why.
class RankLost : public SystemError {
 public:
  RankLost(int rank, const std::string& what) : SystemError(what), rank_(rank) {}
  int rank() const { return rank_; }

 private:
  int rank_;
};

/// "rank 3 (host NAME)": for messages
std::string rank_name(int rank, const std::string& host);

/// All of an exception that another process can throw again.
struct Failure {
  enum class Kind { input, interruption, error, system, memory, unexpected };

  Kind kind = Kind::unexpected;
  ExitCode code = ExitCode::system_failure;
  std::string text;
  std::vector<Problem> problems;  ///< of an InputError
};

Failure describe(const std::exception_ptr& exception);

/// \param name of a rank, put in front of the message. For an InputError that is the first problem's text: places stay
///   in front.
Failure named(Failure failure, const std::string& name);

/// Throws InputError, Interruption, SystemError, Error, std::bad_alloc or std::runtime_error, with the same message and
/// exit code.
[[noreturn]] void throw_failure(const Failure& failure);

Bytes to_bytes(const Failure& failure);
Failure failure_of(std::span<const std::byte> bytes);

}  // namespace galerna::parallel
