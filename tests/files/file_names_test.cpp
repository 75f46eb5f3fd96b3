#include "files/file_names.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace galerna::files {
namespace {

std::string alone(const std::string& name) {
  return file_names({name}).at(name);
}

TEST(FileNames, OfPlainNamesAreTheNames) {
  for (const char* name : {"wall", "Wand (unten)", "sortie d'air", "入口", "flow-in.2", "a_b", "x+y=z", "flüssig", "-"})
    EXPECT_EQ(alone(name), name);
}

TEST(FileNames, AreSafeAndReadable) {
  EXPECT_EQ(alone("wing/top"), "wing_top");
  EXPECT_EQ(alone("../../evil"), "___.._evil");
  EXPECT_EQ(alone(".."), "__");
  EXPECT_EQ(alone("a,b\"c"), "a_b_c");
  EXPECT_EQ(alone(" wall  "), "_wall__");
  EXPECT_EQ(alone("a\nb\tc"), "a_b_c");
  EXPECT_EQ(alone("C:\\x?*<>|"), "C__x_____");
  EXPECT_EQ(alone(""), "unnamed");
  EXPECT_EQ(alone("caf\xe9"), "caf_") << "Latin-1";
  EXPECT_EQ(alone("a\u202eb\u200bc\u0085d"), "a_b_c_d");
  EXPECT_EQ(alone(std::string("a\0b", 3)), "a_b");
  EXPECT_EQ(alone(std::string(300, 'x')), std::string(200, 'x'));
  std::string cut = alone(std::string(199, 'x') + "入口");
  EXPECT_EQ(cut, std::string(199, 'x') + "入") << "no half characters";
}

TEST(FileNames, DifferFromEachOther) {
  const auto names = file_names({"a/b", "a_b", "a,b", "A_B", "Wall", "wall", std::string(300, 'x'),
                                 std::string(301, 'x'), "", "unnamed", "unnamed_2"});
  EXPECT_EQ(names.at("a_b"), "a_b") << "plain ones keep their names";
  EXPECT_EQ(names.at("A_B"), "A_B_2");
  EXPECT_EQ(names.at("a/b"), "a_b_3");
  EXPECT_EQ(names.at("a,b"), "a_b_4");
  EXPECT_EQ(names.at("Wall"), "Wall");
  EXPECT_EQ(names.at("wall"), "wall_2");
  EXPECT_EQ(names.at(std::string(301, 'x')), std::string(200, 'x') + "_2");
  EXPECT_EQ(names.at(""), "unnamed_3");
}

/// Whatever bytes names are made of.
TEST(FileNames, StayInTheirFolder) {
  std::mt19937 random(3);
  const std::string letters("aB./\\,\" \n\xc3\xa9\xe2\x80\xae\xff:_2\0", 20);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> all;
    for (int i = 0; i < 8; ++i) {
      std::string& name = all.emplace_back();
      for (unsigned k = random() % 8; k > 0; --k) name += letters[random() % letters.size()];
    }
    std::set<std::string> written;
    const auto names = file_names(all);
    for (const std::string& name : all) {
      std::string safe = names.at(name);
      EXPECT_EQ(safe.find_first_of(std::string("/\\,\"\n\0", 6)), std::string::npos);
      EXPECT_FALSE(safe.empty() || safe.front() == ' ' || safe.front() == '.' || safe.back() == ' ');
      std::transform(safe.begin(), safe.end(), safe.begin(), [](unsigned char c) { return std::tolower(c); });
      written.insert(safe);
    }
    EXPECT_EQ(written.size(), std::set<std::string>(all.begin(), all.end()).size());
  }
}

}  // namespace
}  // namespace galerna::files
