#include "mesh/quality.hpp"

#include <fmt/format.h>

#include <functional>

#include "mesh/geometry.hpp"
#include "mesh/side_key.hpp"
#include "mesh/validity.hpp"

namespace galerna::mesh {
namespace {

std::string line(const std::string& label, const std::string& text) {
  return fmt::format("  {:<18}{}\n", label, text);
}

/// "1 side", "5 sides"
std::string counted(Index count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string describe_elements(const Mesh& mesh) {
  std::string text = line("elements", std::to_string(mesh.element_count()));
  for (const ElementBlock& block : mesh.blocks)
    text += line("", fmt::format("{} {} of order {}", block.size(),
                                 block.size() == 1 ? name(block.shape) : plural_name(block.shape), block.order));
  return text;
}

std::string describe_faces(const Mesh& mesh) {
  if (mesh.faces.empty()) return {};
  Index periodic = 0;
  for (const Face& face : mesh.faces) {
    if (face.right.element < 0) continue;
    periodic += side_key(corners_of(mesh, face.left)) != side_key(corners_of(mesh, face.right));
  }
  const auto count = static_cast<Index>(mesh.faces.size());
  return line("faces", fmt::format("{} ({} boundary, {} interior, {} periodic)", count, mesh.boundary_faces,
                                   count - mesh.boundary_faces - periodic, periodic));
}

std::string describe_names(const Mesh& mesh) {
  std::string text;
  for (const Boundary& boundary : mesh.boundaries)
    text += line(text.empty() ? "boundaries" : "",
                 fmt::format("{}: {}", boundary.name.empty() ? "(without a name)" : fmt::format("'{}'", boundary.name),
                             counted(static_cast<Index>(boundary.sides.size()), "side")));
  if (text.empty()) text = line("boundaries", "none: every side has an element on both sides");
  std::vector<Index> elements(mesh.region_names.size());
  for (const ElementBlock& block : mesh.blocks)
    for (const int regions : block.region)
      for (const int region : mesh.regions(regions)) ++elements[static_cast<std::size_t>(region)];
  for (std::size_t r = 0; r < mesh.region_names.size(); ++r)
    text +=
        line(r == 0 ? "regions" : "", fmt::format("'{}': {}", mesh.region_names[r], counted(elements[r], "element")));
  return text;
}

std::string describe_quality(const Mesh& mesh) {
  const Quality q = quality(mesh);
  const auto shown = [&](const Quality::Extreme& extreme) {
    return fmt::format("{:.4g}, {}", extreme.value, place_of(mesh, extreme.element));
  };
  const std::string measure_name = mesh.dimension == 2 ? "area" : "volume";
  return line("smallest " + measure_name, shown(q.smallest_measure)) +
         line("largest " + measure_name, shown(q.largest_measure)) +
         line("smallest diameter", shown(q.smallest_diameter)) + line("largest diameter", shown(q.largest_diameter)) +
         line("worst aspect", shown(q.worst_aspect)) +
         (mesh.dimension == 2 ? "" : line("smallest angle", shown(q.smallest_angle) + ", between two sides, degrees")) +
         (mesh.dimension == 2 ? "" : line("largest angle", shown(q.largest_angle) + ", between two sides, degrees")) +
         line("curved elements", std::to_string(q.curved)) +
         (q.worst_jacobian.element < 0 ? "" : line("worst Jacobian", shown(q.worst_jacobian) + ", least by largest"));
}

std::string describe_periodicity(const Mesh& mesh) {
  Index nodes = 0;
  for (std::size_t n = 0; n < mesh.image.size(); ++n) nodes += mesh.image[n] != static_cast<Index>(n);
  return line("periodic", nodes == 0 ? "no"
                                     : fmt::format("{} the image of another",
                                                   counted(nodes, "node") + (nodes == 1 ? " is" : " are")));
}

}  // namespace

Quality quality(const Mesh& mesh) {
  Quality q;
  const auto update = [](Quality::Extreme& extreme, double value, Index element, const auto& better) {
    if (extreme.element < 0 || better(value, extreme.value)) extreme = {value, element};
  };
  const std::less<> smaller;
  const std::greater<> larger;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const double size = measure(mesh, e), diameter = inscribed_diameter(mesh, e);
    update(q.smallest_measure, size, e, smaller);
    update(q.largest_measure, size, e, larger);
    update(q.smallest_diameter, diameter, e, smaller);
    update(q.largest_diameter, diameter, e, larger);
    update(q.worst_aspect, aspect(mesh, e), e, larger);
    q.curved += is_curved(mesh, e);
    if (mesh.dimension == 3) {
      const auto [least, most] = dihedral_angles(mesh, e);
      update(q.smallest_angle, least, e, smaller);
      update(q.largest_angle, most, e, larger);
    }
    if (can_certify(mesh, e)) {
      // The cheap bound is below the tight one: where even that is better than the worst, nothing more is to be known.
      if (q.worst_jacobian.element < 0 || validity(mesh, e, Bound::sign).ratio() < q.worst_jacobian.value)
        update(q.worst_jacobian, validity(mesh, e).ratio(), e, smaller);
    }
  }
  return q;
}

std::string describe_turned(const Mesh& mesh) {
  if (mesh.turned == 0) return {};
  return fmt::format("{} of {} {} oriented negatively in the file and {} turned round", mesh.turned,
                     counted(mesh.element_count(), "element"), mesh.turned == 1 ? "is" : "are",
                     mesh.turned == 1 ? "was" : "were");
}

std::string describe(const Mesh& mesh) {
  const Box box = bounding_box(mesh);
  return fmt::format("{}\n", mesh.file) + line("dimension", std::to_string(mesh.dimension)) + describe_elements(mesh) +
         line("nodes", std::to_string(mesh.nodes.size())) + describe_faces(mesh) + describe_names(mesh) +
         line("bounding box", to_text(box.lower, mesh.dimension) + " to " + to_text(box.upper, mesh.dimension)) +
         describe_quality(mesh) + describe_periodicity(mesh) +
         (mesh.turned > 0 ? line("orientation", describe_turned(mesh)) : "");
}

}  // namespace galerna::mesh
