// scripts/check-numbers.py on small pages: what agrees, what does not, and what has no source.
#include <fmt/format.h>

#include <fstream>

#include "app/program.hpp"
#include "folder.hpp"

namespace galerna::tests {
namespace {

class QuickNumbers : public ::testing::Test {
 protected:
  void SetUp() override {
    if (execute("python3 --version").code != 0) GTEST_SKIP() << "no Python";
    std::ofstream(folder_ / "gpu-euler-p1.json") << R"({"rate": 98.95e9, "time": {"median": 1.5}})";
    std::ofstream(folder_ / "gpu-euler-p2.json") << R"({"rate": 1234.4e9, "time": {"median": 2e-3}})";
  }
  Execution check(const std::string& page) const {
    std::ofstream(folder_ / "page.md") << page;
    return execute(
        fmt::format("python3 {}/scripts/check-numbers.py {}", GALERNA_SOURCE_DIR, (folder_ / "page.md").string()));
  }

  const std::string head_ =
      "<!-- numbers: gpu-{1}-p{column}.json: rate / 1e9 -->\n| | p = 1 | 2 | 3 |\n| --- | --- | --- | --- |\n";
  Folder folder_;
};

TEST_F(QuickNumbers, AgreeAsTheyAreRounded) {
  const Execution good = check(head_ + "| [Euler](x.md) | 98.95 | **1,234** | – |\n");
  EXPECT_EQ(good.code, 0) << good.output;
  expect_contains(good.output, "2 numbers compared, 0 wrong");
}

TEST_F(QuickNumbers, ThatDifferAreNamed) {
  const Execution wrong = check(head_ + "| Euler | 98.9 | 1233 | |\n");
  EXPECT_EQ(wrong.code, 1) << wrong.output;
  expect_contains(wrong.output, "page.md:4: 1233, but");
  expect_contains(wrong.output, "has 1234.4");
}

TEST_F(QuickNumbers, ByColumnAndByRowOfAnotherPage) {
  std::ofstream(folder_ / "other.md") << "| p | ms |\n| --- | --- |\n| 1 | 7.5 |\n| 2 | 9 |\n";
  const std::string columns = "<!-- numbers: gpu-euler-p{1}.json: - ; time.median * 1e3 -->\n";
  const std::string rows = "<!-- numbers in rows 2: other.md[p={1}]: - ; - ; ms -->\n";
  const std::string table = "| p | ms | of others |\n| --- | --- | --- |\n| 1 | 1500 | 1 |\n| 2 | 2.00 | ";
  const Execution good = check(columns + rows + table + "9.0 |\n");
  EXPECT_EQ(good.code, 0) << good.output;
  expect_contains(good.output, "3 numbers compared");
  expect_contains(check(columns + rows + table + "9.1 |\n").output, "page.md:6: 9.1, but");
}

TEST_F(QuickNumbers, WithoutASourceAreWrong) {
  EXPECT_EQ(check(head_ + "| Stokes | 98.9 | | |\n").code, 1);
  EXPECT_EQ(check(head_ + "| Euler | – | | |\n").code, 1) << "nothing is compared";
  EXPECT_EQ(check("<!-- numbers: gpu-euler-p1.json: rate -->\nNo table.\n").code, 1);
  EXPECT_EQ(check("<!-- numbers gpu-euler-p1.json -->\n| 1 |\n").code, 1);
  EXPECT_EQ(check("<!-- numbers: gpu-euler-p1.json: speed -->\n| p = 1 |\n| --- |\n| 3 |\n").code, 1);
}

}  // namespace
}  // namespace galerna::tests
