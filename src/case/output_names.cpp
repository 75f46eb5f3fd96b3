#include "case/output_names.hpp"

#include <algorithm>
#include <set>

namespace galerna::case_file {
namespace {

struct Definition {
  const char* name;
  const char* text;
  std::vector<std::string> needs = {};
};

/// Each in terms of the variables and of those before it.
const std::vector<Definition>& gas_quantities() {
  static const std::vector<Definition> all = {
      {"velocity_x", "momentum_x/density"},
      {"velocity_y", "momentum_y/density"},
      {"pressure", "(gamma - 1)*(energy - 0.5*(momentum_x^2 + momentum_y^2)/density)"},
      {"mach", "sqrt((velocity_x^2 + velocity_y^2)/(gamma*pressure/density))"},
      {"temperature", "pressure/density"},
      {"entropy", "pressure/density^gamma"}};
  return all;
}

const std::vector<Definition>& ready_made() {
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
  // Where [equations] is wrong itself, there may be no variables.
  if (equations.user || equations.variables.size() != 4) return names;
  Formula::Names gas;
  gas.variables = equations.variables;
  gas.constants["gamma"] = equations.gamma;
  for (const Definition& quantity : gas_quantities()) {
    const Formula formula = Formula::parse(quantity.text, {}, gas);
    gas.functions[quantity.name] = formula;
    add_field(names, quantity.name, formula);
  }
  return names;
}

std::vector<OutputSettings::Field> ready_made_fields(const Formula::Names& names, const EquationSettings& equations,
                                                     const std::vector<OutputSettings::Field>& fields) {
  std::set<std::string> known(equations.variables.begin(), equations.variables.end()), taken;
  if (!equations.user)
    for (const Definition& quantity : gas_quantities()) known.insert(quantity.name);
  for (const OutputSettings::Field& field : fields) known.insert(field.name), taken.insert(field.name);
  std::vector<OutputSettings::Field> result;
  for (const Definition& field : ready_made()) {
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
