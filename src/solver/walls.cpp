#include "solver/walls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "case/registry.hpp"
#include "output/reverse_flow.hpp"
#include "solver/fields.hpp"

namespace galerna::solver {

double viscosity(const case_file::EquationSettings::Viscous& gas, double temperature) {
  if (!gas.sutherland) return gas.mu;
  const double r = gas.reference_temperature, s = gas.sutherland_temperature;
  return gas.mu * std::pow(temperature / r, 1.5) * (r + s) / (temperature + s);
}

std::vector<std::string> wall_names(const case_file::Settings& settings) {
  std::vector<std::string> names;
  for (const case_file::BoundarySettings& boundary : settings.boundaries)
    if (case_file::find_entry(case_file::boundary_types(), boundary.type)->wall) names.push_back(boundary.name);
  return names;
}

output::Traction traction(const case_file::EquationSettings& equations) {
  return
      [gas = *equations.viscous, gamma = equations.gamma](const double* u, const double* g, std::array<double, 2> n) {
        double rate[2][2];  // ∂v_i/∂x_j
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j) rate[i][j] = (g[4 * j + 1 + i] - u[1 + i] / u[0] * g[4 * j]) / u[0];
        const double mu = viscosity(gas, euler_pressure(u, 2, gamma) / u[0]);
        const double divergence = rate[0][0] + rate[1][1], shear = rate[0][1] + rate[1][0];
        return std::array<double, 2>{mu * ((2 * rate[0][0] - 2.0 / 3 * divergence) * n[0] + shear * n[1]),
                                     mu * (shear * n[0] + (2 * rate[1][1] - 2.0 / 3 * divergence) * n[1])};
      };
}

output::WallModel wall_model(const case_file::Settings& settings, const std::string& name) {
  output::WallModel model;
  model.pressure = [gamma = settings.equations.gamma](const double* u) { return euler_pressure(u, 2, gamma); };
  const auto boundary = std::find_if(settings.boundaries.begin(), settings.boundaries.end(),
                                     [&](const case_file::BoundarySettings& b) { return b.name == name; });
  const bool sticks = boundary != settings.boundaries.end() &&
                      case_file::find_entry(case_file::boundary_types(), boundary->type)->viscous;
  if (sticks && settings.equations.viscous) model.traction = traction(settings.equations);
  return model;
}

std::optional<output::Reference> reference(const case_file::Settings& settings) {
  if (!settings.output.forces) return {};
  const auto& f = *settings.output.forces;
  return output::Reference{f.density, f.velocity, f.length, f.pressure, f.angle_of_attack, f.moment_centre};
}

void report_walls(output::Report& report, const case_file::Settings& settings, const output::Solution& solution) {
  const std::optional<output::Reference> values = reference(settings);
  const auto centre = values ? values->moment_centre : std::array<double, 2>{0, 0};
  output::WallForce all;
  for (const std::string& name : wall_names(settings)) {
    const output::WallModel model = wall_model(settings, name);
    output::Report::Force wall{name, output::wall_force(solution, name, model, centre)};
    if (values) wall.coefficients = output::coefficients(wall.force, *values);
    if (model.traction) wall.separation = output::separation_points(output::sample_wall(solution, name, model));
    for (std::size_t d = 0; d < 3; ++d) {
      all.pressure[d] += wall.force.pressure[d];
      all.viscous[d] += wall.force.viscous[d];
    }
    all.pressure_moment += wall.force.pressure_moment;
    all.viscous_moment += wall.force.viscous_moment;
    report.forces.push_back(std::move(wall));
  }
  if (!settings.output.bubbles.empty()) {
    const output::PointLocator locator(*solution.mesh);
    for (const auto& line : settings.output.bubbles)
      report.bubbles[line.name] =
          output::reverse_flow_length(solution, locator, line.point, line.end.value_or(line.point), line.count);
  }
  if (values && !report.forces.empty()) report.all_coefficients = output::coefficients(all, *values);
}

void write_walls(const case_file::Settings& settings, const output::Solution& solution) {
  const std::optional<output::Reference> values = reference(settings);
  if (!values) return;
  for (const std::string& name : wall_names(settings))
    output::write_wall(output::sample_wall(solution, name, wall_model(settings, name)), values,
                       settings.output.directory / fmt::format("wall_{}.csv", name));
}

}  // namespace galerna::solver
