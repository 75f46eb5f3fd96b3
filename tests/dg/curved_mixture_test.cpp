// Curved pyramids, alone and beside curved tetrahedra, hexahedra and prisms: their metric terms, and the kernels held
// against plain loops over these.
#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "dg/computation.hpp"
#include "dg/curved_solids.hpp"
#include "dg/element_reference.hpp"
#include "mesh/balls.hpp"
#include "mesh/refine.hpp"
#include "mesh/snap.hpp"

namespace galerna::tests {
namespace {

using Reference = MetricReference<3>;
using State3 = Reference::State;
using Vector3 = Reference::Vector;

constexpr State3 stream = {{1.1, 0.5, -0.3, 0.2, 2.4}};
const Reference::Beyond in_stream = [](int, const State3&, const mesh::Point&, const Vector3&) { return stream; };

State3 wavy(const mesh::Point& x) {
  State3 u = stream;
  for (int v = 0; v < 5; ++v) u[v] += 0.05 * std::sin(3 * x[0] + v) * std::cos(2 * x[1] - x[2] + v);
  return u;
}

/// No kernel is compiled for this: plain loops over the same metric terms.
TEST(QuickCurvedMixtures, KeepUniformFlowAndLoseNothing) {
  for (int order = 1; order <= 4; ++order) {
    const mesh::Mesh all = curved_box_of_all_solids(3, order, true),
                     pyramids = curved_box(3, order, true, 0.06, Shape::pyramid);
    for (int degree = 0; degree <= 4; ++degree)
      for (const mesh::Mesh* mesh : {&all, &pyramids}) {
        const Reference reference(*mesh, degree, in_stream);
        const auto uniform = reference.project([](const mesh::Point&) { return stream; });
        EXPECT_LT(largest(reference(uniform)), 1e-12 * (1 + degree * degree)) << "N " << order << " p " << degree;
        const auto change = reference(reference.project(wavy));
        const State3 total = reference.integrals(change);
        EXPECT_GT(largest(change), 0.1);
        for (int v = 0; v < 5; ++v) EXPECT_LT(std::abs(total[v]), 1e-14 * largest(change)) << v;
      }
  }
}

/// Refinement leaves no gaps: neither of elements of all shapes round each other, nor on a sphere.
TEST(QuickCurvedMixtures, KeepUniformFlowAfterRefinement) {
  std::vector<mesh::Mesh> meshes;
  const mesh::Snap sphere = {{"wall", mesh::RoundSurface::sphere({}, 1)}};
  for (int order = 2; order <= 3; ++order)
    meshes.push_back(mesh::refine(mesh::curve(ball_of_all_solids(), sphere, order), 1, sphere));
  meshes.push_back(mesh::curve(mesh::refine(ball_of_all_solids(), 1, sphere), sphere, 4));
  meshes.push_back(mesh::refine(raise_solids(box_of_all_solids(2), 4, wavy_in_space), 1));
  for (mesh::Mesh& mesh : meshes) {
    mesh::prepare(mesh);
    for (int degree = 1; degree <= 3; degree += 2) {
      const Reference reference(mesh, degree, in_stream);
      const auto uniform = reference.project([](const mesh::Point&) { return stream; });
      EXPECT_LT(largest(reference(uniform)), 1e-12 * (1 + degree * degree)) << "p " << degree;
    }
  }
}

/// [point][k] of a side, as the face counts its points.
std::vector<double> normals_of(const mesh::Mesh& mesh, const std::vector<dg::Metric>& metrics, const mesh::Side& side) {
  const auto [block, position] = mesh.locate(side.element);
  const dg::Metric& m = metrics[static_cast<std::size_t>(block)];
  const auto s = static_cast<std::size_t>(side.side);
  const auto first = m.normals.begin() + 3 * (position * m.first_side_point.back() + m.first_side_point[s]);
  return {first, first + 3 * (m.first_side_point[s + 1] - m.first_side_point[s])};
}

TEST(QuickCurvedMixtures, AgreeOnTheirFaces) {
  for (int order = 2; order <= 4; ++order) {
    const mesh::Mesh mesh = curved_box_of_all_solids(3, order, true);
    const auto operators = dg::make_block_operators(mesh, 1);
    std::vector<dg::Metric> metrics;
    for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
      metrics.push_back(dg::make_metric(mesh, static_cast<int>(b), operators[b]));
    std::set<std::set<Shape>> seen;
    for (const mesh::Face& face : mesh.faces) {
      const auto left = normals_of(mesh, metrics, face.left), right = normals_of(mesh, metrics, face.right);
      ASSERT_EQ(left.size(), right.size());
      for (std::size_t k = 0; k < left.size(); ++k) ASSERT_NEAR(left[k], -right[k], 3e-14);
      seen.insert({mesh.shape(face.left.element), mesh.shape(face.right.element)});
    }
    for (Shape other : {Shape::pyramid, Shape::tetrahedron, Shape::hexahedron})
      EXPECT_EQ(seen.count({Shape::pyramid, other}), 1U) << name(other);
  }
}

/// By the determinant of J ∇ξ, which is J² with those of the map.
TEST(QuickCurvedMixtures, MetricTermsOfPyramidsAreThoseOfTheMapUpToDegreePlusOne) {
  const auto error = [](mesh::Index n, int degree) {
    const mesh::Mesh mesh = curved_box(n, 4, false, 0, Shape::pyramid);
    const dg::Operators operators = dg::make_block_operators(mesh, degree)[0];
    const dg::Metric m = dg::make_metric(mesh, 0, operators);
    double most = 0;
    for (mesh::Index e = 0; e < m.elements; ++e)
      for (int q = 0; q < m.volume_points; ++q) {
        const auto at = static_cast<std::size_t>(e * m.volume_points + q);
        const double determinant = Eigen::Map<const Eigen::Matrix3d>(m.contravariant.data() + 9 * at).determinant();
        most = std::max(most, std::abs(determinant / (m.jacobian[at] * m.jacobian[at]) - 1));
      }
    return most;
  };
  for (int degree = 1; degree <= 2; ++degree) {
    const double coarse = error(3, degree), fine = error(6, degree);
    EXPECT_GT(std::log2(coarse / fine), degree + 0.8) << "p " << degree << ": " << coarse << ", " << fine;
  }
}

dg::Spec euler_on(const mesh::Mesh& mesh, int degree) {
  dg::Spec spec = bare_euler_in_space(degree);
  surround(spec, mesh, stream);
  return spec;
}

void expect_reference(int degree, std::unique_ptr<device::Device> device) {
  const mesh::Mesh mesh = curved_box_of_all_solids(2, 2);
  const Reference reference(mesh, degree, in_stream);
  const std::vector<double> c = reference.project(wavy);
  Computation computation(mesh, euler_on(mesh, degree), std::move(device));
  EXPECT_LT(relative_difference(reference(c), computation.residual(c)), 1e-12);
  EXPECT_LT(largest(computation.residual(reference.project([](const mesh::Point&) { return stream; }))), 1e-11);
}

TEST(CurvedMixtures, ResidualIsThatOfThePlainLoops) {
  for (int degree : {1, 2}) expect_reference(degree, device::open_device("cpu"));
}

TEST(CurvedMixtures, ResidualOnTheGpuIsThatOfThePlainLoops) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  for (int degree : {1, 2}) expect_reference(degree, device::open_device("cuda"));
}

TEST(CurvedMixtures, ResidualOnAnEmulatedGpuIsThatOfThePlainLoops) {
  expect_reference(1, std::make_unique<EmulatedGpu>());
}

}  // namespace
}  // namespace galerna::tests
