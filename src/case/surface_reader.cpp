#include "case/surface_reader.hpp"

#include <fmt/format.h>

#include "base/toml_key.hpp"

namespace galerna::case_file {
namespace {

/// Points and a radius, as they stand in the table of a key.
struct Numbers {
  std::vector<Point> points;
  double radius = 0;
};

/// \param names of the points in the table \param size numbers of a point \param form what the value must be, for
/// messages
std::optional<Numbers> read_numbers(Section& s, const std::string& key, const std::vector<std::string>& names,
                                    std::size_t size, const std::string& form) {
  const toml::table* table = s.table(key);
  if (!table) return {};
  const std::size_t before = s.problem_count();
  Numbers result;
  bool whole = table->size() == names.size() + 1;
  for (const std::string& name : names) {
    const toml::array* list = (*table)[name].as_array();
    if (!list && name == "centre") list = (*table)["center"].as_array();
    Point& point = result.points.emplace_back();
    for (std::size_t k = 0; k < size; ++k) {
      const auto value = s.number_in(key, list && list->size() == size ? list->get(k) : nullptr);
      whole = whole && value;
      point[k] = value.value_or(0);
    }
  }
  result.radius = s.number_in(key, table->get("radius")).value_or(0);
  if (whole && result.radius > 0) return result;
  if (s.problem_count() == before) s.report(key, fmt::format("{} must be {}", key, form));
  return {};
}

std::optional<Surface> read_sphere(Section& s) {
  const auto numbers = read_numbers(s, "sphere", {"centre"}, 3, "{centre = [x, y, z], radius = r} with r > 0");
  if (!numbers) return {};
  return Surface{"sphere", numbers->points[0], {}, numbers->radius};
}

std::optional<Surface> read_cylinder(Section& s) {
  const std::string form = "{point = [x, y, z], direction = [dx, dy, dz], radius = r} with r > 0";
  const auto numbers = read_numbers(s, "cylinder", {"point", "direction"}, 3, form);
  if (!numbers) return {};
  if (numbers->points[1] == Point{}) {
    s.report("cylinder", "the direction of a cylinder's axis must not be 0");
    return {};
  }
  return Surface{"cylinder", numbers->points[0], numbers->points[1], numbers->radius};
}

}  // namespace

std::optional<Circle> read_circle(Section& s, int dimension) {
  if (s.has("circle") && dimension == 3) {
    s.report("circle", "circle is for flows in the plane: in space give sphere or cylinder");
    return {};
  }
  const auto numbers = read_numbers(s, "circle", {"centre"}, 2, "{centre = [x, y], radius = r} with r > 0");
  if (!numbers) return {};
  return Circle{numbers->points[0], numbers->radius};
}

std::optional<Surface> read_surface(Section& s, int dimension) {
  for (const std::string key : {"sphere", "cylinder"})
    if (s.has(key) && dimension == 2) {
      s.report(key, fmt::format("{} is for flows in space: in the plane give circle, or [mesh.curve.NAME]", key));
      return {};
    }
  if (s.has("sphere") && s.has("cylinder"))
    s.report("cylinder", "sphere and cylinder exclude each other: a boundary has one shape");
  return s.has("cylinder") ? read_cylinder(s) : read_sphere(s);
}

void read_snap(Section& s, Settings& settings) {
  MeshSettings& mesh = settings.mesh;
  const bool snap = s.boolean("snap").value_or(false);
  bool in_space = false, has_shape = false;
  for (const BoundarySettings& boundary : settings.boundaries) {
    has_shape = has_shape || boundary.has_shape;
    if (boundary.surface && !snap)
      s.report("snap", fmt::format("boundary.{}.{} is what mesh.snap = true moves nodes onto: set it, or leave {} out",
                                   toml_key(boundary.name), boundary.surface->kind, boundary.surface->kind));
    if (boundary.circle) mesh.round[boundary.name] = {"circle", boundary.circle->centre, {}, boundary.circle->radius};
    if (boundary.surface) mesh.round[boundary.name] = *boundary.surface;
    if (!snap) continue;
    mesh.snap = mesh.round;
    in_space = in_space || boundary.surface;
  }
  if (snap && !has_shape)
    s.report("snap", "snap = true, but no boundary has a circle, sphere or cylinder to move nodes onto");
  const bool wrong_shape = snap && has_shape && mesh.snap.empty();  // which is reported already
  if (!s.has("geometry_order")) return;
  if (in_space)
    mesh.surface_order = mesh.geometry_order;
  else if (mesh.curves.empty() && !wrong_shape)
    s.report("geometry_order",
             "geometry_order has no meaning without a section [mesh.curve.NAME] or, with snap, a sphere or cylinder");
}

}  // namespace galerna::case_file
