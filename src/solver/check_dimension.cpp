#include "solver/check_dimension.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/toml_key.hpp"

namespace galerna::solver {
namespace {

/// Keys that flows in 3D cannot have, each at its boundary.
std::vector<Problem> keys_of_the_plane(const case_file::Settings& settings) {
  std::vector<Problem> problems;
  for (const auto& boundary : settings.boundaries) {
    const auto refuse = [&](bool given, const char* key, const char* instead) {
      if (given)
        problems.push_back({boundary.place, fmt::format("boundary.{}.{} is for flows in 2D: leave it out{}",
                                                        toml_key(boundary.name), key, instead)});
    };
    refuse(boundary.curved, "curved", "; in 3D curve the elements of the mesh (gmsh -3 -order 2)");
    refuse(boundary.lift_centre.has_value(), "lift_centre", "");
  }
  return problems;
}

/// Names that a case gives conditions to and the mesh gives to something else than sides.
std::vector<Problem> names_of_other_groups(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  std::vector<Problem> problems;
  const auto contains = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const bool space = mesh.dimension == 3;
  for (const auto& boundary : settings.boundaries) {
    const bool of_sides = std::any_of(mesh.boundaries.begin(), mesh.boundaries.end(),
                                      [&](const mesh::Boundary& b) { return b.name == boundary.name; });
    if (of_sides) continue;
    if (std::any_of(mesh.inner_sides.begin(), mesh.inner_sides.end(),
                    [&](const mesh::InnerSides& inner) { return inner.name == boundary.name; })) {
      problems.push_back(
          {boundary.place,
           fmt::format("the mesh's physical group \"{}\" lies inside the domain, between elements: it is "
                       "no boundary. A wall there needs nodes of its own on each side (in Gmsh: "
                       "Plugin(Crack))",
                       boundary.name)});
      continue;
    }
    const bool of_elements = contains(mesh.region_names, boundary.name);
    if (!of_elements && !contains(mesh.other_names, boundary.name)) continue;
    problems.push_back(
        {boundary.place,
         fmt::format("\"{}\" is a physical group of {} in the mesh; boundaries are groups "
                     "of {}: in Gmsh, Physical {}(\"{}\") = {{…}}",
                     boundary.name,
                     !of_elements ? (space ? "curves or points" : "points") : (space ? "volumes" : "surfaces"),
                     space ? "surfaces" : "curves", space ? "Surface" : "Curve", boundary.name)});
  }
  return problems;
}

}  // namespace

std::vector<Problem> check_dimension(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  std::vector<Problem> problems;
  const auto report = [&](const std::string& text) { problems.push_back({settings.mesh.place, text}); };
  const int dimension = settings.equations.dimension;
  if (dimension != mesh.dimension) {
    if (settings.equations.user)
      report(fmt::format("the mesh has dimension {}, but [equations] has dimension = {}", mesh.dimension, dimension));
    else if (mesh.dimension == 3)
      report(
          "the mesh is three-dimensional: [initial] and every other state need a third component, velocity_z or "
          "momentum_z");
    else
      report(
          "the mesh is two-dimensional, but [initial] has a third component: leave velocity_z, momentum_z out, or "
          "use a mesh of tetrahedra");
    return problems;
  }
  for (const Problem& problem : names_of_other_groups(settings, mesh)) problems.push_back(problem);
  if (dimension == 3)
    for (const Problem& problem : keys_of_the_plane(settings)) problems.push_back(problem);
  return problems;
}

}  // namespace galerna::solver
