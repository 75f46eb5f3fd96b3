// Curved tetrahedra, hexahedra and prisms: their metric terms, and the kernels held against plain loops over these.
#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include <cmath>

#include "case_names.hpp"
#include "dg/computation.hpp"
#include "dg/curved_solids.hpp"
#include "dg/element_reference.hpp"
#include "dg/solids.hpp"
#include "kernels/riemann/hllc.hpp"
#include "mesh/box.hpp"

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

/// No kernel is compiled for this: plain loops over the same metric terms.
TEST(QuickCurvedSolids, KeepUniformFlowAndLoseNothing) {
  for (Shape shape : {Shape::hexahedron, Shape::prism})
    for (int order = 2; order <= 4; ++order) {
      const mesh::Mesh periodic = curved_box(3, order, true, 0.06, shape);
      for (int degree = order > 3 ? 1 : 0; degree <= 3; ++degree) {
        const SpaceReferenceOnMetric reference(periodic, degree, in_stream);
        const auto uniform = reference.project([](const mesh::Point&) { return stream; });
        EXPECT_LT(largest(reference(uniform)), 1e-11 * (1 + degree * degree)) << "N " << order << " p " << degree;
        if (degree != 2) continue;
        const auto change = reference(reference.project([](const mesh::Point& x) {
          return State3{{1.1 + 0.1 * std::sin(2 * M_PI * x[0]), 0.5, -0.3, 0.2, 2.4}};
        }));
        const State3 total = reference.integrals(change);
        EXPECT_GT(largest(change), 0.1);
        for (int v = 0; v < 5; ++v) EXPECT_LT(std::abs(total[v]), 1e-13 * largest(change)) << v;
      }
    }
}

/// Both elements of a face find the same normals, on triangles and quadrilaterals.
TEST(QuickCurvedSolids, AgreeOnTheirFaces) {
  for (Shape shape : {Shape::hexahedron, Shape::prism}) {
    const mesh::Mesh mesh = curved_box(3, 3, true, 0.06, shape);
    const auto operators = dg::make_block_operators(mesh, 2);
    const dg::Metric m = dg::make_metric(mesh, 0, operators[0]);
    const auto all = static_cast<std::size_t>(m.first_side_point.back());
    for (const mesh::Face& face : mesh.faces) {
      const auto side_of = [&](const mesh::Side& side) { return static_cast<std::size_t>(side.side); };
      const int count = m.first_side_point[side_of(face.left) + 1] - m.first_side_point[side_of(face.left)];
      for (int q = 0; q < 3 * count; ++q) {
        const auto at = [&](const mesh::Side& side) {
          return 3 * (static_cast<std::size_t>(side.element) * all +
                      static_cast<std::size_t>(m.first_side_point[side_of(side)])) +
                 static_cast<std::size_t>(q);
        };
        EXPECT_NEAR(m.normals[at(face.left)], -m.normals[at(face.right)], 1e-14);
      }
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

/// Two prisms below six tetrahedra, whose curls alone would be one degree lower.
TEST(QuickCurvedSolids, PrismsAndTetrahedraAgreeOnTriangles) {
  const mesh::Mesh grid = mesh::make_box({1, 1, 2}, {1, 1, 1}, 0.05, Shape::hexahedron);
  SolidBuilder builder(grid.nodes);
  const auto corner = [&](std::size_t e, std::size_t i) { return grid.blocks[0].nodes[8 * e + i]; };
  for (const auto& prism : {std::array{0, 1, 2, 4, 5, 6}, std::array{0, 2, 3, 4, 6, 7}}) {
    std::vector<mesh::Index> nodes;
    for (int i : prism) nodes.push_back(corner(0, static_cast<std::size_t>(i)));
    builder.add(Shape::prism, nodes);
  }
  for (const auto& [a, b] : {std::pair{1, 2}, {1, 5}, {3, 2}, {3, 7}, {4, 5}, {4, 7}})
    builder.add(Shape::tetrahedron, {corner(1, 0), corner(1, static_cast<std::size_t>(a)),
                                     corner(1, static_cast<std::size_t>(b)), corner(1, 6)});
  mesh::Mesh mesh = raise_solids(builder.finish(), 3, wavy_in_space);
  mesh::prepare(mesh);
  const auto operators = dg::make_block_operators(mesh, 1);
  std::vector<dg::Metric> metrics;
  for (int block = 0; block < 2; ++block)
    metrics.push_back(dg::make_metric(mesh, block, operators[static_cast<std::size_t>(block)]));
  int between = 0;
  for (const mesh::Face& face : mesh.faces) {
    if (face.right.element < 0 || mesh.shape(face.left.element) == mesh.shape(face.right.element)) continue;
    ++between;
    const auto normals = [&](const mesh::Side& side) {
      const auto first = static_cast<mesh::Index>(mesh.blocks[0].size());
      const dg::Metric& m = metrics[side.element < first ? 0 : 1];
      const auto element = static_cast<std::size_t>(side.element < first ? side.element : side.element - first);
      const auto s = static_cast<std::size_t>(side.side);
      const auto at = 3 * (element * static_cast<std::size_t>(m.first_side_point.back()) +
                           static_cast<std::size_t>(m.first_side_point[s]));
      const auto count = 3 * static_cast<std::size_t>(m.first_side_point[s + 1] - m.first_side_point[s]);
      return std::vector<double>(m.normals.begin() + static_cast<std::ptrdiff_t>(at),
                                 m.normals.begin() + static_cast<std::ptrdiff_t>(at + count));
    };
    const auto left = normals(face.left), right = normals(face.right);
    ASSERT_EQ(left.size(), right.size());
    for (std::size_t k = 0; k < left.size(); ++k) EXPECT_NEAR(left[k], -right[k], 1e-14);
  }
  EXPECT_EQ(between, 2);
  const SpaceReferenceOnMetric reference(mesh, 1, in_stream);
  EXPECT_LT(largest(reference(reference.project([](const mesh::Point&) { return stream; }))), 2e-11);
}

TEST(QuickCurvedSolids, ResidualIsThatOfThePlainLoops) {
  const mesh::Mesh mesh = curved_box(2, 2, false, 0.06, Shape::hexahedron);
  const SpaceReferenceOnMetric reference(mesh, 1, in_stream);
  const std::vector<double> c = reference.project(disturbed);
  Computation computation(mesh, euler_on(mesh, 1));
  EXPECT_LT(relative_difference(reference(c), computation.residual(c)), 1e-12);
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

INSTANTIATE_TEST_SUITE_P(QuickDegrees, CurvedTetrahedra, testing::Values(1), CaseName{});
INSTANTIATE_TEST_SUITE_P(HigherDegrees, CurvedTetrahedra, testing::Values(0, 2, 3, 4), CaseName{});

}  // namespace
}  // namespace galerna::tests
