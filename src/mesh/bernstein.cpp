#include "mesh/bernstein.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/lattice.hpp"
#include "mesh/refine_tables.hpp"

namespace galerna::mesh {
namespace {

/// Axes `first` … `first + size − 1` that span a simplex; a shape is the product of such simplices.
struct Factor {
  std::size_t first, size;
};

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

/// n! / Π α_i! Π λ_i^α_i; 0 where an exponent is negative. The first exponent and coordinate belong to the origin.
double simplex_function(int n, const std::array<int, 4>& exponents, const std::array<double, 4>& lambda) {
  double value = std::tgamma(n + 1);
  for (std::size_t i = 0; i < 4; ++i) {
    if (exponents[i] < 0) return 0;
    value *= std::pow(lambda[i], exponents[i]) / std::tgamma(exponents[i] + 1);
  }
  return value;
}

/// The factor's function at the lattice point, or its derivative along `axis` where that is one of the factor's.
double factor_function(const Factor& f, int degree, const LatticePoint& at, const Unit& u, int axis) {
  std::array<int, 4> exponents{degree, 0, 0, 0};
  std::array<double, 4> lambda{1, 0, 0, 0};
  for (std::size_t i = 0; i < f.size; ++i) {
    exponents[0] -= exponents[i + 1] = at[f.first + i];
    lambda[0] -= lambda[i + 1] = u[f.first + i];
  }
  if (axis < static_cast<int>(f.first) || axis >= static_cast<int>(f.first + f.size))
    return simplex_function(degree, exponents, lambda);
  std::array<int, 4> along = exponents;
  --along[static_cast<std::size_t>(axis) - f.first + 1];
  --exponents[0];
  return degree * (simplex_function(degree - 1, along, lambda) - simplex_function(degree - 1, exponents, lambda));
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

void swap_rows(Table& a, std::size_t i, std::size_t j) {
  for (std::size_t c = 0; c < a.columns; ++c) std::swap(a(i, c), a(j, c));
}

void subtract_row(Table& a, std::size_t from, std::size_t row, double factor) {
  for (std::size_t c = 0; c < a.columns; ++c) a(from, c) -= factor * a(row, c);
}

}  // namespace

Table product(const Table& a, const Table& b) {
  Table result(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t k = 0; k < a.columns; ++k)
      for (std::size_t j = 0; j < b.columns; ++j) result(i, j) += a(i, k) * b(k, j);
  return result;
}

Table inverse(Table a) {
  const std::size_t n = a.rows;
  Table result(n, n);
  for (std::size_t i = 0; i < n; ++i) result(i, i) = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    if (a(pivot, k) == 0) throw std::logic_error("singular matrix");
    swap_rows(a, k, pivot), swap_rows(result, k, pivot);
    const double scale = 1 / a(k, k);
    for (std::size_t c = 0; c < n; ++c) a(k, c) *= scale, result(k, c) *= scale;
    for (std::size_t i = 0; i < n; ++i)
      if (const double factor = a(i, k); i != k && factor != 0)
        subtract_row(a, i, k, factor), subtract_row(result, i, k, factor);
  }
  return result;
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
  const Table from_nodes = bernstein_from_nodes(shape, degree);
  const std::vector<Unit> halves = lattice_coordinates(shape, 2);
  const Table linear = bernstein_values(shape, 1, lattice_coordinates(shape, degree));
  std::vector<Table> result;
  for (const std::vector<int>& child : make_subdivision(shape, 0).children) {
    std::vector<Unit> points(linear.rows, Unit{});
    for (std::size_t q = 0; q < linear.rows; ++q)
      for (std::size_t c = 0; c < linear.columns; ++c)
        for (std::size_t k = 0; k < 3; ++k)
          points[q][k] += linear(q, c) * halves[static_cast<std::size_t>(child[c])][k];
    result.push_back(product(from_nodes, bernstein_values(shape, degree, points)));
  }
  return result;
}

int jacobian_degree(Shape shape, int order) {
  // Each of the d derivatives is of degree `order` in every factor, less one in the factor that it is taken in.
  std::size_t smallest = 3;
  for (const Factor& f : factors(shape)) smallest = std::min(smallest, f.size);
  return std::max(1, dimension(shape) * order - static_cast<int>(smallest));
}

}  // namespace galerna::mesh
