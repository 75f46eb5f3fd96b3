#include "mesh/mesh_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "base/index.hpp"

namespace galerna::mesh {
namespace {

std::vector<int> checked(const Mesh& whole, std::vector<int> ranks) {
  if (static_cast<Index>(ranks.size()) != whole.element_count() || ranks.empty())
    throw std::invalid_argument("PartMaker: not one rank for each element");
  if (*std::min_element(ranks.begin(), ranks.end()) < 0) throw std::invalid_argument("PartMaker: a rank is negative");
  return ranks;
}

/// Calls visit(block of the mesh, first element, one behind its last element).
template <class Visit>
void for_each_block(const Mesh& mesh, const Visit& visit) {
  Index first = 0;
  for (const ElementBlock& block : mesh.blocks) {
    visit(block, first, first + block.size());
    first += block.size();
  }
}

/// Calls visit(element, node that stands for a corner of it).
template <class Visit>
void for_each_corner(const Mesh& mesh, const Visit& visit) {
  for_each_block(mesh, [&](const ElementBlock& block, Index first, Index end) {
    const Index stride = block.nodes_per_element();
    const int corners = corner_count(block.shape);
    for (Index e = first; e < end; ++e)
      for (int c = 0; c < corners; ++c) visit(e, mesh.image[at(block.nodes[at((e - first) * stride + c)])]);
  });
}

}  // namespace

std::span<const Index> PartMaker::ByRank::of(int rank) const {
  return std::span(items).subspan(starts[at(rank)], starts[at(rank) + 1] - starts[at(rank)]);
}

/// \param for_each calls what it is given with (rank, item), in the order that a rank's items are to have
template <class ForEach>
PartMaker::ByRank PartMaker::sorted_by_rank(int ranks, const ForEach& for_each) {
  ByRank result;
  result.starts.assign(at(ranks) + 1, 0);
  for_each([&](int rank, Index) { ++result.starts[at(rank) + 1]; });
  for (std::size_t r = 1; r < result.starts.size(); ++r) result.starts[r] += result.starts[r - 1];
  result.items.resize(result.starts.back());
  std::vector<std::size_t> next = result.starts;
  for_each([&](int rank, Index item) { result.items[next[at(rank)]++] = item; });
  return result;
}

PartMaker::PartMaker(const Mesh& whole, std::vector<int> ranks, GhostLayer layer)
    : whole_(whole),
      ranks_(checked(whole, std::move(ranks))),
      element_number_(ranks_.size()),
      node_number_(whole.nodes.size(), -1) {
  const int count = *std::max_element(ranks_.begin(), ranks_.end()) + 1;
  own_ = sorted_by_rank(count, [&](const auto& take) {
    for (std::size_t e = 0; e < ranks_.size(); ++e) take(ranks_[e], static_cast<Index>(e));
  });
  faces_ = sorted_by_rank(count, [&](const auto& take) {
    for (std::size_t f = 0; f < whole_.faces.size(); ++f) {
      const Face& face = whole_.faces[f];
      const int left = ranks_[at(face.left.element)];
      const int right = face.right.element < 0 ? left : ranks_[at(face.right.element)];
      take(left, static_cast<Index>(f));
      if (right != left) take(right, static_cast<Index>(f));
    }
  });
  add_copies_beside_sides();
  if (layer == GhostLayer::vertices) add_copies_around_vertices();
  sort_copies();
  if (layer == GhostLayer::vertices) find_ghost_faces();
}

void PartMaker::add_copies_beside_sides() {
  for (std::size_t f = at(whole_.boundary_faces); f < whole_.faces.size(); ++f) {
    const Index left = whole_.faces[f].left.element, right = whole_.faces[f].right.element;
    const int a = ranks_[at(left)], b = ranks_[at(right)];
    if (a == b) continue;
    held_.push_back({left, a, b});
    held_.push_back({right, b, a});
  }
}

void PartMaker::add_copies_around_vertices() {
  // Most vertices lie among elements of one rank; only the others are looked at closely.
  constexpr int none = -1, several = -2;
  std::vector<int> rank_of(whole_.nodes.size(), none);
  for_each_corner(whole_, [&](Index element, Index node) {
    int& rank = rank_of[at(node)];
    if (rank == none) rank = ranks_[at(element)];
    if (rank != ranks_[at(element)]) rank = several;
  });
  std::vector<std::pair<Index, Index>> corners;  // node, element
  for_each_corner(whole_, [&](Index element, Index node) {
    if (rank_of[at(node)] == several) corners.emplace_back(node, element);
  });
  std::sort(corners.begin(), corners.end());
  std::vector<int> holders;
  for (auto begin = corners.begin(), end = begin; begin != corners.end(); begin = end) {
    holders.clear();
    for (; end != corners.end() && end->first == begin->first; ++end) holders.push_back(ranks_[at(end->second)]);
    std::sort(holders.begin(), holders.end());
    holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
    for (auto corner = begin; corner != end; ++corner)
      for (const int holder : holders)
        if (holder != ranks_[at(corner->second)]) held_.push_back({corner->second, ranks_[at(corner->second)], holder});
  }
}

void PartMaker::sort_copies() {
  const auto by_holder = [](const Copy& c) { return std::tuple(c.holder, c.element); };
  std::sort(held_.begin(), held_.end(), [&](const Copy& a, const Copy& b) { return by_holder(a) < by_holder(b); });
  const auto last = std::unique(held_.begin(), held_.end(),
                                [&](const Copy& a, const Copy& b) { return by_holder(a) == by_holder(b); });
  held_.erase(last, held_.end());
  given_ = held_;
  const auto by_owner = [](const Copy& c) { return std::tuple(c.owner, c.holder, c.element); };
  std::sort(given_.begin(), given_.end(), [&](const Copy& a, const Copy& b) { return by_owner(a) < by_owner(b); });
}

void PartMaker::find_ghost_faces() {
  std::vector<std::pair<Index, int>> holders;  // element, holder
  std::vector<char> is_held(ranks_.size(), 0);
  for (const Copy& copy : held_) {
    holders.emplace_back(copy.element, copy.holder);
    is_held[at(copy.element)] = 1;
  }
  std::sort(holders.begin(), holders.end());
  ghost_faces_ = sorted_by_rank(count(), [&](const auto& take) {
    for (std::size_t f = 0; f < whole_.faces.size(); ++f) {
      const Index left = whole_.faces[f].left.element, right = whole_.faces[f].right.element;
      if (!is_held[at(left)] || (right >= 0 && !is_held[at(right)])) continue;
      for (auto h = std::lower_bound(holders.begin(), holders.end(), std::pair(left, 0));
           h != holders.end() && h->first == left; ++h)
        if (right < 0 || std::binary_search(holders.begin(), holders.end(), std::pair(right, h->second)))
          take(h->second, static_cast<Index>(f));
    }
  });
}

std::span<const PartMaker::Copy> PartMaker::held_by(int rank) const {
  const auto begin = std::partition_point(held_.begin(), held_.end(), [&](const Copy& c) { return c.holder < rank; });
  const auto end = std::partition_point(begin, held_.end(), [&](const Copy& c) { return c.holder == rank; });
  return {begin, end};
}

std::span<const PartMaker::Copy> PartMaker::owned_by(int rank) const {
  const auto begin = std::partition_point(given_.begin(), given_.end(), [&](const Copy& c) { return c.owner < rank; });
  const auto end = std::partition_point(begin, given_.end(), [&](const Copy& c) { return c.owner == rank; });
  return {begin, end};
}

PartSize PartMaker::size(int rank) const {
  PartSize size;
  size.owned = static_cast<Index>(own_.of(rank).size());
  size.ghosts = static_cast<Index>(held_by(rank).size());
  int last = -1;
  for (const Copy& copy : owned_by(rank)) size.neighbours += std::exchange(last, copy.holder) != copy.holder ? 1 : 0;
  for (const Index f : faces_.of(rank)) {
    const Face& face = whole_.faces[at(f)];
    if (face.right.element >= 0 && ranks_[at(face.left.element)] != ranks_[at(face.right.element)]) ++size.cut_sides;
  }
  return size;
}

/// All that tells elements from one another but their nodes.
void PartMaker::add_elements(MeshPart& part, int rank) {
  const std::span<const Index> own = own_.of(rank);
  const std::span<const Copy> held = held_by(rank);
  auto next_own = own.begin();
  auto next_ghost = held.begin();
  for_each_block(whole_, [&](const ElementBlock& block, Index first, Index end) {
    const std::size_t begin = part.whole.size();
    for (; next_own != own.end() && *next_own < end; ++next_own) part.whole.push_back(*next_own);
    part.owned.push_back(static_cast<Index>(part.whole.size() - begin));
    for (; next_ghost != held.end() && next_ghost->element < end; ++next_ghost)
      part.whole.push_back(next_ghost->element);
    ElementBlock& fresh = part.mesh.blocks.emplace_back(ElementBlock{block.shape, block.order, {}, {}, {}});
    for (std::size_t e = begin; e < part.whole.size(); ++e) {
      const Index position = part.whole[e] - first, nodes = block.nodes_per_element();
      element_number_[at(part.whole[e])] = static_cast<Index>(e);
      fresh.nodes.insert(fresh.nodes.end(), block.nodes.begin() + position * nodes,
                         block.nodes.begin() + (position + 1) * nodes);
      fresh.region.push_back(block.region[at(position)]);
      fresh.source.push_back(block.source[at(position)]);
    }
  });
}

/// Numbers the nodes of the part's elements, which still have those of the whole mesh.
void PartMaker::add_nodes(MeshPart& part) {
  std::vector<Index> used;
  const auto use = [&](Index node) {
    if (std::exchange(node_number_[at(node)], 0) < 0) used.push_back(node);
  };
  for (const ElementBlock& block : part.mesh.blocks)
    for (const Index node : block.nodes) {
      use(node);
      use(whole_.image[at(node)]);
    }
  std::sort(used.begin(), used.end());
  for (std::size_t n = 0; n < used.size(); ++n) node_number_[at(used[n])] = static_cast<Index>(n);
  for (const Index node : used) {
    part.mesh.nodes.push_back(whole_.nodes[at(node)]);
    part.mesh.image.push_back(node_number_[at(whole_.image[at(node)])]);
  }
  for (ElementBlock& block : part.mesh.blocks)
    for (Index& node : block.nodes) node = node_number_[at(node)];
  for (const Index node : used) node_number_[at(node)] = -1;
}

void PartMaker::add_faces(MeshPart& part, int rank) const {
  for (const Boundary& boundary : whole_.boundaries) part.mesh.boundaries.push_back({boundary.name, {}});
  const std::span<const Index> faces = faces_.of(rank);
  part.mesh.faces.reserve(faces.size());
  for (const Index f : faces) {
    const Face& face = part.mesh.faces.emplace_back(in_part(whole_.faces[at(f)]));
    if (face.right.element >= 0) continue;
    part.mesh.boundaries[at(face.boundary)].sides.push_back(face.left);
    part.whole_boundary_face.push_back(f);
  }
  part.mesh.boundary_faces = static_cast<Index>(part.whole_boundary_face.size());
}

void PartMaker::add_ghost_faces(MeshPart& part, int rank) const {
  if (ghost_faces_.starts.empty()) return;
  for (const Index f : ghost_faces_.of(rank)) {
    part.ghost_faces.push_back(in_part(whole_.faces[at(f)]));
    part.whole_ghost_face.push_back(f);
  }
}

Face PartMaker::in_part(Face face) const {
  for (Side* side : {&face.left, &face.right})
    if (side->element >= 0) side->element = element_number_[at(side->element)];
  return face;
}

void PartMaker::add_links(MeshPart& part, int rank) const {
  for (const Copy& copy : owned_by(rank)) {
    if (part.links.empty() || part.links.back().rank != copy.holder) part.links.push_back({copy.holder, {}, {}});
    part.links.back().send.push_back(element_number_[at(copy.element)]);
  }
  // Two ranks have something of each other, or neither has: whoever gets an element from another one gives it one.
  for (const Copy& copy : held_by(rank))
    std::partition_point(part.links.begin(), part.links.end(), [&](const MeshPart::Link& link) {
      return link.rank < copy.owner;
    })->receive.push_back(element_number_[at(copy.element)]);
}

MeshPart PartMaker::make(int rank) {
  if (rank < 0 || rank >= count() || own_.of(rank).empty())
    throw std::invalid_argument(fmt::format("rank {} has no element: there are more parts than elements", rank));
  MeshPart part;
  part.mesh.file = whole_.file;
  part.mesh.dimension = whole_.dimension;
  part.mesh.region_names = whole_.region_names;
  part.mesh.shared_regions = whole_.shared_regions;
  part.mesh.other_names = whole_.other_names;
  part.mesh.inner_sides = whole_.inner_sides;
  part.mesh.numbers = whole_.numbers;
  part.mesh.turned = whole_.turned;
  add_elements(part, rank);
  add_nodes(part);
  add_faces(part, rank);
  add_ghost_faces(part, rank);
  add_links(part, rank);
  return part;
}

MeshPart make_part(const Mesh& whole, const std::vector<int>& ranks, int rank, GhostLayer layer) {
  return PartMaker(whole, ranks, layer).make(rank);
}

}  // namespace galerna::mesh
