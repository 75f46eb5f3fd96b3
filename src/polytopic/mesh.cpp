#include "polytopic/mesh.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/index.hpp"

namespace galerna::polytopic {
namespace {

void require_straight_simplices(const mesh::Mesh& mesh) {
  for (const mesh::ElementBlock& block : mesh.blocks)
    if (!is_simplex(block.shape) || block.order != 1)
      throw InputError({mesh.file},
                       fmt::format("the mesh has {} of order {}; polytopes are made of straight elements: mesh with "
                                   "those",
                                   plural_name(block.shape), block.order));
  const auto is_periodic = [](const mesh::Face& face) { return face.boundary < 0 && face.right.element < 0; };
  if (std::any_of(mesh.faces.begin(), mesh.faces.end(), is_periodic))
    throw InputError({mesh.file}, "some sides have neither neighbour nor boundary");
  for (std::size_t node = 0; node < mesh.image.size(); ++node)
    if (mesh.image[node] != static_cast<mesh::Index>(node))
      throw InputError({mesh.file}, "periodic meshes are not for interior-penalty methods: leave mesh.periodic out");
}

/// Simplices by polytope, in the order of the mesh within each.
class Builder {
 public:
  Builder(const mesh::Mesh& mesh, const mesh::Agglomeration& agglomeration)
      : mesh_(mesh), agglomeration_(agglomeration), d_(at(mesh.dimension)) {
    result_.dimension = mesh.dimension;
    result_.polytopes = agglomeration.count;
  }

  Mesh build() {
    sort_simplices();
    make_boxes();
    make_facets();
    list_own_facets();
    return std::move(result_);
  }

 private:
  void sort_simplices() {
    const auto elements = mesh_.element_count();
    result_.first_simplices.assign(at(result_.polytopes) + 1, 0);
    for (const mesh::Index polytope : agglomeration_.polytope) ++result_.first_simplices[at(polytope) + 1];
    std::partial_sum(result_.first_simplices.begin(), result_.first_simplices.end(), result_.first_simplices.begin());
    std::vector<std::int64_t> next(result_.first_simplices.begin(), result_.first_simplices.end() - 1);
    result_.elements.resize(at(elements));
    for (mesh::Index element = 0; element < elements; ++element)
      result_.elements[at(next[at(agglomeration_.polytope[at(element)])]++)] = element;
    measure_of_element_.resize(at(elements));
    result_.simplices.reserve(at(elements) * (d_ + 1) * d_);
    for (const mesh::Index element : result_.elements) {
      const std::vector<mesh::Index> corners = mesh_.corners(element);
      for (const mesh::Index corner : corners)
        for (std::size_t k = 0; k < d_; ++k) result_.simplices.push_back(mesh_.nodes[at(corner)][k]);
      Eigen::MatrixXd edges(d_, d_);
      for (std::size_t c = 0; c < d_; ++c)
        for (std::size_t k = 0; k < d_; ++k)
          edges(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(c)) =
              mesh_.nodes[at(corners[c + 1])][k] - mesh_.nodes[at(corners[0])][k];
      const double measure = std::abs(edges.determinant()) / (d_ == 2 ? 2 : 6);
      result_.simplex_measures.push_back(measure);
      measure_of_element_[at(element)] = measure;
    }
  }

  void make_boxes() {
    result_.boxes.resize(at(result_.polytopes) * 2 * d_);
    result_.measures.assign(at(result_.polytopes) * 2, 0);
    for (std::int64_t polytope = 0; polytope < result_.polytopes; ++polytope) {
      const std::int64_t begin = result_.first_simplices[at(polytope)], end = result_.first_simplices[at(polytope) + 1];
      std::vector<double> low(d_, INFINITY), high(d_, -INFINITY);
      for (std::size_t i = at(begin) * (d_ + 1) * d_; i < at(end) * (d_ + 1) * d_; ++i) {
        low[i % d_] = std::min(low[i % d_], result_.simplices[i]);
        high[i % d_] = std::max(high[i % d_], result_.simplices[i]);
      }
      for (std::size_t k = 0; k < d_; ++k) {
        result_.boxes[at(polytope) * 2 * d_ + k] = (low[k] + high[k]) / 2;
        result_.boxes[at(polytope) * 2 * d_ + d_ + k] = (high[k] - low[k]) / 2;
      }
      for (std::int64_t simplex = begin; simplex < end; ++simplex)
        result_.measures[at(polytope) * 2] += result_.simplex_measures[at(simplex)];
    }
  }

  /// A face of the mesh on the surface of a polytope, seen from the lower one.
  struct Seen {
    std::int32_t first, second;  ///< second −1 − b on boundaries
    std::size_t face;
    bool turned;  ///< the lower polytope is on the right of the face
  };

  std::vector<Seen> surface() const {
    std::vector<Seen> seen;
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      const mesh::Face& face = mesh_.faces[f];
      const auto left = static_cast<std::int32_t>(agglomeration_.polytope[at(face.left.element)]);
      if (face.boundary >= 0) {
        seen.push_back({left, -1 - face.boundary, f, false});
        continue;
      }
      const auto right = static_cast<std::int32_t>(agglomeration_.polytope[at(face.right.element)]);
      if (left < right) seen.push_back({left, right, f, false});
      if (right < left) seen.push_back({right, left, f, true});
    }
    std::sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) {
      const bool inner_a = a.second >= 0, inner_b = b.second >= 0;
      if (inner_a != inner_b) return inner_a;
      if (a.first != b.first) return a.first < b.first;
      if (inner_a && a.second != b.second) return a.second < b.second;
      return a.face < b.face;
    });
    return seen;
  }

  void make_facets() {
    for (const Seen& seen : surface()) {
      if (seen.second >= 0 && (result_.interfaces.empty() || *(result_.interfaces.end() - 2) != seen.first ||
                               result_.interfaces.back() != seen.second)) {
        result_.first_facets.push_back(result_.facet_count());
        result_.interfaces.insert(result_.interfaces.end(), {seen.first, seen.second});
      }
      if (seen.second < 0 && inner_ < 0) inner_ = result_.facet_count();
      add_facet(seen);
    }
    result_.first_facets.push_back(inner_ < 0 ? result_.facet_count() : inner_);
  }

  void add_facet(const Seen& seen) {
    const mesh::Face& face = mesh_.faces[seen.face];
    const mesh::Side& inner = seen.turned ? face.right : face.left;
    const mesh::Side& outer = seen.turned ? face.left : face.right;
    const std::vector<mesh::Index> corners = mesh_.corners(inner.element);
    std::vector<Eigen::Vector3d> x;
    for (const int corner : side_corners(mesh_.shape(inner.element), inner.side)) {
      const mesh::Point& node = mesh_.nodes[at(corners[at(corner)])];
      x.emplace_back(node[0], node[1], d_ == 3 ? node[2] : 0.0);
    }
    const mesh::Point& opposite = mesh_.nodes[at(corners[at(inner.side)])];
    Eigen::Vector3d normal;
    if (d_ == 2)
      normal = {x[1][1] - x[0][1], x[0][0] - x[1][0], 0};
    else
      normal = (x[1] - x[0]).cross(x[2] - x[0]) / 2;
    const double measure = normal.norm();
    normal /= measure;
    if (normal.dot(Eigen::Vector3d(opposite[0], opposite[1], d_ == 3 ? opposite[2] : 0.0) - x[0]) > 0) normal = -normal;
    for (const Eigen::Vector3d& corner : x)
      result_.facets.insert(result_.facets.end(), corner.data(), corner.data() + d_);
    result_.facets.insert(result_.facets.end(), normal.data(), normal.data() + d_);
    const double beyond = seen.second >= 0 ? measure_of_element_[at(outer.element)] : 0;
    result_.facet_measures.push_back(measure);
    result_.facet_simplices.insert(result_.facet_simplices.end(), {measure_of_element_[at(inner.element)], beyond});
    result_.facet_polytopes.insert(result_.facet_polytopes.end(), {seen.first, seen.second});
    result_.measures[at(seen.first) * 2 + 1] += measure;
    if (seen.second >= 0) result_.measures[at(seen.second) * 2 + 1] += measure;
  }

  void list_own_facets() {
    result_.first_own_facets.assign(at(result_.polytopes) + 1, 0);
    for (const std::int32_t polytope : result_.facet_polytopes)
      if (polytope >= 0) ++result_.first_own_facets[at(polytope) + 1];
    std::partial_sum(result_.first_own_facets.begin(), result_.first_own_facets.end(),
                     result_.first_own_facets.begin());
    std::vector<std::int64_t> next(result_.first_own_facets.begin(), result_.first_own_facets.end() - 1);
    result_.own_facets.resize(at(result_.first_own_facets.back()));
    for (std::size_t k = 0; k < result_.facet_polytopes.size(); ++k) {
      const std::int32_t polytope = result_.facet_polytopes[k];
      if (polytope >= 0) result_.own_facets[at(next[at(polytope)]++)] = static_cast<std::int32_t>(k);
    }
  }

  const mesh::Mesh& mesh_;
  const mesh::Agglomeration& agglomeration_;
  std::size_t d_;
  Mesh result_;
  std::vector<double> measure_of_element_;
  std::int64_t inner_ = -1;
};

}  // namespace

Mesh make_mesh(const mesh::Mesh& mesh, const mesh::Agglomeration& agglomeration) {
  require_straight_simplices(mesh);
  return Builder(mesh, agglomeration).build();
}

std::array<double, 3> centroid(const Mesh& mesh, std::int64_t polytope) {
  const std::size_t d = at(mesh.dimension);
  std::array<double, 3> sum{};
  double measure = 0;
  for (std::int64_t simplex = mesh.first_simplices[at(polytope)]; simplex < mesh.first_simplices[at(polytope) + 1];
       ++simplex) {
    const double weight = mesh.simplex_measures[at(simplex)];
    measure += weight;
    for (std::size_t i = 0; i < (d + 1) * d; ++i)
      sum[i % d] += weight / static_cast<double>(d + 1) * mesh.simplices[at(simplex) * (d + 1) * d + i];
  }
  for (double& x : sum) x /= measure;
  return sum;
}

}  // namespace galerna::polytopic
