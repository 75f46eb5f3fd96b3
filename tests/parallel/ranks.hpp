/// \file
/// Ranks of all kinds for tests.
#pragma once

#include <stdexcept>
#include <string>

#include "parallel/alone.hpp"
#include "parallel/process_team.hpp"
#include "parallel/thread_team.hpp"

namespace galerna::parallel::tests {

enum class Kind { threads, processes };

/// Calls body on that many ranks.
inline void run(Kind kind, int size, const std::function<void(Team&)>& body) {
  if (kind == Kind::threads) return run_as_threads(size, body);
  run_as_processes(size, [&](Team& team) {
    body(team);
    return 0;
  });
}

/// What EXPECT_TRUE is in a process whose output nobody counts.
inline void require(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error("not so: " + what);
}

}  // namespace galerna::parallel::tests
