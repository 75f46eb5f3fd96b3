// What a Simulation reports when it is over.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/integrals.hpp"
#include "solver/integrals.hpp"
#include "solver/run_report.hpp"
#include "solver/simulation.hpp"
#include "solver/structures.hpp"
#include "solver/walls.hpp"

namespace galerna::solver {

using kernels::Control;
using kernels::RunStatus;

/// What comes after the last step and its outputs.
files::Report Simulation::finish(Ending ending) {
  if (ending == Ending::interrupted) {
    const WallClock::Scope timing(clock_, WallClock::Part::output);
    outputs_->write_checkpoint(checkpoint_now(), "interrupted");
    observer_.message(fmt::format("interrupted; continue with --restart {}",
                                  (outputs_->directory() / "checkpoint_interrupted.h5").string()));
  }
  clock_.enter(WallClock::Part::finish);
  observer_.working("integrals and errors");
  files::Report report = make_report(ending);
  if (ending == Ending::failed)
    write_failure(report);
  else if (ending != Ending::interrupted)
    profile_kernels(report.performance);
  clock_.report(report.time);
  files::write_report(report, outputs_->directory() / "report.json");
  return report;
}

files::Report Simulation::make_report(Ending ending) {
  const Control& control = stepper_->control();
  files::Report r = make_run_report(settings_, mesh_, *device_, options_.precision, memory_);
  r.status = ending == Ending::done          ? "done"
             : ending == Ending::steady      ? "steady"
             : ending == Ending::interrupted ? "interrupted"
             : ending == Ending::failed      ? "failed"
                                             : "step limit";
  r.order = discretization_->spec().degree;
  r.dof = discretization_->degrees_of_freedom();
  r.structures = structures_of(discretization_->sets());
  r.time.t = control.time;
  r.time.steps = static_cast<long>(control.steps);
  r.time.rejected = static_cast<long>(control.rejected);
  r.time.rhs_evaluations = static_cast<long>(control.rhs_evaluations);
  r.time.dt = control.dt;
  r.time.accurate = !settings_.time.local;
  r.performance.dof_per_second = work() / std::max(clock_.seconds(WallClock::Part::loop), 1e-12);

  const analysis::Solution now = solution();
  const std::vector<double> integrals = analysis::integrals(now), flux = discretization_->boundary_flux();
  const double domain = discretization_->domain_measure();
  // With local steps there is no time over which fluxes through the boundary could be integrated.
  for (std::size_t v = 0; v < now.variables.size() && r.time.accurate; ++v) {
    const double defect = integrals[v] - start_integrals_[v] + flux[v];
    r.conservation.push_back({now.variables[v], start_integrals_[v], integrals[v], flux[v], defect});
    if (discretization_->spec().has_source()) r.conservation.back().source = defect;
  }
  if (settings_.exact && ending != Ending::failed) {
    const auto norms = discretization_->errors(stepper_->state(), control.time);
    for (std::size_t v = 0; v < norms.size(); ++v)
      r.errors.push_back({now.variables[v], norms[v].l1, norms[v].l2, norms[v].linf, norms[v].l1 / domain,
                          norms[v].l2 / std::sqrt(domain)});
  }
  if (settings_.time.steady) {
    r.residual["change"] = control.change;
    for (std::size_t v = 0; v < now.variables.size(); ++v) r.residual[now.variables[v]] = control.residual[v];
    if (control.status == static_cast<int>(RunStatus::steady_floor)) r.steady_by = "round-off floor";
    if (control.status == static_cast<int>(RunStatus::steady)) r.steady_by = "tolerance";
  }
  if (discretization_->spec().limiter) {
    const auto [limited, scaled] = discretization_->limiter_counts();
    const double calls = static_cast<double>(sequence_.evaluations(control) + 1);
    const double all = calls * static_cast<double>(mesh_.element_count());
    r.limiter = {{"slopes", limited / all}, {"positivity", scaled / all}};
  }
  r.recoveries = recovery_.count();
  r.levels = sequence_.finished();
  means_.report(r, *stepper_);
  report_integrals(r, settings_, now, domain);
  report_walls(r, settings_, mesh_, walls());
  report_bubbles(r, settings_, now);
  return r;
}

/// Which kernels the time goes to, from one more step that leaves no trace; where it costs little beside the run.
void Simulation::profile_kernels(files::Report::Performance& performance) {
  const auto steps = static_cast<double>(stepper_->control().steps - start_step_);
  const double loop = clock_.seconds(WallClock::Part::loop);
  const double cost = 2 * loop / std::max(steps, 1.0);  // one to warm up, one to measure
  if (steps < 1 || (cost > 0.05 && cost > 0.01 * loop)) return;
  observer_.working("timing the kernels");
  const auto times = stepper_->profile_step();
  double total = 0;
  for (const auto& [name, time] : times) total += time.seconds;
  for (const auto& [name, time] : times)
    performance.kernels.push_back({name, total > 0 ? time.seconds / total : 0, time.seconds});
  std::sort(performance.kernels.begin(), performance.kernels.end(),
            [](const auto& a, const auto& b) { return a.share > b.share; });
}

}  // namespace galerna::solver
