#include "solver/check_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "drawing/space_raster.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/geometry.hpp"
#include "solver/fields.hpp"
#include "solver/sections.hpp"
#include "solver/walls.hpp"

namespace galerna::solver {
namespace {

/// Collects problems of one case.
class OutputCheck {
 public:
  OutputCheck(const case_file::Settings& settings, const mesh::Mesh& mesh)
      : settings_(settings), output_(settings.output), mesh_(mesh), fields_(case_fields(settings).all_names()) {}

  std::vector<Problem> run() {
    for (const auto& field : output_.fields)
      if (std::count(fields_.begin(), fields_.end(), field.name) > 1)
        report(field.place, fmt::format("output.fields.{}: there is a field of that name", field.name));
    for (const std::string& name : output_.solution_fields)
      require("output.solution.fields", "field", name, fields_, output_.solution_fields_place);
    for (const auto& probe : output_.probes)
      for (const std::string& name : probe.fields)
        require(fmt::format("output.probe.{}.fields", probe.name), "field", name, fields_, probe.place);
    for (const auto& picture : output_.pictures) check(picture);
    for (const auto& section : output_.sections) check(section);
    for (const auto& integral : output_.integrals) check(integral);
    return std::move(problems_);
  }

 private:
  void report(SourcePlace place, const std::string& text) {
    if (place.file.empty()) place.file = settings_.file.string();
    problems_.push_back({place, text});
  }

  void require(const std::string& key, const char* what, const std::string& name, const std::vector<std::string>& known,
               const SourcePlace& place) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    const std::string near = nearest_name(name, known);
    report(place, fmt::format("{}: unknown {} \"{}\"{}; there {}", key, what, name,
                              near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
                              known.empty() ? "is none" : "are " + list_names(known, "and")));
  }

  void check(const case_file::OutputSettings::Picture& picture) {
    const std::string key = fmt::format("output.picture.{}", picture.name);
    require(key, "field", picture.field, fields_, picture.place);
    const std::vector<std::string> boundaries = mesh::boundary_names(mesh_);
    for (const std::string& name : picture.boundaries) require(key, "boundary", name, boundaries, picture.place);
    std::vector<case_file::OutputSettings::Plane> planes = picture.planes;
    if (picture.normal) planes.push_back({picture.point, *picture.normal});
    for (const case_file::OutputSettings::Plane& plane : planes)
      if (!drawing::meets(mesh_, drawing::plane_through(plane.point, plane.normal)))
        report(picture.place,
               fmt::format("{}: the plane through ({}) misses the mesh, which lies between {} and {}", key,
                           fmt::join(plane.point, ", "), mesh::to_text(mesh::bounding_box(mesh_).lower, 3),
                           mesh::to_text(mesh::bounding_box(mesh_).upper, 3)));
    if (picture.isolines && settings_.discretization.order == 0)
      report(picture.isolines_place,
             fmt::format("output.picture.{}.isolines: at discretization.order = 0 the solution is constant in each "
                         "element and has no isolines; raise the order to 1 or more, or leave isolines out",
                         picture.name));
  }

  void check(const case_file::OutputSettings::Section& section) {
    const std::string key = fmt::format("output.section.{}", section.name);
    const std::size_t before = problems_.size();
    require(key, "wall", section.wall, wall_names(settings_), section.place);
    if (problems_.size() > before || !cut_wall(settings_, mesh_, section).empty()) return;
    report(section.place, fmt::format("{}: the plane through ({}) with the normal ({}) does not cut the wall {}", key,
                                      fmt::join(section.point, ", "), fmt::join(section.normal, ", "), section.wall));
  }

  void check(const case_file::OutputSettings::Integral& integral) {
    const std::string key = "output.integral." + integral.name;
    if (integral.boundary) require(key, "boundary", *integral.boundary, mesh::boundary_names(mesh_), integral.place);
    if (integral.region) require(key, "region", *integral.region, mesh_.region_names, integral.place);
  }

  const case_file::Settings& settings_;
  const case_file::OutputSettings& output_;
  const mesh::Mesh& mesh_;
  std::vector<std::string> fields_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> check_outputs(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  return OutputCheck(settings, mesh).run();
}

}  // namespace galerna::solver
