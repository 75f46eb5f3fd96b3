#include "base/toml_key.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace galerna {
namespace {

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

}  // namespace

std::string toml_string(std::string_view text) {
  // Its escapes are those of JSON.
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string toml_key(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_bare) ? std::string(name) : toml_string(name);
}

}  // namespace galerna
