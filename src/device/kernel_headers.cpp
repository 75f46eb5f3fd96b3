#include "device/kernel_headers.hpp"

#include <algorithm>
#include <set>

namespace galerna::device {
namespace {

/// What stands between quotes or angle brackets behind each `include`.
std::vector<std::string_view> included_names(std::string_view text) {
  constexpr std::string_view word = "include";
  std::vector<std::string_view> names;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t open = text.find_first_not_of(" \t", at + word.size());
    if (open == text.npos || (text[open] != '"' && text[open] != '<')) continue;
    const std::size_t close = text.find(text[open] == '<' ? '>' : '"', open + 1);
    if (close != text.npos) names.push_back(text.substr(open + 1, close - open - 1));
  }
  return names;
}

}  // namespace

std::vector<EmbeddedFile> included_files(std::string_view text, std::span<const EmbeddedFile> files) {
  std::set<std::string_view> paths;
  std::vector<std::string_view> texts = {text};
  while (!texts.empty()) {
    const std::vector<std::string_view> names = included_names(texts.back());
    texts.pop_back();
    for (const EmbeddedFile& file : files)
      if (std::find(names.begin(), names.end(), file.path) != names.end() && paths.insert(file.path).second)
        texts.push_back(file.text);
  }
  std::vector<EmbeddedFile> included;
  for (const EmbeddedFile& file : files)
    if (paths.contains(file.path)) included.push_back(file);
  return included;
}

}  // namespace galerna::device
