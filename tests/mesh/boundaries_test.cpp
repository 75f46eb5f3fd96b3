#include "mesh/boundaries.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "mesh/generate.hpp"

namespace galerna::mesh {
namespace {

TEST(Boundary, IsFoundByItsName) {
  const Mesh mesh = make_rectangle(2, 2, {0, 0}, {1, 1}, CellStyle::random_triangles, 0);
  EXPECT_EQ(find_boundary(mesh, "top").name, "top");
  EXPECT_EQ(boundary_names(mesh), (std::vector<std::string>{"left", "right", "bottom", "top"}));
  try {
    find_boundary(mesh, "wall");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("left, right, bottom or top"), std::string::npos);
  }
}

}  // namespace
}  // namespace galerna::mesh
