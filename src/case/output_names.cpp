#include "case/output_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace galerna::case_file {
namespace {

struct Definition {
  std::string name, text;
  std::vector<std::string> needs = {};
};

/// Each in terms of the variables and of those before it.
std::vector<Definition> gas_quantities(int dimension) {
  std::vector<Definition> all;
  std::vector<std::string> momentum_squares, velocity_squares;
  for (const char axis : std::string("xyz").substr(0, static_cast<std::size_t>(dimension))) {
    all.push_back({fmt::format("velocity_{}", axis), fmt::format("momentum_{}/density", axis)});
    momentum_squares.push_back(fmt::format("momentum_{}^2", axis));
    velocity_squares.push_back(fmt::format("velocity_{}^2", axis));
  }
  all.push_back(
      {"pressure", fmt::format("(gamma - 1)*(energy - 0.5*({})/density)", fmt::join(momentum_squares, " + "))});
  all.push_back({"mach", fmt::format("sqrt(({})/(gamma*pressure/density))", fmt::join(velocity_squares, " + "))});
  all.push_back({"temperature", "pressure/density"});
  all.push_back({"entropy", "pressure/density^gamma"});
  return all;
}

const std::vector<Definition>& ready_made(int dimension) {
  const std::vector<std::string> velocity = {"velocity_x", "velocity_y", "velocity_z"};
  static const std::vector<Definition> of_space = {
      {"vorticity_x", "ddy(velocity_z) - ddz(velocity_y)", velocity},
      {"vorticity_y", "ddz(velocity_x) - ddx(velocity_z)", velocity},
      {"vorticity_z", "ddx(velocity_y) - ddy(velocity_x)", velocity},
      {"vorticity",
       "sqrt((ddy(velocity_z) - ddz(velocity_y))^2 + (ddz(velocity_x) - ddx(velocity_z))^2 + (ddx(velocity_y) - "
       "ddy(velocity_x))^2)",
       velocity},
      {"q_criterion",
       "0 - 0.5*(ddx(velocity_x)^2 + ddy(velocity_y)^2 + ddz(velocity_z)^2) - ddy(velocity_x)*ddx(velocity_y) - "
       "ddz(velocity_x)*ddx(velocity_z) - ddz(velocity_y)*ddy(velocity_z)",
       velocity},
      {"divergence", "ddx(velocity_x) + ddy(velocity_y) + ddz(velocity_z)", velocity},
      {"schlieren", "sqrt(ddx(density)^2 + ddy(density)^2 + ddz(density)^2)", {"density"}}};
  if (dimension == 3) return of_space;
  static const std::vector<Definition> all = {
      {"vorticity", "ddx(velocity_y) - ddy(velocity_x)", {"velocity_x", "velocity_y"}},
      {"divergence", "ddx(velocity_x) + ddy(velocity_y)", {"velocity_x", "velocity_y"}},
      {"schlieren", "sqrt(ddx(density)^2 + ddy(density)^2)", {"density"}}};
  return all;
}

}  // namespace

void add_field(Formula::Names& names, const std::string& name, const Formula& formula) {
  names.constants.erase(name);
  names.functions[name] = formula;
}

Formula::Names output_names(Formula::Names of_case, const EquationSettings& equations) {
  Formula::Names names = std::move(of_case);
  names.variables = equations.variables;
  names.derivatives = true;
  // On polytopes the mesh alone knows, against which formulas are held later.
  names.space = equations.dimension == 3 || equations.type == polytopic_equations;
  // Where [equations] is wrong itself, there may be no variables.
  if (!equations.gas || equations.variables.empty()) return names;
  Formula::Names gas;
  gas.variables = equations.variables;
  gas.constants["gamma"] = equations.gamma;
  for (const Definition& quantity : gas_quantities(equations.dimension)) {
    const Formula formula = Formula::parse(quantity.text, {}, gas);
    gas.functions[quantity.name] = formula;
    add_field(names, quantity.name, formula);
  }
  return names;
}

std::vector<OutputSettings::Field> ready_made_fields(const Formula::Names& names, const EquationSettings& equations,
                                                     const std::vector<OutputSettings::Field>& fields) {
  std::set<std::string> known(equations.variables.begin(), equations.variables.end()), taken;
  if (equations.gas)
    for (const Definition& quantity : gas_quantities(equations.dimension)) known.insert(quantity.name);
  for (const OutputSettings::Field& field : fields) known.insert(field.name), taken.insert(field.name);
  std::vector<OutputSettings::Field> result;
  for (const Definition& field : ready_made(equations.dimension)) {
    const bool possible = std::all_of(field.needs.begin(), field.needs.end(),
                                      [&](const std::string& need) { return known.count(need) > 0; });
    if (!possible || taken.count(field.name)) continue;
    try {
      result.push_back({field.name, Formula::parse(field.text, {}, names), false});
    } catch (const InputError&) {
      // A field that is called velocity_x, say, is made of derivatives already.
    }
  }
  return result;
}

}  // namespace galerna::case_file
