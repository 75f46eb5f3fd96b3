// Assembly from moments on matrix units, against sums over points, on emulated GPUs.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "basis/legendre_products.hpp"
#include "dg/emulated_gpu.hpp"
#include "mesh/agglomeration.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"
#include "numbers.hpp"
#include "polytopic/discretization.hpp"
#include "polytopic/problems.hpp"

namespace galerna::tests {
namespace {

class MatrixUnits : public EmulatedGpu {
 public:
  bool matrix_units() const override { return true; }
};

TEST(LegendreProduct, IsTheProduct) {
  const auto value = [](const std::vector<double>& c, double x) {
    double sum = 0, below = 0, legendre = 1;
    for (std::size_t m = 0; m < c.size(); ++m) {
      sum += c[m] * legendre;
      const auto n = static_cast<double>(m);
      below = std::exchange(legendre, ((2 * n + 1) * x * legendre - n * below) / (n + 1));
    }
    return sum;
  };
  const double x = 0.3, third = (5 * x * x * x - 3 * x) / 2 * std::sqrt(7), second = (3 * x * x - 1) / 2 * std::sqrt(5);
  EXPECT_NEAR(value(basis::legendre_product(0, 3, 2, 3), x), third * second, 1e-14);
  EXPECT_NEAR(value(basis::legendre_product(1, 3, 2, 3), x), third * 3 * x * std::sqrt(5), 1e-14);
  EXPECT_NEAR(value(basis::legendre_product(2, 3, 2, 3), x), (15 * x * x - 3) / 2 * std::sqrt(7) * 3 * x * std::sqrt(5),
              1e-13);
}

void expect_same(const polytopic::Mesh& mesh, const polytopic::Spec& spec, const std::vector<int>& degrees) {
  MatrixUnits gpu;
  EmulatedGpu other;
  polytopic::Discretization moments(gpu, mesh, spec, degrees), points(other, mesh, spec, degrees);
  for (polytopic::Discretization* discretization : {&moments, &points}) {
    discretization->compute_penalties();
    discretization->assemble();
  }
  const std::vector<double> penalties = points.penalties();
  if (largest(penalties) > 0)
    EXPECT_LT(relative_difference(penalties, moments.penalties()), 1e-12);
  else
    EXPECT_EQ(moments.penalties(), penalties);  // where nothing diffuses
  EXPECT_LT(relative_difference(points.matrix().values, moments.matrix().values), 1e-13);
  EXPECT_LT(relative_difference(points.right_hand_side(), moments.right_hand_side()), 1e-13);
}

TEST(Moments, GiveTheMatrixOfPolygons) {
  mesh::Mesh mesh = mesh::make_rectangle(3, 3, {0, 0}, {1, 1}, mesh::CellStyle::random_triangles, 0.15);
  mesh::prepare(mesh);
  const polytopic::Mesh polytopes = polytopic::make_mesh(mesh, mesh::make_agglomeration(mesh, 4));
  expect_same(polytopes, advection(mesh, "certified", 2), {4, 1, 3, 4});
}

/// More than come together in a group of a GPU, and fewer.
TEST(Moments, GiveTheMatrixOfManyPolygons) {
  mesh::Mesh mesh = mesh::make_rectangle(6, 5, {0, 0}, {1, 1}, mesh::CellStyle::random_triangles, 0.15);
  mesh::prepare(mesh);
  const polytopic::Mesh polytopes = polytopic::make_mesh(mesh, mesh::make_agglomeration(mesh, 12));
  const std::vector<int> degrees(static_cast<std::size_t>(polytopes.polytopes), 3);
  ASSERT_GT(degrees.size(), 8);
  expect_same(polytopes, advection(mesh, "certified", 1), degrees);
}

TEST(Moments, GiveTheMatrixOfPolyhedra) {
  mesh::Mesh mesh = mesh::make_box({2, 1, 1}, {1, 1, 1}, 0.1);
  mesh::prepare(mesh);
  const polytopic::Mesh polytopes = polytopic::make_mesh(mesh, mesh::make_agglomeration(mesh, 2));
  polytopic::Spec spec = poisson(3, mesh, "certified", 2);
  spec.diffusion[5] = constant(0);  // nothing of λ comes from modes of z alone
  spec.velocity = {function("return y;"), constant(0.5), function("return z * x;")};
  spec.reaction = constant(1);
  expect_same(polytopes, spec, {2, 2});
  expect_same(polytopes, spec, {3, 2});  // an interface by a warp with two rows of tiles
  expect_same(polytopes, spec, {4, 4});  // by a team
}

/// Where data of the boundary stand in the matrix.
TEST(Moments, GiveTheMatrixOfExchange) {
  mesh::Mesh plane = mesh::make_rectangle(3, 3, {0, 0}, {1, 1}, mesh::CellStyle::random_triangles, 0.15);
  mesh::prepare(plane);
  const polytopic::Mesh polygons = polytopic::make_mesh(plane, mesh::make_agglomeration(plane, 3));
  polytopic::Spec spec = exchange(plane, "certified", 2);
  expect_same(polygons, spec, {1, 3, 2});
  spec.item_threads = 32;
  expect_same(polygons, spec, {1, 2, 1});
  mesh::Mesh box = mesh::make_box({2, 1, 1}, {1, 1, 1}, 0.1);
  mesh::prepare(box);
  expect_same(polytopic::make_mesh(box, mesh::make_agglomeration(box, 2)), exchange_in_space(box, "certified", 2),
              {1, 2});
}

/// Constants beside higher degrees: b·∇u + c u = f.
TEST(Moments, GiveTheMatrixOfConstants) {
  mesh::Mesh plane = mesh::make_rectangle(3, 3, {0, 0}, {1, 1}, mesh::CellStyle::random_triangles, 0.15);
  mesh::prepare(plane);
  const polytopic::Mesh polygons = polytopic::make_mesh(plane, mesh::make_agglomeration(plane, 4));
  polytopic::Spec spec = transport(plane);
  expect_same(polygons, spec, {0, 0, 0, 0});
  expect_same(polygons, spec, {0, 3, 1, 0});
  spec.item_threads = 32;
  expect_same(polygons, spec, {0, 1, 0, 1});
  mesh::Mesh box = mesh::make_box({2, 1, 1}, {1, 1, 1}, 0.1);
  mesh::prepare(box);
  expect_same(polytopic::make_mesh(box, mesh::make_agglomeration(box, 2)), transport_in_space(box), {0, 1});
}

TEST(Moments, GiveTheMatrixWithoutFlow) {
  mesh::Mesh mesh = mesh::make_rectangle(2, 2, {0, 0}, {1, 1}, mesh::CellStyle::random_triangles, 0.15);
  mesh::prepare(mesh);
  const polytopic::Mesh polytopes = polytopic::make_mesh(mesh, mesh::make_agglomeration(mesh, 2));
  expect_same(polytopes, poisson(2, mesh, "certified", 2), {5, 3});
  expect_same(polytopes, poisson(2, mesh, "certified", 2), {6, 3});
}

/// Large polygons and polyhedra of few modes: more simplices and facets than a warp has threads, and fewer.
TEST(Moments, GiveTheMatrixWhereWarpsShareItems) {
  mesh::Mesh plane = mesh::make_rectangle(7, 5, {0, 0}, {1, 1}, mesh::CellStyle::random_triangles, 0.15);
  mesh::prepare(plane);
  polytopic::Spec spec = advection(plane, "certified", 1);
  spec.item_threads = 32;
  expect_same(polytopic::make_mesh(plane, mesh::make_agglomeration(plane, 3)), spec, {1, 2, 1});
  mesh::Mesh box = mesh::make_box({3, 2, 2}, {1, 1, 1}, 0.1);
  mesh::prepare(box);
  spec = poisson(3, box, "certified", 1);
  spec.item_threads = 32;
  expect_same(polytopic::make_mesh(box, mesh::make_agglomeration(box, 2)), spec, {1, 1});
}

}  // namespace
}  // namespace galerna::tests
