#include "base/environment.hpp"

#include <cstdlib>

namespace galerna {

std::string environment(const char* name) {
  const char* set = std::getenv(name);
  const std::string value = set ? set : "";
  return value.find_first_not_of(" \t\r\n\v\f") == std::string::npos ? "" : value;
}

}  // namespace galerna
