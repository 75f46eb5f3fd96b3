#include "time/schemes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "kernels/step_control.hpp"

namespace galerna::time {
namespace {

/// Those that cases may name, and that of docs/recipes/add-a-time-scheme.md.
std::vector<Scheme> every_scheme() {
  std::vector<Scheme> all;
  for (const std::string& name : scheme_names()) all.push_back(find_scheme(name));
  const auto add = [&](Scheme scheme) {
    const Tableau t = tableau(scheme);
    for (std::size_t s = 0; s < scheme.stages.size(); ++s) {
      scheme.stages[s].abscissa = t.c[s];
      scheme.stages[s].weight = t.b[s];
    }
    all.push_back(std::move(scheme));
  };
#include "recipes/schemes.inc"
  return all;
}

class EveryScheme : public ::testing::TestWithParam<Scheme> {
 protected:
  const Scheme& scheme() const { return GetParam(); }
};

/// Σ_i b_i g(i)
template <class F>
double sum(const std::vector<double>& b, const F& g) {
  double s = 0;
  for (std::size_t i = 0; i < b.size(); ++i) s += b[i] * g(i);
  return s;
}

/// The order conditions of all rooted trees up to order 4 (Hairer, Nørsett, Wanner I, table II.2.1).
void expect_order(const Tableau& t, const std::vector<double>& b, int order, double tolerance) {
  const auto& a = t.a;
  const auto& c = t.c;
  const auto row = [&](std::size_t i, const auto& g) { return sum(a[i], g); };
  EXPECT_NEAR(sum(b, [](auto) { return 1.0; }), 1, tolerance);
  if (order >= 2) {
    EXPECT_NEAR(sum(b, [&](auto i) { return c[i]; }), 1.0 / 2, tolerance);
  }
  if (order >= 3) {
    EXPECT_NEAR(sum(b, [&](auto i) { return c[i] * c[i]; }), 1.0 / 3, tolerance);
    EXPECT_NEAR(sum(b, [&](auto i) { return row(i, [&](auto j) { return c[j]; }); }), 1.0 / 6, tolerance);
  }
  if (order >= 4) {
    EXPECT_NEAR(sum(b, [&](auto i) { return c[i] * c[i] * c[i]; }), 1.0 / 4, tolerance);
    EXPECT_NEAR(sum(b, [&](auto i) { return c[i] * row(i, [&](auto j) { return c[j]; }); }), 1.0 / 8, tolerance);
    EXPECT_NEAR(sum(b, [&](auto i) { return row(i, [&](auto j) { return c[j] * c[j]; }); }), 1.0 / 12, tolerance);
    EXPECT_NEAR(sum(b, [&](auto i) { return row(i, [&](auto j) { return row(j, [&](auto k) { return c[k]; }); }); }),
                1.0 / 24, tolerance);
  }
}

TEST_P(EveryScheme, FulfilsTheOrderConditions) {
  const Tableau t = tableau(scheme());
  expect_order(t, t.b, scheme().order, 1e-13);
  if (scheme().error) expect_order(t, t.embedded, scheme().embedded_order, 1e-13);
}

/// The solution after a step with R = 0, relative to the one before: any surplus creates mass in every step.
double amplification_at_rest(const Scheme& scheme) {
  std::vector<double> registers(static_cast<std::size_t>(scheme.registers), 0.0);
  registers[0] = 1;
  for (const Stage& stage : scheme.stages) {
    std::vector<double> results;
    for (const StageOutput& output : stage.outputs) {
      double result = 0;
      for (std::size_t k = 0; k < stage.inputs.size(); ++k)
        result += output.coefficients[k] * registers[static_cast<std::size_t>(stage.inputs[k])];
      results.push_back(result);
    }
    for (std::size_t o = 0; o < results.size(); ++o)
      registers[static_cast<std::size_t>(stage.outputs[o].target)] = results[o];
  }
  return registers[static_cast<std::size_t>(scheme.result)];
}

TEST_P(EveryScheme, KeepsASteadyStateToTheLastDigit) {
  EXPECT_NEAR(amplification_at_rest(scheme()), 1, 1.2e-16);
}

TEST_P(EveryScheme, IsExplicitWithMatchingAbscissaeAndWeights) {
  const Tableau t = tableau(scheme());
  for (std::size_t s = 0; s < t.a.size(); ++s) {
    for (std::size_t j = s; j < t.a.size(); ++j) EXPECT_EQ(t.a[s][j], 0);
    EXPECT_EQ(scheme().stages[s].abscissa, t.c[s]);
    EXPECT_EQ(scheme().stages[s].weight, t.b[s]);
  }
}

TEST_P(EveryScheme, KeepsTheRulesOfRegisters) {
  std::set<int> written = {0};
  for (const Stage& stage : scheme().stages) {
    EXPECT_LE(stage.inputs.size(), 3u);
    EXPECT_LE(stage.outputs.size(), 3u);
    EXPECT_TRUE(written.count(stage.at));
    for (int input : stage.inputs) EXPECT_TRUE(written.count(input)) << "register " << input << " read before written";
    for (const StageOutput& output : stage.outputs) {
      EXPECT_NE(output.target, stage.at) << "neighbours still read it";
      EXPECT_LT(output.target, scheme().registers);
      EXPECT_EQ(output.coefficients.size(), stage.inputs.size());
      EXPECT_FALSE(scheme().error && output.target == 0) << "a rejected step must leave u^n as it was";
      written.insert(output.target);
    }
  }
  EXPECT_TRUE(written.count(scheme().result));
}

/// y' = y cos t + sin(t y), from t = 0 to 1: error against a fine RK4 solution.
double integrate(const Scheme& scheme, int steps) {
  const auto rhs = [](double t, const State& y) { return State{y[0] * std::cos(t) + std::sin(t * y[0])}; };
  std::vector<State> registers(static_cast<std::size_t>(scheme.registers), State{0.0});
  registers[0] = {1.0};
  for (int n = 0; n < steps; ++n) {
    step(scheme, registers, static_cast<double>(n) / steps, 1.0 / steps, rhs);
    registers[0] = registers[static_cast<std::size_t>(scheme.result)];
  }
  return registers[0][0];
}

TEST_P(EveryScheme, ConvergesWithItsOrderOnANonlinearNonAutonomousEquation) {
  const double exact = integrate(find_scheme("rk4"), 8000);
  const double coarse = std::abs(integrate(scheme(), 40) - exact), fine = std::abs(integrate(scheme(), 80) - exact);
  EXPECT_NEAR(std::log2(coarse / fine), scheme().order, 0.3);
}

INSTANTIATE_TEST_SUITE_P(QuickSchemes, EveryScheme, ::testing::ValuesIn(every_scheme()), [](const auto& test) {
  std::string name = test.param.name;
  std::erase(name, '-');
  return name;
});

TEST(QuickFindScheme, SuggestsTheNearestName) {
  try {
    find_scheme("rk44");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"rk4\"?"), std::string::npos) << error.what();
  }
}

TEST(QuickStepControl, GrowsAfterSmallErrorsAndShrinksAfterLargeOnes) {
  EXPECT_GT(kernels::next_step_factor(1e-3, 1, 2), 2);
  EXPECT_LT(kernels::next_step_factor(8, 1, 2), 0.5);
  EXPECT_GE(kernels::next_step_factor(1e9, 1, 2), 0.2);
  EXPECT_LE(kernels::next_step_factor(0, 1, 2), 5);
  EXPECT_EQ(kernels::next_step_factor(std::nan(""), 1, 2), 0.2);
}

}  // namespace
}  // namespace galerna::time
