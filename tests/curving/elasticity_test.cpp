#include "curving/elasticity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/index.hpp"
#include "base/lattice.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/raise.hpp"

namespace galerna::curving {
namespace {

using mesh::Index;
using mesh::Mesh;
using Field = std::function<Vector(const Vector&)>;

constexpr double poisson = 0.3, lambda = poisson / ((1 + poisson) * (1 - 2 * poisson)), mu = 0.5 / (1 + poisson);

/// A box or rectangle of elements of one shape and order. \param affine whether all of them are parallelepipeds
Mesh block_of(Shape shape, int order, bool affine) {
  Mesh mesh;
  if (dimension(shape) == 3)
    mesh = mesh::make_box({3, 2, 2}, {1, 1, 1}, affine ? 0 : 0.1, shape);
  else
    mesh = mesh::make_rectangle(4, 3, {0, 0}, {1, 1},
                                shape == Shape::triangle ? mesh::CellStyle::triangles : mesh::CellStyle::quadrilaterals,
                                affine ? 0 : 0.15);
  return mesh::raise(mesh, order, std::vector<char>(at(mesh.element_count()), 1)).mesh;
}

/// Nodes are unknowns; those of the boundary are held.
Body body_of(const Mesh& mesh) {
  Body body{mesh, {}, std::vector<Directions>(mesh.nodes.size())};
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    body.unknown.push_back(static_cast<Index>(n));
    if (mesh.dimension == 2) body.forbidden[n].add({0, 0, 1});
  }
  for (const mesh::Boundary& boundary : mesh.boundaries)
    for (const mesh::Side& side : boundary.sides) {
      const mesh::ElementBlock& block = mesh.blocks[at(mesh.locate(side.element).block)];
      for (const int n : side_nodes(block.shape, block.order, side.side))
        body.forbidden[at(mesh.element_nodes(side.element)[at(n)])].forbid_all();
    }
  return body;
}

std::vector<Vector> values_of(const Mesh& mesh, const Field& field) {
  std::vector<Vector> values;
  for (const mesh::Point& x : mesh.nodes) values.push_back(field(x));
  return values;
}

/// Given on the boundary, and 0 inside at first.
double error_of(const Mesh& mesh, const Field& exact) {
  const Body body = body_of(mesh);
  const std::vector<Vector> all = values_of(mesh, exact);
  std::vector<Vector> u = all;
  for (std::size_t n = 0; n < u.size(); ++n) u[n] = minus(u[n], body.forbidden[n].remove_from(u[n]));
  const Solve report = solve(body, Elasticity(body, poisson), u, 1e-13);
  EXPECT_TRUE(report.converged);
  double error = 0;
  for (std::size_t n = 0; n < u.size(); ++n) error = std::max(error, norm(minus(u[n], all[n])));
  return error;
}

Vector linear_plane(const Vector& x) {
  return {0.3 * x[0] - 0.2 * x[1], 0.5 * x[0] + 0.7 * x[1], 0};
}

Vector linear_space(const Vector& x) {
  return {0.3 * x[0] - 0.2 * x[1] + x[2], 0.5 * x[0] + 0.7 * x[1], 0.1 * x[1] - 0.4 * x[2]};
}

constexpr Shape shapes[] = {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron,
                            Shape::pyramid,  Shape::prism,         Shape::hexahedron};

/// The patch test.
TEST(Elasticity, LinearDisplacementsAreExactOnAllShapes) {
  for (const Shape shape : shapes)
    for (int order = 2; order <= 4; ++order)
      EXPECT_LT(error_of(block_of(shape, order, false), dimension(shape) == 2 ? linear_plane : linear_space), 1e-11)
          << name(shape) << " of order " << order;
}

/// The gradient of a harmonic function is free of divergence and harmonic itself: no force is needed.
TEST(Elasticity, QuadraticSolutionsAreExactOnAffineElements) {
  const Field gradient = [](const Vector& x) { return Vector{3 * x[0] * x[0] - 3 * x[1] * x[1], -6 * x[0] * x[1], 0}; };
  for (const Shape shape : shapes)
    for (int order = 2; order <= 3; ++order)
      EXPECT_LT(error_of(block_of(shape, order, true), gradient), 1e-11) << name(shape) << " of order " << order;
}

TEST(Elasticity, NothingGivenMovesNothing) {
  const Mesh mesh = block_of(Shape::tetrahedron, 2, false);
  const Body body = body_of(mesh);
  std::vector<Vector> u(mesh.nodes.size());
  for (std::size_t n = 0; n < u.size(); ++n) u[n] = body.forbidden[n].remove_from({1, 2, 3});  // a start
  const Solve report = solve(body, Elasticity(body, poisson), u, 1e-10);
  EXPECT_TRUE(report.converged);
  for (const Vector& displacement : u) EXPECT_EQ(displacement, (Vector{}));
}

double product(const std::vector<Vector>& a, const std::vector<Vector>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

/// uᵀ K u = ∫ λ (tr ε)² + 2 μ ε : ε over a volume of 1.
TEST(Elasticity, EnergyIsThatOfTheStrain) {
  const double trace = 0.3 + 0.7 - 0.4,
               squares = 0.3 * 0.3 + 0.7 * 0.7 + 0.4 * 0.4 + 2 * (0.15 * 0.15 + 0.5 * 0.5 + 0.05 * 0.05);
  for (const Shape shape : {Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron}) {
    const Mesh mesh = block_of(shape, 3, true);
    const Body body = body_of(mesh);
    const Elasticity elasticity(body, poisson);
    const std::vector<Vector> u = values_of(mesh, linear_space);
    std::vector<Vector> f(u.size());
    elasticity.multiply(u, f);
    EXPECT_NEAR(product(u, f), lambda * trace * trace + 2 * mu * squares, 1e-12) << name(shape);
  }
}

TEST(Elasticity, RotationsNeedNoForceAndKIsSymmetric) {
  for (const Shape shape : shapes) {
    const Mesh mesh = block_of(shape, 3, false);
    const Body body = body_of(mesh);
    const Elasticity elasticity(body, poisson);
    std::vector<Vector> f(mesh.nodes.size()), g(mesh.nodes.size());
    elasticity.multiply(values_of(mesh, [](const Vector& x) { return Vector{-x[1], x[0], 0}; }), f);
    for (const Vector& force : f) EXPECT_LT(norm(force), 1e-12) << name(shape);

    const bool flat = mesh.dimension == 2;
    const auto a = values_of(mesh,
                             [&](const Vector&x) {
                               return Vector{std::sin(3 * x[0]), x[1] * x[1], flat ? 0 : x[0]};
                             }),
               b = values_of(mesh, [&](const Vector&x) {
                 return Vector{std::exp(x[1]), x[0] * x[1], flat ? 0 : x[2] * x[0]};
               });
    elasticity.multiply(a, f);
    elasticity.multiply(b, g);
    EXPECT_NEAR(product(b, f), product(a, g), 1e-12) << name(shape);
  }
}

TEST(Elasticity, DiagonalBlocksAreThoseOfProducts) {
  for (const Shape shape : shapes) {
    const Mesh mesh = block_of(shape, 2, false);
    const Body body = body_of(mesh);
    const Elasticity elasticity(body, poisson);
    const std::vector<Matrix3> diagonal = elasticity.diagonal();
    const std::size_t node = mesh.nodes.size() / 2;
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<Vector> unit(mesh.nodes.size()), f(mesh.nodes.size());
      unit[node][k] = 1;
      elasticity.multiply(unit, f);
      for (std::size_t i = 0; i < at(mesh.dimension); ++i) EXPECT_NEAR(f[node][i], diagonal[node][i][k], 1e-13);
    }
  }
}

}  // namespace
}  // namespace galerna::curving
