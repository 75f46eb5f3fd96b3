#include "files/text.hpp"

#include <array>
#include <utility>

namespace galerna::files {

static constexpr std::array<std::pair<char, std::string_view>, 5> entities = {
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&apos;"}}};

std::string escape_xml(std::string_view text) {
  std::string result;
  for (char letter : text) {
    std::string_view written(&letter, 1);
    for (const auto& [plain, entity] : entities)
      if (letter == plain) written = entity;
    result += written;
  }
  return result;
}

std::string unescape_xml(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t used = 1;
    char letter = text.front();
    for (const auto& [plain, entity] : entities)
      if (text.starts_with(entity)) {
        letter = plain;
        used = entity.size();
      }
    result += letter;
    text.remove_prefix(used);
  }
  return result;
}

}  // namespace galerna::files
