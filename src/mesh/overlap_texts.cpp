#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/toml_key.hpp"
#include "mesh/geometry.hpp"
#include "mesh/overlaps.hpp"
#include "mesh/side_key.hpp"

namespace galerna::mesh {
namespace {

/// Overlaps of two boundaries, or of one with itself.
struct Group {
  std::array<std::set<std::pair<Index, int>>, 2> sides;  ///< of the first boundary, of the second
  std::vector<Overlap> overlaps;
};

std::string of_boundary(const Mesh& mesh, int boundary) {
  const std::string& name = mesh.boundaries[static_cast<std::size_t>(boundary)].name;
  return name.empty() ? "without a name" : fmt::format("of boundary '{}'", name);
}

std::string counted(std::size_t count) {
  return fmt::format("{} side{}", count, count == 1 ? "" : "s");
}

/// The middle of the smaller side, and both elements.
std::string place_of(const Mesh& mesh, const Overlap& overlap) {
  const auto size = [&](const Side& side) {
    const std::vector<Index> corners = corners_of(mesh, side);
    return distance(mesh.nodes[static_cast<std::size_t>(corners[0])], mesh.nodes[static_cast<std::size_t>(corners[1])]);
  };
  const Side& smaller = size(overlap.second) < size(overlap.first) ? overlap.second : overlap.first;
  return fmt::format("at {} ({} and {})", to_text(side_centre(mesh, smaller), mesh.dimension),
                     name_of(mesh, overlap.first.element), name_of(mesh, overlap.second.element));
}

std::string places_of(const Mesh& mesh, const std::vector<Overlap>& overlaps) {
  constexpr std::size_t shown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, overlaps.size()); ++i)
    text += (i == 0 ? "" : ", ") + place_of(mesh, overlaps[i]);
  if (overlaps.size() > shown) text += ", …";
  return text;
}

std::string plate_remedy(const Mesh& mesh, int first, int second) {
  const std::string &a = mesh.boundaries[static_cast<std::size_t>(first)].name,
                    &b = mesh.boundaries[static_cast<std::size_t>(second)].name;
  if (a.empty() || b.empty())
    return fmt::format("if a plate of no thickness is meant, put its sides into a Physical {}",
                       mesh.dimension == 3 ? "Surface" : "Curve");
  return first == second
             ? fmt::format("if a plate of no thickness is meant, set plate = true in [boundary.{}]", toml_key(a))
             : fmt::format("if a plate of no thickness is meant, set plate = true in [boundary.{}] and [boundary.{}]",
                           toml_key(a), toml_key(b));
}

std::string describe(const Mesh& mesh, int first, int second, bool same_side, const Group& group) {
  std::string text =
      first == second
          ? fmt::format("{} {} lie upon one another", counted(group.sides[0].size()), of_boundary(mesh, first))
          : fmt::format("{} {} {} upon {} {}", counted(group.sides[0].size()), of_boundary(mesh, first),
                        group.sides[0].size() == 1 ? "lies" : "lie", counted(group.sides[1].size()),
                        of_boundary(mesh, second));
  text += ", " + places_of(mesh, group.overlaps);
  if (same_side)
    return text +
           ". The elements lie over one another, too: mesh this part once (in Gmsh: Coherence or "
           "BooleanFragments before meshing)";
  return text +
         ". The mesh does not fit together there, and no flow passes: mesh the parts together (in Gmsh: Coherence or "
         "BooleanFragments before meshing, Coherence Mesh for doubled nodes); " +
         plate_remedy(mesh, first, second);
}

}  // namespace

std::vector<std::string> describe_overlaps(const Mesh& mesh, std::span<const Overlap> overlaps,
                                           std::span<const std::string> plates) {
  const auto is_plate = [&](int boundary) {
    const std::string& name = mesh.boundaries[static_cast<std::size_t>(boundary)].name;
    return !name.empty() && std::find(plates.begin(), plates.end(), name) != plates.end();
  };
  std::map<std::tuple<int, int, bool>, Group> groups;
  for (const Overlap& overlap : overlaps) {
    if (!overlap.same_side && is_plate(overlap.first_boundary) && is_plate(overlap.second_boundary)) continue;
    const auto [first, second] = std::minmax(overlap.first_boundary, overlap.second_boundary);
    Group& group = groups[{first, second, overlap.same_side}];
    group.overlaps.push_back(overlap);
    for (const auto& [side, boundary] :
         {std::pair(overlap.first, overlap.first_boundary), std::pair(overlap.second, overlap.second_boundary)})
      group.sides[boundary == first ? 0 : 1].emplace(side.element, side.side);
  }
  std::vector<std::string> texts;
  for (const auto& [key, group] : groups) {
    const auto& [first, second, same_side] = key;
    texts.push_back(describe(mesh, first, second, same_side, group));
  }
  return texts;
}

}  // namespace galerna::mesh
