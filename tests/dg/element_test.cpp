// The element kernels on triangles and quadrilaterals, straight and curved, side by side.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/element_reference.hpp"

namespace galerna::tests {
namespace {

const State2 beyond = {{1, 0.5, -0.25, 2}};

/// The Euler equations by the element kernels; `beyond` lies beyond all boundaries.
dg::Spec element_euler(const mesh::Mesh& mesh, int degree) {
  dg::Spec spec = bare_euler(degree);
  if (mesh.blocks.size() == 1) spec.structure = "element";  // beside others, triangles have their own kernels on a GPU
  surround(spec, mesh, beyond);
  return spec;
}

State2 smooth(const mesh::Point& x) {
  return {{1 + 0.2 * std::sin(3 * x[0]), 0.3 * x[1], 0.1 * std::cos(x[0] * x[1]), 2 + 0.1 * x[0]}};
}

/// Triangles, parallelograms, other quadrilaterals, a straight mixture, and curved mixtures.
mesh::Mesh test_mesh(const std::string& name) {
  if (name == "triangles") return irregular_square(5, 4);
  if (name == "parallelograms" || name == "quadrilaterals") {
    mesh::Mesh mesh = mesh::make_rectangle(5, 4, {0, 0}, {1, 0.7}, mesh::CellStyle::quadrilaterals,
                                           name == "parallelograms" ? 0 : 0.2);
    mesh::prepare(mesh);
    return mesh;
  }
  return curved_mixture(5, name.back() - '0', 0.15);
}

/// A mesh and a degree.
class OnEveryMesh : public ::testing::TestWithParam<std::tuple<const char*, int>> {
 protected:
  void expect_reference(const std::string& device) const {
    const auto& [name, degree] = GetParam();
    const mesh::Mesh mesh = test_mesh(name);
    const ElementReference reference(mesh, degree,
                                     [](int, const State2&, const mesh::Point&, const Normal<2>&) { return beyond; });
    const auto c = reference.project(smooth);
    const auto expected = reference(c), found = Computation(mesh, element_euler(mesh, degree), device).residual(c);
    EXPECT_GT(largest(expected), 0.1);
    EXPECT_LT(relative_difference(expected, found), 1e-12);
  }
};

TEST_P(OnEveryMesh, ResidualIsThatOfThePlainLoops) {
  expect_reference("cpu");
}

TEST_P(OnEveryMesh, ResidualOnTheGpuIsThatOfThePlainLoops) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  expect_reference("cuda");
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<const char*, int>>& test) {
  return std::get<0>(test.param) + std::string("_p") + std::to_string(std::get<1>(test.param));
}

/// One mesh for each way in which the kernels evaluate and integrate: dense, line by line, both beside each other.
INSTANTIATE_TEST_SUITE_P(QuickMeshes, OnEveryMesh,
                         ::testing::Combine(::testing::Values("triangles", "quadrilaterals", "mixture2"),
                                            ::testing::Values(1)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Meshes, OnEveryMesh,
                         ::testing::Combine(::testing::Values("triangles", "parallelograms", "quadrilaterals",
                                                              "mixture1", "mixture2"),
                                            ::testing::Values(0, 2, 3, 5)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(StraightMeshes, OnEveryMesh,
                         ::testing::Combine(::testing::Values("parallelograms", "mixture1"), ::testing::Values(1)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Degrees4And6, OnEveryMesh,
                         ::testing::Combine(::testing::Values("triangles", "quadrilaterals", "mixture2"),
                                            ::testing::Values(4, 6)),
                         name_of);
/// What the order of curved elements changes is how many points there are.
INSTANTIATE_TEST_SUITE_P(CurvedMeshes, OnEveryMesh,
                         ::testing::Values(std::tuple("mixture3", 2), std::tuple("mixture4", 1),
                                           std::tuple("mixture4", 3)),
                         name_of);

TEST(Element, KeepsUniformFlowOnCurvedMixtures) {
  for (const int order : {2, 4}) {
    const mesh::Mesh mesh = curved_mixture(4, order);
    Computation run(mesh, element_euler(mesh, 3));
    const ElementReference reference(mesh, 3, nullptr);
    const auto c = reference.project([](const mesh::Point&) { return beyond; });
    EXPECT_LT(largest(run.residual(c)), 1e-11) << "order " << order;
  }
}

TEST(Element, ConservesOnPeriodicCurvedMixtures) {
  const mesh::Mesh mesh = periodic_mixture(5, 3);
  const ElementReference reference(mesh, 3, nullptr);
  const auto rhs = Computation(mesh, element_euler(mesh, 3)).residual(reference.project(smooth));
  const State2 total = reference.integrals(rhs);
  EXPECT_GT(largest(rhs), 0.1);
  for (int v = 0; v < 4; ++v) EXPECT_NEAR(total[v], 0, 1e-12);
}

/// More points than (p + 1)²: no longer line by line. On curved elements of order 4 at p = 1 that is so by itself, then
/// in the straight quadrilaterals beside them, too.
TEST(Element, ConservesWithMorePointsOnStraightQuadrilaterals) {
  const mesh::Mesh mesh = periodic_mixture(4, 1);
  for (const int degree : {0, 1, 2}) {
    dg::Spec spec = element_euler(mesh, degree);
    spec.volume_quadrature = 2 * degree + 3;
    spec.face_quadrature = 2 * degree + 3;
    const ElementReference reference(mesh, degree, nullptr);
    const auto c = reference.project(smooth);
    const auto rhs = Computation(mesh, spec).residual(c);
    const State2 total = reference.integrals(rhs);
    EXPECT_GT(largest(rhs), 0.1);
    for (int v = 0; v < 4; ++v) EXPECT_NEAR(total[v], 0, 1e-12) << "p " << degree;
    if (device::cuda_absence().empty()) {
      EXPECT_LT(relative_difference(rhs, Computation(mesh, spec, "cuda").residual(c)), 1e-12) << "p " << degree;
    }
  }
}

TEST(Element, ProjectsAndMeasuresErrorsOnCurvedMixtures) {
  const mesh::Mesh mesh = curved_mixture(4, 3);
  dg::Spec spec = element_euler(mesh, 2);
  spec.initial = conservative(beyond);
  spec.initial->functions[0] = text("V(1) + V(0.5) * x * y");
  spec.exact = spec.initial;
  spec.exact->functions[1] = text("number<V>(" + std::to_string(beyond[1]) + ") + x");
  Computation run(mesh, spec);
  run->project_initial(run.state(), 0);
  const auto norms = run->errors(run.state(), 0);
  EXPECT_LT(norms[0].linf, 1e-2);  // no polynomial on curved elements
  EXPECT_GT(norms[0].linf, 1e-8);
  EXPECT_NEAR(norms[1].l1, 0.5, 5e-3);  // ∫ x dx
  EXPECT_LT(norms[3].linf, 1e-13);
  EXPECT_NEAR(run->domain_measure(), 1, 5e-3);
  // The projection keeps integrals, on curved elements, too.
  const std::vector<double> integrals = run->integrals(run.state());
  EXPECT_NEAR(integrals[0], 1 + 0.5 / 4, 5e-3);
  EXPECT_NEAR(integrals[3], beyond[3] * run->domain_measure(), 1e-13);
}

}  // namespace
}  // namespace galerna::tests
