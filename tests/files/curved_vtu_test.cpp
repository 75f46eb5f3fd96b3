/// VTU files of curved elements.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "curved_solution.hpp"
#include "dg/curved_solids.hpp"
#include "files/vtu.hpp"
#include "files/vtu_file.hpp"

namespace galerna::files {
namespace {

using analysis::Solution;
using tests::bent;
using tests::CurvedMixture;
using tests::Folder;
using tests::quadratic;

TEST_F(CurvedMixture, VtuHoldsCurvedLagrangeCells) {
  const Folder folder;
  for (const VtkCells cells : {VtkCells::lagrange, VtkCells::subdivided}) {
    VtuOptions options;
    options.precision = VtuOptions::Precision::double_precision;
    options.cells = cells;
    write_vtu(solution_, folder / "mixture.vtu", options);
    const tests::VtuFile file(folder / "mixture.vtu");
    const auto points = file.numbers("Points"), density = file.numbers("density");
    ASSERT_EQ(density.size(), static_cast<std::size_t>(mesh_.blocks[0].size() * 25 + mesh_.blocks[1].size() * 15));
    for (std::size_t i = 0; i < density.size(); ++i)
      ASSERT_NEAR(density[i], quadratic(points[3 * i], points[3 * i + 1], 0), 1e-12);
    if (cells == VtkCells::subdivided) continue;
    std::map<int, mesh::Index> types;
    for (const std::uint8_t type : file.read<std::uint8_t>("types")) ++types[type];
    EXPECT_EQ(types[70], mesh_.blocks[0].size());
    EXPECT_EQ(types[69], mesh_.blocks[1].size());
  }
}

TEST(CurvedVtu, TakesElementsOfGeometryOrder5And6) {
  const auto linear = [](double x, double y, double) { return 1 + 2 * x - y; };
  for (const int order : {5, 6}) {
    const mesh::Mesh mesh = tests::curved_mixture(4, order, 0.1, bent);
    const Solution solution = tests::project(mesh, order, linear);  // a polynomial of that degree on every element
    const Folder folder;
    VtuOptions options;
    options.precision = VtuOptions::Precision::double_precision;
    write_vtu(solution, folder / "mixture.vtu", options);
    const tests::VtuFile file(folder / "mixture.vtu");
    const auto points = file.numbers("Points"), density = file.numbers("density");
    ASSERT_EQ(density.size(), static_cast<std::size_t>(mesh.blocks[0].size() * (order + 1) * (order + 1) +
                                                       mesh.blocks[1].size() * (order + 1) * (order + 2) / 2));
    for (std::size_t i = 0; i < density.size(); ++i)
      ASSERT_NEAR(density[i], linear(points[3 * i], points[3 * i + 1], 0), 1e-11);
  }
}

/// Pyramids have no Lagrange cells: they are cut into small pyramids and tetrahedra. Their apexes are points of the
/// file.
TEST(CurvedVtu, TakesAllSolidsSideBySide) {
  const auto plane = [](double x, double y, double z) { return 1 + 2 * x - y + 0.5 * z; };
  for (const int order : {2, 3, 4}) {
    const mesh::Mesh mesh = tests::curved_box_of_all_solids(2, order);
    const Solution solution = tests::project(mesh, order, plane);  // in the space of degree N of every element
    const Folder folder;
    VtuOptions options;
    options.precision = VtuOptions::Precision::double_precision;
    write_vtu(solution, folder / "solids.vtu", options);
    const tests::VtuFile file(folder / "solids.vtu");
    const auto points = file.numbers("Points"), density = file.numbers("density");
    for (std::size_t i = 0; i < density.size(); ++i)
      ASSERT_NEAR(density[i], plane(points[3 * i], points[3 * i + 1], points[3 * i + 2]), 1e-11) << "point " << i;
    std::map<int, mesh::Index> types;
    for (const std::uint8_t type : file.read<std::uint8_t>("types")) ++types[type];
    const auto pyramids = std::find_if(mesh.blocks.begin(), mesh.blocks.end(),
                                       [](const auto& block) { return block.shape == Shape::pyramid; });
    mesh::Index small = 0;  // layer by layer upright, and in between upside down
    for (int k = 1; k <= order; ++k) small += k * k + (k - 1) * (k - 1);
    EXPECT_EQ(types[14], pyramids->size() * small);
  }
}

}  // namespace
}  // namespace galerna::files
