// [shock]: what is done at shocks where a case says little.
#include "case/read_shock.hpp"

#include <gtest/gtest.h>

#include "case/good_case.hpp"

namespace galerna::case_file {
namespace {

TEST(ReadCase, TakesTheSensorOfPerssonAndPeraireWithItsConstants) {
  const std::string viscosity = std::string(good_case) + "[shock]\nmethod = \"viscosity\"\n";
  EXPECT_FALSE(read(viscosity).shock->persson_peraire);
  EXPECT_FALSE(read(viscosity + "sensor = \"automatic\"\n").shock->persson_peraire);
  const auto published = read(viscosity + "sensor = \"persson-peraire\"\n").shock->persson_peraire;
  ASSERT_TRUE(published);
  EXPECT_FALSE(published->s0);
  EXPECT_EQ(published->kappa, 4);
  EXPECT_EQ(published->epsilon0, 0.3);
  const Settings given = read(viscosity + "sensor = \"persson-peraire\"\ns0 = -3\nkappa = 1\nepsilon0 = 0.5\n");
  EXPECT_EQ(given.shock->persson_peraire->s0, -3);
  EXPECT_EQ(describe_method(given.shock),
            "shocks: artificial viscosity by Persson's and Peraire's sensor, s0 = -3, kappa = 1, epsilon0 = 0.5");
}

/// An empty [shock] of equations whose header has these functions.
std::string shock_of_header(const std::string& functions, const std::string& time, const std::string& shock = "") {
  const Settings s = read(
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"user\"\nheader = \"none.hpp\"\n"
      "header_text = \"struct Gas { " +
      functions +
      " };\"\nname = \"Gas\"\n"
      "variables = [\"a\"]\n[discretization]\norder = 2\n[initial]\na = 1\n[time]\ncfl = 0.5\n" +
      time + "\n[shock]\n" + shock);
  return s.shock->method + (s.shock->positivity ? " and positivity" : "") + "; " + describe_method(s.shock);
}

TEST(ReadCase, TakesForShocksWhatAHeaderHas) {
  const std::string pressure = "V pressure(const State& u);",
                    entropy = "V entropy_ratio(const State& u, const State& reference);";
  const std::string nothing =
      "shocks: nothing is done, since the header has no entropy_ratio(u, reference), which the "
      "entropy filter needs";
  EXPECT_EQ(shock_of_header(pressure + entropy, "end = 1"),
            "filter and positivity; shocks: entropy filter, since the flow is computed in time");
  EXPECT_EQ(shock_of_header("", "end = 1"), "none; " + nothing);
  EXPECT_TRUE(
      shock_of_header(pressure, "end = 1").starts_with("none and positivity; shocks: positivity alone, since "));
  EXPECT_TRUE(
      shock_of_header(pressure + entropy, "end = 1", "method = \"filter\"").starts_with("filter and positivity"));
  EXPECT_TRUE(shock_of_header(pressure, "end = 1", "limiter = \"hierarchical\"").starts_with("limiter; "));
}

}  // namespace
}  // namespace galerna::case_file
