#include "mesh/validity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <queue>
#include <stdexcept>

#include "mesh/bernstein.hpp"
#include "mesh/geometry.hpp"

namespace galerna::mesh {
namespace {

constexpr int deepest = 10;                       // divisions of one element, one within the other
constexpr int most_divisions = 400;               // of one element in all
constexpr double round_off = 1e-9, tight = 0.01;  // relative to max J

/// What elements of one shape and geometry order share.
struct Tables {
  Table control;                    ///< [coefficient][node] of the map
  std::vector<JacobianTerm> terms;  ///< of J
  std::size_t coefficients;         ///< of J
  std::vector<Table> children;      ///< see bernstein_subdivision()
};

Tables make_tables(Shape shape, int order) {
  const int degree = jacobian_degree(shape, order);
  Tables t{bernstein_from_nodes(shape, order), jacobian_terms(shape, order), lattice_coordinates(shape, degree).size(),
           bernstein_subdivision(shape, degree)};
  // Reference coordinates of quadrilaterals run from −1 to 1.
  if (shape == Shape::quadrilateral)
    for (JacobianTerm& term : t.terms) term.weight /= 4;
  return t;
}

const Tables& tables(Shape shape, int order) {
  static std::mutex mutex;
  static std::map<std::pair<Shape, int>, Tables> all;
  const std::lock_guard lock(mutex);
  const auto found = all.find({shape, order});
  return found != all.end() ? found->second
                            : all.emplace(std::pair(shape, order), make_tables(shape, order)).first->second;
}

std::vector<double> times(const Table& table, const std::vector<double>& x) {
  std::vector<double> result(table.rows, 0.0);
  for (std::size_t i = 0; i < table.rows; ++i)
    for (std::size_t j = 0; j < table.columns; ++j) result[i] += table(i, j) * x[j];
  return result;
}

/// Bernstein coefficients of det J.
std::vector<double> jacobian_coefficients(const Tables& t, std::span<const Point> nodes) {
  std::vector<std::array<double, 2>> control(t.control.rows);
  for (std::size_t i = 0; i < control.size(); ++i)
    for (std::size_t n = 0; n < nodes.size(); ++n)  // from the first node, since places far away would cost digits
      for (std::size_t k = 0; k < 2; ++k) control[i][k] += t.control(i, n) * (nodes[n][k] - nodes[0][k]);
  const auto difference = [&](const std::array<int, 2>& ends, std::size_t k) {
    return control[static_cast<std::size_t>(ends[1])][k] - control[static_cast<std::size_t>(ends[0])][k];
  };
  std::vector<double> result(t.coefficients);
  for (const JacobianTerm& term : t.terms)
    result[static_cast<std::size_t>(term.coefficient)] +=
        term.weight * (difference(term.first, 0) * difference(term.second, 1) -
                       difference(term.first, 1) * difference(term.second, 0));
  return result;
}

/// A part of the element: Bernstein coefficients of J there.
struct Piece {
  std::vector<double> coefficients;
  double least;
  int depth;
  bool operator<(const Piece& other) const { return least > other.least; }  // the queue's top is the smallest
};

/// Divides the element where J may be smallest.
class Search {
 public:
  Search(const Tables& t, int corners, std::vector<double> coefficients) : tables_(t), corners_(corners) {
    result_.most = *std::max_element(coefficients.begin(), coefficients.end());
    zero_ = round_off * result_.most;
    result_.reached = coefficients[0];
    add(std::move(coefficients), 0);
  }

  Validity run() {
    using enum Validity::Verdict;
    for (int divisions = 0;; ++divisions) {
      const Piece piece = pieces_.top();
      result_.least = std::min(piece.least, result_.reached);
      if (result_.reached <= zero_) return finished(invalid);
      const bool positive = piece.least > zero_;
      if (positive && result_.reached - piece.least <= tight * result_.most) return finished(valid);
      if (piece.depth == deepest || divisions == most_divisions) return finished(positive ? valid : undecided);
      pieces_.pop();
      for (const Table& child : tables_.children) add(times(child, piece.coefficients), piece.depth + 1);
    }
  }

 private:
  void add(std::vector<double> coefficients, int depth) {
    for (int c = 0; c < corners_; ++c)
      result_.reached = std::min(result_.reached, coefficients[static_cast<std::size_t>(c)]);
    const double least = *std::min_element(coefficients.begin(), coefficients.end());
    pieces_.push({std::move(coefficients), least, depth});
  }

  Validity finished(Validity::Verdict verdict) {
    result_.verdict = verdict;
    return result_;
  }

  const Tables& tables_;
  int corners_;
  double zero_ = 0;
  Validity result_;
  std::priority_queue<Piece> pieces_;
};

std::vector<Point> node_places(const Mesh& mesh, Index element) {
  std::vector<Point> places;
  for (const Index node : mesh.element_nodes(element)) places.push_back(mesh.nodes[static_cast<std::size_t>(node)]);
  return places;
}

}  // namespace

bool can_certify(Shape shape) {
  return shape == Shape::triangle || shape == Shape::quadrilateral;
}

Validity validity(Shape shape, int order, std::span<const Point> nodes) {
  if (!can_certify(shape)) throw std::logic_error("validity is decided in two dimensions only");
  const Tables& t = tables(shape, order);
  std::vector<double> coefficients = jacobian_coefficients(t, nodes);
  // All Bernstein functions have the same integral: the mean coefficient is the mean of J.
  double sum = 0;
  for (const double c : coefficients) sum += c;
  const int sign = sum < 0 ? -1 : 1;
  for (double& c : coefficients) c *= sign;
  Validity result = Search(t, corner_count(shape), std::move(coefficients)).run();
  result.sign = sign;
  return result;
}

Validity validity(const Mesh& mesh, Index element) {
  const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(element).block)];
  return validity(block.shape, block.order, node_places(mesh, element));
}

bool is_curved(const Mesh& mesh, Index element) {
  const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(element).block)];
  if (block.order == 1 || block.shape == Shape::pyramid) return block.order > 1;
  const std::vector<Point> nodes = node_places(mesh, element);
  const Table linear = bernstein_values(block.shape, 1, lattice_coordinates(block.shape, block.order));
  double size = 0, off = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    Point straight{};
    for (std::size_t c = 0; c < linear.columns; ++c)
      for (std::size_t k = 0; k < 3; ++k) straight[k] += linear(n, c) * nodes[c][k];
    off = std::max(off, distance(straight, nodes[n]));
    size = std::max(size, distance(nodes[0], nodes[n]));
  }
  return off > 1e-9 * size;
}

std::vector<std::string> folded_elements(const Mesh& mesh, const std::string& remedy) {
  struct Folded {
    double ratio;
    std::string text;
  };
  std::vector<Folded> folded;
  Index element = 0;
  for (const ElementBlock& block : mesh.blocks) {
    for (Index e = 0; e < block.size(); ++e, ++element) {
      if (block.order == 1 || !can_certify(block.shape)) continue;
      const Validity v = validity(mesh, element);
      if (v.verdict == Validity::Verdict::valid) continue;
      const double ratio = v.most > 0 ? v.reached / v.most : -1;
      folded.push_back({ratio, fmt::format("{} of geometry order {} is folded: its Jacobian falls to {:.2g} times its "
                                           "largest value and must be positive everywhere: {}",
                                           place_of(mesh, element), block.order, ratio, remedy)});
    }
  }
  std::stable_sort(folded.begin(), folded.end(), [](const Folded& a, const Folded& b) { return a.ratio < b.ratio; });
  std::vector<std::string> texts;
  for (const Folded& f : folded) texts.push_back(f.text);
  return texts;
}

}  // namespace galerna::mesh
