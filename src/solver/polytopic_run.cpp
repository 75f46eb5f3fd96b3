#include "solver/polytopic_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/interruption.hpp"
#include "output/files.hpp"
#include "solver/polytopic_memory.hpp"
#include "solver/polytopic_outputs.hpp"
#include "solver/polytopic_problem.hpp"
#include "solver/polytopic_solver.hpp"
#include "solver/run_report.hpp"

namespace galerna::solver {
namespace {

class PolytopicRun {
 public:
  PolytopicRun(const case_file::Settings& settings, const RunOptions& options, Observer& observer)
      : settings_(settings),
        polytopic_(*settings.polytopic),
        options_(options),
        observer_(observer),
        clock_(options.began),
        device_(device::open_device(options.device)) {
    clock_.enter(WallClock::Part::setup);
    mesh_ = make_polytopic_mesh(settings);
    degrees_ = make_degrees(settings, mesh_.polytopes);
    spec_ = make_polytopic_spec(settings, mesh_.mesh, options.precision);
    observer_.message(fmt::format("{}: {} simplices, {} polytopes on {}", settings.title,
                                  mesh_.polytopes.simplex_count(), mesh_.polytopes.polytopes, device_->name()));
    const PlanOf plan = plan_of(mesh_.polytopes, spec_, degrees_, device::traits_of(*device_));
    const int largest = *std::max_element(degrees_.begin(), degrees_.end());
    require_memory(plan, largest, options.precision, mesh_.polytopes.polytopes, device_->memory_free());
    memory_ = plan(largest, options.precision);
    discretization_.emplace(*device_, mesh_.polytopes, spec_, degrees_);
    solver_.emplace(*device_, settings, mesh_, spec_, degrees_);
    output::create_directory(settings.output.directory);
  }

  output::Report run() {
    clock_.enter(WallClock::Part::loop);
    polytopic::SquaredErrors errors;
    const long slabs = polytopic_.slabs ? polytopic_.slabs->count : 1;
    for (long slab = 0; slab < slabs; ++slab) {
      if (observer_.interrupted()) throw Interruption("interrupted; no file was written");
      solve_slab(slab, slabs);
      add(errors, discretization_->errors(solution_));
      energy_ += std::inner_product(load_.begin(), load_.end(), solution_.begin(), 0.0);
      if (polytopic_.slabs) tell(slab, slabs);
    }
    // The upwind term of the end stands at the last slab only.
    if (polytopic_.slabs) errors.dg += errors.l2_end / 2;
    write_outputs();
    return report(errors);
  }

 private:
  /// The time at which the slab begins; without slabs that at which formulas are taken.
  double begin_of(long slab, long slabs) const {
    return polytopic_.slabs ? polytopic_.slabs->end * static_cast<double>(slab) / static_cast<double>(slabs) : 0;
  }

  void solve_slab(long slab, long slabs) {
    discretization_->set_time(begin_of(slab, slabs), begin_of(slab + 1, slabs), solution_);
    if (slab == 0 || matrix_depends_on_time(polytopic_)) {
      discretization_->compute_penalties();
      check_coefficients(settings_, mesh_.polytopes, discretization_->extremes(), [&](const std::string& warning) {
        if (slab == 0) observer_.message(warning);
      });
      const std::vector<double> sigma = discretization_->penalties();
      const auto [least, largest] = std::minmax_element(sigma.begin(), sigma.end());
      least_penalty_ = std::min(least_penalty_, *least);
      largest_penalty_ = std::max(largest_penalty_, *largest);
      discretization_->assemble();
      solver_->set_up(*discretization_, begin_of(slab, slabs), begin_of(slab + 1, slabs));
    } else {
      discretization_->assemble_right_hand_side();
    }
    load_ = discretization_->right_hand_side();
    solver_->solve(*discretization_, load_, solution_);
  }

  static void add(polytopic::SquaredErrors& sum, const polytopic::SquaredErrors& slab) {
    sum.l2 += slab.l2;
    sum.h1 += slab.h1;
    sum.dg += slab.dg;
    sum.integral += slab.integral;
    sum.l2_end = slab.l2_end;
  }

  void tell(long slab, long slabs) {
    Progress progress;
    progress.time = begin_of(slab + 1, slabs);
    progress.end = polytopic_.slabs->end;
    progress.step = slab + 1;
    progress.dt = polytopic_.slabs->end / static_cast<double>(slabs);
    observer_.progress(progress);
  }

  void write_outputs() {
    clock_.enter(WallClock::Part::output);
    const double time = polytopic_.slabs ? polytopic_.slabs->end : 0;
    write_polytopic_solution(settings_, mesh_, degrees_,
                             solution_on_simplices(mesh_, spec_.space, degrees_, solution_, time));
    if (polytopic_.matrix) write_matrix_market(settings_.output.directory, discretization_->matrix(), load_);
  }

  output::Report report(const polytopic::SquaredErrors& errors) {
    clock_.enter(WallClock::Part::finish);
    output::Report r = make_run_report(settings_, mesh_.mesh, *device_, options_.precision, memory_);
    r.status = "done";
    r.polytopic = polytopic_report(errors);
    clock_.report(r.time);
    if (polytopic_.slabs) {
      r.time.t = polytopic_.slabs->end;
      r.time.steps = polytopic_.slabs->count;
    }
    output::write_report(r, settings_.output.directory / "report.json");
    return r;
  }

  output::PolytopicReport polytopic_report(const polytopic::SquaredErrors& errors) const {
    output::PolytopicReport p;
    p.polytopes = mesh_.polytopes.polytopes;
    p.interfaces = mesh_.polytopes.interface_count();
    p.facets = mesh_.polytopes.facet_count();
    p.least_order = *std::min_element(degrees_.begin(), degrees_.end());
    p.largest_order = *std::max_element(degrees_.begin(), degrees_.end());
    p.matrix = {discretization_->unknowns(), discretization_->pattern().value_count()};
    p.penalty = {spec_.penalty.name, spec_.factor, least_penalty_, largest_penalty_};
    p.solver = {polytopic_.solver, solver_->iterations(), solver_->residual()};
    if (polytopic_.exact) {
      p.errors = output::PolytopicReport::Errors{std::sqrt(errors.l2), std::sqrt(errors.h1), std::sqrt(errors.dg), {}};
      if (polytopic_.slabs) p.errors->l2_end = std::sqrt(errors.l2_end);
    }
    p.integral = errors.integral;
    p.energy = energy_;
    if (polytopic_.slabs) p.slabs = polytopic_.slabs->count;
    return p;
  }

  const case_file::Settings& settings_;
  const case_file::PolytopicSettings& polytopic_;
  const RunOptions& options_;
  Observer& observer_;
  WallClock clock_;
  std::unique_ptr<device::Device> device_;
  PolytopicMesh mesh_;
  std::vector<int> degrees_;
  polytopic::Spec spec_;
  std::optional<polytopic::Discretization> discretization_;
  std::optional<PolytopicSolver> solver_;
  std::vector<double> load_, solution_;
  device::MemoryPlan memory_;
  double least_penalty_ = INFINITY, largest_penalty_ = 0, energy_ = 0;
};

}  // namespace

output::Report run_polytopic(const case_file::Settings& settings, const RunOptions& options, Observer& observer) {
  return PolytopicRun(settings, options, observer).run();
}

}  // namespace galerna::solver
