#include "curving/body.hpp"

#include <map>

#include "base/index.hpp"
#include "base/lattice.hpp"
#include "mesh/geometry.hpp"
#include "mesh/images.hpp"

namespace galerna::curving {
namespace {

using mesh::CornerWeights;
using mesh::ElementBlock;
using mesh::Index;

class BodyMaker {
 public:
  BodyMaker(const mesh::Mesh& mesh, const SideTable& sides, const WallNodes& walls, std::vector<std::size_t>& wall_of)
      : mesh_(mesh), sides_(sides), walls_(walls), wall_of_(wall_of), body_{mesh, {}, {}} {
    body_.unknown.assign(mesh.nodes.size(), -1);
    wall_of.assign(mesh.nodes.size(), not_wall);
  }

  Body make() {
    periodic_ = mesh::has_images(mesh_);
    for_each_raised([&](const ElementBlock& block, std::span<const Index> element) { number(block, element); });
    count_sides();
    for_each_raised([&](const ElementBlock& block, std::span<const Index> element) { hold(block, element); });
    for (std::size_t n = 0; n < wall_of_.size(); ++n)
      if (wall_of_[n] != not_wall) body_.forbidden[at(body_.unknown[n])].forbid_all();
    if (mesh_.dimension == 2)
      for (Directions& directions : body_.forbidden) directions.add({0, 0, 1});
    return std::move(body_);
  }

 private:
  template <class Visit>
  void for_each_raised(const Visit& visit) const {
    for (const ElementBlock& block : mesh_.blocks) {
      const auto count = at(block.nodes_per_element());
      for (std::size_t e = 0; block.order > 1 && e < block.nodes.size(); e += count)
        visit(block, std::span(block.nodes).subspan(e, count));
    }
  }

  const std::vector<CornerWeights>& weights_of(const ElementBlock& block) {
    std::vector<CornerWeights>& weights = weights_[block.shape];
    if (weights.empty())
      weights = mesh::corner_weights(block.shape, node_lattice(block.shape, block.order), block.order);
    return weights;
  }

  void number(const ElementBlock& block, std::span<const Index> element) {
    const std::vector<CornerWeights>& weights = weights_of(block);
    for (std::size_t n = 0; n < element.size(); ++n) {
      Index& unknown = body_.unknown[at(element[n])];
      if (unknown >= 0) continue;
      unknown = find_unknown(weights[n], element);
      if (weights[n].size() > 4) continue;
      const auto wall = walls_.numbers.find(mesh::node_place(weights[n], element));
      if (wall != walls_.numbers.end()) wall_of_[at(element[n])] = wall->second;
    }
  }

  Index find_unknown(const CornerWeights& weights, std::span<const Index> element) {
    const Index fresh = body_.unknowns();
    if (periodic_ && weights.size() <= 4 && moved_together(weights, element)) {
      mesh::CornerWeights own = weights;
      std::array<Index, 4> images{};
      for (std::size_t i = 0; i < own.size(); ++i) {
        images[i] = mesh_.image[at(element[at(own[i].first)])];
        own[i].first = static_cast<int>(i);
      }
      const auto [entry, added] = periodic_unknowns_.emplace(mesh::node_place(own, images), fresh);
      if (!added) return entry->second;
    }
    body_.forbidden.emplace_back();
    return fresh;
  }

  /// Whether all corners have images, at one translation: their edge or side has, too.
  bool moved_together(const CornerWeights& weights, std::span<const Index> element) const {
    const auto translation = [&](std::size_t i) {
      const Index node = element[at(weights[i].first)];
      return minus(mesh_.nodes[at(node)], mesh_.nodes[at(mesh_.image[at(node)])]);
    };
    const double size = mesh::distance(mesh_.nodes[at(element[0])], mesh_.nodes[at(element[1])]);
    for (std::size_t i = 1; i < weights.size(); ++i)
      if (mesh::distance(translation(0), translation(i)) > 1e-3 * size) return false;
    return true;
  }

  template <class Visit>
  void for_each_body_side(const ElementBlock& block, std::span<const Index> element, const Visit& visit) const {
    std::array<Index, 4> corners{};
    for (int s = 0; s < side_count(block.shape); ++s) {
      const auto local = side_corners(block.shape, s);
      for (std::size_t c = 0; c < local.size(); ++c) corners[c] = element[at(local[c])];
      visit(s, std::span<const Index>(corners.data(), local.size()));
    }
  }

  mesh::SideKey key(std::span<const Index> corners) const {
    std::array<Index, 4> images{};
    for (std::size_t c = 0; c < corners.size(); ++c) images[c] = mesh_.image[at(corners[c])];
    return mesh::side_key(std::span<const Index>(images.data(), corners.size()));
  }

  void count_sides() {
    for_each_raised([&](const ElementBlock& block, std::span<const Index> element) {
      for_each_body_side(block, element, [&](int, std::span<const Index> corners) { ++raised_[key(corners)]; });
    });
  }

  void hold(const ElementBlock& block, std::span<const Index> element) {
    for_each_body_side(block, element, [&](int s, std::span<const Index> corners) {
      if (raised_.at(key(corners)) > 1) return;
      const SideTable::Record& record = sides_.of(corners);
      if (record.surface) return;
      const auto plane = record.elements == 1 ? plane_of(mesh_, corners) : std::nullopt;
      for (const int n : nodes_on(block, s)) {
        Directions& directions = body_.forbidden[at(body_.unknown[at(element[at(n)])])];
        if (plane)
          directions.add(plane->normal);
        else
          directions.forbid_all();
      }
    });
  }

  const std::vector<int>& nodes_on(const ElementBlock& block, int side) {
    std::vector<int>& nodes = side_nodes_[{block.shape, side}];
    if (nodes.empty()) nodes = side_nodes(block.shape, block.order, side);
    return nodes;
  }

  const mesh::Mesh& mesh_;
  const SideTable& sides_;
  const WallNodes& walls_;
  std::vector<std::size_t>& wall_of_;
  Body body_;
  bool periodic_ = false;
  std::map<Shape, std::vector<CornerWeights>> weights_;
  std::map<std::pair<Shape, int>, std::vector<int>> side_nodes_;
  std::unordered_map<mesh::NodePlace, Index, mesh::NodePlaceHash> periodic_unknowns_;
  std::unordered_map<mesh::SideKey, int, mesh::SideKeyHash> raised_;  ///< side -> raised elements
};

}  // namespace

Body make_body(const mesh::Mesh& mesh, const SideTable& sides, const WallNodes& walls,
               std::vector<std::size_t>& wall_of) {
  return BodyMaker(mesh, sides, walls, wall_of).make();
}

}  // namespace galerna::curving
