#include "case/header_names.hpp"

#include <algorithm>
#include <cctype>

namespace galerna::case_file {
namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Behind the comment that begins at `at`, or `at` itself where none does.
std::size_t behind_comment(const std::string& text, std::size_t at) {
  const auto behind = [&](const char* mark, std::size_t length) {
    const std::size_t found = text.find(mark, at + 2);
    return found == std::string::npos ? text.size() : found + length;
  };
  if (text.compare(at, 2, "//") == 0) return behind("\n", 1);
  if (text.compare(at, 2, "/*") == 0) return behind("*/", 2);
  return at;
}

/// Names, and every other character but spaces by itself.
std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t next = behind_comment(text, at); next != at) {
      at = next;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_name_character(text[end])) ++end;
    if (end == at) ++end;
    if (!std::isspace(static_cast<unsigned char>(text[at]))) tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

}  // namespace

bool is_identifier(const std::string& word) {
  return !word.empty() && !std::isdigit(static_cast<unsigned char>(word[0])) &&
         std::all_of(word.begin(), word.end(), is_name_character);
}

HeaderNames names_of_header(const std::string& text) {
  const std::vector<std::string> tokens = tokens_of(text);
  const auto token = [&](std::size_t i) { return i < tokens.size() ? tokens[i] : std::string(); };
  const auto add = [](std::vector<std::string>& list, const std::string& word) {
    if (is_identifier(word) && std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
  };
  HeaderNames names;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is_identifier(tokens[i])) names.words.insert(tokens[i]);
    if (tokens[i] == "struct" || tokens[i] == "class" || tokens[i] == "using") add(names.types, token(i + 1));
    if (tokens[i] == "Parameters" && token(i + 1) == ":" && token(i + 2) == ":") add(names.parameters, token(i + 3));
  }
  return names;
}

}  // namespace galerna::case_file
