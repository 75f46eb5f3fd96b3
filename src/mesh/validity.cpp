#include "mesh/validity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <queue>
#include <stdexcept>

#include "base/parallel.hpp"
#include "mesh/bernstein.hpp"
#include "mesh/geometry.hpp"
#include "mesh/jacobian_form.hpp"
#include "mesh/pyramid_values.hpp"

namespace galerna::mesh {
namespace {

constexpr int deepest = 10;                       // divisions of one element, one within the other
constexpr int most_divisions = 400;               // of one element in all
constexpr double round_off = 1e-9, tight = 0.01;  // relative to max J

/// What `make` gives for a shape and geometry order, made once.
template <class Value, class Make>
const Value& kept(Shape shape, int order, const Make& make) {
  static std::mutex mutex;
  static std::map<std::pair<Shape, int>, Value> all;
  const std::lock_guard lock(mutex);
  const auto found = all.find({shape, order});
  return found != all.end() ? found->second : all.emplace(std::pair(shape, order), make()).first->second;
}

const JacobianForm& form(Shape shape, int order) {
  return kept<JacobianForm>(shape, order, [&] { return JacobianForm(shape, order); });
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
  Search(const JacobianForm& form, std::vector<double> coefficients) : form_(form) {
    result_.most = *std::max_element(coefficients.begin(), coefficients.end());
    zero_ = round_off * result_.most;
    result_.reached = coefficients[0];
    add(std::move(coefficients), 0);
  }

  /// \param gap between the smallest J and its lower bound that is small enough, relative to max J
  Validity run(double gap) {
    using enum Validity::Verdict;
    for (int divisions = 0;; ++divisions) {
      const Piece piece = pieces_.top();
      result_.least = std::min(piece.least, result_.reached);
      if (result_.reached <= zero_) return finished(invalid);
      const bool positive = piece.least > zero_;
      if (positive && result_.reached - piece.least <= gap * result_.most) return finished(valid);
      if (piece.depth == deepest || divisions == most_divisions) return finished(positive ? valid : undecided);
      pieces_.pop();
      form_.divide(piece.coefficients, [&](std::vector<double> part) { add(std::move(part), piece.depth + 1); });
    }
  }

 private:
  void add(std::vector<double> coefficients, int depth) {
    for (const std::size_t c : form_.corners()) result_.reached = std::min(result_.reached, coefficients[c]);
    const double least = *std::min_element(coefficients.begin(), coefficients.end());
    pieces_.push({std::move(coefficients), least, depth});
  }

  Validity finished(Validity::Verdict verdict) {
    result_.verdict = verdict;
    return result_;
  }

  const JacobianForm& form_;
  double zero_ = 0;
  Validity result_;
  std::priority_queue<Piece> pieces_;
};

/// Functions of the straight-sided element at the nodes of one of higher order: [node][corner].
Table make_straight_values(Shape shape, int order) {
  if (shape != Shape::pyramid) return bernstein_values(shape, 1, lattice_coordinates(shape, order));
  std::vector<Unit> nodes;
  for (const LatticePoint& node : node_lattice(shape, order)) nodes.push_back(collapsed(order, node));
  return pyramid_values(1, nodes);
}

const Table& straight_values(Shape shape, int order) {
  return kept<Table>(shape, order, [&] { return make_straight_values(shape, order); });
}

std::vector<Point> node_places(const Mesh& mesh, Index element) {
  std::vector<Point> places;
  for (const Index node : mesh.element_nodes(element)) places.push_back(mesh.nodes[static_cast<std::size_t>(node)]);
  return places;
}

}  // namespace

bool can_certify(Shape shape, int order) {
  return dimension(shape) == 2 || (dimension(shape) == 3 && order <= 4);
}

bool can_certify(const Mesh& mesh, Index element) {
  const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(element).block)];
  return can_certify(block.shape, block.order);
}

Validity validity(Shape shape, int order, std::span<const Point> nodes, Bound bound) {
  if (!can_certify(shape, order))
    throw std::logic_error("validity is decided in two dimensions, in three up to geometry order 4");
  const JacobianForm& jacobian = form(shape, order);
  std::vector<double> coefficients = jacobian.coefficients(nodes);
  // All Bernstein functions have the same integral: the mean coefficient is the mean of J.
  double sum = 0;
  for (const double c : coefficients) sum += c;
  if (!std::isfinite(sum)) {
    Validity none;
    none.verdict = Validity::Verdict::invalid;
    return none;
  }
  const int sign = sum < 0 ? -1 : 1;
  for (double& c : coefficients) c *= sign;
  Validity result = Search(jacobian, std::move(coefficients)).run(bound == Bound::tight ? tight : 1);
  result.sign = sign;
  return result;
}

Validity validity(const Mesh& mesh, Index element, Bound bound) {
  const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(element).block)];
  return validity(block.shape, block.order, node_places(mesh, element), bound);
}

std::vector<Point> straight_places(const Mesh& mesh, Index element) {
  const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(element).block)];
  const std::vector<Point> nodes = node_places(mesh, element);
  const Table& linear = straight_values(block.shape, block.order);
  std::vector<Point> places(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (std::size_t c = 0; c < linear.columns; ++c)
      for (std::size_t k = 0; k < 3; ++k) places[n][k] += linear(n, c) * nodes[c][k];
  return places;
}

bool is_curved(const Mesh& mesh, Index element) {
  if (mesh.blocks[static_cast<std::size_t>(mesh.locate(element).block)].order == 1) return false;
  const std::vector<Point> nodes = node_places(mesh, element), straight = straight_places(mesh, element);
  double size = 0, off = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    off = std::max(off, distance(straight[n], nodes[n]));
    size = std::max(size, distance(nodes[0], nodes[n]));
  }
  return off > 1e-9 * size;
}

bool is_straight(const Mesh& mesh) {
  return std::all_of(mesh.blocks.begin(), mesh.blocks.end(), [](const ElementBlock& b) { return b.order == 1; });
}

std::vector<Validity> certify(const Mesh& mesh) {
  std::vector<Validity> result;
  if (is_straight(mesh)) return result;
  result.resize(static_cast<std::size_t>(mesh.element_count()));
  Index first = 0;
  for (const ElementBlock& block : mesh.blocks) {
    if (block.order > 1 && can_certify(block.shape, block.order))
      in_parallel(block.size(), 64, [&](Index begin, Index end) {
        for (Index e = first + begin; e < first + end; ++e)
          result[static_cast<std::size_t>(e)] = validity(mesh, e, Bound::sign);
      });
    first += block.size();
  }
  return result;
}

std::vector<std::string> describe_folded(const Mesh& mesh, const std::vector<Validity>& certified,
                                         const std::string& remedy) {
  struct Folded {
    double ratio;
    std::string text;
  };
  std::vector<Folded> folded;
  for (Index element = 0; element < static_cast<Index>(certified.size()); ++element) {
    const Validity& v = certified[static_cast<std::size_t>(element)];
    const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(element).block)];
    if (block.order == 1 || !can_certify(block.shape, block.order) || v.verdict == Validity::Verdict::valid) continue;
    const double ratio = v.most > 0 ? v.reached / v.most : -1;
    folded.push_back({ratio, fmt::format("{} of geometry order {} is folded: its Jacobian falls to {:.2g} times its "
                                         "largest value and must be positive everywhere: {}",
                                         place_of(mesh, element), block.order, ratio, remedy)});
  }
  std::stable_sort(folded.begin(), folded.end(), [](const Folded& a, const Folded& b) { return a.ratio < b.ratio; });
  std::vector<std::string> texts;
  for (const Folded& f : folded) texts.push_back(f.text);
  return texts;
}

std::vector<std::string> folded_elements(const Mesh& mesh, const std::string& remedy) {
  return describe_folded(mesh, certify(mesh), remedy);
}

}  // namespace galerna::mesh
