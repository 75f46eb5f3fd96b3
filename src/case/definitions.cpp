#include "case/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "case/formula_node.hpp"
#include "case/registry.hpp"

namespace galerna::case_file {
namespace {

/// One of the two sections.
class Definitions {
 public:
  Definitions(Reading& reading, const toml::table& table, const std::string& name)
      : reading_(reading), table_(table), section_(reading, &table, name, name), constants_(name == "constants") {}

  void read() {
    for (const auto& [key, node] : table_) {
      const std::string word(key.str());
      if (!check_name(word)) continue;
      if (node.is_floating_point() || node.is_integer())
        define(word, Formula(*node.value<double>()));
      else if (const auto text = node.value_exact<std::string>())
        waiting_[word] = *text;
      else
        section_.report(word,
                        fmt::format("{} is {}, but must be a number or a formula (string)", word, describe_type(node)));
    }
    resolve();
    for (const auto& [word, text] : waiting_) report_unresolved(word, text);
  }

 private:
  bool check_name(const std::string& word) {
    static const std::set<std::string> taken = {"x", "y", "z", "t", "pi", "and", "or", "not"};
    const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    const bool plain = !word.empty() && !std::isdigit(static_cast<unsigned char>(word[0])) &&
                       std::all_of(word.begin(), word.end(), fits);
    if (!plain)
      section_.report(word, fmt::format("'{}' is no name: use letters, digits and _", word));
    else if (taken.count(word) || find_function(word))
      section_.report(word, fmt::format("'{}' has a meaning of its own in formulas", word));
    else if (reading_.names.constants.count(word))
      section_.report(word, fmt::format("'{}' is already a constant", word));
    else
      return true;
    return false;
  }

  void define(const std::string& word, const Formula& formula) {
    if (constants_)
      reading_.names.constants[word] = formula(0, 0, 0, 0);
    else
      reading_.names.functions[word] = formula;
  }

  SourcePlace text_place(const std::string& key) {
    SourcePlace at = section_.place(key);
    if (at.column > 0) at.column += 1;  // the quote
    return at;
  }

  /// What can be parsed is defined, until nothing is left or nothing moves.
  void resolve() {
    for (bool progress = true; progress;) {
      progress = false;
      for (auto entry = waiting_.begin(); entry != waiting_.end();) {
        try {
          const Formula formula = Formula::parse(entry->second, text_place(entry->first), reading_.names);
          if (constants_ && !formula.constant())
            section_.report(entry->first, fmt::format("constant '{}' depends on x, y, z or t: put it into [functions]",
                                                      entry->first));
          define(entry->first, formula);
          entry = waiting_.erase(entry);
          progress = true;
        } catch (const InputError&) {
          ++entry;
        }
      }
    }
  }

  /// With all waiting names defined, what is left is an error of its own or a circle.
  void report_unresolved(const std::string& word, const std::string& text) {
    Formula::Names names = reading_.names;
    for (const auto& [other, other_text] : waiting_) names.functions[other] = Formula(1.0);
    try {
      Formula::parse(text, text_place(word), names);
      section_.report(word, fmt::format("'{}' is defined in a circle: its formula leads back to itself", word));
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems()) reading_.problems.push_back(problem);
    }
    reading_.names.functions[word] = Formula(1.0);  // so that formulas that use it are not reported as well
  }

  Reading& reading_;
  const toml::table& table_;
  Section section_;
  bool constants_;
  std::map<std::string, std::string> waiting_;
};

/// The ratio of specific heats of a gas, unless the case has another meaning for the name, or gives it in terms of its
/// own constants, which come later.
void define_gamma(Reading& reading, const toml::table& root) {
  const EquationEntry* equations = find_entry(equation_types(), root["equations"]["type"].value_or(std::string()));
  if (!equations || !equations->gas || root["constants"]["gamma"] || root["functions"]["gamma"]) return;
  const auto given = root["equations"]["gamma"];
  std::optional<double> value = given ? given.value<double>() : 1.4;
  if (const auto text = given.value_exact<std::string>()) {
    Formula::Names none;
    none.constants_only = true;
    try {
      value = Formula::parse(*text, {}, none)(0, 0, 0, 0);
    } catch (const InputError&) {
    }
  }
  if (value) reading.names.constants["gamma"] = *value;
}

}  // namespace

void read_definitions(Reading& reading, const toml::table& root) {
  define_gamma(reading, root);
  for (const std::string name : {"constants", "functions"})
    if (const toml::table* table = table_at(reading, root, name, name)) Definitions(reading, *table, name).read();
}

}  // namespace galerna::case_file
