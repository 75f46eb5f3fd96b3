#include "solver/first_problem.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "base/parallel.hpp"

namespace galerna::solver {

std::optional<Problem> first_problem(std::int64_t count,
                                     const std::function<std::optional<Problem>(std::int64_t)>& look) {
  constexpr std::int64_t piece = 64;
  std::vector<std::optional<Problem>> found(static_cast<std::size_t>((count + piece - 1) / piece));
  std::atomic<std::int64_t> first = count;  // of those found so far
  in_parallel(count, piece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t item = begin; item < end && item < first; ++item) {
      std::optional<Problem> problem = look(item);
      if (!problem) continue;
      found[static_cast<std::size_t>(begin / piece)] = std::move(problem);
      for (std::int64_t known = first; item < known && !first.compare_exchange_weak(known, item);) {
      }
      return;
    }
  });
  const auto at = std::find_if(found.begin(), found.end(), [](const auto& problem) { return problem.has_value(); });
  return at == found.end() ? std::nullopt : *at;
}

}  // namespace galerna::solver
