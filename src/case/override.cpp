#include "case/override.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "case/parse_toml.hpp"

namespace galerna::case_file {
namespace {

/// Where the first = stands outside of quotes.
std::size_t equals_in(const std::string& text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins_word = i == 0 || text[i - 1] == '.';
    if (quote == 0 && text[i] == '=') return i;
    if (quote == 0 && begins_word && (text[i] == '"' || text[i] == '\''))
      quote = text[i];
    else if (quote == '"' && text[i] == '\\')
      ++i;
    else if (text[i] == quote)
      quote = 0;
  }
  return text.find('=');
}

/// The words of a key with names in quotes, as TOML has them; none where they are not closed.
std::vector<std::string> quoted_words(const std::string& path) {
  std::vector<std::string> words;
  try {
    toml::table table = toml::parse(path + " = 0");
    for (const toml::table* at = &table; at && at->size() == 1;) {
      words.emplace_back(at->begin()->first.str());
      at = at->begin()->second.as_table();
    }
  } catch (const toml::parse_error&) {
    return {};
  }
  return words;
}

/// The words between the dots of "section.sub.key"; a name with dots stands in quotes, as in a case.
std::vector<std::string> words_of(const std::string& path) {
  std::vector<std::string> words;
  if (path.starts_with('"') || path.starts_with('\'') || path.find(".\"") != std::string::npos ||
      path.find(".'") != std::string::npos)
    words = quoted_words(path);
  if (!words.empty()) return words;
  std::istringstream stream(path);
  for (std::string word; std::getline(stream, word, '.');) words.push_back(word);
  return words;
}

/// For messages about what may be very long.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 60;
  return text.size() <= most ? text : text.substr(0, most) + "…";
}

/// Takes the key or section out of the table.
void remove_key(toml::table& root, const std::vector<std::string>& words, const std::string& path) {
  toml::table* table = &root;
  std::string section;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (table && !table->contains(words[i])) {
      std::vector<std::string> there;
      for (const auto& [key, node] : *table) there.emplace_back(key.str());
      const std::string near = nearest_name(words[i], there);
      throw InputError(
          {"--set " + path + "="},
          fmt::format("there is no '{}'{} to take out{}", words[i], section.empty() ? "" : " in [" + section + "]",
                      !near.empty()   ? "; did you mean '" + near + "'?"
                      : there.empty() ? ""
                                      : "; there is " + list_names(there, "and")));
    }
    if (!table) throw InputError({"--set " + path + "="}, fmt::format("{} is not a section", section));
    if (i + 1 == words.size()) break;
    table = table->get_as<toml::table>(words[i]);
    section += (section.empty() ? "" : ".") + words[i];
  }
  table->erase(words.back());
}

}  // namespace

std::string apply_override(toml::table& root, const std::string& text) {
  const std::size_t equals = equals_in(text);
  if (equals == std::string::npos || equals == 0)
    throw InputError({"--set " + text}, "must be section.key=value, such as discretization.order=3");
  const std::string given = text.substr(0, equals), value = text.substr(equals + 1);
  if (std::count(given.begin(), given.end(), '.') >= most_key_parts || find_deep_key("value = " + value, "").line > 0)
    throw InputError({"--set " + shortened(text)},
                     fmt::format("a key has more than {} parts; no key of a case has so many", most_key_parts));
  const std::vector<std::string> words = words_of(given);
  const std::string path = fmt::format("{}", fmt::join(words, "."));
  if (value.empty()) {
    remove_key(root, words, path);
    return path;
  }
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + value);
  } catch (const toml::parse_error&) {
    parsed = toml::table{{"value", value}};
  }
  toml::table* table = &root;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (!table->contains(words[i])) table->insert(words[i], toml::table{});
    table = table->get_as<toml::table>(words[i]);
    if (!table) throw InputError({"--set " + path}, fmt::format("{} is not a section", words[i]));
  }
  table->insert_or_assign(words.back(), *parsed.get("value"));
  return path;
}

}  // namespace galerna::case_file
