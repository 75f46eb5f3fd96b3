#include "base/module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/error.hpp"

namespace galerna {

namespace fs = std::filesystem;

fs::path find_module(const std::string& name) {
  std::error_code error;
  const auto folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const auto& place : {folder / name, folder.parent_path() / "lib" / "galerna" / name})
    if (!error && fs::exists(place, error)) return place;
  return {};
}

const void* load_table(const fs::path& module, const ModuleEntry& entry) {
  void* library = dlopen(module.c_str(), RTLD_NOW | (entry.scope == ModuleScope::global ? RTLD_GLOBAL : RTLD_LOCAL));
  if (!library)
    throw SystemError(fmt::format("{} cannot be loaded: {}{}{}", entry.links, dlerror(),
                                  entry.remedy.empty() ? "" : ": ", entry.remedy));
  const auto function = reinterpret_cast<const void* (*)()>(dlsym(library, entry.symbol.c_str()));
  const void* table = function ? function() : nullptr;
  if (!table || *static_cast<const int*>(table) != entry.version)
    throw SystemError(module.string() + " belongs to another version of galerna: install the program anew");
  return table;
}

}  // namespace galerna
