#include "solver/outputs/fields.hpp"

#include <algorithm>
#include <cmath>

namespace galerna::solver {

static constexpr const char* axes[] = {"x", "y", "z"};

/// The variables themselves.
static analysis::FieldSet variable_fields(const std::vector<std::string>& variables) {
  return {variables, [count = variables.size()](const double* u, double* values) { std::copy_n(u, count, values); }};
}

double euler_pressure(const double* u, int dimension, double gamma) {
  double square = 0;
  for (int d = 0; d < dimension; ++d) square += u[1 + d] * u[1 + d];
  return (gamma - 1) * (u[dimension + 1] - 0.5 * square / u[0]);
}

double viscosity(const case_file::EquationSettings::Viscous& gas, double temperature) {
  if (!gas.sutherland) return gas.mu;
  const double r = gas.reference_temperature, s = gas.sutherland_temperature;
  return gas.mu * std::pow(temperature / r, 1.5) * (r + s) / (temperature + s);
}

analysis::FieldSet euler_fields(int dimension, double gamma) {
  analysis::FieldSet fields;
  fields.names = {"density"};
  for (int d = 0; d < dimension; ++d) fields.names.push_back(std::string("velocity_") + axes[d]);
  for (const char* name : {"pressure", "mach", "temperature", "entropy"}) fields.names.push_back(name);
  for (int d = 0; d < dimension; ++d) fields.names.push_back(std::string("momentum_") + axes[d]);
  fields.names.push_back("energy");
  fields.evaluate = [dimension, gamma](const double* u, double* values) {
    const double density = u[0], pressure = euler_pressure(u, dimension, gamma);
    double square = 0;
    *values++ = density;
    for (int d = 0; d < dimension; ++d) {
      *values++ = u[1 + d] / density;
      square += u[1 + d] * u[1 + d] / (density * density);
    }
    *values++ = pressure;
    *values++ = std::sqrt(square / (gamma * pressure / density));
    *values++ = pressure / density;
    *values++ = pressure / std::pow(density, gamma);
    for (int d = 0; d < dimension; ++d) *values++ = u[1 + d];
    *values++ = u[dimension + 1];
  };
  return fields;
}

analysis::FieldSet case_fields(const case_file::Settings& settings) {
  const case_file::EquationSettings& equations = settings.equations;
  // On polytopes the mesh alone knows the dimension.
  const auto directions = static_cast<std::size_t>(settings.polytopic ? 3 : equations.dimension);
  analysis::FieldSet own =
      equations.gas ? euler_fields(equations.dimension, equations.gamma) : variable_fields(equations.variables);
  const std::size_t count = equations.variables.size();
  for (const case_file::OutputSettings::Field& field : settings.output.fields)
    own.further.push_back({field.name, field.listed, field.formula.uses_values(count, (1 + directions) * count),
                           field.formula.at_point()});
  if (!settings.shock) return own;
  const case_file::ShockSettings& shock = *settings.shock;
  const auto add = [&own](const char* name) {
    if (own.find(name) < 0) own.of_elements.push_back(name);  // a field of the case's own comes first
  };
  const bool filters = shock.method == "filter", viscous = shock.method == "viscosity";
  if (filters || viscous || shock.limiter == "hierarchical") add("sensor");
  if (viscous) add("viscosity");
  if (filters) add("filter");
  return own;
}

std::string needed_by_shock_field(const std::string& name) {
  if (name == "sensor") return "shock.method = filter or viscosity, or the hierarchical limiter";
  if (name == "viscosity" || name == "filter") return "shock.method = " + name;
  return "";
}

bool shows_shock_fields(const case_file::Settings& settings) {
  const std::vector<std::string> known = case_fields(settings).of_elements;
  const auto shown = [&](const std::string& name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  const auto any = [&](const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), shown);
  };
  const case_file::OutputSettings& output = settings.output;
  return any(output.solution_fields) ||
         std::any_of(output.probes.begin(), output.probes.end(),
                     [&](const auto& probe) { return any(probe.fields); }) ||
         std::any_of(output.pictures.begin(), output.pictures.end(),
                     [&](const auto& picture) { return shown(picture.field); });
}

Diagnostics diagnostics(const case_file::EquationSettings& equations) {
  Diagnostics result;
  if (!equations.gas) {
    result.flow = variable_fields(equations.variables);
    return result;
  }
  const double gamma = equations.gamma;
  const int dimension = equations.dimension;
  result.positive = {{"density", "pressure"}, [dimension, gamma](const double* u, double* values) {
                       values[0] = u[0];
                       values[1] = euler_pressure(u, dimension, gamma);
                     }};
  result.flow = {{"density", "pressure"}, [dimension, gamma](const double* u, double* values) {
                   values[0] = u[0];
                   values[1] = euler_pressure(u, dimension, gamma);
                   for (int d = 0; d < dimension; ++d) values[2 + d] = u[1 + d] / u[0];
                 }};
  for (int d = 0; d < dimension; ++d) result.flow.names.push_back(std::string("velocity_") + "xyz"[d]);
  result.wave_speed = [dimension, gamma](const double* u) {
    const double momentum = dimension == 2 ? std::hypot(u[1], u[2]) : std::hypot(u[1], u[2], u[3]);
    return momentum / u[0] + std::sqrt(gamma * euler_pressure(u, dimension, gamma) / u[0]);
  };
  if (equations.viscous)
    result.diffusivity = [dimension, gamma, gas = *equations.viscous](const double* u) {
      const double temperature = euler_pressure(u, dimension, gamma) / u[0];
      return std::max(4.0 / 3, gamma / gas.prandtl) * viscosity(gas, temperature) / u[0];
    };
  return result;
}

}  // namespace galerna::solver
