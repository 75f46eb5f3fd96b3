// The output field of docs/recipes/add-an-output-field.md, as its page shows it.
#include <gtest/gtest.h>

#include "case/output_names.hpp"

namespace galerna::case_file {
namespace {

/// As in src/case/output_names.cpp.
struct Definition {
  std::string name, text;
  std::vector<std::string> needs = {};
};

const std::vector<Definition> shown = {
#include "recipes/fields.inc"
};

TEST(RecipeOutputField, IsTheKineticEnergy) {
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].name, "kinetic_energy");
  EquationSettings gas;
  gas.variables = {"density", "momentum_x", "momentum_y", "energy"};
  const Formula formula = Formula::parse(shown[0].text, {}, output_names({}, gas));
  const std::vector<double> state = {2, 2 * 3, 2 * 4, 100};
  EXPECT_NEAR(formula.at_point()(0, 0, 0, 0, state.data()), 25, 1e-13);
}

}  // namespace
}  // namespace galerna::case_file
