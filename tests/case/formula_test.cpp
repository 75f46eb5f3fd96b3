#include "case/formula.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "case/formula_node.hpp"

namespace galerna::case_file {
namespace {

double value(const std::string& text, double x = 0, double y = 0, double z = 0, double t = 0) {
  return Formula::parse(text, {})(x, y, z, t);
}

TEST(Formula, FollowsTheUsualPrecedence) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2**-1"), 0.5);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("1 - 2 - 3"), -4);
  EXPECT_EQ(value("--3"), 3);
  EXPECT_EQ(value("where(1 < 2 and not (3 < 2) or 1 > 2, 5, 6)"), 5);
  EXPECT_EQ(value("where(1 <= 1 && 2 != 2 || !(1 == 2), 5, 6)"), 5);
  EXPECT_EQ(value(" 1.5e3 "), 1500);
}

TEST(Formula, KnowsTheFunctions) {
  const double x = 0.3, y = -0.7;
  EXPECT_DOUBLE_EQ(value("sqrt(abs(y)) + exp(x) - log(x)", x, y), std::sqrt(0.7) + std::exp(x) - std::log(x));
  EXPECT_DOUBLE_EQ(value("sin(x)*cos(y) + tan(x) + atan2(y, x)", x, y),
                   std::sin(x) * std::cos(y) + std::tan(x) + std::atan2(y, x));
  EXPECT_DOUBLE_EQ(value("asin(x) + acos(x) + atan(y)", x, y), std::asin(x) + std::acos(x) + std::atan(y));
  EXPECT_DOUBLE_EQ(value("sinh(x) + cosh(y) + tanh(x)", x, y), std::sinh(x) + std::cosh(y) + std::tanh(x));
  EXPECT_DOUBLE_EQ(value("erf(x)", x, y), std::erf(x));
  EXPECT_DOUBLE_EQ(value("min(x, y) + 10*max(x, y)", x, y), y + 10 * x);
  EXPECT_DOUBLE_EQ(value("floor(y) + ceil(x) + sign(y)", x, y), -1);
  EXPECT_DOUBLE_EQ(value("mod(y, 2)", x, y), 1.3);
  EXPECT_DOUBLE_EQ(value("pow(x, 2.5) + pi", x), std::pow(x, 2.5) + M_PI);
}

TEST(Formula, UsesConstantsAndFunctionsOfTheCase) {
  Formula::Names names;
  names.constants["a"] = 3;
  names.functions["r2"] = Formula::parse("x^2 + y^2", {});
  EXPECT_EQ(Formula::parse("a*r2", {}, names)(1, 2, 0, 0), 15);
  EXPECT_TRUE(Formula::parse("a^2", {}, names).constant());
  EXPECT_FALSE(Formula::parse("a + t", {}, names).constant());
}

TEST(Formula, ErrorsPointAtTheCharacter) {
  try {
    Formula::parse("1 + * 2", {"case.toml", 4, 10});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "case.toml:4:14: error: unexpected '*' in the formula");
  }
}

TEST(Formula, SharedFunctionsStaySharedInTheCode) {
  // f_30 uses f_29 twice, and so on: a tree would have 2^30 nodes.
  Formula::Names names;
  names.functions["f0"] = Formula::parse("x + 1", {});
  for (int i = 1; i <= 30; ++i)
    names.functions["f" + std::to_string(i)] =
        Formula::parse("f" + std::to_string(i - 1) + "/2 + f" + std::to_string(i - 1) + "/2", {}, names);
  const Formula f = Formula::parse("f30", {}, names);
  EXPECT_DOUBLE_EQ(f(4, 0, 0, 0), 5);
  EXPECT_LT(f.cpp("f").size(), 20000u);
}

TEST(Formula, WritesCodeOnlyFromItsGraph) {
  const std::string code = Formula::parse("where(x < 0.5, x^3, pow(y, 0.5))", {}).cpp("f");
  EXPECT_NE(code.find("V f("), std::string::npos);
  EXPECT_NE(code.find("power<3>("), std::string::npos);
  EXPECT_NE(code.find("select("), std::string::npos);
  EXPECT_NE(code.find("0x1p-1"), std::string::npos);
}

TEST(Formula, MayUseTheSolutionWhereItIsGiven) {
  Formula::Names names;
  names.variables = {"depth", "momentum_x"};
  names.constants["g"] = 9.81;
  const Formula f = Formula::parse("-g*depth + momentum_x/depth", {}, names);
  const double u[] = {2, 6};
  EXPECT_DOUBLE_EQ(f.at_point()(0, 0, 0, 0, u), -9.81 * 2 + 3);
  EXPECT_FALSE(f.constant());
  const std::string code = f.cpp_of_solution("f");
  EXPECT_NE(code.find("template <class V, class U>"), std::string::npos);
  EXPECT_NE(code.find("V(u[1])"), std::string::npos);
  EXPECT_THROW(Formula::parse("depth", {}), InputError);
}

Formula::Names names_with_derivatives() {
  Formula::Names names;
  names.variables = {"u", "v"};
  names.derivatives = true;
  names.normal = true;
  return names;
}

/// u and v as functions of place, with values and derivatives as Formula::at_point wants them.
std::array<double, 8> solution_at(double x, double y) {
  return {1.5 + std::sin(x) * y, 0.4 + x * y * y, std::cos(x) * y, y * y, std::sin(x), 2 * x * y, 0.6, 0.8};
}

TEST(Formula, DerivativesInSpaceFollowTheRules) {
  const Formula::Names names = names_with_derivatives();
  const std::string one_argument[] = {"abs",  "sqrt", "exp",  "log",  "sin",  "cos",  "tan",   "asin",
                                      "acos", "atan", "sinh", "cosh", "tanh", "sign", "floor", "ceil"};
  std::vector<std::string> texts = {"u + v",
                                    "u - v",
                                    "u*v",
                                    "u/v",
                                    "-u",
                                    "u^3",
                                    "u^v",
                                    "2^u",
                                    "u**-2",
                                    "min(u, v)",
                                    "max(u, v)",
                                    "where(x<1,u,v)",
                                    "mod(u, v)",
                                    "atan2(u, v)",
                                    "pow(v, 2.5)",
                                    "x*y + 3*u*x",
                                    "(u - v*y)/(1 + u^2)"};
  for (const std::string& function : one_argument) texts.push_back(function + "(0.3*u*v + 0.1*x)");
  const double x = 0.7, y = 0.55, h = 1e-6;
  for (const std::string& text : texts) {
    const auto f = Formula::parse(text, {}, names).at_point();
    const auto value = [&](double at_x, double at_y) { return f(at_x, at_y, 0, 0, solution_at(at_x, at_y).data()); };
    const auto ddx = Formula::parse("ddx(" + text + ")", {}, names).at_point();
    const auto ddy = Formula::parse("ddy(" + text + ")", {}, names).at_point();
    const auto at = solution_at(x, y);
    EXPECT_NEAR(ddx(x, y, 0, 0, at.data()), (value(x + h, y) - value(x - h, y)) / (2 * h), 1e-7) << text;
    EXPECT_NEAR(ddy(x, y, 0, 0, at.data()), (value(x, y + h) - value(x, y - h)) / (2 * h), 1e-7) << text;
  }
}

/// Calls of a function with arguments that depend on x, within its range and away from its kinks and jumps at x = 0.7.
std::vector<std::string> calls_of(const FunctionEntry& function) {
  const std::string name = function.name;
  if (function.operation == Operation::where)
    return {"where(x < 0.8, sin(3*x), x^3)", "where(x > 0.8 and x < 2, sin(3*x), x^3)",
            "where(not (x >= 0.8) or x == 2, exp(x), x)", "where(x <= 0.6 or x != 0.1, exp(x)*x, x)"};
  if (function.arguments == 1)
    return {name + "(0.3 + 0.4*sin(x))", name + "(0.1*x^2 + 0.2)", name + "(0.3 + 0.4*sin(x))*x^2"};
  return {name + "(1.7 + x, 2.5 - x^2)", name + "(2.5 - x^2, 0.7 + x)", name + "(1.2 + sin(x), 2)",
          name + "(3, 1 + x)"};
}

TEST(Formula, DerivativesOfEveryFunctionAreLimitsOfDifferences) {
  const double x = 0.7, h = 1e-4;
  // Central differences of the fourth order.
  const auto difference = [&](const Formula& f) {
    return (8 * (f(x + h, 0, 0, 0) - f(x - h, 0, 0, 0)) - (f(x + 2 * h, 0, 0, 0) - f(x - 2 * h, 0, 0, 0))) / (12 * h);
  };
  for (const std::string& name : function_names())
    for (const std::string& text : calls_of(*find_function(name))) {
      const Formula f = Formula::parse(text, {}), first = f.derivative(0), second = first.derivative(0);
      EXPECT_NEAR(first(x, 0, 0, 0), difference(f), 1e-9) << text;
      EXPECT_NEAR(second(x, 0, 0, 0), difference(first), 1e-8) << text;
      EXPECT_EQ(f.derivative(1)(x, 0, 0, 0), 0) << text;
    }
}

TEST(Formula, HasDerivativesByZInSpaceOnly) {
  Formula::Names names = names_with_derivatives();
  EXPECT_THROW(Formula::parse("ddz(u)", {}, names), InputError);
  names.space = true;
  const Formula formula = Formula::parse("ddz(z*u^2) + x", {}, names);
  EXPECT_TRUE(formula.uses_values(2, 8));
  const double values[] = {3, 5, 0, 0, 0, 0, 7, 0};  // u, v, and their derivatives by x, y and z
  EXPECT_DOUBLE_EQ(formula.at_point()(0.5, 0, 2, 0, values), 9 + 2 * 2 * 3 * 7 + 0.5);
}

TEST(Formula, SaysWhetherItUsesGradientsAndNormals) {
  const Formula::Names names = names_with_derivatives();
  EXPECT_FALSE(Formula::parse("u*x", {}, names).uses_values(2, 6));
  EXPECT_TRUE(Formula::parse("ddy(v)", {}, names).uses_values(2, 6));
  EXPECT_FALSE(Formula::parse("ddx(x*t) + ddx(3)", {}, names).uses_values(2, 6));
  const Formula through = Formula::parse("u*normal_x + v*normal_y", {}, names);
  EXPECT_TRUE(through.uses_values(6, 8));
  const auto at = solution_at(0.7, 0.55);
  EXPECT_DOUBLE_EQ(through.at_point()(0, 0, 0, 0, at.data()), 0.6 * at[0] + 0.8 * at[1]);
  Formula::Names in_space = names_with_derivatives();
  in_space.space = true;
  const Formula along = Formula::parse("u*normal_z - v*normal_x", {}, in_space);
  EXPECT_TRUE(along.uses_values(8, 11));
  const double values[] = {3, 5, 0, 0, 0, 0, 0, 0, 0.6, 0, 0.8};  // u, v, their derivatives, the normal
  EXPECT_DOUBLE_EQ(along.at_point()(0, 0, 0, 0, values), 3 * 0.8 - 5 * 0.6);
}

TEST(Formula, DerivativesStandWhereTheyHaveAMeaning) {
  Formula::Names names = names_with_derivatives();
  const auto message = [&](const std::string& text) -> std::string {
    try {
      Formula::parse(text, {}, names);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(message("ddx(ddy(u))"), "only first derivatives"));
  EXPECT_TRUE(has(message("ddx(normal_x)"), "only first derivatives"));
  EXPECT_TRUE(has(message("ddx(u < 1)"), "a number is needed"));
  EXPECT_TRUE(has(message("ddx(u"), "missing ')'"));
  EXPECT_TRUE(has(message("ddz(u)"), "did you mean 'dd"));
  EXPECT_TRUE(has(message("normal_z"), "unknown name 'normal_z'; did you mean 'normal_"));
  names.normal = false;
  EXPECT_TRUE(has(message("normal_x"), "known only in [output.integral.NAME] along a boundary"));
  names.derivatives = false;
  EXPECT_TRUE(has(message("ddx(u)"), "formulas of [output] only"));
}

TEST(Formula, SurvivesAnyText) {
  std::mt19937 random(11);
  const std::string pieces[] = {"x", "y",  "1",    "2.5e-3", "+", "-",  "*",    "/",    "^",
                                "(", ")",  "sin(", "where(", "<", ",",  "and ", "not ", "pi",
                                " ", "==", "min(", ".",      "e", "&&", "\"",   ";",    "\xc3\xa9"};
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (unsigned k = 0; k < 1 + random() % 12; ++k) text += pieces[random() % std::size(pieces)];
    try {
      Formula::parse(text, {})(0.1, 0.2, 0.3, 0.4);
      ++accepted;
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace galerna::case_file
