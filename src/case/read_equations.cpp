#include "case/read_equations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "case/read_user_equations.hpp"
#include "case/registry.hpp"

namespace galerna::case_file {
namespace {

constexpr const char* reference_keys[] = {"reference_density", "reference_velocity", "reference_length"};
constexpr const char* sutherland_keys[] = {"reference_temperature", "sutherland_ratio"};

/// μ from exactly one of mu and reynolds.
void read_viscosity(Section& s, EquationSettings::Viscous& viscous) {
  const auto mu = s.number("mu");
  viscous.reynolds = s.number("reynolds");
  if (s.has("mu") && s.has("reynolds"))
    s.report("reynolds", "mu and reynolds both say how viscous the gas is; give one of them");
  if (!s.has("mu") && !s.has("reynolds"))
    s.report("type",
             "navier-stokes needs a viscosity: give mu, or reynolds with reference_density, reference_velocity "
             "and reference_length");
  double product = 1;
  for (const char* name : reference_keys) {
    const auto value = s.number(name);
    product *= value.value_or(1);
    if (s.has("reynolds") && !s.has(name))
      s.report("reynolds", fmt::format("reynolds needs {}, so that it can be turned into a viscosity", name));
    if (!s.has("reynolds") && s.has(name)) s.report(name, fmt::format("{} has no meaning without reynolds", name));
  }
  viscous.mu = mu ? *mu : viscous.reynolds ? product / *viscous.reynolds : 0;
}

void read_sutherland(Section& s, EquationSettings::Viscous& viscous) {
  viscous.sutherland = s.text("viscosity").value_or("constant") == "sutherland";
  const auto temperature = s.number("reference_temperature");
  const auto ratio = s.number("sutherland_ratio");
  if (viscous.sutherland && !s.has("reference_temperature"))
    s.report("viscosity", "sutherland needs reference_temperature, the temperature (p/ρ) at which the viscosity is mu");
  if (!viscous.sutherland)
    for (const char* name : sutherland_keys)
      if (s.has(name)) s.report(name, fmt::format("{} has no meaning for constant viscosity", name));
  viscous.reference_temperature = temperature.value_or(1);
  viscous.sutherland_temperature =
      viscous.sutherland ? ratio.value_or(110.4 / 288.15) * viscous.reference_temperature : 0;
}

const std::vector<std::string>& viscous_keys() {
  static const std::vector<std::string> list = [] {
    std::vector<std::string> names = {"prandtl", "viscosity", "mu", "reynolds"};
    names.insert(names.end(), std::begin(reference_keys), std::end(reference_keys));
    names.insert(names.end(), std::begin(sutherland_keys), std::end(sutherland_keys));
    return names;
  }();
  return list;
}

/// Reports the keys that the equations have no use for, of those that `of_others` tells.
template <class Predicate>
void refuse_keys(Section& s, const std::string& type, const std::string& whose, const Predicate& of_others) {
  for (const Key& key : keys_of("equations"))
    if (s.has(key.name) && of_others(key.name))
      s.report(key.name, fmt::format("{} has no meaning for {}; it is for {}", key.name, type, whose));
}

/// The flow is in space if the initial state has a third component of velocity or momentum.
int dimension_of(const toml::table& root) {
  const toml::table* initial = root["initial"].as_table();
  return initial && (initial->contains("velocity_z") || initial->contains("momentum_z")) ? 3 : 2;
}

/// Names of variables and primitives of a gas.
void name_variables(EquationSettings& equations) {
  equations.variables = equations.primitives = {"density"};
  for (const char axis : std::string_view("xyz").substr(0, static_cast<std::size_t>(equations.dimension))) {
    equations.variables.push_back(std::string("momentum_") + axis);
    equations.primitives.push_back(std::string("velocity_") + axis);
  }
  equations.variables.emplace_back("energy");
  equations.primitives.emplace_back("pressure");
}

}  // namespace

bool is_viscous_key(const std::string& key) {
  return std::find(viscous_keys().begin(), viscous_keys().end(), key) != viscous_keys().end();
}

EquationSettings read_equations(Reading& reading, Section& s, const toml::table& root,
                                const std::filesystem::path& folder) {
  const toml::table* table = root["equations"].as_table();
  EquationSettings equations;
  s.require("type");
  equations.type = s.text("type").value_or("euler");
  if (equations.type == "user") {
    refuse_keys(s, "user", "gases", [](const std::string& key) { return key != "type" && !is_user_key(key); });
    read_user_equations(reading, s, table, folder, equations);
    return equations;
  }
  refuse_keys(s, equations.type, "user", is_user_key);
  if (s.has("parameters")) s.report("parameters", "[equations.parameters] is for equations of type user");
  equations.dimension = dimension_of(root);
  name_variables(equations);
  equations.gamma = s.number("gamma").value_or(1.4);
  if (!find_entry(equation_types(), equations.type)->viscous) {
    refuse_keys(s, equations.type, "navier-stokes", is_viscous_key);
    return equations;
  }
  EquationSettings::Viscous viscous;
  viscous.prandtl = s.number("prandtl").value_or(0.72);
  read_viscosity(s, viscous);
  read_sutherland(s, viscous);
  equations.viscous = viscous;
  return equations;
}

}  // namespace galerna::case_file
