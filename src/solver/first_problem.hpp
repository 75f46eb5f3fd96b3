/// \file
/// A search for what is wrong by all threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/error.hpp"

namespace galerna::solver {

/// What the first of `count` items with a problem has, whatever the number of threads. \param look what is wrong with
/// an item; called by several threads at once
std::optional<Problem> first_problem(std::int64_t count,
                                     const std::function<std::optional<Problem>(std::int64_t)>& look);

}  // namespace galerna::solver
