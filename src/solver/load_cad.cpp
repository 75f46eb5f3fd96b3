#include "solver/load_cad.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/error.hpp"
#include "base/index.hpp"
#include "base/vectors.hpp"
#include "cad/load.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/side_key.hpp"
#include "mesh/surface.hpp"

namespace galerna::solver {
namespace {

using mesh::Box;

/// Of the corners of all boundaries that follow the CAD.
Box box_of_walls(const case_file::MeshSettings& settings, const mesh::Mesh& mesh) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Box box{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  for (const case_file::CurveSettings& c : settings.curves) {
    if (c.shape != "cad") continue;
    mesh::require_boundary(mesh, c.boundary, "to put onto CAD");
    for (const mesh::Side& side : mesh::find_boundary(mesh, c.boundary).sides)
      for (const mesh::Index corner : mesh::corners_of(mesh, side))
        for (std::size_t k = 0; k < 3; ++k) {
          box.lower[k] = std::min(box.lower[k], mesh.nodes[at(corner)][k]);
          box.upper[k] = std::max(box.upper[k], mesh.nodes[at(corner)][k]);
        }
  }
  return box;
}

/// In the plane z does not count.
Box flattened(Box box, int dimension) {
  if (dimension == 2) box.lower[2] = box.upper[2] = 0;
  return box;
}

/// The diagonal, also of boxes whose squares are too large for a number.
double size(const Box& box) {
  const mesh::Point edges = minus(box.upper, box.lower);
  return std::hypot(edges[0], edges[1], edges[2]);
}

/// Whether one box lies in another, to some of its own size.
bool is_inside(const Box& inner, const Box& outer, double scale) {
  constexpr double room = 0.02;
  const double off = room * size(inner);
  for (std::size_t k = 0; k < 3; ++k)
    if (inner.lower[k] < scale * outer.lower[k] - off || inner.upper[k] > scale * outer.upper[k] + off) return false;
  return true;
}

/// Whether two boxes are the same but for a factor.
bool is_same(const Box& a, const Box& b, double scale) {
  const Box scaled{times(scale, b.lower), times(scale, b.upper)};
  return is_inside(a, scaled, 1) && is_inside(scaled, a, 1);
}

constexpr double units[] = {1e-3, 1e3, 1e-2, 1e2, 0.1, 10, 25.4, 1 / 25.4, 0.0254, 1 / 0.0254, 0.3048, 1 / 0.3048};

/// A usual factor between units that makes the CAD as large as the walls; nothing where there is none.
std::string fitting_scale(const Box& walls, const Box& cad, double given) {
  const double ratio = size(walls) / size(cad);
  for (const double factor : units)
    if (is_same(walls, cad, factor)) return fmt::format("set mesh.cad.scale = {:g}", factor * given);
  return fmt::format(
      "give the file of this body, or its lengths: set mesh.cad.scale = {:.3g} where the walls are all of it",
      ratio * given);
}

void check_boxes(const case_file::MeshSettings& settings, const mesh::Mesh& mesh, const cad::Model& model) {
  const Box walls = flattened(box_of_walls(settings, mesh), mesh.dimension),
            cad = flattened(model.box(), mesh.dimension);
  const bool other_unit =
      std::any_of(std::begin(units), std::end(units), [&](double factor) { return is_same(walls, cad, factor); });
  if (is_inside(walls, cad, 1) && !other_unit) return;
  throw InputError(
      settings.cad->place,
      fmt::format("the boundaries that follow the CAD reach from {} to {}, but {} (unit {}) from {} to {}: {}",
                  mesh::to_text(walls.lower, 3), mesh::to_text(walls.upper, 3), model.file(), model.unit(),
                  mesh::to_text(cad.lower, 3), mesh::to_text(cad.upper, 3),
                  fitting_scale(walls, cad, settings.cad->scale)));
}

}  // namespace

std::shared_ptr<const cad::Model> load_cad(const case_file::MeshSettings& settings, const mesh::Mesh& mesh) {
  const bool follows = std::any_of(settings.curves.begin(), settings.curves.end(),
                                   [](const case_file::CurveSettings& c) { return c.shape == "cad"; });
  if (!follows || !settings.cad) return nullptr;
  auto model = cad::load(settings.cad->file, {.scale = settings.cad->scale});
  check_boxes(settings, mesh, *model);
  return model;
}

}  // namespace galerna::solver
