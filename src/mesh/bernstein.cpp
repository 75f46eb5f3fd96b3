#include "mesh/bernstein.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "base/lattice.hpp"
#include "mesh/bernstein_factors.hpp"
#include "mesh/subdivision.hpp"

namespace galerna::mesh {
namespace {

double power(double x, int exponent) {
  double result = 1;
  for (int i = 0; i < exponent; ++i) result *= x;
  return result;
}

/// n! / Π α_i! Π λ_i^α_i; 0 where an exponent is negative. The first exponent and coordinate belong to the origin.
double simplex_function(int n, const std::array<int, 4>& exponents, const std::array<double, 4>& lambda) {
  double value = factorial(n);
  for (std::size_t i = 0; i < 4; ++i) {
    if (exponents[i] < 0) return 0;
    value *= power(lambda[i], exponents[i]) / factorial(exponents[i]);
  }
  return value;
}

/// The factor's function at the lattice point, or its derivative along `axis` where that is one of the factor's.
double factor_function(const Factor& f, int degree, const LatticePoint& at, const Unit& u, int axis) {
  std::array<int, 4> exponents = factor_exponents(f, degree, at);
  std::array<double, 4> lambda{1, 0, 0, 0};
  for (std::size_t i = 0; i < f.size; ++i) lambda[0] -= lambda[i + 1] = u[f.first + i];
  if (axis < static_cast<int>(f.first) || axis >= static_cast<int>(f.first + f.size))
    return simplex_function(degree, exponents, lambda);
  std::array<int, 4> along = exponents;
  --along[static_cast<std::size_t>(axis) - f.first + 1];
  --exponents[0];
  return degree * (simplex_function(degree - 1, along, lambda) - simplex_function(degree - 1, exponents, lambda));
}

/// Barycentric coordinates, within the factor, of the vertices of a child of make_subdivision(): its origin, then the
/// ends of its edges along the factor's axes.
std::vector<std::array<double, 4>> child_vertices(Shape shape, const Factor& f, const std::vector<int>& child) {
  const std::vector<LatticePoint> halves = node_lattice(shape, 2), corners = node_lattice(shape, 1);
  std::vector<std::array<double, 4>> vertices;
  for (std::size_t v = 0; v <= f.size; ++v) {
    LatticePoint corner{};
    if (v > 0) corner[f.first + v - 1] = 1;
    const auto c = static_cast<std::size_t>(std::find(corners.begin(), corners.end(), corner) - corners.begin());
    const LatticePoint& at = halves[static_cast<std::size_t>(child[c])];
    std::array<double, 4> lambda{1, 0, 0, 0};
    for (std::size_t i = 0; i < f.size; ++i) lambda[0] -= lambda[i + 1] = at[f.first + i] / 2.0;
    vertices.push_back(lambda);
  }
  return vertices;
}

using Monomials = std::map<std::array<int, 4>, double>;  ///< exponents -> coefficient

/// Π_v (Σ_i vertices[v][i] z_i)^powers[v]. The coefficient of z^β is the blossom of the Bernstein function of exponents
/// β at the vertices, each taken powers[v] times: what the function contributes to that coefficient of a part. (L.
/// Ramshaw, Comput. Aided Geom. Des. 6 (1989) 323.)
Monomials product_of_forms(const std::array<int, 4>& powers, const std::vector<std::array<double, 4>>& vertices) {
  Monomials result{{{}, 1.0}};
  for (std::size_t v = 0; v < vertices.size(); ++v)
    for (int n = 0; n < powers[v]; ++n) {
      Monomials next;
      for (const auto& [exponents, coefficient] : result)
        for (std::size_t i = 0; i < 4; ++i) {
          if (vertices[v][i] == 0) continue;
          std::array<int, 4> raised = exponents;
          ++raised[i];
          next[raised] += coefficient * vertices[v][i];
        }
      result = std::move(next);
    }
  return result;
}

/// Functions, or their derivatives for axis ≥ 0.
Table evaluate(Shape shape, int degree, const std::vector<Unit>& points, int axis) {
  const std::vector<LatticePoint> lattice = node_lattice(shape, degree);
  const std::vector<Factor> parts = factors(shape);
  Table result(points.size(), lattice.size());
  for (std::size_t q = 0; q < points.size(); ++q)
    for (std::size_t i = 0; i < lattice.size(); ++i) {
      double value = 1;
      for (const Factor& f : parts) value *= factor_function(f, degree, lattice[i], points[q], axis);
      result(q, i) = value;
    }
  return result;
}

}  // namespace

std::vector<Factor> factors(Shape shape) {
  switch (shape) {
    case Shape::line:
      return {{0, 1}};
    case Shape::triangle:
      return {{0, 2}};
    case Shape::quadrilateral:
      return {{0, 1}, {1, 1}};
    case Shape::tetrahedron:
      return {{0, 3}};
    case Shape::prism:
      return {{0, 2}, {2, 1}};
    case Shape::hexahedron:
      return {{0, 1}, {1, 1}, {2, 1}};
    case Shape::point:
    case Shape::pyramid:
      break;
  }
  throw std::logic_error("no Bernstein functions on this shape");
}

double factorial(int n) {
  constexpr auto table = [] {
    std::array<double, 32> values{1};
    for (std::size_t i = 1; i < values.size(); ++i) values[i] = values[i - 1] * static_cast<double>(i);
    return values;
  }();
  return table.at(static_cast<std::size_t>(n));
}

std::array<int, 4> factor_exponents(const Factor& f, int degree, const LatticePoint& at) {
  std::array<int, 4> exponents{degree, 0, 0, 0};
  for (std::size_t i = 0; i < f.size; ++i) exponents[0] -= exponents[i + 1] = at[f.first + i];
  return exponents;
}

std::vector<Unit> lattice_coordinates(Shape shape, int degree) {
  std::vector<Unit> result;
  for (const auto& [i, j, k] : node_lattice(shape, degree))
    result.push_back(
        {i / static_cast<double>(degree), j / static_cast<double>(degree), k / static_cast<double>(degree)});
  return result;
}

Table bernstein_values(Shape shape, int degree, const std::vector<Unit>& points) {
  return evaluate(shape, degree, points, -1);
}

Table bernstein_derivatives(Shape shape, int degree, const std::vector<Unit>& points, int axis) {
  return evaluate(shape, degree, points, axis);
}

Table bernstein_from_nodes(Shape shape, int degree) {
  return inverse(bernstein_values(shape, degree, lattice_coordinates(shape, degree)));
}

std::vector<Table> bernstein_subdivision(Shape shape, int degree) {
  const std::vector<LatticePoint> lattice = node_lattice(shape, degree);
  const std::vector<Factor> parts = factors(shape);
  std::vector<Table> result;
  for (const std::vector<int>& child : make_subdivision(shape, 0).children) {
    Table table(lattice.size(), lattice.size());
    for (std::size_t row = 0; row < lattice.size(); ++row) {
      std::vector<Monomials> products;
      for (const Factor& f : parts)
        products.push_back(
            product_of_forms(factor_exponents(f, degree, lattice[row]), child_vertices(shape, f, child)));
      for (std::size_t column = 0; column < lattice.size(); ++column) {
        table(row, column) = 1;
        for (std::size_t f = 0; f < parts.size(); ++f) {
          const auto found = products[f].find(factor_exponents(parts[f], degree, lattice[column]));
          table(row, column) *= found == products[f].end() ? 0 : found->second;
        }
      }
    }
    result.push_back(std::move(table));
  }
  return result;
}

}  // namespace galerna::mesh
