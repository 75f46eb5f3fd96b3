/// \file
/// Ranks as threads of one process: for tests, and for tools that look for races.
#pragma once

#include <functional>

#include "parallel/team.hpp"

namespace galerna::parallel {

/// Calls body on `size` ranks, each a thread, and returns when all have ended. If one throws, others that wait for it
/// do so, too (RankLost). \throws what was thrown first
void run_as_threads(int size, const std::function<void(Team&)>& body);

}  // namespace galerna::parallel
