#include "solver/outputs/walls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/reverse_flow.hpp"
#include "analysis/wall_friction.hpp"
#include "basis/turned_points.hpp"
#include "case/registry.hpp"
#include "files/boundary_surface.hpp"
#include "files/file_names.hpp"
#include "files/wall_csv.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/side_order.hpp"
#include "solver/outputs/fields.hpp"

namespace galerna::solver {
namespace {

/// Makes points of walls from what flows through the boundary.
class WallReader {
 public:
  /// All must outlive it.
  WallReader(const case_file::Settings& settings, const mesh::Mesh& mesh, const dg::FlowOperator& discretization,
             const dg::BoundaryFlow& flow)
      : mesh_(mesh),
        points_(discretization.boundary_points()),
        flow_(flow),
        discretization_(discretization),
        dimension_(settings.equations.dimension),
        variables_(settings.equations.variables.size()),
        gamma_(settings.equations.gamma) {}

  /// \param passes whether straight sides stand for a curved wall: the flow along that passes through them.
  analysis::Wall wall(std::size_t boundary, bool sticks, bool passes) const {
    analysis::Wall result{mesh_.boundaries[boundary].name, sticks, {}, {}};
    std::map<std::pair<Shape, int>, std::vector<int>> turned;  // of (side's shape, orientation)
    for (std::size_t f = 0; f < static_cast<std::size_t>(mesh_.boundary_faces); ++f) {
      if (mesh_.faces[f].boundary != static_cast<int>(boundary)) continue;
      const mesh::Side& side = mesh_.faces[f].left;
      const basis::Quadrature& rule = rule_of(f);
      result.rules.try_emplace(rule.shape, rule);
      result.sides.push_back({side, {}});
      const int orientation = mesh::side_orientation(mesh_, side);
      const auto [order, is_new] = turned.try_emplace({rule.shape, orientation});
      if (is_new) order->second = basis::turned_points(rule, orientation);
      for (const int q : order->second)
        result.sides.back().points.push_back(point(f, static_cast<std::size_t>(q), passes));
    }
    return result;
  }

 private:
  const basis::Quadrature& rule_of(std::size_t face) const {
    const mesh::Side& side = mesh_.faces[face].left;
    return discretization_.set_of(side.element).operators.side_rules[static_cast<std::size_t>(side.side)];
  }

  analysis::WallPoint point(std::size_t face, std::size_t q, bool passes) const {
    const std::size_t at = points_.first_point[face] + q;
    analysis::WallPoint result;
    for (std::size_t d = 0; d < 3; ++d) result.place[d] = points_.positions[3 * at + d];
    const std::array<double, 3> n = vector(points_.normals.data() + static_cast<std::size_t>(dimension_) * at);
    const double ds = length(n);  // and n is times ds
    for (std::size_t d = 0; d < 3; ++d) result.normal[d] = n[d] / ds;
    result.length = ds * rule_of(face).weights[q];
    set_flow(result, flow_.inside.data() + variables_ * at);
    result.pressure = vector(flow_.inviscid.data() + variables_ * at + 1);
    if (passes) {
      // The flux of momentum has what the fluid carries through the side: no force on the wall that the side stands
      // for.
      const double pressure = euler_pressure(flow_.inside.data() + variables_ * at, dimension_, gamma_);
      for (std::size_t d = 0; d < 3; ++d) result.pressure[d] = pressure * result.normal[d];
    }
    if (!flow_.viscous.empty()) set_friction(result, at);
    return result;
  }

  void set_flow(analysis::WallPoint& point, const double* u) const {
    const double pressure = euler_pressure(u, dimension_, gamma_);
    point.density = u[0];
    point.velocity = vector(u + 1);
    for (double& component : point.velocity) component /= u[0];
    point.temperature = pressure / u[0];
    point.mach = length(point.velocity) / std::sqrt(gamma_ * point.temperature);
  }

  /// F_v·n = (0, τn, v·τn − q·n) of the energy that enters the fluid.
  void set_friction(analysis::WallPoint& point, std::size_t at) const {
    const double *viscous = flow_.viscous.data() + variables_ * at, *u = flow_.viscous_state.data() + variables_ * at;
    double work = 0;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimension_); ++d) {
      point.friction[d] = -viscous[1 + d];
      work += u[1 + d] * viscous[1 + d];
    }
    point.heat = work / u[0] - viscous[variables_ - 1];
  }

  std::array<double, 3> vector(const double* from) const { return {from[0], from[1], dimension_ == 3 ? from[2] : 0}; }
  static double length(const std::array<double, 3>& v) {
    return v[2] == 0 ? std::hypot(v[0], v[1]) : std::hypot(v[0], v[1], v[2]);
  }

  const mesh::Mesh& mesh_;
  const dg::BoundaryPoints& points_;
  const dg::BoundaryFlow& flow_;
  const dg::FlowOperator& discretization_;
  int dimension_;
  std::size_t variables_;
  double gamma_;
};

/// What friction and heat do to the wall, of viscous flows.
void add_friction(files::BoundarySurface& surface, analysis::WallFriction friction,
                  const analysis::Reference& reference) {
  std::vector<mesh::Point> shear;
  std::vector<double> cf, heat;
  for (std::size_t face = 0; face < surface.sides.size(); ++face)
    for (const auto& at : friction.at(surface.sides[face], surface.reference_of(face))) {
      cf.push_back(at.along(surface.normals[shear.size()]) / reference.dynamic_pressure());
      shear.push_back(at.force);
      heat.push_back(at.heat);
    }
  surface.further.emplace_back("cf", std::move(cf));
  surface.further.emplace_back("heat_flux", std::move(heat));
  surface.vectors.emplace_back("shear", std::move(shear));
}

void add_pressure_coefficient(files::BoundarySurface& surface, const analysis::Reference& reference) {
  const auto pressure = std::find(surface.names.begin(), surface.names.end(), "pressure") - surface.names.begin();
  std::vector<double> cp;
  for (std::size_t q = 0; q < surface.places.size(); ++q)
    cp.push_back(reference.cp(surface.values[q * surface.names.size() + static_cast<std::size_t>(pressure)]));
  surface.further.emplace_back("cp", std::move(cp));
}

const case_file::BoundaryEntry* wall_type(const case_file::BoundarySettings& boundary) {
  const auto* type = case_file::find_entry(case_file::boundary_types(), boundary.type);
  return type->wall ? type : nullptr;
}

}  // namespace

std::vector<std::string> wall_names(const case_file::Settings& settings) {
  std::vector<std::string> names;
  if (!settings.equations.gas) return names;
  for (const case_file::BoundarySettings& boundary : settings.boundaries)
    if (wall_type(boundary)) names.push_back(boundary.name);
  return names;
}

std::vector<analysis::Wall> walls_of(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                     const dg::FlowOperator& discretization, const dg::BoundaryFlow& flow) {
  std::vector<analysis::Wall> walls;
  const WallReader reader(settings, mesh, discretization, flow);
  for (const case_file::BoundarySettings& boundary : settings.boundaries) {
    const auto* type = wall_type(boundary);
    if (!type) continue;
    const mesh::Boundary& at = mesh::find_boundary(mesh, boundary.name);
    walls.push_back(reader.wall(static_cast<std::size_t>(&at - mesh.boundaries.data()), type->viscous,
                                boundary.circle || boundary.curved));
  }
  return walls;
}

std::optional<analysis::Reference> reference(const case_file::Settings& settings) {
  if (!settings.output.forces) return {};
  const auto& f = *settings.output.forces;
  analysis::Reference reference{f.density, f.velocity, f.length, f.pressure, f.angle_of_attack, f.moment_centre};
  if (settings.equations.dimension == 3) reference.space = {f.area, f.stream, f.up};
  return reference;
}

std::vector<std::string> coefficient_names(const case_file::Settings& settings) {
  std::vector<std::string> walls = wall_names(settings), names;
  if (walls.empty() || !settings.output.forces) return names;
  walls.emplace_back("all");
  const auto safe = files::file_names(walls);
  for (const std::string& wall : walls)
    for (const char* what : {"cd", "cl", "cm"}) names.push_back(fmt::format("{}_{}", what, safe.at(wall)));
  return names;
}

std::vector<double> wall_coefficients(const case_file::Settings& settings, const std::vector<analysis::Wall>& walls) {
  std::vector<double> numbers;
  const std::optional<analysis::Reference> values = reference(settings);
  if (walls.empty() || !values) return numbers;
  const auto add = [&](const analysis::WallForce& force) {
    const analysis::ForceCoefficients k = analysis::coefficients(force, *values);
    numbers.insert(numbers.end(), {k.drag, k.lift, k.moment});
  };
  analysis::WallForce all;
  for (const analysis::Wall& wall : walls) {
    const analysis::WallForce force = analysis::wall_force(wall, values->moment_centre);
    add(force);
    all += force;
  }
  add(all);
  return numbers;
}

void report_walls(files::Report& report, const case_file::Settings& settings, const mesh::Mesh& mesh,
                  const std::vector<analysis::Wall>& walls) {
  const std::optional<analysis::Reference> values = reference(settings);
  const auto centre = values ? values->moment_centre : mesh::Point{};
  analysis::WallForce all;
  for (const analysis::Wall& points : walls) {
    files::Report::Force wall{points.name, analysis::wall_force(points, centre)};
    if (values) wall.coefficients = analysis::coefficients(wall.force, *values);
    if (points.sticks && mesh.dimension == 2)
      wall.separation = analysis::separation_points(analysis::sample_wall(mesh, points));
    all += wall.force;
    report.forces.push_back(std::move(wall));
  }
  if (values && !report.forces.empty()) report.all_coefficients = analysis::coefficients(all, *values);
}

void report_bubbles(files::Report& report, const case_file::Settings& settings, const analysis::Solution& solution) {
  const analysis::PointLocator locator(*solution.mesh);
  for (const auto& line : settings.output.bubbles)
    report.bubbles[line.name] =
        analysis::reverse_flow_length(solution, locator, line.point, line.end.value_or(line.point), line.count);
}

std::map<std::string, std::string> wall_files(const case_file::Settings& settings) {
  std::map<std::string, std::string> stems = files::file_names(wall_names(settings));
  for (auto& [wall, stem] : stems) stem.insert(0, "wall_");
  return stems;
}

void write_walls(const case_file::Settings& settings, const analysis::Solution& solution,
                 const std::vector<analysis::Wall>& walls) {
  const mesh::Mesh& mesh = *solution.mesh;
  const std::optional<analysis::Reference> values = reference(settings);
  if (!values) return;
  const auto stems = wall_files(settings);
  for (const analysis::Wall& wall : walls) {
    const auto file = settings.output.directory / (stems.at(wall.name) + ".csv");
    if (mesh.dimension == 3) {
      files::write_wall_in_space(wall, *values, file);
      files::BoundarySurface surface = files::sample_boundary(solution, wall.name);
      add_pressure_coefficient(surface, *values);
      if (settings.equations.viscous)
        add_friction(surface, analysis::WallFriction(mesh, wall, solution.degree), *values);
      files::write_boundary_vtu(surface, solution.time, std::filesystem::path(file).replace_extension("vtu"));
    } else {
      files::write_wall(analysis::sample_wall(mesh, wall), values, file);
    }
  }
}

}  // namespace galerna::solver
