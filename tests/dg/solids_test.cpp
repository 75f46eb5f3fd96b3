// Hexahedra, prisms and pyramids with straight edges, alone and side by side with tetrahedra: the kernels of any
// elements, held against plain loops over metric terms.
#include "compiles.hpp"
#include "dg/emulated_gpu.hpp"
//
#include "dg/solids.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "basis/turned_points.hpp"
#include "case_names.hpp"
#include "dg/computation.hpp"
#include "dg/element_reference.hpp"
#include "dg/mesh_programs.hpp"
#include "mesh/side_order.hpp"

namespace galerna::tests {
namespace {

using SpaceReferenceOnMetric = MetricReference<3>;
using State3 = SpaceReferenceOnMetric::State;

constexpr State3 stream = {{1.1, 0.5, -0.3, 0.2, 2.4}};
const SpaceReferenceOnMetric::Beyond in_stream = [](int, const State3&, const mesh::Point&,
                                                    const SpaceReferenceOnMetric::Vector&) { return stream; };

TEST(QuickTurnedPoints, AreWhereTheFaceHasThem) {
  for (Shape shape : {Shape::line, Shape::triangle, Shape::quadrilateral}) {
    const basis::Quadrature rule = basis::quadrature(shape, 5);
    std::set<std::vector<int>> orders;
    for (int orientation = 0; orientation < basis::orientation_count(shape); ++orientation) {
      const std::vector<int> turned = basis::turned_points(rule, orientation);
      orders.insert(turned);
      EXPECT_EQ(std::set<int>(turned.begin(), turned.end()).size(), rule.points.size());
      for (std::size_t q = 0; q < turned.size(); ++q)
        EXPECT_NEAR(rule.weights[q], rule.weights[static_cast<std::size_t>(turned[q])], 1e-15);
    }
    EXPECT_EQ(static_cast<int>(orders.size()), basis::orientation_count(shape));
  }
}

mesh::Mesh mixture() {
  mesh::Mesh mesh = box_of_all_solids(3);
  mesh::prepare(mesh, {});
  return mesh;
}

TEST(QuickSolids, MeetInAllOrientations) {
  std::map<Shape, std::set<int>> seen;
  for (const mesh::Mesh& mesh : {mixture(), box_of(Shape::prism, 3, 0.05, true), box_of(Shape::pyramid, 2, 0.05, true)})
    for (const mesh::Face& face : mesh.faces)
      for (const mesh::Side& side : {face.left, face.right})
        if (side.element >= 0)
          seen[side_shape(mesh.shape(side.element), side.side)].insert(mesh::side_orientation(mesh, side));
  EXPECT_GE(seen[Shape::triangle].size(), 4u);
  EXPECT_GE(seen[Shape::quadrilateral].size(), 3u);
}

dg::Spec in_space(const mesh::Mesh& mesh, int degree) {
  dg::Spec spec = bare_euler_in_space(degree);
  surround(spec, mesh, stream);
  return spec;
}

State3 wavy(const mesh::Point& x) {
  return {{1 + 0.1 * std::sin(3 * x[0]) * std::cos(2 * x[1] + x[2]), 0.3 + 0.1 * x[2] * x[0], -0.2 * std::cos(2 * x[1]),
           0.1 * std::sin(2 * x[2]), 2.2 + 0.1 * x[0] * x[1]}};
}

void expect_reference(const mesh::Mesh& mesh, int degree, std::unique_ptr<device::Device> device) {
  const SpaceReferenceOnMetric reference(mesh, degree, in_stream);
  Computation computation(mesh, in_space(mesh, degree), std::move(device));
  const std::vector<double> uniform = reference.project([](const mesh::Point&) { return stream; });
  EXPECT_LT(largest(computation.residual(uniform)), 3e-11);
  const std::vector<double> c = reference.project(wavy), expected = reference(c), found = computation.residual(c);
  EXPECT_GT(largest(expected), 0.1);
  EXPECT_LT(relative_difference(expected, found), 1e-12);
}

class Solids : public testing::TestWithParam<std::tuple<Shape, double, int>> {
 protected:
  mesh::Mesh box(bool periodic) const {
    return box_of(std::get<0>(GetParam()), periodic ? 3 : 2, std::get<1>(GetParam()), periodic);
  }
};

TEST_P(Solids, KeepUniformFlowAndComputeWhatPlainLoopsDo) {
  expect_reference(box(false), std::get<2>(GetParam()), device::open_device("cpu"));
}

TEST_P(Solids, LoseNothingInAPeriodicBox) {
  const mesh::Mesh mesh = box(true);
  const SpaceReferenceOnMetric reference(mesh, std::get<2>(GetParam()), in_stream);
  Computation computation(mesh, in_space(mesh, std::get<2>(GetParam())));
  const std::vector<double> found = computation.residual(reference.project(wavy));
  const State3 integrals = reference.integrals(found);
  for (int v = 0; v < 5; ++v) EXPECT_LT(std::abs(integrals[v]), 1e-13 * largest(found)) << v;
}

constexpr Shape hexahedron = Shape::hexahedron, prism = Shape::prism, pyramid = Shape::pyramid;
INSTANTIATE_TEST_SUITE_P(QuickShapes, Solids,
                         testing::Values(std::tuple(hexahedron, 0.06, 1), std::tuple(prism, 0.06, 1),
                                         std::tuple(pyramid, 0.06, 1)),
                         CaseName{});
INSTANTIATE_TEST_SUITE_P(Affine, Solids,
                         testing::Values(std::tuple(hexahedron, 0.0, 2), std::tuple(prism, 0.0, 2),
                                         std::tuple(pyramid, 0.0, 2)),
                         CaseName{});
INSTANTIATE_TEST_SUITE_P(HigherDegrees, Solids,
                         testing::Values(std::tuple(hexahedron, 0.06, 3), std::tuple(prism, 0.06, 3),
                                         std::tuple(pyramid, 0.06, 3), std::tuple(prism, 0.06, 0)),
                         CaseName{});

TEST(MixedSolids, KeepUniformFlowAndComputeWhatPlainLoopsDo) {
  for (int degree : {1, 2}) expect_reference(mixture(), degree, device::open_device("cpu"));
}

TEST(MixedSolids, OnTheGpu) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  for (int degree : {1, 2}) expect_reference(mixture(), degree, device::open_device("cuda"));
}

/// Five threads of eight share an element, and each looks for itself which side a point is on.
TEST(MixedSolids, OnAnEmulatedGpu) {
  expect_reference(mixture(), 1, std::make_unique<EmulatedGpu>());
}

/// Operators so large that kernels go through points and modes in loops.
TEST(LargeSolids, OnAnEmulatedGpu) {
  expect_reference(box_of(Shape::prism, 2, 0.06, false), 4, std::make_unique<EmulatedGpu>());
  expect_reference(box_of(Shape::pyramid, 2, 0.06, false), 4, std::make_unique<EmulatedGpu>());
}

TEST(SolidsForGpus, Compile) {
  if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  const mesh::Mesh mesh = mixture();
  const device::Target target{device::Kind::cuda, device::cuda_lanes};
  for (const auto& program : dg::make_programs(mesh, in_space(mesh, 1), target, {{1, 1}}))
    tests::expect_compiles(program, "sm_90");
}

}  // namespace
}  // namespace galerna::tests
