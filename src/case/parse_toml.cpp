#include "case/parse_toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>

namespace galerna::case_file {
namespace {

/// Walks over a text outside of its strings and comments, and counts the dots of keys.
class KeyScanner {
 public:
  explicit KeyScanner(std::string_view text) : text_(text) {}

  /// Goes on to the first key with too many parts; false where there is none.
  bool find() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#')
        skip_comment();
      else if (text_[at_] == '"' || text_[at_] == '\'')
        skip_string(text_[at_]);
      else if (text_[at_] == '.' && ++dots_ >= most_key_parts)
        return true;
      else
        step();
    }
    return false;
  }

  int line() const { return line_; }
  int column() const { return static_cast<int>(at_ - line_begin_) + 1; }

 private:
  /// What ends a key, or a number: a new count.
  void step() {
    if (std::string_view("=[]{},\n").find(text_[at_]) != std::string_view::npos) dots_ = 0;
    advance(1);
  }

  void advance(std::size_t count) {
    for (; count > 0 && at_ < text_.size(); --count)
      if (text_[at_++] == '\n') {
        ++line_;
        line_begin_ = at_;
      }
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  bool follows(std::string_view part) const { return text_.substr(at_, part.size()) == part; }

  /// Ends after the string, or at the end of its line where it is not closed.
  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool long_one = follows(triple);
    const std::string_view end = long_one ? std::string_view(triple) : std::string_view(triple).substr(0, 1);
    advance(end.size());
    while (at_ < text_.size() && !follows(end)) {
      if (!long_one && text_[at_] == '\n') return;
      advance(quote == '"' && text_[at_] == '\\' ? 2 : 1);
    }
    advance(end.size());
    while (long_one && at_ < text_.size() && text_[at_] == quote) advance(1);  // """a"" """ may end with five
  }

  std::string_view text_;
  std::size_t at_ = 0, line_begin_ = 0;
  int line_ = 1, dots_ = 0;
};

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::string_view line_of(std::string_view text, std::size_t number) {
  for (; number > 1 && text.find('\n') != text.npos; --number) text.remove_prefix(text.find('\n') + 1);
  return text.substr(0, text.find('\n'));
}

/// What stands between the last dot and the end of a name, or from a comma on.
std::string_view last_part(std::string_view names) {
  return trimmed(names.substr(names.find_last_of(".,{[") + 1));  // npos + 1 = 0
}

/// A name with a blank in it that is in no quotes; "" if there is none. \param names of a section, or before an equals
/// sign
std::string_view blank_name(std::string_view names) {
  const std::string_view name = last_part(names);
  const bool quoted = name.find_first_of("\"'#") != name.npos;
  return !quoted && name.find_first_of(" \t") != name.npos ? name : std::string_view();
}

/// A value that begins like a number or a name and goes on as only a formula does; "" if it does not.
std::string_view bare_formula(std::string_view value) {
  value = trimmed(value.substr(0, value.find_first_of(",}]#")));
  const bool quoted = value.find_first_of("\"'[{") != value.npos;
  bool calculates = value.find_first_of("*/^()") != value.npos;
  for (std::size_t k = 1; k < value.size(); ++k)  // the sign of an exponent is none of a formula
    calculates = calculates || ((value[k] == '+' || value[k] == '-') && value[k - 1] != 'e' && value[k - 1] != 'E');
  return !quoted && calculates ? value : std::string_view();
}

/// A word without quotes that TOML takes for no value; "" if it is none.
std::string_view bare_text(std::string_view value) {
  value = trimmed(value.substr(0, value.find_first_of(",}]#")));
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.'; };
  const bool word = !value.empty() && std::isalpha(static_cast<unsigned char>(value[0])) != 0 &&
                    std::all_of(value.begin(), value.end(), is_part);
  return word && value != "true" && value != "false" ? value : std::string_view();
}

/// "0.9" for a value that begins as 0,9 does; "" if it does not.
std::string number_with_comma(std::string_view value) {
  static const std::regex form(R"(^\s*([+-]?\d+),(\d+))");
  const std::string text(value);
  std::smatch match;
  return std::regex_search(text, match, form) ? match[1].str() + "." + match[2].str() : "";
}

/// The remedy, where a line is wrong in a way that is seen often; else "". \param column from 1, of the error
std::string hint(std::string_view line, std::size_t column) {
  const std::string_view begin = trimmed(line);
  if (begin.starts_with('['))
    if (const std::string_view name = blank_name(begin.substr(0, begin.find(']'))); !name.empty())
      return fmt::format(": names with blanks need quotes, \"{}\"", name);
  const std::string_view before = line.substr(0, column > 0 ? column - 1 : 0);
  const std::size_t equals = before.rfind('=');
  if (equals != line.npos)
    if (const std::string_view formula = bare_formula(line.substr(equals + 1)); !formula.empty())
      return fmt::format(": formulas need quotes, \"{}\"", formula);
  if (equals != line.npos) {
    if (const std::string number = number_with_comma(line.substr(equals + 1)); !number.empty())
      return fmt::format(": decimals have a point, {}", number);
    if (const std::string_view text = bare_text(line.substr(equals + 1)); !text.empty())
      return fmt::format(": texts need quotes, \"{}\"", text);
  }
  const std::size_t end = line.find('=', before.empty() ? 0 : before.size() - 1);
  if (end != line.npos)
    if (const std::string_view name = blank_name(line.substr(0, end)); !name.empty())
      return fmt::format(": names with blanks need quotes, \"{}\"", name);
  return "";
}

}  // namespace

SourcePlace find_deep_key(std::string_view text, const std::string& file) {
  KeyScanner scanner(text);
  return scanner.find() ? SourcePlace{file, scanner.line(), scanner.column()} : SourcePlace{file};
}

toml::table parse_toml(std::string_view text, const std::string& file) {
  if (const SourcePlace deep = find_deep_key(text, file); deep.line > 0)
    throw InputError(deep,
                     fmt::format("TOML: a key has more than {} parts; no key of a case has so many", most_key_parts));
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    throw InputError({file, static_cast<int>(begin.line), static_cast<int>(begin.column)},
                     fmt::format("TOML: {}{}", error.description(), hint(line_of(text, begin.line), begin.column)));
  }
}

}  // namespace galerna::case_file
