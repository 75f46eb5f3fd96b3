#include "basis/basis.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace galerna::basis {
namespace {

constexpr Shape computed_shapes[] = {Shape::line,    Shape::triangle, Shape::quadrilateral, Shape::tetrahedron,
                                     Shape::pyramid, Shape::prism,    Shape::hexahedron};

class EveryShape : public ::testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(Basis, EveryShape, ::testing::ValuesIn(computed_shapes),
                         [](const auto& test) { return std::string(name(test.param)); });

/// ∫ x^a y^b z^c over the reference domain, by hand.
double monomial_integral(Shape shape, int a, int b, int c) {
  const auto interval = [](int n) { return n % 2 ? 0.0 : 2.0 / (n + 1); };
  const auto factorial = [](int n) { return std::tgamma(n + 1.0); };
  switch (shape) {
    case Shape::line:
      return interval(a);
    case Shape::triangle:
      return factorial(a) * factorial(b) / factorial(a + b + 2);
    case Shape::quadrilateral:
      return interval(a) * interval(b);
    case Shape::tetrahedron:
      return factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3);
    case Shape::prism:
      return factorial(a) * factorial(b) / factorial(a + b + 2) * interval(c);
    case Shape::hexahedron:
      return interval(a) * interval(b) * interval(c);
    default:  // pyramid: x = (1 − z) u, so (1 − z)^{a+b+2} remains for z
      return interval(a) * interval(b) * factorial(c) * factorial(a + b + 2) / factorial(a + b + c + 3);
  }
}

TEST_P(EveryShape, QuadratureIntegratesMonomialsOfItsDegree) {
  const Shape shape = GetParam();
  const int dimensions = dimension(shape);
  for (int degree = 0; degree <= 20; ++degree) {
    const Quadrature rule = quadrature(shape, degree);
    EXPECT_GE(rule.degree, degree);
    for (int a = 0; a <= degree; ++a)
      for (int b = 0; b <= (dimensions > 1 ? degree - a : 0); ++b)
        for (int c = 0; c <= (dimensions > 2 ? degree - a - b : 0); ++c) {
          double sum = 0;
          for (int q = 0; q < rule.size(); ++q) {
            const Point& p = rule.points[static_cast<std::size_t>(q)];
            sum +=
                rule.weights[static_cast<std::size_t>(q)] * std::pow(p[0], a) * std::pow(p[1], b) * std::pow(p[2], c);
          }
          ASSERT_NEAR(sum, monomial_integral(shape, a, b, c), 2e-14 * reference_measure(shape))
              << "x^" << a << " y^" << b << " z^" << c << ", degree " << degree;
        }
  }
}

/// All barycentric or box coordinates of the point strictly inside.
bool is_inside(Shape shape, const Point& p) {
  const auto box = [](double x) { return std::abs(x) < 1; };
  switch (shape) {
    case Shape::line:
      return box(p[0]);
    case Shape::triangle:
      return p[0] > 0 && p[1] > 0 && p[0] + p[1] < 1;
    case Shape::quadrilateral:
      return box(p[0]) && box(p[1]);
    case Shape::tetrahedron:
      return p[0] > 0 && p[1] > 0 && p[2] > 0 && p[0] + p[1] + p[2] < 1;
    case Shape::pyramid:
      return p[2] > 0 && p[2] < 1 && std::abs(p[0]) < 1 - p[2] && std::abs(p[1]) < 1 - p[2];
    case Shape::prism:
      return p[0] > 0 && p[1] > 0 && p[0] + p[1] < 1 && box(p[2]);
    default:
      return box(p[0]) && box(p[1]) && box(p[2]);
  }
}

TEST_P(EveryShape, QuadratureHasInteriorPointsAndPositiveWeights) {
  for (int degree = 0; degree <= 20; ++degree) {
    const Quadrature rule = quadrature(GetParam(), degree);
    for (int q = 0; q < rule.size(); ++q) {
      EXPECT_GT(rule.weights[static_cast<std::size_t>(q)], 0);
      EXPECT_TRUE(is_inside(GetParam(), rule.points[static_cast<std::size_t>(q)])) << "degree " << degree;
    }
  }
}

TEST(Quadrature, OnTrianglesUsesThePublishedNumbersOfPoints) {
  const int points[] = {1, 3, 6, 12, 16, 25, 33};
  for (int p = 0; p <= 6; ++p) EXPECT_EQ(quadrature(Shape::triangle, 2 * p).size(), points[p]) << "degree " << 2 * p;
}

/// Published are 4, 14, 24, 46, 79, 123 and 172 at degrees 2 to 14; collapsed rules have (p + 1)³.
TEST(Quadrature, OnTetrahedraUsesFewPoints) {
  const int points[] = {1, 4, 14, 24, 46, 81, 124, 230};
  for (int p = 0; p <= 7; ++p) EXPECT_EQ(quadrature(Shape::tetrahedron, 2 * p).size(), points[p]) << "degree " << 2 * p;
}

TEST_P(EveryShape, ModesAreOrthonormal) {
  for (int degree = 0; degree <= 6; ++degree) {
    const Quadrature rule = quadrature(GetParam(), 2 * degree);
    const Matrix values = basis_values(GetParam(), degree, rule.points);
    ASSERT_EQ(values.cols(), mode_count(GetParam(), degree));
    Matrix gram = Matrix::Zero(values.cols(), values.cols());
    for (int q = 0; q < rule.size(); ++q)
      gram += rule.weights[static_cast<std::size_t>(q)] * values.row(q).transpose() * values.row(q);
    EXPECT_LT((gram - Matrix::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff(), 2e-13) << "degree " << degree;
  }
}

TEST_P(EveryShape, DerivativesAgreeWithDifferences) {
  const double h = 1e-6;
  const std::vector<Point> points = quadrature(GetParam(), 3).points;
  for (int degree = 0; degree <= 6; ++degree)
    for (int d = 0; d < dimension(GetParam()); ++d) {
      std::vector<Point> forward = points, backward = points;
      for (Point& p : forward) p[static_cast<std::size_t>(d)] += h;
      for (Point& p : backward) p[static_cast<std::size_t>(d)] -= h;
      const Matrix difference =
          (basis_values(GetParam(), degree, forward) - basis_values(GetParam(), degree, backward)) / (2 * h);
      const Matrix exact = basis_derivatives(GetParam(), degree, points, d);
      EXPECT_LT((difference - exact).cwiseAbs().maxCoeff(), 1e-6 * (1 + exact.cwiseAbs().maxCoeff()));
    }
}

TEST(Basis, OfSimplicesIsHierarchical) {
  for (Shape shape : {Shape::triangle, Shape::tetrahedron}) {
    const std::vector<Point> points = quadrature(shape, 4).points;
    const Matrix high = basis_values(shape, 6, points);
    for (int degree = 0; degree < 6; ++degree) {
      const Matrix low = basis_values(shape, degree, points);
      EXPECT_LT((high.leftCols(low.cols()) - low).cwiseAbs().maxCoeff(), 1e-13);
    }
  }
}

TEST(Basis, IsFiniteAtCollapsedVertices) {
  EXPECT_TRUE(basis_values(Shape::triangle, 6, {{0, 1, 0}}).allFinite());
  EXPECT_TRUE(basis_derivatives(Shape::triangle, 6, {{0, 1, 0}}, 0).allFinite());
  EXPECT_TRUE(basis_derivatives(Shape::tetrahedron, 6, {{0, 0, 1}}, 1).allFinite());
}

TEST_P(EveryShape, LagrangeFunctionsAreOneAtTheirNodeAndZeroAtTheOthers) {
  for (int order = 1; order <= 4; ++order) {
    const auto nodes = lagrange_nodes(GetParam(), order);
    ASSERT_EQ(static_cast<int>(nodes.size()), node_count(GetParam(), order));
    const Matrix values = lagrange_values(GetParam(), order, nodes);
    EXPECT_LT((values - Matrix::Identity(values.rows(), values.cols())).cwiseAbs().maxCoeff(), 1e-8);
    const auto inside = quadrature(GetParam(), 5).points;
    const Eigen::VectorXd sums = lagrange_values(GetParam(), order, inside).rowwise().sum();
    EXPECT_LT((sums.array() - 1).abs().maxCoeff(), 1e-10);
  }
}

TEST_P(EveryShape, FirstLagrangeNodesAreTheCorners) {
  const auto nodes = lagrange_nodes(GetParam(), 3);
  for (int c = 0; c < corner_count(GetParam()); ++c)
    for (std::size_t d = 0; d < 3; ++d)
      EXPECT_NEAR(nodes[static_cast<std::size_t>(c)][d], reference_corner(GetParam(), c)[d], 1e-15);
}

TEST(SidePoints, RunFromTheFirstCornerOfTheSideToTheSecond) {
  const auto points = side_points(Shape::triangle, 0, {{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}});
  const double expected[3][2] = {{1, 0}, {0.5, 0.5}, {0, 1}};
  for (std::size_t q = 0; q < 3; ++q)
    for (std::size_t d = 0; d < 2; ++d) EXPECT_NEAR(points[q][d], expected[q][d], 1e-15);
}

/// Modes of degree above n are orthogonal to all polynomials of degree n: to those of degree n in each direction on
/// products.
TEST(ModeDegrees, AreThoseOfPolynomials) {
  for (Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::prism, Shape::hexahedron}) {
    const int degree = 3;
    const Quadrature rule = quadrature(shape, 2 * degree);
    const Matrix values = basis_values(shape, degree, rule.points);
    const std::vector<int> degrees = mode_degrees(shape, degree);
    ASSERT_EQ(static_cast<int>(degrees.size()), mode_count(shape, degree));
    const bool triangular = shape == Shape::triangle || shape == Shape::prism;
    const auto degree_of = [&](int i, int j, int k) {
      if (shape == Shape::tetrahedron) return i + j + k;
      return std::max(triangular ? i + j : std::max(i, j), k);
    };
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; j <= degree; ++j)
        for (int k = 0; k <= (dimension(shape) == 3 ? degree : 0); ++k)
          for (std::size_t mode = 0; mode < degrees.size(); ++mode) {
            if (degree_of(i, j, k) >= degrees[mode]) continue;
            double product = 0;
            for (int q = 0; q < rule.size(); ++q) {
              const Point& x = rule.points[static_cast<std::size_t>(q)];
              product += rule.weights[static_cast<std::size_t>(q)] * std::pow(x[0], i) * std::pow(x[1], j) *
                         std::pow(x[2], k) * values(q, static_cast<Eigen::Index>(mode));
            }
            EXPECT_NEAR(product, 0, 1e-13)
                << galerna::name(shape) << " x^" << i << " y^" << j << " z^" << k << ", mode " << mode;
          }
  }
  EXPECT_EQ(mode_degrees(Shape::pyramid, 1), (std::vector<int>{0, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace galerna::basis
