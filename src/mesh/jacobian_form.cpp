#include "mesh/jacobian_form.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/lattice.hpp"
#include "base/vectors.hpp"
#include "mesh/bernstein_factors.hpp"
#include "mesh/pyramid_values.hpp"

namespace galerna::mesh {
namespace {

/// Exponents of a product of Bernstein functions: four barycentric coordinates for each of up to three factors.
using Exponents = std::array<int, 12>;

Exponents exponents_of(const std::vector<Factor>& parts, const std::vector<int>& degrees, const LatticePoint& at) {
  Exponents result{};
  for (std::size_t f = 0; f < parts.size(); ++f) {
    const auto own = factor_exponents(parts[f], degrees[f], at);
    std::copy(own.begin(), own.end(), result.begin() + static_cast<std::ptrdiff_t>(4 * f));
  }
  return result;
}

/// Π (Σ α)! / Π α! over the factors.
double multinomials(const Exponents& exponents) {
  double value = 1;
  for (std::size_t f = 0; f < exponents.size(); f += 4) {
    int sum = 0;
    for (std::size_t i = f; i < f + 4; ++i) {
      sum += exponents[i];
      value /= factorial(exponents[i]);
    }
    value *= factorial(sum);
  }
  return value;
}

constexpr Shape simplices[] = {Shape::line, Shape::triangle, Shape::tetrahedron};

Shape shape_of(const Factor& f) {
  return simplices[f.size - 1];
}

/// All exponents of given degrees of the factors, numbered factor by factor, the last one fastest; within a factor as
/// its lattice.
std::vector<Exponents> all_exponents(const std::vector<Factor>& parts, const std::vector<int>& degrees) {
  std::vector<LatticePoint> points{{}};
  for (std::size_t f = 0; f < parts.size(); ++f) {
    std::vector<LatticePoint> next;
    for (const LatticePoint& before : points)
      for (const LatticePoint& own : node_lattice(shape_of(parts[f]), degrees[f])) {
        LatticePoint both = before;
        for (std::size_t i = 0; i < parts[f].size; ++i) both[parts[f].first + i] = own[i];
        next.push_back(both);
      }
    points = std::move(next);
  }
  std::vector<Exponents> result;
  for (const LatticePoint& at : points) result.push_back(exponents_of(parts, degrees, at));
  return result;
}

/// Exponents as one number, which adds up as they do: they stay below 32.
std::uint64_t code_of(const Exponents& exponents) {
  std::uint64_t code = 0;
  for (const int exponent : exponents) code = code << 5 | static_cast<std::uint64_t>(exponent);
  return code;
}

using Numbers = std::unordered_map<std::uint64_t, int>;  ///< [code] which of a list of exponents it is

Numbers numbers_of(const std::vector<Exponents>& all) {
  Numbers numbers;
  for (const Exponents& exponents : all) numbers.emplace(code_of(exponents), static_cast<int>(numbers.size()));
  return numbers;
}

struct Coded {
  std::uint64_t code;
  double multinomials;
};

std::vector<Coded> coded(const std::vector<Exponents>& all) {
  std::vector<Coded> result;
  for (const Exponents& exponents : all) result.push_back({code_of(exponents), multinomials(exponents)});
  return result;
}

/// The shape whose Bernstein functions describe the map: a pyramid's is a hexahedron that collapses.
Shape described_by(Shape shape) {
  return shape == Shape::pyramid ? Shape::hexahedron : shape;
}

double lattice_scale(Shape shape) {
  switch (shape) {
    case Shape::quadrilateral:
    case Shape::pyramid:
      return 0.25;
    case Shape::prism:
      return 0.5;
    case Shape::hexahedron:
      return 0.125;
    default:
      return 1;
  }
}

}  // namespace

JacobianForm::JacobianForm(Shape shape, int order)
    : shape_(shape), scale_(lattice_scale(shape)), control_(control_points(shape, order)) {
  const Shape map = described_by(shape);
  const std::vector<Factor> parts = factors(map);
  const auto d = static_cast<std::size_t>(dimension(shape));
  std::vector<Exponents> of_map;
  for (const LatticePoint& at : node_lattice(map, order))
    of_map.push_back(exponents_of(parts, std::vector<int>(parts.size(), order), at));
  const Numbers nodes = numbers_of(of_map);

  // A coefficient of ∂x/∂u_axis is `order` times the difference of two coefficients of x.
  std::vector<std::vector<Exponents>> derivatives(d);
  std::vector<std::vector<int>> degrees(d);
  for (std::size_t axis = 0; axis < d; ++axis) {
    degrees[axis].assign(parts.size(), order);
    std::size_t f = 0;
    while (axis >= parts[f].first + parts[f].size) ++f;
    --degrees[axis][f];
    derivatives[axis] = all_exponents(parts, degrees[axis]);
    for (const Exponents& exponents : derivatives[axis]) {
      Exponents from = exponents, to = exponents;
      ++from[4 * f];
      ++to[4 * f + 1 + axis - parts[f].first];
      differences_[axis].push_back({nodes.at(code_of(from)), nodes.at(code_of(to))});
    }
  }
  const auto times = [&](const std::vector<Exponents>& first, const std::vector<Exponents>& second,
                         const std::vector<Exponents>& both) {
    const Numbers numbers = numbers_of(both);
    const std::vector<Coded> a = coded(first), b = coded(second), products = coded(both);
    Product result{{}, both.size()};
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) {
        const int number = numbers.at(a[i].code + b[j].code);
        const double of_product = products[static_cast<std::size_t>(number)].multinomials;
        result.terms.push_back({static_cast<int>(i), static_cast<int>(j), number,
                                order * a[i].multinomials * b[j].multinomials / of_product});
      }
    return result;
  };
  std::vector<int> sum = degrees[0];
  std::vector<Exponents> all = derivatives[0];
  for (std::size_t axis = 1; axis < d; ++axis) {
    for (std::size_t f = 0; f < sum.size(); ++f) sum[f] += degrees[axis][f];
    const std::vector<Exponents> both = all_exponents(parts, sum);
    (axis == 1 ? first_ : second_) = times(all, derivatives[axis], both);
    all = both;
  }
  scale_ *= order;  // the third derivative's; the products have those of the others
  degree_ = sum.back();

  for (std::size_t k = 0; k < all.size(); ++k) {
    bool at_corner = true;
    for (std::size_t f = 0; f < parts.size(); ++f) {
      const auto own = all[k].begin() + static_cast<std::ptrdiff_t>(4 * f);
      at_corner &= *std::max_element(own, own + 4) == sum[f];
    }
    if (at_corner) corners_.push_back(k);
  }
  for (std::size_t f = 0; f < parts.size(); ++f) parts_.push_back(bernstein_subdivision(shape_of(parts[f]), sum[f]));
}

std::vector<double> JacobianForm::coefficients(std::span<const Point> nodes) const {
  std::vector<Point> control(control_.rows);
  for (std::size_t i = 0; i < control.size(); ++i)
    for (std::size_t n = 0; n < nodes.size(); ++n)  // from the first node, since places far away would cost digits
      for (std::size_t k = 0; k < 3; ++k) control[i][k] += control_(i, n) * (nodes[n][k] - nodes[0][k]);
  std::vector<Point> along[3];
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const auto& [from, to] : differences_[axis]) {
      const Point &a = control[static_cast<std::size_t>(from)], &b = control[static_cast<std::size_t>(to)];
      along[axis].push_back({b[0] - a[0], b[1] - a[1], b[2] - a[2]});
    }
  std::vector<Point> normals(first_.size);
  for (const Term& t : first_.terms) {
    const Point n = cross(along[0][static_cast<std::size_t>(t.first)], along[1][static_cast<std::size_t>(t.second)]);
    for (std::size_t k = 0; k < 3; ++k) normals[static_cast<std::size_t>(t.result)][k] += t.weight * n[k];
  }
  std::vector<double> result;
  if (along[2].empty()) {
    for (const Point& n : normals) result.push_back(scale_ * n[2]);
    return result;
  }
  result.resize(second_.size);
  for (const Term& t : second_.terms) {
    const Point &n = normals[static_cast<std::size_t>(t.first)], &x = along[2][static_cast<std::size_t>(t.second)];
    result[static_cast<std::size_t>(t.result)] += scale_ * t.weight * (n[0] * x[0] + n[1] * x[1] + n[2] * x[2]);
  }
  return shape_ == Shape::pyramid ? without_collapse(result) : result;
}

/// Divides by (1 − z)² and raises the degree along z by two again, line by line: C(m, k) z^k (1 − z)^{m−k−2} is
/// C(m, k)/C(m − 2, k) times a Bernstein function of degree m − 2.
std::vector<double> JacobianForm::without_collapse(const std::vector<double>& coefficients) const {
  const auto m = static_cast<std::size_t>(degree_);
  const std::vector<LatticePoint> lattice = node_lattice(Shape::line, degree_);
  std::vector<std::size_t> number(m + 1);  // [exponent of z] of the coefficient on a line
  for (std::size_t i = 0; i <= m; ++i) number[static_cast<std::size_t>(lattice[i][0])] = i;
  std::vector<double> result = coefficients;
  for (std::size_t line = 0; line < coefficients.size(); line += m + 1) {
    std::vector<double> values;
    for (std::size_t k = 0; k + 2 <= m; ++k) {
      const double length = static_cast<double>(m), rest = static_cast<double>(m - k);
      values.push_back(coefficients[line + number[k]] * length * (length - 1) / (rest * (rest - 1)));
    }
    for (int raised = 0; raised < 2; ++raised) {
      const std::vector<double> old = values;
      const auto n = static_cast<double>(old.size());
      values.push_back(old.back());
      for (std::size_t k = 1; k < old.size(); ++k) {
        const double share = static_cast<double>(k) / n;
        values[k] = share * old[k - 1] + (1 - share) * old[k];
      }
    }
    for (std::size_t k = 0; k <= m; ++k) result[line + number[k]] = values[k];
  }
  return result;
}

void JacobianForm::divide(const std::vector<double>& coefficients,
                          const std::function<void(std::vector<double>)>& visit) const {
  // Factor by factor: [child of the factors before] parts of the element.
  std::vector<std::vector<double>> pieces{coefficients};
  std::size_t before = 1, behind = coefficients.size();
  for (const std::vector<Table>& children : parts_) {
    const std::size_t n = children[0].rows;
    behind /= n;
    std::vector<std::vector<double>> next;
    for (const std::vector<double>& piece : pieces)
      for (const Table& child : children) {
        std::vector<double> part(piece.size(), 0.0);
        for (std::size_t a = 0; a < before; ++a)
          for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
              const double weight = child(i, j);
              if (weight == 0) continue;
              for (std::size_t b = 0; b < behind; ++b)
                part[(a * n + i) * behind + b] += weight * piece[(a * n + j) * behind + b];
            }
        next.push_back(std::move(part));
      }
    pieces = std::move(next);
    before *= n;
  }
  for (std::vector<double>& piece : pieces) visit(std::move(piece));
}

namespace {

Table make_control_points(Shape shape, int order) {
  const Table from_nodes = bernstein_from_nodes(described_by(shape), order);
  if (shape != Shape::pyramid) return from_nodes;
  std::vector<Unit> points;
  for (const Unit& u : lattice_coordinates(Shape::hexahedron, order))
    points.push_back({2 * u[0] - 1, 2 * u[1] - 1, u[2]});
  return product(from_nodes, pyramid_values(order, points));
}

}  // namespace

const Table& control_points(Shape shape, int order) {
  thread_local std::map<std::pair<Shape, int>, Table> known;
  Table& table = known[{shape, order}];
  if (table.rows == 0) table = make_control_points(shape, order);
  return table;
}

}  // namespace galerna::mesh
