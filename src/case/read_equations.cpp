#include "case/read_equations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "case/keys.hpp"
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

bool is_among(const std::vector<Key>& keys, const std::string& name) {
  return std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
}

bool is_parameter(const std::string& key, const EquationEntry& entry) {
  return std::any_of(entry.parameters.begin(), entry.parameters.end(),
                     [&](const ParameterEntry& parameter) { return parameter.name == key; });
}

/// Of which equations a key is.
std::string owners(const std::string& key) {
  if (is_among(user_keys(), key)) return "user";
  if (is_among(viscosity_keys(), key)) return "navier-stokes";
  if (key == "gamma") return "gases";
  std::vector<std::string> names;
  for (const EquationEntry& entry : equation_types())
    if (is_parameter(key, entry)) names.push_back(entry.name);
  return list_names(names, "and");
}

void refuse_keys_of_others(Section& s, const std::string& type) {
  for (const Key& key : keys_of("equations"))
    if (s.has(key.name) && !has_meaning(key.name, type))
      s.report(key.name, fmt::format("{} has no meaning for {}; it is for {}", key.name, type, owners(key.name)));
}

/// The flow is in space if the initial state has a third component of a vector.
int dimension_of(const toml::table& root, const EquationEntry& entry) {
  const toml::table* initial = root["initial"].as_table();
  for (const auto& list : {entry.variables, entry.primitives})
    for (const std::string& name : names_in(3, list))
      if (initial && name.ends_with("_z") && initial->contains(name)) return 3;
  return 2;
}

void read_parameters(Section& s, const EquationEntry& entry, EquationSettings& equations) {
  for (const ParameterEntry& parameter : entry.parameters) {
    if (parameter.fallback.empty()) s.require(parameter.name);
    const double fallback = parameter.fallback.empty() ? 1 : std::stod(parameter.fallback);
    equations.parameters.emplace_back(parameter.name, s.number(parameter.name).value_or(fallback));
  }
}

/// \param own [constants] gamma of the case
void read_gas(Section& s, bool viscous, std::optional<double> own, EquationSettings& equations) {
  equations.gamma = s.number("gamma").value_or(1.4);
  if (own && *own != equations.gamma && !s.has("gamma"))
    s.report("type", fmt::format("constants.gamma = {:.10g}, but the gas has gamma = 1.4, the default: give "
                                 "equations.gamma = \"gamma\", or call the constant something else",
                                 *own));
  equations.parameters = {{"gamma", equations.gamma}};
  if (!viscous) return;
  EquationSettings::Viscous& gas = equations.viscous.emplace(EquationSettings::Viscous{});
  gas.prandtl = s.number("prandtl").value_or(0.72);
  read_viscosity(s, gas);
  read_sutherland(s, gas);
  equations.parameters.insert(equations.parameters.end(), {{"prandtl", gas.prandtl},
                                                           {"mu", gas.mu},
                                                           {"sutherland", gas.sutherland ? 1 : 0},
                                                           {"reference_temperature", gas.reference_temperature},
                                                           {"sutherland_temperature", gas.sutherland_temperature}});
}

}  // namespace

bool has_meaning(const std::string& key, const std::string& type) {
  if (key == "type") return true;
  if (is_among(user_keys(), key)) return type == "user";
  const EquationEntry* entry = find_entry(equation_types(), type);
  if (!entry) return true;
  if (is_parameter(key, *entry)) return true;
  return entry->gas && (key == "gamma" || (entry->viscous && is_among(viscosity_keys(), key)));
}

std::string in_words(const EquationSettings& equations, const std::string& prefix) {
  return equations.user ? "a user's equations" : prefix + equations.type;
}

EquationSettings read_equations(Reading& reading, Section& s, const toml::table& root,
                                const std::filesystem::path& folder) {
  EquationSettings equations;
  s.require("type");
  const auto type = s.text("type");
  if (!type) throw InputError(reading.problems);  // whatever else the case says, it says of equations
  equations.type = *type;
  refuse_keys_of_others(s, equations.type);
  const EquationEntry& entry = *find_entry(equation_types(), equations.type);
  equations.gas = entry.gas;
  if (equations.type == "user") {
    read_user_equations(reading, s, root["equations"].as_table(), folder, equations);
    return equations;
  }
  if (s.has("parameters")) s.report("parameters", "[equations.parameters] is for equations of type user");
  equations.dimension = dimension_of(root, entry);
  equations.variables = names_in(equations.dimension, entry.variables);
  equations.primitives = names_in(equations.dimension, entry.primitives);
  equations.viscous_flux = entry.viscous;
  equations.source = entry.source;
  const auto own = reading.names.constants.find("gamma");
  if (entry.gas)
    read_gas(s, entry.viscous, own == reading.names.constants.end() ? std::nullopt : std::optional(own->second),
             equations);
  read_parameters(s, entry, equations);
  return equations;
}

}  // namespace galerna::case_file
