/// \file
/// Libraries of the program's own, each the only one that is linked against somebody else's (MPI, OpenCASCADE). They
/// are loaded where they are needed, so that all else runs without.
#pragma once

#include <filesystem>
#include <string>

namespace galerna {

/// Where a library such as libgalerna_mpi.so is: next to the program, or in lib/galerna of its installation; empty if
/// it was not built.
std::filesystem::path find_module(const std::string& name);

/// Whom a library's symbols serve: itself, or also libraries that it loads.
enum class ModuleScope { own, global };

struct ModuleEntry {
  std::string links;   ///< what the library is linked against, for messages
  std::string symbol;  ///< the one function, which returns the address of a table
  int version;         ///< of the table
  ModuleScope scope = ModuleScope::own;
  std::string remedy = {};  ///< where it cannot be loaded, behind the loader's words
};

/// Loads a library, which stays. \return the table, which begins with its version
/// \throws SystemError where it cannot be loaded or has a table of another version
const void* load_table(const std::filesystem::path& module, const ModuleEntry& entry);

/// The same, of its type.
template <class Table>
const Table& load_module(const std::filesystem::path& module, const ModuleEntry& entry) {
  static_assert(requires(Table table) { int(table.version); });
  return *static_cast<const Table*>(load_table(module, entry));
}

}  // namespace galerna
