/// \file
/// What case files of equations on polytopes have in common, for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "solver/polytopic/polytopic_run.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {

/// `run` must end with an error that says `message`, among other things.
template <class Run>
void expect_refused_by(const Run& run, const std::string& message) {
  try {
    run();
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

/// The function u on all sides of a square.
inline const std::string four_sides = R"toml(
[boundary.left]
type = "dirichlet"
value = "u"
[boundary.right]
type = "dirichlet"
value = "u"
[boundary.bottom]
type = "dirichlet"
value = "u"
[boundary.top]
type = "dirichlet"
value = "u"
)toml";

/// The same without a picture.
inline const std::string prescribed_sides = four_sides + "[output]\npicture = false\n";

/// Runs of a case on a square of 4 × 4 × 2 triangles, on the CPU.
class PolytopicRuns : public ::testing::Test {
 protected:
  explicit PolytopicRuns(std::string text) : text_(std::move(text)) { write_square(folder_, 4); }

  /// \param interrupted_after slabs; −1: never
  files::Report run(const std::vector<std::string>& set = {}, int interrupted_after = -1,
                    const std::filesystem::path& restart = {}) const {
    Silent observer(interrupted_after);
    solver::RunOptions options{"cpu"};
    if (!restart.empty()) options.restart = restart;
    return solver::run_polytopic(settings(folder_, text_, set), options, observer);
  }

  Folder folder_;
  std::string text_;
};

}  // namespace galerna::tests
