#include "solver/given_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "base/index.hpp"
#include "base/toml_key.hpp"
#include "base/vectors.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/geometry.hpp"
#include "mesh/side_key.hpp"
#include "solver/given_state.hpp"
#include "solver/outputs/fields.hpp"

namespace galerna::solver {
namespace {

using mesh::Point;

/// Of a side, straight between its corners; as long as the side, or twice its area in space.
Point outward_normal(const mesh::Mesh& mesh, const mesh::Side& side) {
  std::vector<Point> x;
  for (const mesh::Index corner : mesh::corners_of(mesh, side)) x.push_back(mesh.nodes[at(corner)]);
  // A side of four corners has the normal of the parallelogram of its diagonals.
  const Point along = minus(x.size() == 4 ? x[2] : x[1], x[0]);
  const Point normal = x.size() == 2 ? Point{along[1], -along[0], 0}
                                     : cross(along, x.size() == 4 ? minus(x[3], x[1]) : minus(x[2], x[0]));
  const bool inward = dot(normal, minus(mesh::centroid(mesh, side.element), x[0])) > 0;
  return times(inward ? -1 : 1, normal);
}

struct Found {
  double share = 0, area = 0;  ///< of the sides and of their area
  double least = std::numeric_limits<double>::infinity();
  Point place{};  ///< of the least
};

/// At the centres of the sides of a boundary. \param entering what must be above `bound`, by place and outward normal
Found find(const mesh::Mesh& mesh, const std::string& boundary, double bound,
           const std::function<double(const Point& x, const Point& normal)>& entering) {
  const std::vector<mesh::Side>& sides = mesh::find_boundary(mesh, boundary).sides;
  Found found;
  double area = 0;
  for (const mesh::Side& side : sides) {
    const Point x = mesh::side_centre(mesh, side), normal = outward_normal(mesh, side);
    const double value = entering(x, unit(normal));
    area += norm(normal);
    if (!(value > bound)) found.share += 1 / static_cast<double>(sides.size()), found.area += norm(normal);
    if (value < found.least) found.least = value, found.place = x;
  }
  found.area /= area;
  return found;
}

/// Of the keys NAME_x, NAME_y and, in space, NAME_z at t = 0.
Point vector_at(const mesh::Mesh& mesh, const case_file::BoundarySettings& boundary, const std::string& name,
                const Point& x) {
  constexpr std::array<const char*, 3> axes = {"_x", "_y", "_z"};
  Point vector{};
  for (std::size_t k = 0; k < at(mesh.dimension); ++k)
    vector[k] = boundary.values.at(name + axes[k])(x[0], x[1], x[2], 0);
  return vector;
}

files::Report::Warning warning_of(const case_file::BoundarySettings& boundary, const char* name, const Found& found,
                                  const std::string& message) {
  return {name,
          "boundary." + boundary.name,
          fmt::format("[boundary.{}] is a {}, but {}", toml_key(boundary.name), boundary.type, message),
          {{"share", found.share}}};
}

}  // namespace

std::vector<files::Report::Warning> direction_warnings(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  constexpr double along = 1e-6;  // the sine of an angle that is rounding
  std::vector<files::Report::Warning> warnings;
  for (const case_file::BoundarySettings& boundary : settings.boundaries) {
    if (boundary.type != "subsonic-inflow") continue;
    const Found found = find(mesh, boundary.name, along, [&](const Point& x, const Point& normal) {
      const Point direction = vector_at(mesh, boundary, "direction", x);
      return -dot(direction, normal) / norm(direction);
    });
    if (found.share > 0)
      warnings.push_back(warning_of(
          boundary, "direction-out-of-domain", found,
          fmt::format("its direction does not point into the domain at {:.3g} % of its sides, such as that at {}: turn "
                      "direction_x and the others round, or let them follow the boundary by formulas",
                      100 * found.share, mesh::to_text(found.place, mesh.dimension))));
  }
  return warnings;
}

std::vector<files::Report::Warning> supersonic_warnings(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                                        bool restarts) {
  constexpr double sonic = 1 - 1e-6;
  const double layers = settings.equations.viscous ? 0.1 : 0;  // along walls a profile is subsonic
  std::vector<files::Report::Warning> warnings;
  if (!settings.equations.gas) return warnings;
  for (const case_file::BoundarySettings& boundary : settings.boundaries) {
    if (boundary.type != "supersonic-inflow" || !boundary.state) continue;
    if (restarts && depends_on_time(*boundary.state)) continue;
    const GivenState given(*boundary.state, settings.equations);
    const double gamma = settings.equations.gamma;
    const Found found = find(mesh, boundary.name, sonic, [&](const Point& x, const Point& normal) {
      std::vector<double> u(settings.equations.variables.size());
      given.evaluate(x, 0, u.data());
      given.make_conservative(u.data());
      double flow = 0;
      for (std::size_t k = 0; k < at(mesh.dimension); ++k) flow -= u[1 + k] * normal[k];
      return flow / (u[0] * std::sqrt(gamma * euler_pressure(u.data(), mesh.dimension, gamma) / u[0]));
    });
    if (!(found.area > layers)) continue;
    warnings.push_back(warning_of(
        boundary, "subsonic-at-supersonic-inflow", found,
        fmt::format("the given state does not enter faster than sound at {:.3g} % of its sides (least normal Mach "
                    "number inwards {:.3g}, t = 0); what arrives from inside is not let out there: use far-field or "
                    "subsonic-inflow",
                    100 * found.share, found.least)));
    warnings.back().numbers["least_normal_mach"] = found.least;
    warnings.back().numbers["time"] = 0;
  }
  return warnings;
}

std::vector<files::Report::Warning> sliding_warnings(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  constexpr double much = 0.05;  // the straight sides of a turning body are off by less
  std::vector<files::Report::Warning> warnings;
  for (const case_file::BoundarySettings& boundary : settings.boundaries) {
    if (!boundary.type.starts_with("moving-wall")) continue;
    const Found found = find(mesh, boundary.name, -much, [&](const Point& x, const Point& normal) {
      const Point velocity = vector_at(mesh, boundary, "velocity", x);
      const double speed = norm(velocity);
      return speed > 0 ? -std::abs(dot(velocity, normal)) / speed : 0;
    });
    if (found.share > 0)
      warnings.push_back(warning_of(
          boundary, "wall-velocity-across-wall", found,
          fmt::format(
              "its velocity is not along the wall at {:.3g} % of its sides, such as that at {}: walls only slide, "
              "and the part across is left out. For flow through it take an inflow or outflow",
              100 * found.share, mesh::to_text(found.place, mesh.dimension))));
  }
  return warnings;
}

}  // namespace galerna::solver
