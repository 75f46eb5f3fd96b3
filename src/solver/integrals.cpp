#include "solver/integrals.hpp"

#include <cmath>

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

void report_integrals(files::Report& report, const FlowState& flow, const analysis::Solution& solution) {
  const case_file::Settings& settings = flow.settings();
  const std::vector<double> of_formulas = flow.formula_integrals();
  for (std::size_t i = 0; i < of_formulas.size(); ++i)
    report.integrals.emplace_back(settings.output.integrals[i].name, of_formulas[i]);
  if (!settings.equations.gas) return;
  const int dimension = solution.mesh->dimension;
  report.kinetic_energy = analysis::integrals(solution, kinetic_energy(dimension))[0];
  if (!settings.output.entropy) return;
  const double domain = flow.discretization().domain_measure();
  const std::vector<double> norms =
      analysis::integrals(solution, entropy_differences(dimension, settings.equations.gamma, *settings.output.entropy));
  report.entropy_error = {{"l1", norms[0]},
                          {"l2", std::sqrt(norms[1])},
                          {"l1_normalized", norms[0] / domain},
                          {"l2_normalized", std::sqrt(norms[1] / domain)}};
}

}  // namespace galerna::solver
