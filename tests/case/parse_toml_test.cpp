#include "case/parse_toml.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "case/reader.hpp"

namespace galerna::tests {
namespace {

std::string repeated(const std::string& part, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += part;
  return all;
}

std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    case_file::read_case_text(text, "case.toml", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ParseToml, RefusesKeysOfManyPartsWithTheirPlace) {
  const std::string parts = repeated(".a", 100000), spaced = repeated(" . \"a b\" . 'c'", 50000);
  const std::vector<std::string> texts = {"\n[a" + parts + "]\n",
                                          "\n[[a" + parts + "]]\n",
                                          "\na" + parts + " = 1\n",
                                          "\n\"a\"" + spaced + " = 1\n",
                                          "\nx = {a" + parts + " = 1}\n",
                                          "\nx = [{a = \"\"\"}\n",
                                          "\n[a" + parts};
  for (const std::string& text : texts) {
    const std::string what = refusal(text);
    EXPECT_TRUE(what.starts_with("case.toml:2:") || what.starts_with("case.toml:3:")) << what.substr(0, 200);
    EXPECT_LT(what.size(), 300u);
  }
}

TEST(ParseToml, RefusesDeepValuesWithTheirPlace) {
  const std::vector<std::string> texts = {"x = " + repeated("[", 100000), "x = " + repeated("{a = ", 100000),
                                          "x = " + repeated("[{a.b.c.d.e.f.g.h.i.j = ", 50000)};
  for (const std::string& text : texts) {
    const std::string what = refusal(text);
    EXPECT_TRUE(what.starts_with("case.toml:1:")) << what.substr(0, 200);
  }
}

TEST(ParseToml, RefusesDeepKeysOfOverrides) {
  EXPECT_NE(refusal("", {"a" + repeated(".a", 100000) + "=1"}).find("more than 16 parts"), std::string::npos);
  EXPECT_NE(refusal("", {"a.b={c" + repeated(".a", 100000) + "=1}"}).find("more than 16 parts"), std::string::npos);
  EXPECT_NE(refusal("", {"a" + repeated(".a", 100000) + "="}).find("more than 16 parts"), std::string::npos);
}

TEST(ParseToml, CountsNoDotsOfStringsCommentsAndNumbers) {
  const std::string dots = repeated("a.", 30);
  const std::string text = "# " + dots + "\na = \"" + dots + "\\\"" + dots + "\"\nb = '" + dots + "'\nc = \"\"\"\n" +
                           dots + "\"\" \\\"\"\" " + dots + "\"\"\"\"\"\nd = '''\n'' " + dots + "'''\ne = [" +
                           repeated("1.5, ", 40) + "]\nf = { a = 1.5, b = 2.5 }\n[a1.b.c]\n[[g.h]]\n";
  EXPECT_EQ(case_file::find_deep_key(text, "case.toml").line, 0);
  const toml::table table = case_file::parse_toml(text, "case.toml");
  EXPECT_EQ(table.size(), 8u);
  EXPECT_EQ(case_file::find_deep_key(text + "k" + repeated(".k", 16), "case.toml").line, 12);
}

}  // namespace
}  // namespace galerna::tests
