#include "base/toml_key.hpp"

#include <algorithm>

namespace galerna {
namespace {

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

}  // namespace

std::string toml_key(std::string_view name) {
  if (!name.empty() && std::all_of(name.begin(), name.end(), is_bare)) return std::string(name);
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace galerna
