#include "mesh/boundaries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "mesh/geometry.hpp"
#include "mesh/point_tree.hpp"
#include "mesh/side_key.hpp"

namespace galerna::mesh {
namespace {

/// A corner of the sides that lies at the place of another node, if there is one.
std::optional<Index> doubled_node(const Mesh& mesh, const std::vector<Side>& sides) {
  const auto place = [&](Index node) { return mesh.nodes[static_cast<std::size_t>(node)]; };
  std::vector<Index> nodes;
  for (Index f = 0; f < mesh.boundary_faces; ++f)
    for (const Index node : corners_of(mesh, mesh.faces[static_cast<std::size_t>(f)].left)) nodes.push_back(node);
  std::vector<Point> points;
  for (const Index node : nodes) points.push_back(place(node));
  const PointTree tree(points);
  for (const Side& side : sides) {
    const std::vector<Index> corners = corners_of(mesh, side);
    const double tolerance = 1e-8 * distance(place(corners[0]), place(corners[1]));
    for (const Index corner : corners) {
      Point lower = place(corner), upper = lower;
      for (std::size_t k = 0; k < 3; ++k) lower[k] -= tolerance, upper[k] += tolerance;
      bool doubled = false;
      tree.visit_box(lower, upper, [&](Index i) { doubled |= nodes[static_cast<std::size_t>(i)] != corner; });
      if (doubled) return corner;
    }
  }
  return {};
}

/// \param what names are of, one and several. \throws InputError
std::size_t place_of_name(const Mesh& mesh, const std::vector<std::string>& names, const std::string& name,
                          const char* what, const char* several) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw InputError({mesh.file}, fmt::format("has no {} \"{}\"; {}", what, name,
                                            names.empty() ? fmt::format("there are no {}", several)
                                                          : fmt::format("its {} are {}", several, list_names(names))));
}

}  // namespace

std::string describe_unnamed(const Mesh& mesh) {
  constexpr std::size_t shown = 3;
  const auto found = std::find_if(mesh.boundaries.begin(), mesh.boundaries.end(),
                                  [](const Boundary& boundary) { return boundary.name.empty(); });
  if (found == mesh.boundaries.end()) return {};
  const std::vector<Side>& sides = found->sides;
  std::string places;
  for (std::size_t i = 0; i < std::min(shown, sides.size()); ++i)
    places += fmt::format("{}at {} ({})", i == 0 ? "" : ", ", to_text(side_centre(mesh, sides[i]), mesh.dimension),
                          name_of(mesh, sides[i].element));
  std::string text = fmt::format(
      "{} boundary side{} to no physical group, {}{}: name {} in Gmsh with Physical {}(\"name\") = {{…}}, or mesh the "
      "elements that are missing there",
      sides.size(), sides.size() == 1 ? " belongs" : "s belong", places, sides.size() > shown ? ", …" : "",
      sides.size() == 1 ? "it" : "them", mesh.dimension == 3 ? "Surface" : "Curve");
  if (const auto node = doubled_node(mesh, sides))
    text += fmt::format("; two nodes lie at {}: if they should be one, join them (in Gmsh: Coherence Mesh)",
                        to_text(mesh.nodes[static_cast<std::size_t>(*node)], mesh.dimension));
  return text;
}

std::vector<std::string> boundary_names(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const Boundary& boundary : mesh.boundaries) names.push_back(boundary.name);
  return names;
}

const Boundary& find_boundary(const Mesh& mesh, const std::string& name) {
  const std::vector<std::string> names = boundary_names(mesh);
  return mesh.boundaries[place_of_name(mesh, names, name, "boundary", "boundaries")];
}

int find_region(const Mesh& mesh, const std::string& name) {
  return static_cast<int>(place_of_name(mesh, mesh.region_names, name, "region", "regions"));
}

}  // namespace galerna::mesh
