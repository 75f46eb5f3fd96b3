#include "base/temporary_folder.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <string>

#include "base/error.hpp"

namespace galerna {

TemporaryFolder::TemporaryFolder() {
  // mkdtemp() makes a name of its own of the six letters.
  std::string name = (std::filesystem::temp_directory_path() / ("galerna-" + std::string(6, 'X'))).string();
  if (!mkdtemp(name.data())) throw SystemError(fmt::format("{}: no folder can be made there", name));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace galerna
