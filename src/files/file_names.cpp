#include "files/file_names.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace galerna::files {
namespace {

/// Bytes. File systems take 255, of which what stands around the name, that of a temporary file, too, needs some.
constexpr std::size_t longest = 200;

/// Bytes of the UTF-8 character at the beginning of the text; 0 where there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xc2 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (length == 0 || length > text.size() || byte(0) > 0xf4) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  return length;
}

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  // U+0080 … U+009F, too, and the marks and separators of lines that change how text runs.
  const bool of_latin = character.size() == 2 && first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
  const bool invisible =
      character >= "\u200b" && character <= "\u200f" && character.size() == 3;  // of no width, or a direction
  const bool of_lines = character >= "\u2028" && character <= "\u202e" && character.size() == 3;
  return first < 0x20 || first == 0x7f || of_latin || invisible || of_lines || character == "\ufeff";
}

/// The name with what is not safe replaced.
std::string made_safe(std::string_view name) {
  std::string safe;
  while (!name.empty() && safe.size() < longest) {
    const std::size_t length = character_length(name);
    const std::string_view character = name.substr(0, std::max<std::size_t>(length, 1));
    const bool ends_something = std::string_view("/\\:*?\"<>|,").find(character) != std::string_view::npos;
    safe += length == 0 || ends_something || is_control(character) ? "_" : std::string(character);
    name.remove_prefix(character.size());
  }
  const auto at_end = [](char c) { return c == ' ' || c == '.'; };
  for (std::size_t i = 0; i < safe.size() && at_end(safe[i]); ++i) safe[i] = '_';
  for (std::size_t i = safe.size(); i > 0 && at_end(safe[i - 1]); --i) safe[i - 1] = '_';
  return safe.empty() ? "unnamed" : safe;
}

std::string in_small_letters(std::string text) {
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

}  // namespace

std::map<std::string, std::string> file_names(const std::vector<std::string>& names) {
  std::map<std::string, std::string> result;
  std::set<std::string> taken;
  const auto assign = [&](const std::string& name, const std::string& safe) {
    std::string unique = safe;
    for (int number = 2; !taken.insert(in_small_letters(unique)).second; ++number)
      unique = safe + "_" + std::to_string(number);
    result.emplace(name, unique);
  };
  // Plain ones come first, so that they keep their names, whatever stands beside them.
  for (const bool plain : {true, false})
    for (const std::string& name : names)
      if (const std::string safe = made_safe(name); (safe == name) == plain && !result.contains(name))
        assign(name, safe);
  return result;
}

}  // namespace galerna::files
