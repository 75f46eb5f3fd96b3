/// Damaged files give an InputError or a mesh, whatever the damage.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/error.hpp"
#include "mesh/files.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"

namespace galerna::mesh {
namespace {

/// One to three random changes: bytes, numbers in text, pieces removed or repeated, the end cut off.
std::string damage(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
  static const std::vector<std::string> texts = {
      "-1",   "0",  "99999999999999999999", "1e400", "nan", "inf", "$Nodes\n",
      "$End", "\"", "2147483647",           "4",     "\n",  " ",   "-9223372036854775808"};
  const std::size_t changes = 1 + below(3);
  for (std::size_t i = 0; i < changes && !bytes.empty(); ++i) {
    const std::size_t at = below(bytes.size()), length = std::min(bytes.size() - at, below(40));
    switch (below(6)) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 2:
        bytes.replace(at, std::min<std::size_t>(length, 3), texts[below(texts.size())]);
        break;
      case 3:
        bytes.erase(at, length);
        break;
      case 4:
        bytes.insert(at, bytes.substr(at, length));
        break;
      default:
        bytes.resize(at);
        break;
    }
  }
  return bytes;
}

TEST(DamagedMeshes, GiveAnInputErrorOrAMesh) {
  std::vector<std::string> originals;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(GALERNA_TEST_DIR) / "data"))
    if (entry.path().extension() == ".msh") originals.push_back(content(entry.path()));
  std::sort(originals.begin(), originals.end());
  ASSERT_GE(originals.size(), 36U);
  std::mt19937 random(1);
  int refused = 0, read = 0;
  for (int round = 0; round < 250; ++round)
    for (const std::string& original : originals) {
      const std::string bytes = damage(original, random);
      try {
        Mesh mesh = read_gmsh_text(bytes, "damaged.msh");
        prepare(mesh);
        ++read;
      } catch (const InputError& error) {
        ++refused;
        ASSERT_TRUE(std::string(error.what()).starts_with("damaged.msh")) << error.what();
      }
    }
  // The changes must neither all be harmless nor all be found in the first line.
  EXPECT_GT(refused, 1000);
  EXPECT_GT(read, 100);
}

}  // namespace
}  // namespace galerna::mesh
