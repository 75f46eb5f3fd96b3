#include "case/read_state.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace galerna::case_file {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The first name that the section has, but `others` have not.
std::string first_of_its_own(const Section& s, const std::vector<std::string>& names,
                             const std::vector<std::string>& others) {
  for (const std::string& name : names)
    if (s.has(name) && !contains(others, name)) return name;
  return "";
}

std::string choices(const EquationSettings& equations) {
  const std::string variables = fmt::format("{}", fmt::join(equations.variables, ", "));
  if (equations.primitives.empty()) return variables;
  return fmt::format("{}; or {}", fmt::join(equations.primitives, ", "), variables);
}

Key formula_key(const std::string& section, const std::string& name, const std::string& help) {
  return {name, KeyType::formula, "", "", help, {}, section};
}

}  // namespace

std::vector<Key> state_keys(const EquationSettings& equations, const std::string& section) {
  std::vector<Key> keys;
  for (const std::string& name : equations.primitives) keys.push_back(formula_key(section, name, choices(equations)));
  for (const std::string& name : equations.variables)
    if (!contains(equations.primitives, name)) keys.push_back(formula_key(section, name, choices(equations)));
  return keys;
}

std::optional<StateSettings> read_state(Reading& reading, Section& s, const EquationSettings& equations,
                                        const std::string& what) {
  const std::string primitive = first_of_its_own(s, equations.primitives, equations.variables);
  const std::string conservative = first_of_its_own(s, equations.variables, equations.primitives);
  if (!primitive.empty() && !conservative.empty()) {
    reading.report(s.place(), fmt::format("[{}] mixes {} with {}; give one set: {}", s.path(), primitive, conservative,
                                          choices(equations)));
    return {};
  }
  StateSettings state;
  state.place = s.place();
  state.primitive = conservative.empty() && !equations.primitives.empty();
  for (const std::string& name : state.primitive ? equations.primitives : equations.variables) {
    if (!s.has(name))
      reading.report(s.place(), fmt::format("[{}] lacks {}: {} needs {}", s.path(), name, what, choices(equations)));
    if (const auto formula = s.formula(name)) state.formulas.push_back(*formula);
  }
  if (state.formulas.size() != equations.variables.size()) return {};
  return state;
}

std::vector<Formula> read_source(Reading& reading, const toml::table& root, const EquationSettings& equations) {
  const toml::table* table = table_at(reading, root, "source", "source");
  if (!table) return {};
  std::vector<Key> keys;
  for (const std::string& name : equations.variables)
    keys.push_back(formula_key("source", name, "added to the right-hand side"));
  Section s(reading, table, std::move(keys), "source");
  s.check_unknown();
  std::vector<Formula> source;
  reading.names.variables = equations.variables;
  for (const std::string& name : equations.variables) source.push_back(s.formula(name).value_or(Formula(0.0)));
  reading.names.variables.clear();
  return source;
}

}  // namespace galerna::case_file
