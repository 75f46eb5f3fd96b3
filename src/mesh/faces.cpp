#include "mesh/faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "mesh/checks.hpp"
#include "mesh/geometry.hpp"
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
template <class Visit>
void for_each_key(const std::vector<Entry>& entries, const Visit& visit) {
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    while (end < entries.size() && entries[end].key == entries[begin].key) ++end;
    visit(std::span(entries).subspan(begin, end - begin));
  }
}

Point centre(const Mesh& mesh, const std::vector<Index>& nodes) {
  Point sum{};
  for (const Index node : nodes)
    for (std::size_t k = 0; k < 3; ++k)
      sum[k] += mesh.nodes[static_cast<std::size_t>(node)][k] / static_cast<double>(nodes.size());
  return sum;
}

/// Sides with the same corners become faces; returns the sides that are left over.
std::vector<Side> join_same_corners(Mesh& mesh) {
  std::vector<Entry> entries;
  for_each_side(mesh, [&](const Side& side, std::span<const Index> corners) {
    entries.push_back({side_key(corners), side});
  });
  sort_entries(entries);
  std::vector<Side> open;
  std::vector<std::string> problems;
  for_each_key(entries, [&](std::span<const Entry> same) {
    if (same.size() == 1) open.push_back(same[0].side);
    if (same.size() == 2) mesh.faces.push_back({same[0].side, same[1].side, -1});
    if (same.size() <= 2) return;
    std::string elements;
    for (const Entry& entry : same) elements += (elements.empty() ? "" : ", ") + place_of(mesh, entry.side.element);
    problems.push_back(fmt::format(
        "the {} at {} is shared by {} elements (at most two may meet there): {}", mesh.dimension == 2 ? "edge" : "face",
        to_text(centre(mesh, corners_of(mesh, same[0].side)), mesh.dimension), same.size(), elements));
  });
  report_problems(mesh, problems);
  return open;
}

/// Sides whose corners are images of one another become faces; returns the sides that are left over.
std::vector<Side> join_images_of(Mesh& mesh, const std::vector<Side>& open, double tolerance) {
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
  for_each_key(entries, [&](std::span<const Entry> same) {
    std::vector<char> joined(same.size(), 0);
    for (std::size_t i = 0; i < same.size(); ++i) {
      for (std::size_t j = i + 1; j < same.size() && !joined[i]; ++j) {
        if (joined[j] || !is_translated(mesh, same[i].side, same[j].side, tolerance)) continue;
        mesh.faces.push_back({same[i].side, same[j].side, -1});
        joined[i] = joined[j] = 1;
      }
      if (!joined[i]) rest.push_back(same[i].side);
    }
  });
  return rest;
}

/// Makes the sides that are left over the boundary faces, in front of the others, and rebuilds the boundaries from
/// them.
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

  std::vector<Face> faces;
  for (std::size_t b = 0; b < boundaries.size(); ++b) {
    std::vector<Side>& sides = boundaries[b].sides;
    std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) { return position_of(x) < position_of(y); });
    for (const Side& side : sides) faces.push_back({side, {}, static_cast<int>(b)});
  }
  mesh.boundary_faces = static_cast<Index>(faces.size());
  mesh.faces.insert(mesh.faces.begin(), faces.begin(), faces.end());
  mesh.boundaries = std::move(boundaries);
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
  const std::vector<Side> open = join_same_corners(mesh);
  const std::vector<Side> rest = has_images(mesh) ? join_images_of(mesh, open, tolerance) : open;
  std::sort(mesh.faces.begin(), mesh.faces.end(),
            [](const Face& x, const Face& y) { return position_of(x.left) < position_of(y.left); });
  add_boundary(mesh, rest, open);
}

}  // namespace galerna::mesh
