#include "mesh/snap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/geometry.hpp"
#include "mesh/side_key.hpp"

namespace galerna::mesh {
namespace {

double length_of(const Mesh& mesh, const std::vector<Index>& corners) {
  double length = 0;
  for (const Index a : corners)
    for (const Index b : corners)
      length =
          std::max(length, distance(mesh.nodes[static_cast<std::size_t>(a)], mesh.nodes[static_cast<std::size_t>(b)]));
  return length;
}

/// Where a node of a side belongs.
Point target(const Mesh& mesh, Index node, const RoundSurface& surface, const std::string& boundary, double length) {
  const Point& x = mesh.nodes[static_cast<std::size_t>(node)];
  const std::optional<Point> nearest = surface.nearest(x);
  if (!nearest)
    throw InputError({mesh.file},
                     fmt::format("the node at {} of boundary '{}' lies in the middle of the {} that it "
                                 "should move onto: check boundary.{}.{}",
                                 to_text(x, mesh.dimension), boundary, surface.name(), boundary, surface.kind()));
  const double off = distance(x, *nearest);
  if (off > length)
    throw InputError(
        {mesh.file},
        fmt::format("the node at {} of boundary '{}' lies {:.3g} off its {}, but its side is {:.3g} long: "
                    "check boundary.{}.{}, or make the mesh fit it",
                    to_text(x, mesh.dimension), boundary, off, surface.name(), length, boundary, surface.kind()));
  return *nearest;
}

}  // namespace

void check_boundary_names(const Mesh& mesh, const Snap& snap) {
  const std::vector<std::string> names = boundary_names(mesh);
  for (const auto& [name, surface] : snap) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string nearest = nearest_name(name, names);
    throw InputError({mesh.file}, fmt::format("the mesh has no boundary '{}' to move onto a {}{}", name, surface.kind(),
                                              nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest)));
  }
}

void snap_boundaries(Mesh& mesh, const Snap& snap, Index first) {
  std::unordered_map<Index, Point> targets;
  for (const Boundary& boundary : mesh.boundaries) {
    const auto found = snap.find(boundary.name);
    if (found == snap.end()) continue;
    for (const Side& side : boundary.sides) {
      const std::vector<Index> corners = corners_of(mesh, side);
      const double length = length_of(mesh, corners);
      for (const Index node : corners)
        if (node >= first) targets[node] = target(mesh, node, found->second, boundary.name, length);
    }
  }
  for (const auto& [node, place] : targets) mesh.nodes[static_cast<std::size_t>(node)] = place;
}

}  // namespace galerna::mesh
