#include "solver/run/flow_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "solver/bench/structures.hpp"
#include "solver/outputs/integrals.hpp"
#include "solver/outputs/walls.hpp"

namespace galerna::solver {
namespace {

using kernels::Control;
using kernels::RunStatus;

void report_steps(files::Report::Time& time, const Control& control) {
  time.t = control.time;
  time.steps = static_cast<long>(control.steps);
  time.rejected = static_cast<long>(control.rejected);
  time.rhs_evaluations = static_cast<long>(control.rhs_evaluations);
  time.dt = control.dt;
}

/// \param end integrals of the variables now
void report_conservation(files::Report& report, const FlowState& flow, const RunHistory& history,
                         const std::vector<double>& end) {
  const std::vector<std::string>& variables = flow.discretization().spec().variables;
  const std::vector<double> start = history.start_integrals(), flux = flow.discretization().boundary_flux();
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const double defect = end[v] - start[v] + flux[v];
    report.conservation.push_back({variables[v], start[v], end[v], flux[v], defect});
    if (flow.discretization().spec().has_source()) report.conservation.back().source = defect;
  }
}

void report_errors(files::Report& report, const FlowState& flow, const std::vector<std::string>& variables) {
  const double domain = flow.discretization().domain_measure();
  const auto norms = flow.discretization().errors(flow.stepper().state(), flow.control().time);
  for (std::size_t v = 0; v < norms.size(); ++v)
    report.errors.push_back(
        {variables[v], norms[v].l1, norms[v].l2, norms[v].linf, norms[v].l1 / domain, norms[v].l2 / std::sqrt(domain)});
}

/// A flow that no step changes is steady by any criterion.
constexpr double no_change = std::numeric_limits<double>::min();

/// A report that calls a flow steady has the number that says so.
void require_met(const files::Report& report, const case_file::TimeSettings& time) {
  const auto within = [&](const char* by, const char* number, const std::optional<double>& limit) {
    const auto value = report.residual.find(number);
    return report.steady_by == by && limit && value != report.residual.end() && value->second <= *limit;
  };
  if (report.steady_by != "round-off floor" && !within("tolerance", "change", time.steady.value_or(no_change)) &&
      !within("residual", "relative", time.steady_residual) && !within("forces", "force_change", time.steady_forces))
    throw std::logic_error("a run ended as steady, but no criterion of it is met");
}

void report_steady(files::Report& report, const Control& control, const std::vector<std::string>& variables,
                   const SteadyWatch& watch, const case_file::TimeSettings& time) {
  report.residual["change"] = control.change;
  for (std::size_t v = 0; v < variables.size(); ++v) report.residual[variables[v]] = control.residual[v];
  if (const auto relative = watch.relative(control)) report.residual["relative"] = *relative;
  if (watch.force_change()) report.residual["force_change"] = *watch.force_change();
  if (report.status != "steady") return;
  if (control.status == static_cast<int>(RunStatus::steady_floor)) report.steady_by = "round-off floor";
  if (control.status == static_cast<int>(RunStatus::steady)) report.steady_by = "tolerance";
  if (!watch.met().empty()) report.steady_by = watch.met();
  require_met(report, time);
}

void report_limiter(files::Report& report, const FlowState& flow, const RunHistory& history) {
  const LimiterCounts counts = history.limiter(flow);
  const double all = std::max(counts.calls, 1.0) * static_cast<double>(flow.mesh().element_count());
  if (flow.discretization().spec().has_shock_viscosity()) {
    report.limiter = {{"viscosity", flow.discretization().share_of_shock_viscosity()},
                      {"frozen", static_cast<double>(flow.control().frozen)},
                      {"positivity", counts.positivity / all}};
    return;
  }
  const char* changed = flow.discretization().spec().filters() ? "filtered" : "slopes";
  report.limiter = {{changed, counts.slopes / all}, {"positivity", counts.positivity / all}};
}

}  // namespace

void report_progress(files::Report& report, const FlowState& flow, const RunHistory& history) {
  const case_file::Settings& settings = flow.settings();
  const dg::FlowOperator& discretization = flow.discretization();
  report.order = flow.degree();
  report.dof = discretization.degrees_of_freedom();
  report.structures = structures_of(discretization.plans());
  if (const auto parts = discretization.rank_parts())
    report.ranks = {parts->ranks,     parts->elements,   parts->copies,
                    parts->cut_sides, parts->neighbours, parts->transport};
  report_steps(report.time, flow.control());
  report.time.accurate = !settings.time.local;

  if (settings.time.seeks_steady())
    report_steady(report, flow.control(), discretization.spec().variables, history.steady(), settings.time);
  if (discretization.spec().limiter) report_limiter(report, flow, history);
  report.levels = history.sequence().finished();
}

void report_flow(files::Report& report, const FlowState& flow, const RunHistory& history, bool with_errors) {
  const case_file::Settings& settings = flow.settings();
  const std::vector<std::string>& variables = flow.discretization().spec().variables;
  const std::vector<double> integrals = flow.report_integrals();
  // With local steps there is no time over which fluxes through the boundary could be integrated.
  if (report.time.accurate) report_conservation(report, flow, history, integrals);
  if (settings.exact && with_errors) report_errors(report, flow, variables);
  history.means().report(report, flow.stepper());
  report_integrals(report, flow, integrals);
  report_walls(report, settings, flow.mesh(), Snapshot(flow).walls());
  if (!settings.output.bubbles.empty()) report_bubbles(report, settings, flow.solution());
}

std::vector<files::Report::Performance::Kernel> profile_kernels(time::Stepper& stepper) {
  const auto times = stepper.profile_step();
  double total = 0;
  for (const auto& [name, time] : times) total += time.seconds;
  std::vector<files::Report::Performance::Kernel> kernels;
  for (const auto& [name, time] : times) kernels.push_back({name, total > 0 ? time.seconds / total : 0, time.seconds});
  std::sort(kernels.begin(), kernels.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  return kernels;
}

}  // namespace galerna::solver
