// Programs of the suites named here run a few steps on small meshes, and most of their tests' time is compilation: they
// are compiled without optimization, unless the environment says otherwise. Those of all other suites are what users
// run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

namespace galerna::tests {
namespace {

class Optimization : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    static const std::set<std::string> hardly_run = {
        "ElementRun", "ElementSource", "QuickPolytopicWall", "QuickSections", "QuickWallSurface", "Source",
        "Space",      "Walls"};
    set_ = hardly_run.contains(test.test_suite_name()) && !std::getenv("GALERNA_OPTIMIZE");
    if (set_) setenv("GALERNA_OPTIMIZE", "0", 1);
  }
  void OnTestEnd(const testing::TestInfo&) override {
    if (set_) unsetenv("GALERNA_OPTIMIZE");
  }

  bool set_ = false;
};

/// GoogleTest owns it.
[[maybe_unused]] const bool appended = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new Optimization);
  return true;
}();

}  // namespace
}  // namespace galerna::tests
