#include "case/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "case/formula_node.hpp"
#include "case/registry.hpp"

namespace galerna::case_file {
namespace {

/// Far more than any case has; a text without bounds would take hours, or exhaust the stack.
constexpr std::size_t most_names = 1000;
constexpr int most_levels = 100;

/// One of the two sections.
class Definitions {
 public:
  Definitions(Reading& reading, const toml::table& table, const std::string& name)
      : reading_(reading), table_(table), section_(reading, &table, name, name), constants_(name == "constants") {}

  void read() {
    for (const auto& [key, node] : table_) {
      const std::string word(key.str());
      if (!check_name(word)) continue;
      if (const auto number = number_of(node))
        define(word, Formula(*number));
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
    const double value = formula.constant() ? formula(0, 0, 0, 0) : 0;
    if (constants_ && !std::isfinite(value))
      section_.report(word, fmt::format("{} = {} must be finite: give a number", word, formula.text()));
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

  /// Defines the names after those that they mention.
  void resolve() {
    std::vector<std::string> words;
    for (const auto& [word, text] : waiting_) words.push_back(word);
    if (words.size() <= most_names) {
      for (const std::string& word : words) resolve(word);
      return;
    }
    reading_.report(section_.place(),
                    fmt::format("[{}] has {} formulas, more than {}", section_.path(), words.size(), most_names));
    waiting_.clear();
  }

  /// Returns to how many names in a chain the word leads. What cannot be parsed keeps waiting.
  int resolve(const std::string& word) {
    const auto entry = waiting_.find(word);
    if (entry == waiting_.end() || !visiting_.insert(word).second) return levels_[word];
    int& level = levels_[word];
    level = 1;
    for (const std::string& mentioned : words_in(entry->second))
      if (static_cast<int>(visiting_.size()) <= most_levels) level = std::max(level, 1 + resolve(mentioned));
    visiting_.erase(word);
    if (level > most_levels) {
      if (!std::exchange(too_long_, true))
        section_.report(word, fmt::format("'{}' leads through more than {} other formulas", word, most_levels));
      define(word, Formula(1.0));
      waiting_.erase(word);
      level = 1;
    } else if (define_parsed(word, entry->second)) {
      waiting_.erase(word);
    }
    return level;
  }

  bool define_parsed(const std::string& word, const std::string& text) {
    try {
      const Formula formula = Formula::parse(text, text_place(word), reading_.names);
      if (constants_ && !formula.constant())
        section_.report(word, fmt::format("constant '{}' depends on x, y, z or t: put it into [functions]", word));
      define(word, formula);
      return true;
    } catch (const InputError&) {
      return false;
    }
  }

  static std::set<std::string> words_in(const std::string& text) {
    std::set<std::string> words;
    std::string word;
    for (char c : text + " ") {
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
        word += c;
      else if (!word.empty())
        words.insert(std::exchange(word, ""));
    }
    return words;
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
  std::set<std::string> visiting_;     ///< those whose mentioned names are being defined
  bool too_long_ = false;              ///< a chain of names
  std::map<std::string, int> levels_;  ///< how long a chain of names each leads to
};

/// The ratio of specific heats of a gas, unless the case has another meaning for the name, or gives it in terms of its
/// own constants, which come later.
void define_gamma(Reading& reading, const toml::table& root) {
  const EquationEntry* equations = find_entry(equation_types(), root["equations"]["type"].value_or(std::string()));
  if (!equations || !equations->gas || root["constants"]["gamma"] || root["functions"]["gamma"]) return;
  const auto given = root["equations"]["gamma"];
  std::optional<double> value = given ? number_of(*given.node()) : 1.4;
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
