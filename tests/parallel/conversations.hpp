/// \file
/// What ranks of any kind must be able to do.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "parallel/team.hpp"

namespace galerna::parallel::tests {

/// Throws unless ranks talk as they should. All are on one host.
struct Conversation {
  const char* name;
  void (*hold)(Team& team);
};
const std::vector<Conversation>& conversations();

/// What EXPECT_TRUE is in a process whose output nobody counts.
inline void require(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error("not so: " + what);
}

}  // namespace galerna::parallel::tests
