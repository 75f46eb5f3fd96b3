#include "mesh/validity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "base/lattice.hpp"
#include "mesh/bernstein.hpp"
#include "mesh/generate.hpp"
#include "mesh/images.hpp"
#include "mesh/prepare.hpp"
#include "mesh/quality.hpp"

namespace galerna::mesh {
namespace {

using enum Validity::Verdict;
using Map = std::function<Point(double, double)>;

/// Nodes of one element: the reference ones, moved.
std::vector<Point> nodes_of(Shape shape, int order, const Map& map) {
  std::vector<Point> nodes;
  for (const LatticePoint& at : node_lattice(shape, order)) {
    const auto x = reference_point(shape, order, at);
    nodes.push_back(map(x[0], x[1]));
  }
  return nodes;
}

Mesh single(Shape shape, int order, const Map& map) {
  Mesh mesh;
  mesh.file = "single.msh";
  mesh.dimension = 2;
  mesh.nodes = nodes_of(shape, order, map);
  mesh.image = own_images(mesh.nodes.size());
  mesh.blocks = {{shape, order, own_images(mesh.nodes.size()), {-1}, {6}}};
  return mesh;
}

/// The hypotenuse's middle moved by (b, b): J = 1 + 4b(ξ + η), smallest along the hypotenuse.
Validity bulged_triangle(double b) {
  return validity(Shape::triangle, 2, nodes_of(Shape::triangle, 2, [&](double x, double y) {
                    return Point{x + 4 * b * x * y, y + 4 * b * x * y, 0};
                  }));
}

/// The bottom's middle lifted by b: J is smallest there, 1 − 3b/2.
Validity dented_quadrilateral(double b) {
  return validity(Shape::quadrilateral, 2, nodes_of(Shape::quadrilateral, 2, [&](double x, double y) {
                    return Point{x, y + b * (1 - x * x) * y * (y - 1) / 2, 0};
                  }));
}

TEST(Bernstein, InterpolatesAndSubdivides) {
  for (const Shape shape : {Shape::line, Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::prism}) {
    const int degree = 3;
    const auto f = [](const Unit& u) { return 1 + u[0] * u[0] - 2 * u[0] * u[1] * u[2] + u[1] * u[1] * u[1]; };
    const auto lattice = lattice_coordinates(shape, degree);
    Table values(lattice.size(), 1);
    for (std::size_t n = 0; n < lattice.size(); ++n) values(n, 0) = f(lattice[n]);
    const Table coefficients = product(bernstein_from_nodes(shape, degree), values);
    const std::vector<Unit> points = {{0.2, 0.3, 0.4}};
    const double dx = product(bernstein_derivatives(shape, degree, points, 0), coefficients)(0, 0);
    if (shape == Shape::line) {
      EXPECT_NEAR(dx, 0.4, 1e-13);
      continue;
    }
    const std::vector<Unit> inside = {{0.2, 0.3, dimension(shape) == 3 ? 0.4 : 0}};
    EXPECT_NEAR(product(bernstein_values(shape, degree, inside), coefficients)(0, 0), f(inside[0]), 1e-13);
    // Child 0 holds corner 0 and reaches to the middle of the element's edges.
    const Table child = product(bernstein_subdivision(shape, degree)[0], coefficients);
    const double there = product(bernstein_values(shape, degree, {{0.4, 0.6, 0}}), child)(0, 0);
    EXPECT_NEAR(there, f({0.2, 0.3, 0}), 1e-13) << name(shape);
  }
}

TEST(Bernstein, JacobianTermsAddUpToTheDeterminant) {
  const Map wavy = [](double x, double y) { return Point{x + 0.3 * std::sin(2 * x + y), y * (1.2 + x * x * y), 0}; };
  for (int order = 1; order <= 6; ++order)
    for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
      const auto nodes = nodes_of(shape, order, wavy);
      Table places(nodes.size(), 2);
      for (std::size_t n = 0; n < nodes.size(); ++n)
        for (std::size_t k = 0; k < 2; ++k) places(n, k) = nodes[n][k];
      const Table control = product(bernstein_from_nodes(shape, order), places);
      const auto along = [&](const std::array<int, 2>& ends, std::size_t k) {
        return control(static_cast<std::size_t>(ends[1]), k) - control(static_cast<std::size_t>(ends[0]), k);
      };
      Table jacobian(lattice_coordinates(shape, jacobian_degree(shape, order)).size(), 1);
      for (const JacobianTerm& t : jacobian_terms(shape, order))
        jacobian(static_cast<std::size_t>(t.coefficient), 0) +=
            t.weight * (along(t.first, 0) * along(t.second, 1) - along(t.first, 1) * along(t.second, 0));
      for (const Unit& u : {Unit{0, 0, 0}, Unit{0.2, 0.7, 0}, Unit{0.33, 0.41, 0}}) {
        const Table x = product(bernstein_derivatives(shape, order, {u}, 0), control),
                    y = product(bernstein_derivatives(shape, order, {u}, 1), control);
        const double expected = x(0, 0) * y(0, 1) - x(0, 1) * y(0, 0);
        const Table values = bernstein_values(shape, jacobian_degree(shape, order), {u});
        EXPECT_NEAR(product(values, jacobian)(0, 0), expected, 1e-12) << name(shape) << " order " << order;
      }
    }
}

TEST(Bernstein, SubdivisionRoundsNothing) {
  // Parts of a constant: every coefficient is a mean of ones.
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    for (const Table& child : bernstein_subdivision(shape, 11))
      for (std::size_t i = 0; i < child.rows; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < child.columns; ++j) {
          EXPECT_GE(child(i, j), 0);
          sum += child(i, j);
        }
        EXPECT_EQ(sum, 1);
      }
}

TEST(Validity, DoesNotMindWhereTheElementIs) {
  for (int order = 2; order <= 6; ++order) {
    const Map far = [](double x, double y) { return Point{1e4 + 2 * x - y, -3e4 + 0.5 * x + y, 0}; };
    const Validity v = validity(Shape::quadrilateral, order, nodes_of(Shape::quadrilateral, order, far));
    EXPECT_EQ(v.verdict, valid);
    EXPECT_NEAR(v.ratio(), 1, 1e-8) << order;
  }
}

TEST(Validity, AffineElementsHaveRatioOne) {
  const Map affine = [](double x, double y) { return Point{3 + 2 * x - y, 1 + 0.5 * x + y, 0}; };
  for (int order = 1; order <= 6; ++order)
    for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
      const Validity v = validity(shape, order, nodes_of(shape, order, affine));
      EXPECT_EQ(v.verdict, valid);
      EXPECT_EQ(v.sign, 1);
      EXPECT_NEAR(v.least, 2.5, 1e-11);
      EXPECT_NEAR(v.ratio(), 1, 1e-11) << name(shape) << " order " << order;
    }
  const Map mirrored = [](double x, double y) { return Point{y, x, 0}; };
  EXPECT_EQ(validity(Shape::triangle, 3, nodes_of(Shape::triangle, 3, mirrored)).sign, -1);
}

TEST(Validity, QuadraticTriangles) {
  EXPECT_EQ(bulged_triangle(0.2).verdict, valid);
  EXPECT_NEAR(bulged_triangle(0.2).least, 1, 1e-12);
  EXPECT_NEAR(bulged_triangle(0.2).most, 1.8, 1e-12);
  EXPECT_NEAR(bulged_triangle(-0.1).ratio(), 0.6, 1e-12);
  EXPECT_EQ(bulged_triangle(-0.2499999).verdict, valid);
  EXPECT_EQ(bulged_triangle(-0.25).verdict, invalid);
  EXPECT_EQ(bulged_triangle(-0.3).verdict, invalid);
  EXPECT_NEAR(bulged_triangle(-0.3).reached, -0.2, 1e-12);
}

TEST(Validity, QuadraticQuadrilaterals) {
  const Validity good = dented_quadrilateral(0.4);
  EXPECT_EQ(good.verdict, valid);
  EXPECT_LE(good.least, 0.4 + 1e-12);
  EXPECT_NEAR(good.least, 0.4, 0.02);
  EXPECT_EQ(dented_quadrilateral(0.6666).verdict, valid);
  EXPECT_GT(dented_quadrilateral(0.6666).least, 0);
  EXPECT_EQ(dented_quadrilateral(0.6667).verdict, invalid);
}

/// x(ξ) with x' = (ξ − 0.2)² − ε: negative only near 0.2.
Map fold(double epsilon) {
  return [epsilon](double x, double y) { return Point{std::pow(x - 0.2, 3) / 3 - epsilon * x, y, 0}; };
}

TEST(Validity, FindsAFoldBetweenNodesAndQuadraturePoints) {
  const double epsilon = 5e-4;
  // The Jacobian is positive at the element's nodes and at the points of the Gauss rules up to five.
  for (const double x :
       {-1.0, -1.0 / 3, 1.0 / 3, 1.0, -0.5773502691896257, 0.5773502691896257, -0.7745966692414834, 0.0,
        0.7745966692414834, -0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526,
        -0.9061798459386640, -0.5384693101056831, 0.5384693101056831, 0.9061798459386640})
    EXPECT_GT((x - 0.2) * (x - 0.2) - epsilon, 0);
  EXPECT_EQ(validity(Shape::quadrilateral, 3, nodes_of(Shape::quadrilateral, 3, fold(epsilon))).verdict, invalid);
  EXPECT_EQ(validity(Shape::quadrilateral, 3, nodes_of(Shape::quadrilateral, 3, fold(-epsilon))).verdict, valid);
  // J = 0 at a line that no division meets.
  EXPECT_NE(validity(Shape::quadrilateral, 3, nodes_of(Shape::quadrilateral, 3, fold(0))).verdict, valid);
}

TEST(Validity, BoundsHoldEverywhere) {
  const Map wavy = [](double x, double y) {
    return Point{x + 0.1 * std::sin(2 * x + y), y + 0.12 * std::cos(3 * x - y), 0};
  };
  for (int order = 2; order <= 6; ++order)
    for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
      const auto nodes = nodes_of(shape, order, wavy);
      const Validity v = validity(shape, order, nodes);
      ASSERT_EQ(v.verdict, valid);
      const double span = shape == Shape::triangle ? 1 : 2;
      const Table from_nodes = bernstein_from_nodes(shape, order);
      double least = 1e9;
      for (int i = 0; i <= 40; ++i)
        for (int j = 0; j <= (shape == Shape::triangle ? 40 - i : 40); ++j) {
          const std::vector<Unit> u = {{i / 40.0, j / 40.0, 0}};
          const Table dx = product(bernstein_derivatives(shape, order, u, 0), from_nodes);
          const Table dy = product(bernstein_derivatives(shape, order, u, 1), from_nodes);
          double a = 0, b = 0, c = 0, d = 0;
          for (std::size_t n = 0; n < nodes.size(); ++n) {
            a += dx(0, n) * nodes[n][0], b += dx(0, n) * nodes[n][1];
            c += dy(0, n) * nodes[n][0], d += dy(0, n) * nodes[n][1];
          }
          least = std::min(least, (a * d - b * c) / (span * span));
        }
      EXPECT_LE(v.least, least + 1e-12);
      EXPECT_GE(v.least, least - 0.011 * v.most);
    }
}

TEST(Prepare, RefusesFoldedCurvedElements) {
  Mesh mesh = single(Shape::quadrilateral, 3, fold(5e-4));
  try {
    prepare(mesh);
    FAIL() << "the mesh was accepted";
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("quadrilateral 7 at ("), std::string::npos) << what;
    EXPECT_NE(what.find("of geometry order 3 is folded"), std::string::npos) << what;
  }
  Mesh good = single(Shape::quadrilateral, 3, fold(-0.1));
  EXPECT_NO_THROW(prepare(good));
}

TEST(Quality, CountsCurvedElements) {
  const Mesh curved = single(Shape::triangle, 2, [](double x, double y) { return Point{x + 0.4 * x * y, y, 0}; });
  EXPECT_EQ(quality(curved).curved, 1);
  EXPECT_NEAR(quality(curved).worst_jacobian.value, 1 / 1.4, 0.01);
  EXPECT_NE(describe(curved).find("curved elements   1\n"), std::string::npos) << describe(curved);
  EXPECT_NE(describe(curved).find("worst Jacobian    0.71"), std::string::npos) << describe(curved);
  const Mesh straight = single(Shape::triangle, 3, [](double x, double y) { return Point{x, y, 0}; });
  EXPECT_EQ(quality(straight).curved, 0);
  EXPECT_NEAR(quality(make_rectangle(2, 2)).worst_jacobian.value, 1, 1e-12);
}

}  // namespace
}  // namespace galerna::mesh
