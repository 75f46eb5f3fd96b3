#include "case/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/toml_key.hpp"

namespace galerna::case_file {
namespace {

/// The path of a section as TOML has it. \param schema in the keys: "boundary.NAME" where a name ends the path
std::string shown_path(const std::string& path, const std::string& schema) {
  const std::string any = "NAME";
  if (!schema.ends_with("." + any)) return path;
  const std::string before = schema.substr(0, schema.size() - any.size());
  return path.starts_with(before) ? before + toml_key(path.substr(before.size())) : path;
}

}  // namespace

SourcePlace Reading::place(const std::string& path, const toml::source_region& in_file) const {
  const std::string* from = nullptr;
  for (const std::string& set : overrides) {
    const bool gave = path == set || path.starts_with(set + ".");
    const bool made = in_file.begin.line == 0 && set.starts_with(path + ".");
    if ((gave || made) && (!from || set.size() > from->size())) from = &set;
  }
  if (from) return {"--set " + *from};
  return {file, static_cast<int>(in_file.begin.line), static_cast<int>(in_file.begin.column)};
}

Section::Section(Reading& reading, const toml::table* table, const std::string& schema, std::string path)
    : Section(reading, table, keys_of(schema, *reading.all_keys), std::move(path)) {}

Section::Section(Reading& reading, const toml::table* table, std::vector<Key> keys, std::string path)
    : reading_(reading),
      table_(table),
      keys_(std::move(keys)),
      path_(std::move(path)),
      shown_(shown_path(path_, keys_.empty() ? "" : keys_.front().section)) {}

SourcePlace Section::place() const {
  if (!table_) return {reading_.file};
  return reading_.place(path_, table_->source());
}

SourcePlace Section::place(const std::string& name) const {
  const toml::node* node = find(name);
  return node ? reading_.place(full_name(name), node->source()) : place();
}

Places Section::places() const {
  Places places{place(), {}};
  if (table_)
    for (const auto& [key, node] : *table_) places.keys.emplace(key.str(), place(std::string(key.str())));
  return places;
}

const Key& Section::key(const std::string& name) const {
  for (const Key& key : keys_)
    if (key.name == name) return key;
  throw std::logic_error("key " + path_ + "." + name + " is not declared");
}

std::string describe_type(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

std::optional<double> number_of(const toml::node& node) {
  if (const auto integer = node.value_exact<std::int64_t>()) return static_cast<double>(*integer);
  return node.value_exact<double>();
}

const toml::table* table_at(Reading& reading, const toml::table& parent, const std::string& key,
                            const std::string& path) {
  const toml::node* node = parent.get(key);
  const std::string shown = path.substr(0, path.size() - key.size()) + toml_key(key);
  if (node && !node->is_table())
    reading.report(reading.place(path, node->source()),
                   fmt::format("{0} is {1}, but must be a section [{0}]", shown, describe_type(*node)));
  return node ? node->as_table() : nullptr;
}

void Section::wrong_type(const std::string& name, const toml::node& found) {
  if (const auto number = found.value_exact<double>(); number && key(name).type == KeyType::integer)
    return report(name, fmt::format("{} is {:g}, but must be an integer", name, *number));
  const std::vector<std::string>& words = key(name).values.allowed;
  report(name, fmt::format("{} is {}, but must be: {}{}", name, describe_type(found), type_name(key(name).type),
                           words.empty() || key(name).type == KeyType::text ? "" : ", or " + list_names(words)));
}

bool Section::must_be_finite(const std::string& name) const {
  const auto key = std::find_if(keys_.begin(), keys_.end(), [&](const Key& k) { return k.name == name; });
  return key == keys_.end() || key->values.finite;
}

bool Section::in_range(const std::string& name, double value) {
  const Values& k = key(name).values;
  const bool low = k.exclusive ? !(value > k.least) : !(value >= k.least);
  if (!low && value <= k.most) return true;
  std::vector<std::string> bounds;
  if (std::isfinite(k.least))
    bounds.push_back(fmt::format("{} {:g}", k.exclusive ? "larger than" : "at least", k.least));
  if (std::isfinite(k.most)) bounds.push_back(fmt::format("at most {:g}", k.most));
  report(name, fmt::format("{} = {:g} is out of range: it must be {}", name, value, fmt::join(bounds, " and ")));
  return false;
}

/// The system ends names of files there.
bool Section::has_no_null(const std::string& name, const std::string& value) {
  if (value.find('\0') == std::string::npos) return true;
  report(name, fmt::format("{} has the character NUL (\\u0000): take it out", name));
  return false;
}

std::optional<std::string> Section::text(const std::string& name) {
  const toml::node* node = find(name);
  if (!node) return {};
  const auto value = node->value_exact<std::string>();
  if (!value) {
    wrong_type(name, *node);
    return {};
  }
  if (!has_no_null(name, *value)) return {};
  const auto& allowed = key(name).values.allowed;
  if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), *value) == allowed.end()) {
    const std::string near = nearest_name(*value, allowed);
    report(name, fmt::format("unknown {} \"{}\"{}; allowed: {}", name, *value,
                             near.empty() ? "" : "; did you mean \"" + near + "\"?", list_names(allowed)));
    return {};
  }
  return value;
}

std::optional<double> Section::number_in(const std::string& name, const toml::node* node) {
  if (!node) return {};
  SourcePlace at = reading_.place(full_name(name), node->source());
  std::optional<double> value = number_of(*node);
  const auto text = node->value_exact<std::string>();
  if (!value && !text) return {};
  if (at.column > 0 && text) at.column += 1;  // the quote
  const std::string said = text ? fmt::format("{} = \"{}\"", name, *text) : fmt::format("{} = {:g}", name, *value);
  Formula::Names names = reading_.names;
  names.constants_only = true;
  try {
    if (text) value = Formula::parse(*text, at, names)(0, 0, 0, 0);
    // Kernels on the CPU take what is below the normal range for zero (device/host_threads.cpp).
    if (std::fpclassify(*value) == FP_SUBNORMAL)
      reading_.report(at, fmt::format("{} is too close to 0 to compute with: write 0, or {:g} or more", said,
                                      std::numeric_limits<double>::min()));
    else if (!std::isfinite(*value) && (text || must_be_finite(name)))
      reading_.report(at, text ? fmt::format("{} is {}, but must be finite", said, *value)
                               : fmt::format("{} must be finite: give a number", said));
    else
      return value;
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems())
      reading_.report(problem.place, fmt::format("{} is no formula of constants: {}", said, problem.text));
  }
  return {};
}

std::optional<double> Section::number(const std::string& name) {
  const toml::node* node = find(name);
  if (!node) return {};
  const std::size_t before = problem_count();
  const auto value = number_in(name, node);
  if (!value && problem_count() == before) wrong_type(name, *node);
  if (!value || !in_range(name, *value)) return {};
  return value;
}

std::optional<long> Section::integer(const std::string& name) {
  const toml::node* node = find(name);
  if (!node) return {};
  if (!node->is_integer() && !node->is_string()) {
    wrong_type(name, *node);
    return {};
  }
  const auto value = number_in(name, node);
  if (!value || !in_range(name, *value)) return {};
  // 2^53: up to there doubles hold all integers, and sums of a few are no overflow.
  constexpr double largest = 9007199254740992.0;
  if (*value == std::floor(*value) && std::abs(*value) <= largest) return static_cast<long>(*value);
  report(name, fmt::format("{} is {}, but must be an integer, at most 2^53 in size", name, *value));
  return {};
}

std::optional<bool> Section::boolean(const std::string& name) {
  const toml::node* node = find(name);
  if (!node) return {};
  if (!node->is_boolean()) {
    wrong_type(name, *node);
    return {};
  }
  return node->value<bool>();
}

std::optional<Formula> Section::formula_in(const std::string& name, const toml::node& node) {
  SourcePlace at = reading_.place(full_name(name), node.source());
  if (const auto number = number_of(node)) {
    if (std::isfinite(*number)) return Formula(*number, at);
    reading_.report(at, fmt::format("{} = {:g} must be finite: give a number or a formula", name, *number));
    return {};
  }
  const auto text = node.value_exact<std::string>();
  if (!text) return {};
  if (at.column > 0) at.column += 1;  // the quote
  try {
    return Formula::parse(*text, at, reading_.names);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) reading_.problems.push_back(problem);
  }
  return {};
}

std::optional<Formula> Section::formula(const std::string& name) {
  const toml::node* node = find(name);
  if (!node) return {};
  const std::size_t before = problem_count();
  const auto formula = formula_in(name, *node);
  if (!formula && problem_count() == before) wrong_type(name, *node);
  return formula;
}

std::optional<std::string> Section::word(const std::string& name) const {
  const toml::node* node = find(name);
  const auto text = node ? node->value<std::string>() : std::nullopt;
  const std::vector<std::string>& words = key(name).values.allowed;
  if (!text || std::find(words.begin(), words.end(), *text) == words.end()) return {};
  return text;
}

std::optional<std::vector<double>> Section::numbers(const std::string& name, std::size_t least, std::size_t most) {
  const toml::node* node = find(name);
  if (!node) return {};
  const toml::array* list = node->as_array();
  const std::size_t before = problem_count();
  std::vector<double> values;
  if (list)
    for (const toml::node& entry : *list)
      if (const auto value = number_in(name, &entry)) values.push_back(*value);
  if (!list || values.size() != list->size()) {
    if (problem_count() == before) wrong_type(name, *node);
    return {};
  }
  if (values.size() < least || values.size() > most) {
    report(name, fmt::format("{} has {} numbers, but must have {}{}", name, values.size(), least,
                             most > least ? fmt::format(" to {}", most) : ""));
    return {};
  }
  return values;
}

std::optional<std::vector<std::string>> Section::names(const std::string& name) {
  const toml::node* node = find(name);
  if (!node) return {};
  const toml::array* list = node->as_array();
  std::vector<std::string> values;
  if (list)
    for (const toml::node& entry : *list)
      if (const auto text = entry.value_exact<std::string>()) {
        if (!has_no_null(name, *text)) return {};
        values.push_back(*text);
      }
  if (list && values.size() == list->size()) return values;
  wrong_type(name, *node);
  return {};
}

const toml::table* Section::table(const std::string& name) {
  const toml::node* node = find(name);
  if (node && !node->is_table()) wrong_type(name, *node);
  return node ? node->as_table() : nullptr;
}

const toml::array* Section::array(const std::string& name) {
  const toml::node* node = find(name);
  if (node && !node->is_array()) wrong_type(name, *node);
  return node ? node->as_array() : nullptr;
}

void Section::require(const std::string& name) {
  if (!has(name))
    reading_.report(place(),
                    fmt::format("{} is missing: {}", shown_.empty() ? name : shown_ + "." + name, key(name).help));
}

void Section::check_unknown(const std::vector<std::string>& tables) {
  if (!table_) return;
  std::vector<std::string> known = tables;
  for (const Key& k : keys_) known.push_back(k.name);
  const std::string own = keys_.empty() ? path_ : keys_.front().section;
  for (const auto& [name, node] : *table_) {
    const std::string word(name.str());
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    const std::string near = nearest_name(word, known), elsewhere = sections_with(word, own, *reading_.all_keys);
    reading_.report(
        reading_.place(full_name(word), name.source()),
        fmt::format("unknown key '{}'{}{}{}; allowed: {}", word, shown_.empty() ? "" : " in [" + shown_ + "]",
                    near.empty() ? "" : "; did you mean '" + near + "'?",
                    elsewhere.empty() ? "" : "; it is a key of " + elsewhere, list_names(known)));
  }
}

Section required_section(Reading& reading, const toml::table& root, const std::string& name, std::vector<Key> keys,
                         const std::vector<std::string>& tables) {
  Section s(reading, table_at(reading, root, name, name), std::move(keys), name);
  if (!s.present() && !root.contains(name))
    reading.report({reading.file}, fmt::format("section [{}] is missing", name));
  s.check_unknown(tables);
  return s;
}

}  // namespace galerna::case_file
