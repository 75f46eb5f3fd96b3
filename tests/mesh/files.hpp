/// \file
/// Files that the tests of the room use.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace galerna::mesh {

inline std::filesystem::path data_file(const std::string& name) {
  return std::filesystem::path(GALERNA_TEST_DIR) / "data" / name;
}

inline std::filesystem::path bad_file(const std::string& name) {
  return std::filesystem::path(GALERNA_TEST_DIR) / "bad" / (name + ".msh");
}

inline std::string content(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace galerna::mesh
