#include "solver/integrals.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "analysis/integrals.hpp"
#include "solver/fields.hpp"

namespace galerna::solver {
namespace {

analysis::FieldSet kinetic_energy(int dimension) {
  const auto evaluate = [dimension](const double* u, double* values) {
    values[0] = 0;
    for (int d = 0; d < dimension; ++d) values[0] += 0.5 * u[1 + d] * u[1 + d] / u[0];
  };
  return {{"kinetic_energy"}, evaluate};
}

/// |s − 1| and (s − 1)², s = p/ρ^γ over that of the reference state.
analysis::FieldSet entropy_differences(int dimension, double gamma,
                                       const case_file::OutputSettings::Entropy& reference) {
  const double entropy = reference.pressure / std::pow(reference.density, gamma);
  const auto evaluate = [dimension, gamma, entropy](const double* u, double* values) {
    const double difference = euler_pressure(u, dimension, gamma) / std::pow(u[0], gamma) / entropy - 1;
    values[0] = std::abs(difference);
    values[1] = difference * difference;
  };
  return {{"absolute", "square"}, evaluate};
}

}  // namespace

std::vector<double> formula_integrals(const case_file::Settings& settings, const analysis::Solution& solution) {
  const std::size_t count = solution.variables.size();
  const auto dimension = static_cast<std::size_t>(settings.equations.dimension);
  // Those of one place together: the domain (no name), regions, boundaries.
  std::map<std::optional<std::string>, analysis::FieldSet> inside;
  std::map<std::string, std::vector<analysis::FurtherField>> along;
  for (const case_file::OutputSettings::Integral& integral : settings.output.integrals) {
    const analysis::FurtherField integrand = {
        integral.name, true, integral.formula.uses_values(count, (1 + dimension) * count), integral.formula.at_point()};
    (integral.boundary ? along[*integral.boundary] : inside[integral.region].further).push_back(integrand);
  }
  std::map<std::string, double> values;
  for (const auto& [region, integrands] : inside) {
    const std::vector<double> results = analysis::integrals(solution, integrands, region);
    for (std::size_t i = 0; i < results.size(); ++i) values[integrands.further[i].name] = results[i];
  }
  for (const auto& [boundary, integrands] : along) {
    const std::vector<double> results = analysis::boundary_integrals(solution, boundary, integrands);
    for (std::size_t i = 0; i < results.size(); ++i) values[integrands[i].name] = results[i];
  }
  std::vector<double> result;
  for (const case_file::OutputSettings::Integral& integral : settings.output.integrals)
    result.push_back(values.at(integral.name));
  return result;
}

void report_integrals(files::Report& report, const case_file::Settings& settings, const analysis::Solution& solution,
                      double domain) {
  const std::vector<double> of_formulas = formula_integrals(settings, solution);
  for (std::size_t i = 0; i < of_formulas.size(); ++i)
    report.integrals.emplace_back(settings.output.integrals[i].name, of_formulas[i]);
  if (!settings.equations.gas) return;
  const int dimension = solution.mesh->dimension;
  report.kinetic_energy = analysis::integrals(solution, kinetic_energy(dimension))[0];
  if (!settings.output.entropy) return;
  const std::vector<double> norms =
      analysis::integrals(solution, entropy_differences(dimension, settings.equations.gamma, *settings.output.entropy));
  report.entropy_error = {{"l1", norms[0]},
                          {"l2", std::sqrt(norms[1])},
                          {"l1_normalized", norms[0] / domain},
                          {"l2_normalized", std::sqrt(norms[1] / domain)}};
}

}  // namespace galerna::solver
