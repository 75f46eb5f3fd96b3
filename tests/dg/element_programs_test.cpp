// Compiles the element kernels for GPUs; NVRTC needs no GPU for that. They are the same text for all generations: one
// program is compiled for two of them and all for one.
#include <gtest/gtest.h>

#include <filesystem>

#include "case_names.hpp"
#include "compiles.hpp"
#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/curved_solids.hpp"
#include "dg/fixtures.hpp"
#include "dg/mesh_programs.hpp"
#include "dg/slope_limiters.hpp"
#include "dg/solids.hpp"
#include "dg/viscous_problem.hpp"

namespace galerna::tests {
namespace {

class ElementCudaProgram : public ::testing::TestWithParam<const char*> {
 protected:
  void expect_compiles(const mesh::Mesh& mesh, dg::Spec spec, bool matrix_units = false,
                       const char* structure = "element") const {
    if (!spec.viscous && mesh.blocks.size() == 1) spec.structure = structure;
    spec.averages = spec.error_control = spec.candidate = true;
    spec.boundaries.assign(mesh.boundaries.size(), {{"kernels/boundary/slip_wall.hpp", "SlipWall"}, false, {}, {}});
    spec.initial = dg::StateFunctions{false, std::vector<dg::FunctionText>(spec.variables.size(), text("V(1) + x"))};
    spec.exact = spec.initial;
    spec.integrals = integrals_of_solution();
    for (const auto& program : dg::make_programs(mesh, spec, {device::Kind::cuda, 32, matrix_units}, {{1, 1}, {3, 2}}))
      tests::expect_compiles(program, GetParam());
  }

  void SetUp() override {
    if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  }
};
using ElementCudaProgramForOneOf = ElementCudaProgram;

TEST_P(ElementCudaProgram, CompilesForStraightTriangles) {
  expect_compiles(irregular_square(), bare_euler(1));
}

TEST_P(ElementCudaProgramForOneOf, CompilesForStraightTrianglesOfDegree4) {
  expect_compiles(irregular_square(), bare_euler(4));
}

TEST_P(ElementCudaProgramForOneOf, CompilesForCurvedMixtures) {
  const mesh::Mesh mesh = curved_mixture(3, 3);
  for (int degree : {0, 1, 3}) expect_compiles(mesh, bare_euler(degree));
}

/// Straight triangles read the states of their neighbours there.
TEST_P(ElementCudaProgramForOneOf, CompilesForStraightMixtures) {
  for (int degree : {0, 1, 2}) expect_compiles(curved_mixture(3, 1), bare_euler(degree));
  expect_compiles(curved_mixture(3, 1), bare_euler(3), true);
}

TEST_P(ElementCudaProgramForOneOf, CompilesForTilesOfSolids) {
  for (int degree : {2, 5})
    for (int order : {1, 2})
      expect_compiles(curved_box(1, order), bare_euler_in_space(degree), true,
                      order == 1 ? "warp-tiles" : "curved-warp-tiles");
  for (const auto& [shape, degree] : {std::pair{Shape::prism, 2}, {Shape::prism, 3}, {Shape::pyramid, 4}})
    expect_compiles(box_of(shape, 1, 0, false), bare_euler_in_space(degree), true, "curved-warp-tiles");
  dg::Spec single = bare_euler_in_space(3);
  single.precision = device::Precision::single_precision;
  expect_compiles(curved_box(1, 1), single, true, "warp-tiles");
}

TEST_P(ElementCudaProgramForOneOf, CompilesForViscousTerms) {
  for (int degree : {0, 2}) {
    dg::Spec spec = bare_euler(degree);
    spec.equations = {"kernels/physics/navier_stokes.hpp", "NavierStokes"};
    spec.parameters = {{"gamma", 1.4},
                       {"prandtl", 0.72},
                       {"mu", 0.01},
                       {"sutherland", 1.0},
                       {"reference_temperature", 1},
                       {"sutherland_temperature", 0.4}};
    spec.viscous = true;
    expect_compiles(curved_mixture(3, 2), spec);
    if (degree != 2) continue;
    dg::Spec in_tiles = spec;
    in_tiles.degree = 3;
    expect_compiles(irregular_square(), in_tiles, true);
    expect_compiles(irregular_square(), spec);
    spec.limiter = {hierarchical(), "CharacteristicVariables", true};
    expect_compiles(irregular_square(), spec);
  }
}

TEST_P(ElementCudaProgramForOneOf, CompilesForViscousTetrahedraInTiles) {
  for (int degree : {2, 3, 4})
    expect_compiles(box_of(Shape::tetrahedron, 1, 0, false), navier_stokes(degree, 0, 3), true);
}

TEST_P(ElementCudaProgramForOneOf, CompilesForLimitedTetrahedra) {
  dg::Spec spec = bare_euler_in_space(1);
  spec.limiter = {hierarchical(), "CharacteristicVariables", true};
  expect_compiles(box_of(Shape::tetrahedron, 1, 0, false), spec);
}

/// The filter's kernels, beside no residual.
TEST_P(ElementCudaProgramForOneOf, CompilesForFilteredSolids) {
  for (Shape shape : {Shape::hexahedron, Shape::prism}) {
    dg::Spec spec = bare_euler_in_space(2);
    spec.limiter = {.positivity = true, .entropy_filter = true};
    for (const auto& program : dg::make_programs(box_of(shape, 1, 0, true), spec, {device::Kind::cuda, 32}, {}))
      tests::expect_compiles(program, GetParam());
  }
}

TEST_P(ElementCudaProgramForOneOf, CompilesWithArtificialViscosity) {
  dg::Spec spec = bare_euler(2);
  spec.limiter = {.positivity = true, .viscosity = true};
  expect_compiles(curved_mixture(3, 2), spec);
  for (Shape shape : {Shape::hexahedron, Shape::pyramid}) {
    dg::Spec in_space = bare_euler_in_space(1);
    in_space.limiter = {.positivity = true, .viscosity = true};
    expect_compiles(box_of(shape, 1, 0, true), in_space);
  }
}

/// More numbers than constant memory holds.
TEST_P(ElementCudaProgramForOneOf, CompilesForLargeTables) {
  expect_compiles(curved_mixture(3, 2), bare_euler(6));
}

TEST_P(ElementCudaProgramForOneOf, CompilesInSinglePrecision) {
  dg::Spec spec = bare_euler(3);
  spec.precision = device::Precision::single_precision;
  expect_compiles(curved_mixture(3, 2), spec);
}

INSTANTIATE_TEST_SUITE_P(Architectures, ElementCudaProgram, ::testing::Values("sm_80", "sm_90"), CaseName{});
INSTANTIATE_TEST_SUITE_P(Architectures, ElementCudaProgramForOneOf, ::testing::Values("sm_90"), CaseName{});

}  // namespace
}  // namespace galerna::tests
