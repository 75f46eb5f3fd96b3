// What the program does where nobody reads what it says: standard streams that are closed, full or broken.
#include <gtest/gtest.h>

#include "app/program_case.hpp"

namespace galerna::tests {
namespace {

class Streams : public Program {
 protected:
  /// The run with its streams as the shell is told.
  Execution run_with(const std::string& streams) const {
    return execute("(" + std::string(GALERNA_PROGRAM) + " " + run_words() + " " + streams + ")");
  }
};

TEST_F(Streams, ThatTakeNoWordLeaveARunAsItIs) {
  for (const char* streams : {">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full 2>/dev/full"}) {
    std::filesystem::remove_all(folder / "out");
    const Execution result = run_with(streams);
    EXPECT_EQ(result.code, 0) << streams << ": " << result.output;
    expect_contains(text_of(folder / "out/report.json"), "\"status\": \"done\"");
    // Not in the place of a closed stream.
    for (const std::string& name : Folder::names_in(folder / "out"))
      if (name != "report.json")
        EXPECT_EQ(text_of(folder / "out" / name).find("degrees of freedom"), std::string::npos) << name;
    EXPECT_EQ(galerna("info " + path("out/checkpoint_final.h5")).code, 0);
  }
}

TEST_F(Streams, WhoseReaderLeavesDoNotEndARun) {
  EXPECT_EQ(run_with("2>&1 | head -n 1").code, 0);
  expect_contains(text_of(folder / "out/report.json"), "\"status\": \"done\"");
}

TEST(QuickStreams, ThatAreFullAreAnErrorOfCommandsThatPrint) {
  for (const char* command : {" structures", " man", " completion bash"}) {
    const Execution full = execute("(" + std::string(GALERNA_PROGRAM) + command + " >/dev/full)");
    EXPECT_EQ(full.code, 4) << command;
    expect_contains(full.output, "No space left on device");
  }
}

}  // namespace
}  // namespace galerna::tests
