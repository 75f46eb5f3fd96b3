#include "solver/fields.hpp"

#include <cmath>

namespace galerna::solver {

static constexpr const char* axes[] = {"x", "y", "z"};

std::vector<std::string> euler_variables(int dimension) {
  std::vector<std::string> names = {"density"};
  for (int d = 0; d < dimension; ++d) names.push_back(std::string("momentum_") + axes[d]);
  names.push_back("energy");
  return names;
}

double euler_pressure(const double* u, int dimension, double gamma) {
  double square = 0;
  for (int d = 0; d < dimension; ++d) square += u[1 + d] * u[1 + d];
  return (gamma - 1) * (u[dimension + 1] - 0.5 * square / u[0]);
}

output::FieldSet euler_fields(int dimension, double gamma) {
  output::FieldSet fields;
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

}  // namespace galerna::solver
