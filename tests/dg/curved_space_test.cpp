// Curved tetrahedra: their metric terms, and the kernels held against plain loops over these.
#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include <cmath>

#include "dg/computation.hpp"
#include "dg/curved_solids.hpp"
#include "dg/general_reference.hpp"
#include "kernels/riemann/hllc.hpp"

namespace galerna::tests {
namespace {

using SpaceReferenceOnMetric = MetricReference<3>;
using State3 = SpaceReferenceOnMetric::State;
using Vector3 = SpaceReferenceOnMetric::Vector;

constexpr State3 stream = {{1.1, 0.5, -0.3, 0.2, 2.4}};
const SpaceReferenceOnMetric::Beyond in_stream = [](int, const State3&, const mesh::Point&, const Vector3&) {
  return stream;
};

TEST(QuickCurvedTetrahedra, KeepUniformFlow) {
  for (int order = 1; order <= 5; ++order) {
    const mesh::Mesh mesh = curved_box(2, order), periodic = curved_box(3, order, true);
    for (int degree = 0; degree <= 4; ++degree)
      for (const mesh::Mesh* m : {&mesh, &periodic}) {
        const SpaceReferenceOnMetric reference(*m, degree, in_stream);
        const auto uniform = reference.project([](const mesh::Point&) { return stream; });
        EXPECT_LT(largest(reference(uniform)), 1e-11 * (1 + degree * degree)) << "N " << order << " p " << degree;
      }
  }
}

/// Rules of degree 2p are enough for all geometry orders up to p + 2: none of them grows with the geometry.
TEST(QuickCurvedTetrahedra, TakeTheRulesOfStraightOnes) {
  for (int degree = 1; degree <= 4; ++degree)
    for (int order = 1; order <= std::min(4, degree + 2); ++order) {
      const auto operators = dg::make_block_operators({{Shape::tetrahedron, order}}, degree);
      EXPECT_EQ(operators[0].volume.size(), basis::quadrature(Shape::tetrahedron, 2 * degree).size());
      EXPECT_EQ(operators[0].side.size(), basis::quadrature(Shape::triangle, 2 * degree).size());
    }
}

/// Both elements of a face see the same points and opposite normals, whatever lies beside the face.
TEST(QuickCurvedTetrahedra, AgreeOnTheirFaces) {
  const mesh::Mesh mesh = curved_box(3, 4, true);
  const auto operators = dg::make_block_operators(mesh, 2);
  const dg::Metric m = dg::make_metric(mesh, 0, operators[0]);
  EXPECT_EQ(mesh.boundary_faces, 0);
  for (const mesh::Face& face : mesh.faces)
    for (int q = 0; q < m.side_points; ++q)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto at = [&](const mesh::Side& side) {
          return 3 * static_cast<std::size_t>((side.element * m.sides + side.side) * m.side_points + q) + k;
        };
        EXPECT_NEAR(m.normals[at(face.left)], -m.normals[at(face.right)], 1e-14);
        const double shift = m.side_positions[at(face.left)] - m.side_positions[at(face.right)];
        EXPECT_NEAR(shift, std::round(shift), 1e-13);
      }
}

/// The map of order 4 of a polynomial of degree 4: volume, and the area that looks along each axis.
TEST(QuickCurvedTetrahedra, HaveTheVolumeOfTheirMap) {
  const auto bend = [](const mesh::Point& x) {
    return mesh::Point{x[0] + 0.2 * x[1] * x[1] * (1 - x[0]), x[1] * (1 + 0.1 * x[2] * x[2] * x[2]), x[2] + 0.3 * x[0]};
  };
  mesh::Mesh mesh = raise_solids(mesh::make_box({2, 1, 1}), 4, bend);
  mesh::prepare(mesh);
  const auto operators = dg::make_block_operators(mesh, 1);
  const dg::Metric m = dg::make_metric(mesh, 0, operators[0]);
  double volume = 0;
  for (mesh::Index e = 0; e < m.elements; ++e)
    volume += m.means[static_cast<std::size_t>(e * operators[0].modes)] / std::sqrt(6.0);
  const basis::Quadrature cube = basis::quadrature(Shape::hexahedron, 9);
  double expected = 0;
  for (int q = 0; q < cube.size(); ++q) {
    const auto& at = cube.points[static_cast<std::size_t>(q)];
    const double y = (1 + at[1]) / 2, z = (1 + at[2]) / 2, x = (1 + at[0]) / 2;
    const double determinant = (1 - 0.2 * y * y) * (1 + 0.1 * z * z * z) + 0.3 * (0.4 * y * (1 - x) * 0.3 * y * z * z);
    expected += cube.weights[static_cast<std::size_t>(q)] / 8 * determinant;
  }
  EXPECT_NEAR(volume, expected, 1e-13);
}

dg::Spec euler_on(const mesh::Mesh& mesh, int degree) {
  dg::Spec spec = bare_euler_in_space(degree);
  surround(spec, mesh, stream);
  return spec;
}

State3 disturbed(const mesh::Point& x) {
  State3 u = stream;
  for (int v = 0; v < 5; ++v) u[v] += 0.05 * std::sin(3 * x[0] + v) * std::cos(2 * x[1] - x[2] + v);
  return u;
}

class CurvedTetrahedra : public testing::TestWithParam<int> {
 protected:
  void expect_reference(std::unique_ptr<device::Device> device) const {
    const int p = GetParam();
    const mesh::Mesh mesh = curved_box(2, std::min(p + 1, 4));
    const SpaceReferenceOnMetric reference(mesh, p, in_stream);
    const std::vector<double> c = reference.project(disturbed);
    Computation computation(mesh, euler_on(mesh, p), std::move(device));
    EXPECT_LT(relative_difference(reference(c), computation.residual(c)), 1e-12);
  }
};

TEST_P(CurvedTetrahedra, ResidualIsThatOfThePlainLoops) {
  expect_reference(device::open_device("cpu"));
}

TEST_P(CurvedTetrahedra, ResidualOnTheGpuIsThatOfThePlainLoops) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  expect_reference(device::open_device("cuda"));
}

TEST_P(CurvedTetrahedra, ResidualOnAnEmulatedGpuIsThatOfThePlainLoops) {
  if (GetParam() > 2) GTEST_SKIP() << "compilers take minutes for the code of higher degrees, which is the same";
  expect_reference(std::make_unique<EmulatedGpu>());
}

TEST_P(CurvedTetrahedra, LoseNothingInAPeriodicBox) {
  const int p = GetParam();
  const mesh::Mesh mesh = curved_box(3, std::min(p + 1, 4), true);
  const SpaceReferenceOnMetric reference(mesh, p, nullptr);
  Computation computation(mesh, euler_on(mesh, p));
  const std::vector<double> change = computation.residual(reference.project(disturbed));
  const State3 total = reference.integrals(change);
  for (int v = 0; v < 5; ++v) EXPECT_LT(std::abs(total[v]), 1e-13 * largest(change)) << v;
}

INSTANTIATE_TEST_SUITE_P(QuickDegrees, CurvedTetrahedra, testing::Values(1));
INSTANTIATE_TEST_SUITE_P(HigherDegrees, CurvedTetrahedra, testing::Values(0, 2, 3, 4));

}  // namespace
}  // namespace galerna::tests
