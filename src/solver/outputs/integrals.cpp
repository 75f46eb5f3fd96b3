#include "solver/outputs/integrals.hpp"

#include <fmt/format.h>

#include <cmath>

#include "case/output_names.hpp"

namespace galerna::solver {

std::vector<case_file::Formula> report_integrands(const case_file::Settings& settings) {
  const case_file::EquationSettings& equations = settings.equations;
  case_file::Formula::Names names = case_file::output_names({}, equations);
  std::vector<std::string> texts = equations.variables;
  if (equations.gas) {
    const char* third = equations.dimension == 3 ? " + momentum_z^2" : "";
    texts.push_back(fmt::format("0.5*(momentum_x^2 + momentum_y^2{})/density", third));
  }
  if (settings.output.entropy) {
    const case_file::OutputSettings::Entropy& reference = *settings.output.entropy;
    names.constants["reference"] = reference.pressure / std::pow(reference.density, equations.gamma);
    texts.insert(texts.end(), {"abs(entropy/reference - 1)", "(entropy/reference - 1)^2"});
  }
  std::vector<case_file::Formula> formulas;
  for (const std::string& text : texts) formulas.push_back(case_file::Formula::parse(text, {}, names));
  return formulas;
}

void report_integrals(files::Report& report, const FlowState& flow, const std::vector<double>& values) {
  const case_file::Settings& settings = flow.settings();
  const std::vector<double> of_formulas = flow.formula_integrals();
  for (std::size_t i = 0; i < of_formulas.size(); ++i)
    report.integrals.emplace_back(settings.output.integrals[i].name, of_formulas[i]);
  if (!settings.equations.gas) return;
  const std::size_t variables = settings.equations.variables.size();
  report.kinetic_energy = values[variables];
  if (!settings.output.entropy) return;
  const double domain = flow.discretization().domain_measure(), l1 = values[variables + 1], l2 = values[variables + 2];
  report.entropy_error = {
      {"l1", l1}, {"l2", std::sqrt(l2)}, {"l1_normalized", l1 / domain}, {"l2_normalized", std::sqrt(l2 / domain)}};
}

}  // namespace galerna::solver
