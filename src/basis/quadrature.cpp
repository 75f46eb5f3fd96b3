#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "basis/basis.hpp"
#include "basis/quadrature_tables.hpp"

namespace galerna::basis {
namespace {

struct Rule1D {
  std::vector<double> points, weights;
};

/// Gauss rule with n points for the weight (1 − x)^alpha on [−1, 1], from the eigenvalues of the Jacobi matrix
/// (G. H. Golub, J. H. Welsch, Math. Comp. 23 (1969) 221).
Rule1D gauss_jacobi(int n, int alpha) {
  const double a = alpha;
  Eigen::VectorXd diagonal(n), off(std::max(n - 1, 0));
  for (int k = 0; k < n; ++k) {
    const double s = 2 * k + a;
    diagonal[k] = alpha == 0 ? 0.0 : -a * a / (s * (s + 2));
    if (k > 0) {
      const double b = 4.0 * k * k * (k + a) * (k + a) / (s * s * (s * s - 1));
      off[k - 1] = std::sqrt(b);
    }
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, off);
  Rule1D rule;
  const double total = std::pow(2.0, a + 1) / (a + 1);
  for (int i = 0; i < n; ++i) {
    rule.points.push_back(solver.eigenvalues()[i]);
    rule.weights.push_back(total * solver.eigenvectors()(0, i) * solver.eigenvectors()(0, i));
  }
  return rule;
}

/// Newton's method on the Legendre polynomial, to full precision.
Rule1D gauss_legendre_rule(int n) {
  Rule1D rule;
  for (int i = 0; i < n; ++i) {
    double x = -std::cos(M_PI * (i + 0.75) / (n + 0.5)), derivative = 1;
    for (int iteration = 0; iteration < 20; ++iteration) {
      double previous = 1, p = x;
      for (int k = 2; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * previous) / k;
        previous = p;
        p = next;
      }
      derivative = n * (x * p - previous) / (x * x - 1);
      x -= p / derivative;
    }
    rule.points.push_back(2 * i + 1 == n ? 0.0 : x);
    rule.weights.push_back(2 / ((1 - x * x) * derivative * derivative));
  }
  return rule;
}

int points_for(int degree) {
  return degree / 2 + 1;
}

Quadrature from_orbits(int degree, const std::vector<TriangleOrbit>& orbits) {
  Quadrature q{Shape::triangle, degree, {}, {}};
  for (const TriangleOrbit& orbit : orbits) {
    const double a = orbit.a, b = orbit.b, c = 1 - a - b;
    std::vector<Point> points;
    if (orbit.size == 1) points = {{a, a, 0}};
    if (orbit.size == 3) points = {{a, a, 0}, {a, 1 - 2 * a, 0}, {1 - 2 * a, a, 0}};
    if (orbit.size == 6) points = {{a, b, 0}, {b, a, 0}, {a, c, 0}, {c, a, 0}, {b, c, 0}, {c, b, 0}};
    q.points.insert(q.points.end(), points.begin(), points.end());
    q.weights.insert(q.weights.end(), points.size(), orbit.weight);
  }
  return q;
}

Quadrature from_orbits(int degree, const std::vector<TetrahedronOrbit>& orbits) {
  Quadrature q{Shape::tetrahedron, degree, {}, {}};
  for (const TetrahedronOrbit& orbit : orbits) {
    std::array<double, 4> at = orbit.first;
    std::sort(at.begin(), at.end());
    do q.points.push_back({at[1], at[2], at[3]});
    while (std::next_permutation(at.begin(), at.end()));
    q.weights.resize(q.points.size(), orbit.weight);
  }
  return q;
}

Quadrature collapsed_triangle(int degree) {
  const int n = points_for(degree);
  const Rule1D along = gauss_legendre_rule(n), towards = gauss_jacobi(n, 1);
  Quadrature q{Shape::triangle, degree, {}, {}};
  for (std::size_t j = 0; j < towards.points.size(); ++j)
    for (std::size_t i = 0; i < along.points.size(); ++i) {
      const double s = 0.5 * (1 + towards.points[j]), r = 0.5 * (1 + along.points[i]) * (1 - s);
      q.points.push_back({r, s, 0});
      q.weights.push_back(along.weights[i] * towards.weights[j] / 8);
    }
  return q;
}

Quadrature collapsed_tetrahedron(int degree) {
  const int n = points_for(degree);
  const Rule1D first = gauss_legendre_rule(n), second = gauss_jacobi(n, 1), third = gauss_jacobi(n, 2);
  Quadrature q{Shape::tetrahedron, degree, {}, {}};
  for (std::size_t k = 0; k < third.points.size(); ++k)
    for (std::size_t j = 0; j < second.points.size(); ++j)
      for (std::size_t i = 0; i < first.points.size(); ++i) {
        const double t = 0.5 * (1 + third.points[k]), s = 0.5 * (1 + second.points[j]) * (1 - t);
        const double r = 0.5 * (1 + first.points[i]) * (1 - s - t);
        q.points.push_back({r, s, t});
        q.weights.push_back(first.weights[i] * second.weights[j] * third.weights[k] / 64);
      }
  return q;
}

/// x = (1 − z) a, y = (1 − z) b; the degree of the rational basis's products in a, b, z is that of the polynomials.
Quadrature collapsed_pyramid(int degree) {
  const int n = points_for(degree);
  const Rule1D in_plane = gauss_legendre_rule(n), upward = gauss_jacobi(n, 2);
  Quadrature q{Shape::pyramid, degree, {}, {}};
  for (std::size_t k = 0; k < upward.points.size(); ++k)
    for (std::size_t j = 0; j < in_plane.points.size(); ++j)
      for (std::size_t i = 0; i < in_plane.points.size(); ++i) {
        const double z = 0.5 * (1 + upward.points[k]);
        q.points.push_back({in_plane.points[i] * (1 - z), in_plane.points[j] * (1 - z), z});
        q.weights.push_back(in_plane.weights[i] * in_plane.weights[j] * upward.weights[k] / 8);
      }
  return q;
}

/// All pairs of points of two rules; the coordinates of `b` follow the first `dimension` ones of `a`.
Quadrature tensor(Shape shape, const Quadrature& a, const Quadrature& b) {
  Quadrature q{shape, std::min(a.degree, b.degree), {}, {}};
  const auto dimension_a = static_cast<std::size_t>(dimension(a.shape));
  for (int i = 0; i < a.size(); ++i)
    for (int j = 0; j < b.size(); ++j) {
      Point p = a.points[static_cast<std::size_t>(i)];
      for (std::size_t d = 0; d + dimension_a < 3; ++d) p[dimension_a + d] = b.points[static_cast<std::size_t>(j)][d];
      q.points.push_back(p);
      q.weights.push_back(a.weights[static_cast<std::size_t>(i)] * b.weights[static_cast<std::size_t>(j)]);
    }
  return q;
}

Quadrature tetrahedron_rule(int degree) {
  for (const TetrahedronTable& table : tetrahedron_tables())
    if (table.degree >= degree) return from_orbits(table.degree, table.orbits);
  return collapsed_tetrahedron(degree);
}

Quadrature triangle_rule(int degree) {
  for (const TriangleTable& table : triangle_tables())
    if (table.degree >= degree) return from_orbits(table.degree, table.orbits);
  return collapsed_triangle(degree);
}

}  // namespace

int function_degree(Shape shape, int degree, int geometry_order) {
  const bool is_straight = is_simplex(shape) && geometry_order == 1;
  return 2 * degree + 4 + (is_straight ? 0 : geometry_order * dimension(shape));
}

Quadrature gauss_legendre(int points) {
  const Rule1D rule = gauss_legendre_rule(points);
  Quadrature q{Shape::line, 2 * points - 1, {}, rule.weights};
  for (double x : rule.points) q.points.push_back({x, 0, 0});
  return q;
}

Quadrature quadrature(Shape shape, int degree) {
  if (degree < 0) throw std::invalid_argument("quadrature of negative degree");
  switch (shape) {
    case Shape::point:
      return {shape, degree, {{0, 0, 0}}, {1.0}};
    case Shape::line:
      return gauss_legendre(points_for(degree));
    case Shape::triangle:
      return triangle_rule(degree);
    case Shape::quadrilateral: {
      const Quadrature line = gauss_legendre(points_for(degree));
      return tensor(shape, line, line);
    }
    case Shape::tetrahedron:
      return tetrahedron_rule(degree);
    case Shape::pyramid:
      return collapsed_pyramid(degree);
    case Shape::prism:
      return tensor(shape, triangle_rule(degree), gauss_legendre(points_for(degree)));
    case Shape::hexahedron: {
      const Quadrature line = gauss_legendre(points_for(degree));
      return tensor(shape, tensor(Shape::quadrilateral, line, line), line);
    }
  }
  throw std::logic_error("unknown shape");
}

}  // namespace galerna::basis
