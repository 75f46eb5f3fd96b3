/// \file
/// A solution as it was at one moment, for those who write it while the run goes on.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

#include "analysis/solution.hpp"

namespace galerna::solver {

/// Turned into numbers when one of them, in whatever thread, first asks for it.
class CapturedSolution {
 public:
  /// \param make what it is made by; needs nothing that the run changes, and is let go once it has been called
  explicit CapturedSolution(std::function<analysis::Solution()> make) : make_(std::move(make)) {}

  const analysis::Solution& solution() const {
    std::call_once(made_, [this] {
      solution_ = make_();
      make_ = nullptr;
    });
    return solution_;
  }

 private:
  mutable std::once_flag made_;
  mutable std::function<analysis::Solution()> make_;
  mutable analysis::Solution solution_;
};

}  // namespace galerna::solver
