#include "mesh/covers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "base/parallel.hpp"
#include "base/vectors.hpp"
#include "mesh/box_runs.hpp"
#include "mesh/geometry.hpp"
#include "mesh/jacobian_form.hpp"
#include "mesh/side_key.hpp"

namespace galerna::mesh {
namespace {

/// The shape that a map in Bernstein form has: a pyramid is a hexahedron that collapses.
Shape described_by(Shape shape) {
  return shape == Shape::pyramid ? Shape::hexahedron : shape;
}

/// Lattice coordinates in described_by(shape) of a point of the reference shape.
Unit lattice_place(Shape shape, const Point& r) {
  switch (shape) {
    case Shape::quadrilateral:
    case Shape::hexahedron:
      return {0.5 + 0.5 * r[0], 0.5 + 0.5 * r[1], 0.5 + 0.5 * r[2]};
    case Shape::prism:
      return {r[0], r[1], 0.5 + 0.5 * r[2]};
    case Shape::pyramid:
      return {0.5 + 0.5 * r[0] / (1 - r[2]), 0.5 + 0.5 * r[1] / (1 - r[2]), r[2]};
    default:
      return r;
  }
}

/// Of a point inside the element, close to the side; near the side's corner of that number, near its middle for −1. The
/// points are in no special position, since meshes of boxes are.
Unit place_near(Shape shape, int side, int corner) {
  constexpr double inward = 0.01;
  const auto corners = side_corners(shape, side);
  const std::size_t n = corners.size();
  Point at{}, centre{};
  for (std::size_t c = 0; c < n; ++c) {
    double weight = (1 + 0.06 * (static_cast<double>(c) - 0.5 * static_cast<double>(n - 1))) / static_cast<double>(n);
    if (corner >= 0) weight = 0.3 * weight + (static_cast<int>(c) == corner ? 0.7 : 0);
    at = plus(at, times(weight, reference_corner(shape, corners[c])));
  }
  for (int c = 0; c < corner_count(shape); ++c)
    centre = plus(centre, times(1.0 / corner_count(shape), reference_corner(shape, c)));
  return lattice_place(shape, plus(times(1 - inward, at), times(inward, centre)));
}

/// Whether the point of described_by(shape) is in it, away from its sides.
bool is_inside(Shape shape, const Unit& u) {
  constexpr double margin = 1e-4;
  const bool triangular = shape == Shape::triangle || shape == Shape::tetrahedron || shape == Shape::prism;
  for (int k = 0; k < dimension(shape); ++k) {
    const double x = u[static_cast<std::size_t>(k)];
    if (!(x > margin && x < 1 - margin)) return false;
  }
  if (!triangular) return true;
  return u[0] + u[1] + (shape == Shape::tetrahedron ? u[2] : 0) < 1 - margin;
}

struct Probe {
  Point place;
  Index owner;
};

constexpr double nowhere = 1e300;

/// Half-spaces that hold an element: one for each side, with its mean normal.
class Hull {
 public:
  /// \param corners of the element \param points whose convex hull it lies in
  Hull(Shape shape, std::span<const Point> corners, std::span<const Point> points) : count_(side_count(shape)) {
    for (int s = 0; s < count_; ++s) {
      const auto local = side_corners(shape, s);
      const auto at = [&](std::size_t c) { return corners[static_cast<std::size_t>(local[c])]; };
      const Point along = minus(at(1), at(0));
      Point normal{along[1], -along[0], 0}, inward{};
      if (local.size() == 3) normal = cross(along, minus(at(2), at(0)));
      if (local.size() == 4) normal = cross(minus(at(2), at(0)), minus(at(3), at(1)));
      for (int c = 0; c < corner_count(shape); ++c)
        inward = plus(inward, minus(corners[static_cast<std::size_t>(c)], at(0)));
      if (dot(normal, inward) > 0) normal = times(-1, normal);
      double reach = -nowhere;
      for (const Point& x : points) reach = std::max(reach, dot(normal, minus(x, corners[0])));
      bounds_[static_cast<std::size_t>(s)] = {normal, reach};
    }
    origin_ = corners[0];
  }

  bool contains(const Point& place) const {
    const Point x = minus(place, origin_);
    return std::all_of(bounds_.begin(), bounds_.begin() + count_,
                       [&](const Bound& bound) { return dot(bound.normal, x) <= bound.reach; });
  }

 private:
  struct Bound {
    Point normal;
    double reach;
  };

  int count_;
  Point origin_{};
  std::array<Bound, 6> bounds_{};
};

/// An element's map in Bernstein form.
class Image {
 public:
  Image(Shape shape, int order, const Table& control, std::span<const Point> nodes)
      : shape_(shape), order_(order), origin_(nodes[0]) {
    for (std::size_t c = 0; c < control.rows; ++c) {
      Point x{};
      for (std::size_t n = 0; n < nodes.size(); ++n) x = plus(x, times(control(c, n), minus(nodes[n], origin_)));
      control_.push_back(x);
    }
  }

  std::vector<Point> control() const {
    std::vector<Point> points;
    for (const Point& x : control_) points.push_back(plus(origin_, x));
    return points;
  }

  bool has_inside(const Point& place) const {
    const auto u = inverse(minus(place, origin_));
    return u && is_inside(shape_, *u);
  }

 private:
  Point sum(const Table& functions) const {
    Point x{};
    for (std::size_t c = 0; c < control_.size(); ++c) x = plus(x, times(functions(0, c), control_[c]));
    return x;
  }

  /// By Newton's method; nothing where it does not converge.
  std::optional<Unit> inverse(const Point& x) const {
    const Shape shape = described_by(shape_);
    Unit u{};
    for (const Unit& corner : lattice_coordinates(shape, 1))
      for (std::size_t k = 0; k < 3; ++k) u[k] += corner[k] / corner_count(shape);
    for (int iteration = 0; iteration < 30; ++iteration) {
      const Point left = minus(x, sum(bernstein_values(shape, order_, {u})));
      std::array<Point, 3> slope{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
      for (int axis = 0; axis < dimension(shape); ++axis)
        slope[static_cast<std::size_t>(axis)] = sum(bernstein_derivatives(shape, order_, {u}, axis));
      const double determinant = dot(slope[0], cross(slope[1], slope[2]));
      const Unit change = {dot(left, cross(slope[1], slope[2])) / determinant,
                           dot(left, cross(slope[2], slope[0])) / determinant,
                           dot(left, cross(slope[0], slope[1])) / determinant};
      double largest = 0;
      for (std::size_t k = 0; k < static_cast<std::size_t>(dimension(shape)); ++k) {
        u[k] += change[k];
        largest = std::max(largest, std::abs(change[k]));
        if (!(std::abs(u[k]) < 4)) return {};
      }
      if (largest < 1e-9) return u;
    }
    return {};
  }

  Shape shape_;
  int order_;
  Point origin_;
  std::vector<Point> control_;  ///< relative to the origin: far from (0, 0, 0) no digit is lost
};

bool simplex_has_inside(std::span<const Point> x, const Point& place) {
  constexpr double margin = 1e-6;
  const Point p = minus(place, x[0]), a = minus(x[1], x[0]), b = minus(x[2], x[0]);
  const Point c = x.size() == 4 ? minus(x[3], x[0]) : Point{0, 0, 1};
  const Point bc = cross(b, c);
  const double volume = dot(a, bc);
  const double u = dot(p, bc) / volume, v = dot(a, cross(p, c)) / volume;
  const double w = x.size() == 4 ? dot(a, cross(b, p)) / volume : 2 * margin;
  return u > margin && v > margin && w > margin && u + v + w < 1 - margin;
}

class Finder {
 public:
  Finder(const Mesh& mesh, std::span<const Overlap> overlaps) : mesh_(mesh) {
    for (const ElementBlock& block : mesh.blocks) control_.push_back(&control_points(block.shape, block.order));
    std::set<int> left_out;
    for (const Overlap& overlap : overlaps) left_out.insert({overlap.first_boundary, overlap.second_boundary});
    std::vector<char> visited(mesh.nodes.size(), 0);
    for (Index f = 0; f < mesh.boundary_faces; ++f) {
      const Face& face = mesh.faces[static_cast<std::size_t>(f)];
      if (!left_out.contains(face.boundary)) add_probes(face.left, visited);
    }
    std::vector<Box> places;
    places.reserve(probes_.size());
    for (const Probe& probe : probes_) places.push_back({probe.place, probe.place});
    places_.emplace(std::move(places));
  }

  std::vector<Cover> find() {
    if (probes_.empty()) return {};
    Index first = 0;
    for (std::size_t b = 0; b < mesh_.blocks.size(); ++b) {
      search(b, first);
      first += mesh_.blocks[b].size();
    }
    std::sort(covers_.begin(), covers_.end(), [](const Cover& a, const Cover& b) {
      return std::tie(a.element, a.other, a.place) < std::tie(b.element, b.other, b.place);
    });
    const auto end = std::unique(covers_.begin(), covers_.end(), [](const Cover& a, const Cover& b) {
      return a.element == b.element && a.other == b.other;
    });
    covers_.erase(end, covers_.end());
    return std::move(covers_);
  }

 private:
  static constexpr Index run = 8;  ///< elements that follow one another and are asked together

  void add_probes(const Side& side, std::vector<char>& visited) {
    const auto [number, position] = mesh_.locate(side.element);
    const ElementBlock& block = mesh_.blocks[static_cast<std::size_t>(number)];
    const auto nodes = mesh_.element_nodes(side.element);
    const auto corners = side_corners(block.shape, side.side);
    if (mesh_.dimension == 2) add_probe(number, side, -1, nodes);
    for (std::size_t c = 0; c < corners.size(); ++c) {
      char& seen = visited[static_cast<std::size_t>(nodes[static_cast<std::size_t>(corners[c])])];
      if (!seen) add_probe(number, side, static_cast<int>(c), nodes);
      seen = 1;
    }
  }

  void add_probe(int block, const Side& side, int corner, std::span<const Index> nodes) {
    Point x{};
    const std::vector<double>& weights = weights_near(block, side.side, corner);
    for (std::size_t n = 0; n < nodes.size(); ++n)
      x = plus(x, times(weights[n], mesh_.nodes[static_cast<std::size_t>(nodes[n])]));
    if (mesh_.dimension == 2) x[2] = mesh_.nodes[static_cast<std::size_t>(nodes[0])][2];
    probes_.push_back({x, side.element});
  }

  /// [node]
  const std::vector<double>& weights_near(int block, int side, int corner) {
    std::vector<double>& weights = weights_[static_cast<std::size_t>((block * 6 + side) * 5 + corner + 1)];
    if (weights.empty()) {
      const ElementBlock& elements = mesh_.blocks[static_cast<std::size_t>(block)];
      const Table table = product(
          bernstein_values(described_by(elements.shape), elements.order, {place_near(elements.shape, side, corner)}),
          *control_[static_cast<std::size_t>(block)]);
      weights.assign(table.values.begin(), table.values.end());
    }
    return weights;
  }

  void search(std::size_t block, Index first) {
    constexpr Index piece = 512 * run;
    std::mutex lock;
    in_parallel(mesh_.blocks[block].size(), piece, [&](Index begin, Index end) {
      Search state;
      for (Index e = begin; e < end; e += run) {
        const Index last = std::min(e + run, end);
        state.within.clear();
        places_->visit(box_of(block, e, last), [&](std::size_t probe) { state.within.push_back(probe); });
        for (Index i = e; i < last && !state.within.empty(); ++i) test(block, first, i, state);
      }
      const std::lock_guard guard(lock);
      covers_.insert(covers_.end(), state.found.begin(), state.found.end());
    });
  }

  /// Around the nodes of elements of a block.
  Box box_of(std::size_t block, Index begin, Index end) const {
    const ElementBlock& elements = mesh_.blocks[block];
    const auto n = static_cast<std::size_t>(elements.nodes_per_element());
    const auto nodes = std::span(elements.nodes)
                           .subspan(static_cast<std::size_t>(begin) * n, static_cast<std::size_t>(end - begin) * n);
    Box box{mesh_.nodes[static_cast<std::size_t>(nodes[0])], mesh_.nodes[static_cast<std::size_t>(nodes[0])]};
    for (const Index node : nodes) include(box, mesh_.nodes[static_cast<std::size_t>(node)]);
    return box;
  }

  /// One thread's.
  struct Search {
    std::vector<std::size_t> within;  ///< probes near the run of elements
    std::vector<Point> nodes;         ///< of one element
    std::vector<Cover> found;
  };

  void test(std::size_t block, Index first, Index position, Search& state) const {
    const ElementBlock& elements = mesh_.blocks[block];
    const Index element = first + position;
    const Box box = box_of(block, position, position + 1);
    std::vector<Point>& nodes = state.nodes;
    nodes.clear();
    std::optional<Hull> hull;
    std::optional<Image> image;
    const auto has_inside = [&](const Point& place) {
      if (nodes.empty())
        for (const Index node : mesh_.element_nodes(element))
          nodes.push_back(mesh_.nodes[static_cast<std::size_t>(node)]);
      if (elements.order == 1 && is_simplex(elements.shape)) return simplex_has_inside(nodes, place);
      if (!hull && elements.order > 1) image.emplace(elements.shape, elements.order, *control_[block], nodes);
      if (!hull) hull.emplace(elements.shape, nodes, image ? image->control() : nodes);
      if (!hull->contains(place)) return false;
      if (!image) image.emplace(elements.shape, elements.order, *control_[block], nodes);
      return image->has_inside(place);
    };
    for (const std::size_t i : state.within) {
      const auto& [place, owner] = probes_[i];
      if (owner != element && BoxRuns::meet(box, {place, place}) && has_inside(place))
        state.found.push_back({owner, element, place});
    }
  }

  const Mesh& mesh_;
  std::vector<const Table*> control_;                   ///< [block]
  std::map<std::size_t, std::vector<double>> weights_;  ///< of weights_near()
  std::vector<Probe> probes_;
  std::optional<BoxRuns> places_;  ///< of the probes
  std::vector<Cover> covers_;
};

}  // namespace

std::vector<Cover> find_covers(const Mesh& mesh, std::span<const Overlap> overlaps) {
  return Finder(mesh, overlaps).find();
}

std::string describe_covers(const Mesh& mesh, std::span<const Cover> covers) {
  constexpr std::size_t shown = 3;
  if (covers.empty()) return {};
  std::set<Index> elements;
  std::string places;
  for (const Cover& cover : covers) {
    if (!elements.insert(cover.element).second || elements.size() > shown) continue;
    places += fmt::format("{}at {} ({} and {})", places.empty() ? "" : ", ", to_text(cover.place, mesh.dimension),
                          name_of(mesh, cover.element), name_of(mesh, cover.other));
  }
  return fmt::format(
      "{} boundary element{} over others, {}{}. This part of the domain is meshed more than once: cut one part out of "
      "the other (in Gmsh: BooleanDifference), or join them before meshing (BooleanFragments, Coherence)",
      elements.size(), elements.size() == 1 ? " lies" : "s lie", places, elements.size() > shown ? ", …" : "");
}

}  // namespace galerna::mesh
