#include "files/history_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"
#include "solutions.hpp"

namespace galerna::files {
namespace {

using analysis::History;

TEST(History, IsReadFromAMonitor) {
  tests::Folder folder;
  std::ofstream(folder / "monitor.csv") << "step,time,force_body_y\n0,0,1.5\n1,0.25,-2e-3\n";
  const History history = read_history(folder / "monitor.csv", "force_body_y");
  EXPECT_EQ(history.times, (std::vector<double>{0, 0.25}));
  EXPECT_EQ(history.values, (std::vector<double>{1.5, -2e-3}));
}

TEST(History, SaysWhatIsWrongWithAFile) {
  tests::Folder folder;
  const auto message = [&](const std::string& text) {
    std::ofstream(folder / "h.csv") << text;
    try {
      read_history(folder / "h.csv", "force_y");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("was accepted");
  };
  EXPECT_TRUE(tests::contains(message("time,force_x\n"), "has no column \"force_y\"; did you mean \"force_x\"?"));
  EXPECT_TRUE(tests::contains(message("time,force_y\n0,one\n"), "h.csv:2: error: \"one\" is no number"));
  EXPECT_TRUE(tests::contains(message("time,force_y\n0,1\n1\n"), "h.csv:3: error: has 1 cells under 2 columns"));
  EXPECT_TRUE(tests::contains(message("time,force_y\n0,1\n0,2\n"), "times do not ascend"));
}

}  // namespace
}  // namespace galerna::files
