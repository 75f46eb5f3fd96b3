#include "base/version.hpp"

namespace galerna {

std::string version() {
  return GALERNA_VERSION;
}

std::string version_commit() {
  return commit().empty() ? version() : version() + " (" + commit() + ")";
}

std::string build() {
#ifdef __clang__
  return std::string("Clang ") + __clang_version__ + ", " + GALERNA_BUILD_TYPE;
#else
  return std::string("GCC ") + __VERSION__ + ", " + GALERNA_BUILD_TYPE;
#endif
}

}  // namespace galerna
