#include "mesh/faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <tuple>
#include <unordered_map>

#include "base/parallel.hpp"
#include "mesh/checks.hpp"
#include "mesh/geometry.hpp"
#include "mesh/groups.hpp"
#include "mesh/images.hpp"
#include "mesh/side_key.hpp"

namespace galerna::mesh {
namespace {

struct Entry {
  SideKey key;
  Side side;
};

auto position_of(const Side& side) {
  return std::tuple(side.element, side.side);
}

void sort_entries(std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    const auto order = a.key <=> b.key;
    return order != 0 ? order < 0 : position_of(a.side) < position_of(b.side);
  });
}

/// Calls visit(entries) for each run of entries with one key.
template <class T, class Same, class Visit>
void for_each_run(std::span<const T> entries, const Same& same, const Visit& visit) {
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    while (end < entries.size() && same(entries[end], entries[begin])) ++end;
    visit(entries.subspan(begin, end - begin));
  }
}

/// Numbers of all sides, in the order of elements and sides.
class SideNumbers {
 public:
  explicit SideNumbers(const Mesh& mesh) {
    for (const ElementBlock& block : mesh.blocks) {
      Part& part = parts_.emplace_back(Part{&block, elements_, count_, side_count(block.shape), {}});
      for (int s = 0; s < part.sides; ++s) part.corners.push_back(side_corners(block.shape, s));
      elements_ += block.size();
      count_ += block.size() * side_count(block.shape);
    }
  }

  Index count() const { return count_; }
  Index number(const Side& side) const {
    const Part& part = *--std::upper_bound(parts_.begin(), parts_.end(), side.element,
                                           [](Index element, const Part& p) { return element < p.element; });
    return part.number + (side.element - part.element) * part.sides + side.side;
  }
  Side side(Index number) const {
    const Part& part = part_of(number);
    return {part.element + (number - part.number) / part.sides, static_cast<int>((number - part.number) % part.sides)};
  }
  SideKey key(Index number) const {
    const Part& part = part_of(number);
    const Index* nodes =
        part.block->nodes.data() + (number - part.number) / part.sides * part.block->nodes_per_element();
    std::array<Index, 4> corners;
    std::size_t count = 0;
    for (const int corner : part.corners[static_cast<std::size_t>((number - part.number) % part.sides)])
      corners[count++] = nodes[corner];
    return side_key(std::span(corners).first(count));
  }

 private:
  struct Part {
    const ElementBlock* block;
    Index element, number;  ///< the block's first ones
    int sides;
    std::vector<std::span<const int>> corners;  ///< [side] of an element
  };
  const Part& part_of(Index number) const {
    return *--std::upper_bound(parts_.begin(), parts_.end(), number,
                               [](Index n, const Part& p) { return n < p.number; });
  }
  std::vector<Part> parts_;
  Index elements_ = 0, count_ = 0;
};

Point centre(const Mesh& mesh, const std::vector<Index>& nodes) {
  Point sum{};
  for (const Index node : nodes)
    for (std::size_t k = 0; k < 3; ++k)
      sum[k] += mesh.nodes[static_cast<std::size_t>(node)][k] / static_cast<double>(nodes.size());
  return sum;
}

struct NumberedSide {
  SideKey key;
  Index number;
  auto operator<=>(const NumberedSide&) const = default;
};

/// Calls visit(sides) for all sides with the same corners, in the order of their numbers, from any thread.
template <class Visit>
void for_each_same_corners(const Mesh& mesh, const SideNumbers& numbers, const Visit& visit) {
  const auto smallest = [&](Index number) { return smallest_node(numbers.key(number)); };
  for_each_group(numbers.count(), static_cast<Index>(mesh.nodes.size()), smallest, [&](std::span<const Index> group) {
    thread_local std::vector<NumberedSide> own;
    own.clear();
    for (const Index number : group) own.push_back({numbers.key(number), number});
    std::sort(own.begin(), own.end());
    for_each_run(
        std::span<const NumberedSide>(own), [](const auto& a, const auto& b) { return a.key == b.key; }, visit);
  });
}

std::string describe_shared(const Mesh& mesh, std::span<const Entry> same) {
  std::string elements;
  for (const Entry& entry : same) elements += (elements.empty() ? "" : ", ") + place_of(mesh, entry.side.element);
  return fmt::format("the {} at {} is shared by {} elements (at most two may meet there): {}",
                     mesh.dimension == 2 ? "edge" : "face",
                     to_text(centre(mesh, corners_of(mesh, same[0].side)), mesh.dimension), same.size(), elements);
}

constexpr Index no_side = -1;

/// Joins sides with the same corners: [number of a side] that of the other one, no_side of those that are left over.
/// \param open becomes these, in the order of their corners
std::vector<Index> join_same_corners(const Mesh& mesh, const SideNumbers& numbers, std::vector<Side>& open) {
  std::vector<Index> partners(static_cast<std::size_t>(numbers.count()), no_side);
  std::mutex mutex;
  std::vector<Entry> single, shared;
  for_each_same_corners(mesh, numbers, [&](std::span<const NumberedSide> same) {
    if (same.size() == 2) {
      partners[static_cast<std::size_t>(same[0].number)] = same[1].number;
      partners[static_cast<std::size_t>(same[1].number)] = same[0].number;
      return;
    }
    const std::lock_guard lock(mutex);
    for (const NumberedSide& entry : same)
      (same.size() == 1 ? single : shared).push_back({entry.key, numbers.side(entry.number)});
  });
  const auto is_same = [](const Entry& a, const Entry& b) { return a.key == b.key; };
  sort_entries(shared);
  std::vector<std::string> problems;
  for_each_run(std::span<const Entry>(shared), is_same,
               [&](std::span<const Entry> same) { problems.push_back(describe_shared(mesh, same)); });
  report_problems(mesh, problems);
  sort_entries(single);
  for (const Entry& entry : single) open.push_back(entry.side);
  return partners;
}

/// Joins sides whose corners are images of one another; returns the sides that are left over.
std::vector<Side> join_images_of(const Mesh& mesh, const SideNumbers& numbers, const std::vector<Side>& open,
                                 double tolerance, std::vector<Index>& partners) {
  std::vector<Entry> entries;
  for (const Side& side : open) {
    std::vector<Index> corners = corners_of(mesh, side);
    for (Index& node : corners) node = mesh.image[static_cast<std::size_t>(node)];
    entries.push_back({side_key(corners), side});
  }
  sort_entries(entries);
  std::vector<Side> rest;
  // Where a periodic domain is only one or two elements wide, sides that are no images have the same images of their
  // corners: the translation tells them apart.
  const auto is_same = [](const Entry& a, const Entry& b) { return a.key == b.key; };
  for_each_run(std::span<const Entry>(entries), is_same, [&](std::span<const Entry> same) {
    std::vector<char> joined(same.size(), 0);
    for (std::size_t i = 0; i < same.size(); ++i) {
      for (std::size_t j = i + 1; j < same.size() && !joined[i]; ++j) {
        if (joined[j] || !is_translated(mesh, same[i].side, same[j].side, tolerance)) continue;
        const Index one = numbers.number(same[i].side), other = numbers.number(same[j].side);
        partners[static_cast<std::size_t>(one)] = other;
        partners[static_cast<std::size_t>(other)] = one;
        joined[i] = joined[j] = 1;
      }
      if (!joined[i]) rest.push_back(same[i].side);
    }
  });
  return rest;
}

/// Makes the sides that are left over the boundary faces, the first ones, and rebuilds the boundaries from them.
void add_boundary(Mesh& mesh, const std::vector<Side>& rest, const std::vector<Side>& open) {
  std::unordered_map<SideKey, int, SideKeyHash> names;  // {element, side} -> boundary
  const auto key = [](const Side& side) { return SideKey{side.element, side.side, 0, 0}; };
  for (std::size_t b = 0; b < mesh.boundaries.size(); ++b)
    for (const Side& side : mesh.boundaries[b].sides) names[key(side)] = static_cast<int>(b);

  std::vector<Boundary> boundaries;
  for (const Boundary& boundary : mesh.boundaries) boundaries.push_back({boundary.name, {}});
  std::vector<Side> unnamed;
  for (const Side& side : rest) {
    const auto found = names.find(key(side));
    (found == names.end() ? unnamed : boundaries[static_cast<std::size_t>(found->second)].sides).push_back(side);
  }
  check_split_faces(mesh, unnamed, open);
  if (!unnamed.empty()) boundaries.push_back({"", std::move(unnamed)});
  std::erase_if(boundaries, [](const Boundary& boundary) { return boundary.sides.empty(); });

  for (std::size_t b = 0; b < boundaries.size(); ++b) {
    std::vector<Side>& sides = boundaries[b].sides;
    std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) { return position_of(x) < position_of(y); });
    for (const Side& side : sides) mesh.faces.push_back({side, {}, static_cast<int>(b)});
  }
  mesh.boundary_faces = static_cast<Index>(mesh.faces.size());
  mesh.boundaries = std::move(boundaries);
}

/// Behind those of the boundary, in the order of their left sides.
void add_interior(Mesh& mesh, const SideNumbers& numbers, const std::vector<Index>& partners) {
  constexpr Index piece = 1 << 15;
  const auto for_each_left = [&](Index begin, Index end, const auto& visit) {
    for (Index side = begin; side < end; ++side)
      if (partners[static_cast<std::size_t>(side)] > side) visit(side);
  };
  std::vector<Index> first(static_cast<std::size_t>((numbers.count() + piece - 1) / piece) + 1, 0);
  in_parallel(numbers.count(), piece, [&](Index begin, Index end) {
    for_each_left(begin, end, [&](Index) { ++first[static_cast<std::size_t>(begin / piece) + 1]; });
  });
  first[0] = mesh.boundary_faces;
  for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
  mesh.faces.resize(static_cast<std::size_t>(first.back()));
  in_parallel(numbers.count(), piece, [&](Index begin, Index end) {
    auto at = static_cast<std::size_t>(first[static_cast<std::size_t>(begin / piece)]);
    for_each_left(begin, end, [&](Index side) {
      mesh.faces[at++] = {numbers.side(side), numbers.side(partners[static_cast<std::size_t>(side)]), -1};
    });
  });
}

}  // namespace

bool is_translated(const Mesh& mesh, const Side& a, const Side& b, double tolerance) {
  const std::vector<Index> nodes_a = corners_of(mesh, a), nodes_b = corners_of(mesh, b);
  const Point from = centre(mesh, nodes_a), to = centre(mesh, nodes_b);
  if (nodes_a.size() != nodes_b.size() || distance(from, to) <= tolerance) return false;
  for (const Index node : nodes_a) {
    Point moved = mesh.nodes[static_cast<std::size_t>(node)];
    for (std::size_t k = 0; k < 3; ++k) moved[k] += to[k] - from[k];
    const bool found = std::any_of(nodes_b.begin(), nodes_b.end(), [&](Index other) {
      return mesh.image[static_cast<std::size_t>(other)] == mesh.image[static_cast<std::size_t>(node)] &&
             distance(mesh.nodes[static_cast<std::size_t>(other)], moved) <= tolerance;
    });
    if (!found) return false;
  }
  return true;
}

void build_faces(Mesh& mesh, double tolerance) {
  mesh.faces.clear();
  const SideNumbers numbers(mesh);
  std::vector<Side> open;
  std::vector<Index> partners = join_same_corners(mesh, numbers, open);
  const std::vector<Side> rest = has_images(mesh) ? join_images_of(mesh, numbers, open, tolerance, partners) : open;
  add_boundary(mesh, rest, open);
  add_interior(mesh, numbers, partners);
}

}  // namespace galerna::mesh
