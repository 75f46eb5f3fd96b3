#include "case/parse_toml.hpp"

#include <fmt/format.h>

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
                     fmt::format("TOML: {}", error.description()));
  }
}

}  // namespace galerna::case_file
