#include "mesh/validity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "base/lattice.hpp"
#include "mesh/bernstein.hpp"
#include "mesh/generate.hpp"
#include "mesh/images.hpp"
#include "mesh/jacobian_form.hpp"
#include "mesh/prepare.hpp"
#include "mesh/quality.hpp"
#include "mesh/refine_tables.hpp"

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

using SpaceMap = std::function<Point(double, double, double)>;

std::vector<Point> nodes_in_space(Shape shape, int order, const SpaceMap& map) {
  std::vector<Point> nodes;
  for (const LatticePoint& at : node_lattice(shape, order)) {
    const auto x = reference_point(shape, order, at);
    nodes.push_back(map(x[0], x[1], x[2]));
  }
  return nodes;
}

constexpr Shape solids[] = {Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron};

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

/// Derivatives of a map with respect to the coordinates of the reference shape, by differences.
double determinant_at(Shape shape, const SpaceMap& map, const std::array<double, 3>& x) {
  constexpr double h = 1e-5;
  Point along[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimension(shape)); ++d) {
    auto up = x, down = x;
    up[d] += h, down[d] -= h;
    const Point a = map(up[0], up[1], up[2]), b = map(down[0], down[1], down[2]);
    for (std::size_t k = 0; k < 3; ++k) along[d][k] = (a[k] - b[k]) / (2 * h);
  }
  const auto& [u, v, w] = along;
  return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/// A polynomial of degree 2 in each coordinate, and so of every order from 2 on; of total degree 2 for simplices.
Point wavy_in_space(double x, double y, double z) {
  return {x + 0.1 * y * z - 0.15 * x * x, y * 1.2 + 0.1 * z * z - 0.1 * x * y, z + 0.2 * x * z + 0.05 * y};
}

TEST(JacobianForm, IsTheDeterminantAtTheCornersOfAllParts) {
  for (const Shape shape : all_shapes) {
    if (dimension(shape) < 2) continue;
    const bool plane = dimension(shape) == 2;
    const SpaceMap map = [&](double x, double y, double z) {
      const Point p = wavy_in_space(x, y, z);
      return plane ? Point{p[0], p[1], 0} : p;
    };
    for (int order = 2; order <= 4; ++order) {
      const JacobianForm form(shape, order);
      std::vector<double> found, expected;
      form.divide(form.coefficients(nodes_in_space(shape, order, map)), [&](const std::vector<double>& part) {
        for (const std::size_t c : form.corners()) found.push_back(part[c]);
      });
      // A pyramid's parts are those of the hexahedron that collapses.
      const Shape divided = shape == Shape::pyramid ? Shape::hexahedron : shape;
      const auto lattice = node_lattice(divided, 2);
      for (const std::vector<int>& child : make_subdivision(divided, 0).children)
        for (const int n : child) {
          auto x = reference_point(divided, 2, lattice[static_cast<std::size_t>(n)]);
          if (shape == Shape::pyramid) {
            x[2] = (1 + x[2]) / 2;
            x[0] *= 1 - x[2], x[1] *= 1 - x[2];
          }
          expected.push_back(determinant_at(shape, map, x));
        }
      std::sort(found.begin(), found.end());
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-8) << name(shape) << " order " << order;
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

TEST(Validity, AffineSolidsHaveRatioOne) {
  const SpaceMap affine = [](double x, double y, double z) {
    return Point{3e3 + 2 * x - y, 1 + 0.5 * x + y, 0.3 * x - 2 + 0.8 * z};
  };
  for (int order = 1; order <= 4; ++order)
    for (const Shape shape : solids) {
      const Validity v = validity(shape, order, nodes_in_space(shape, order, affine));
      EXPECT_EQ(v.verdict, valid);
      EXPECT_NEAR(v.least, 2, 1e-8) << name(shape) << " order " << order;
      EXPECT_NEAR(v.ratio(), 1, 1e-8) << name(shape) << " order " << order;
    }
  EXPECT_FALSE(can_certify(Shape::tetrahedron, 5));
}

/// The middle of an edge of a tetrahedron moved along it by b of its length: J = 1 + 4b (1 − 2ξ − η − ζ) there.
TEST(Validity, QuadraticTetrahedra) {
  const auto moved = [](double b) {
    return validity(Shape::tetrahedron, 2, nodes_in_space(Shape::tetrahedron, 2, [&](double x, double y, double z) {
                      return Point{x + 4 * b * x * (1 - x - y - z), y, z};
                    }));
  };
  EXPECT_NEAR(moved(0.1).ratio(), 0.6 / 1.4, 1e-12);
  EXPECT_EQ(moved(0.2499).verdict, valid);
  EXPECT_EQ(moved(0.2501).verdict, invalid);
  EXPECT_EQ(moved(-0.2501).verdict, invalid);
}

/// x' = (ξ − 0.2)² − ε along one axis of a solid that the fold crosses within: no corner shows it.
TEST(Validity, FindsFoldsInsideOfSolids) {
  for (const double epsilon : {5e-4, -5e-4})
    for (const Shape shape : solids) {
      const double middle = shape == Shape::tetrahedron || shape == Shape::prism ? 0.3 : 0.2;
      const auto nodes = nodes_in_space(shape, 3, [&](double x, double y, double z) {
        return Point{std::pow(x - middle, 3) / 3 - epsilon * x, y, z};
      });
      EXPECT_EQ(validity(shape, 3, nodes, Bound::sign).verdict, epsilon > 0 ? invalid : valid) << name(shape);
    }
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

TEST(Prepare, NamesFoldedElementsInSpaceTheWorstFirst) {
  for (const Shape shape : solids) {
    Mesh mesh;
    mesh.file = "solids.msh";
    mesh.dimension = 3;
    mesh.blocks = {{shape, 2, {}, {-1, -1}, {4, 8}}};
    for (const double b : {0.3, 0.9})
      for (const Point& x : nodes_in_space(shape, 2, [&](double x, double y, double z) {
             return Point{x + 10 * b, y, z + b * x * (x - 1)};
           })) {
        mesh.blocks[0].nodes.push_back(static_cast<Index>(mesh.nodes.size()));
        mesh.nodes.push_back(x);
      }
    // One node of the second element goes beyond its neighbours.
    const std::size_t second = mesh.nodes.size() / 2 + static_cast<std::size_t>(corner_count(shape));
    mesh.nodes[second][0] += 2;
    mesh.image = own_images(mesh.nodes.size());
    EXPECT_TRUE(is_curved(mesh, 0)) << name(shape);
    try {
      prepare(mesh);
      FAIL() << "the mesh was accepted";
    } catch (const InputError& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find(std::string(name(shape)) + " 9 at ("), std::string::npos) << what;
      EXPECT_NE(what.find("of geometry order 2 is folded: its Jacobian falls to -"), std::string::npos) << what;
    }
  }
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
