// Programs of the suites named here run few steps on small meshes, and most of their tests' time is compilation: they
// are compiled without optimization, or with little, unless the environment says otherwise. Those of all other suites
// are what users run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

namespace galerna::tests {
namespace {

class Optimization : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    static const std::map<std::string, const char*> levels = {{"ElementRun", "0"},
                                                              {"ElementSource", "0"},
                                                              {"QuickPolytopicWall", "0"},
                                                              {"QuickSections", "0"},
                                                              {"QuickWallSurface", "0"},
                                                              {"Source", "0"},
                                                              {"Space", "0"},
                                                              {"Walls", "0"},
                                                              {"Averages", "1"},
                                                              {"EntropyFilter", "1"}};
    const auto level = levels.find(test.test_suite_name());
    set_ = level != levels.end() && !std::getenv("GALERNA_OPTIMIZE");
    if (set_) setenv("GALERNA_OPTIMIZE", level->second, 1);
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
