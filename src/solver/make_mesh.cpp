#include "solver/make_mesh.hpp"

#include <stdexcept>

#include "case/reader.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/curve.hpp"
#include "mesh/prepare.hpp"
#include "mesh/read.hpp"
#include "mesh/refine.hpp"
#include "mesh/round_surface.hpp"
#include "mesh/snap.hpp"

namespace galerna::solver {
namespace {

mesh::Curves make_curves(const case_file::MeshSettings& settings) {
  mesh::Curves curves;
  for (const case_file::CurveSettings& c : settings.curves) {
    try {
      const auto edge = c.closed ? mesh::TrailingEdge::closed : mesh::TrailingEdge::blunt;
      curves[c.boundary] = c.shape == "circle"  ? mesh::make_circle(c.place_of, c.size)
                           : c.shape == "naca4" ? mesh::make_naca4(c.code, c.size, c.place_of, edge)
                                                : mesh::make_spline(c.points, c.closed);
    } catch (const std::invalid_argument& error) {
      throw InputError(c.place, error.what());
    }
  }
  return curves;
}

mesh::Snap make_snap(const case_file::MeshSettings& settings) {
  mesh::Snap snap;
  for (const auto& [boundary, surface] : settings.snap) {
    const auto& [kind, point, direction, radius] = surface;
    snap.emplace(boundary, kind == "circle"   ? mesh::RoundSurface::circle(point, radius)
                           : kind == "sphere" ? mesh::RoundSurface::sphere(point, radius)
                                              : mesh::RoundSurface::cylinder(point, direction, radius));
  }
  return snap;
}

}  // namespace

mesh::Mesh make_mesh(const case_file::Settings& settings, const std::function<void(MeshStage)>& stage) {
  const auto enter = [&](MeshStage next) {
    if (stage) stage(next);
  };
  enter(MeshStage::read);
  mesh::Mesh mesh = mesh::read(settings.mesh.file);
  enter(MeshStage::refine);
  const mesh::Curves curves = make_curves(settings.mesh);
  const mesh::Snap snap = make_snap(settings.mesh);
  if (settings.mesh.refine > 0) mesh = mesh::refine(mesh, settings.mesh.refine, snap, curves);
  if (settings.mesh.surface_order > 1) mesh = mesh::curve(mesh, snap, settings.mesh.surface_order);
  if (!curves.empty()) mesh = mesh::curve(mesh, curves, settings.mesh.geometry_order);
  enter(MeshStage::prepare);
  mesh::PrepareOptions options;
  for (const auto& pair : settings.mesh.periodic)
    options.periodic.push_back({pair.from, pair.to, pair.translation, pair.place});
  options.plates.emplace();
  for (const case_file::BoundarySettings& boundary : settings.boundaries)
    if (boundary.plate) options.plates->push_back(boundary.name);
  mesh::prepare(mesh, options);
  return mesh;
}

std::vector<Problem> check_boundaries(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                      const std::vector<std::string>& periodic) {
  std::vector<Problem> problems = case_file::check_boundaries(settings, mesh::boundary_names(mesh), periodic);
  if (const std::string text = mesh::describe_unnamed(mesh); !text.empty()) problems.push_back({{mesh.file}, text});
  return problems;
}

}  // namespace galerna::solver
