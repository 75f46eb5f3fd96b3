#include "solver/curved_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.hpp"
#include "base/phases.hpp"
#include "cad/cad_surface.hpp"
#include "curving/curve_walls.hpp"
#include "curving/refine_walls.hpp"
#include "mesh/curve.hpp"
#include "mesh/geometry.hpp"
#include "mesh/periodic.hpp"
#include "mesh/read.hpp"
#include "mesh/refine.hpp"
#include "mesh/round_surface.hpp"
#include "mesh/snap.hpp"
#include "solver/load_cad.hpp"

namespace galerna::solver {
namespace {

using case_file::CurveSettings;
using case_file::MeshSettings;

std::shared_ptr<const mesh::PlaneCurve> make_plane_curve(const CurveSettings& c) {
  const auto edge = c.closed ? mesh::TrailingEdge::closed : mesh::TrailingEdge::blunt;
  return c.shape == "circle"  ? mesh::make_circle(c.place_of, c.size)
         : c.shape == "naca4" ? mesh::make_naca4(c.code, c.size, c.place_of, edge)
                              : mesh::make_spline(c.points, c.closed);
}

/// \param model null where no boundary follows CAD
std::shared_ptr<const mesh::Surface> make_surface(const CurveSettings& c,
                                                  const std::shared_ptr<const cad::Model>& model, int dimension) {
  if (c.shape == "cad" && dimension == 2) return cad::make_plane_surface(model);
  if (c.shape == "cad") return cad::make_surface(model, c.faces);
  return std::make_shared<mesh::RoundSurface>(c.shape == "sphere"
                                                  ? mesh::RoundSurface::sphere(c.place_of, c.size)
                                                  : mesh::RoundSurface::cylinder(c.place_of, c.direction, c.size));
}

bool is_in_space(const CurveSettings& c) {
  return c.shape == "sphere" || c.shape == "cylinder";
}

/// The shapes of [mesh.curve.NAME], in the plane and in space.
struct Shapes {
  mesh::Curves curves;
  mesh::Surfaces surfaces;
};

Shapes make_shapes(const MeshSettings& settings, const mesh::Mesh& mesh) {
  Shapes shapes;
  const auto model = load_cad(settings, mesh);
  for (const CurveSettings& c : settings.curves) {
    if (c.shape != "cad" && is_in_space(c) != (mesh.dimension == 3))
      throw InputError(c.place, fmt::format("shape = \"{}\" is for meshes in {}: {}", c.shape,
                                            is_in_space(c) ? "space" : "the plane",
                                            is_in_space(c) ? "in the plane give circle, naca4, spline or cad"
                                                           : "in space give sphere, cylinder or cad"));
    try {
      if (is_in_space(c) || c.shape == "cad")
        shapes.surfaces[c.boundary] = make_surface(c, model, mesh.dimension);
      else
        shapes.curves[c.boundary] = make_plane_curve(c);
    } catch (const std::invalid_argument& error) {
      throw InputError(c.place, error.what());
    }
  }
  return shapes;
}

mesh::Surfaces all_of(const Shapes& shapes) {
  mesh::Surfaces all = shapes.surfaces;
  all.insert(shapes.curves.begin(), shapes.curves.end());
  return all;
}

mesh::Snap make_snap(const std::map<std::string, case_file::Surface>& surfaces) {
  mesh::Snap snap;
  for (const auto& [boundary, surface] : surfaces) {
    const auto& [kind, point, direction, radius] = surface;
    snap.emplace(boundary, kind == "circle"   ? mesh::RoundSurface::circle(point, radius)
                           : kind == "sphere" ? mesh::RoundSurface::sphere(point, radius)
                                              : mesh::RoundSurface::cylinder(point, direction, radius));
  }
  return snap;
}

/// Periodic boundaries that the case names must be known before their elements follow a wall.
void join_periodic(mesh::Mesh& mesh, const MeshSettings& settings) {
  constexpr double tolerance = 1e-6;
  std::vector<mesh::PeriodicPair> pairs;
  for (const auto& pair : settings.periodic) pairs.push_back({pair.from, pair.to, pair.translation, pair.place});
  mesh::join_periodic(mesh, pairs, tolerance * mesh::extent(mesh));
}

CurvedMesh follow_walls(mesh::Mesh mesh, const MeshSettings& settings, const mesh::Surfaces& surfaces) {
  const case_file::ElasticitySettings elasticity = settings.elasticity.value_or(case_file::ElasticitySettings{});
  join_periodic(mesh, settings);
  curving::Curved curved = curving::curve_walls(mesh, surfaces,
                                                {.order = settings.geometry_order,
                                                 .layers = elasticity.layers,
                                                 .poisson = elasticity.poisson,
                                                 .split = elasticity.split});
  std::string text = curving::describe(curved);
  const std::size_t held = curved.report.held.size();
  return {std::move(curved.mesh), {std::move(text), held}, std::move(curved.report.held)};
}

}  // namespace

mesh::GmshNotes notes_of(const CurvedMesh& curved, std::string comment) {
  mesh::GmshNotes notes{std::move(comment), "distance from the shape", {}};
  for (const curving::HeldNode& held : curved.held) notes.at_nodes.emplace_back(held.node, held.distance);
  return notes;
}

CurvedMesh make_curved_mesh(const MeshSettings& settings, const std::function<void(MeshStage)>& enter) {
  enter(MeshStage::read);
  mesh::Mesh mesh = [&] {
    const Phase phase("reading the mesh");
    return mesh::read(settings.file);
  }();
  mesh::check_corners(mesh, make_snap(settings.round));
  enter(MeshStage::refine);
  const Shapes shapes = make_shapes(settings, mesh);
  const mesh::Snap snap = make_snap(settings.snap);
  for (int level = 0; level < settings.refine && !shapes.surfaces.empty(); ++level)
    mesh = curving::refine_walls(mesh, all_of(shapes), snap);
  if (shapes.surfaces.empty() && settings.refine > 0) mesh = mesh::refine(mesh, settings.refine, snap, shapes.curves);
  const Phase phase("curving the mesh");
  if (settings.surface_order > 1 && !snap.empty()) mesh = mesh::curve(mesh, snap, settings.surface_order);
  if (!shapes.surfaces.empty() || (settings.elasticity && !shapes.curves.empty()))
    return follow_walls(std::move(mesh), settings, all_of(shapes));
  if (!shapes.curves.empty()) mesh = mesh::curve(mesh, shapes.curves, settings.geometry_order);
  return {std::move(mesh), {}, {}};
}

}  // namespace galerna::solver
