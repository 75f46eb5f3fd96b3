#include "solver/polytopic/polytopic_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/interruption.hpp"
#include "files/output_folder.hpp"
#include "solver/bench/forecast.hpp"
#include "solver/mesh_warnings.hpp"
#include "solver/outputs/check_outputs.hpp"
#include "solver/outputs/outputs.hpp"
#include "solver/polytopic/polytopic_coefficients.hpp"
#include "solver/polytopic/polytopic_formulas.hpp"
#include "solver/polytopic/polytopic_memory.hpp"
#include "solver/polytopic/polytopic_moment.hpp"
#include "solver/polytopic/polytopic_outputs.hpp"
#include "solver/polytopic/polytopic_problem.hpp"
#include "solver/polytopic/polytopic_progress.hpp"
#include "solver/polytopic/polytopic_solver.hpp"
#include "solver/restart_warnings.hpp"
#include "solver/run/run_report.hpp"
#include "solver/run/wall_clock.hpp"

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
    clock_.enter(WallClock::Part::prepare);
    mesh_ = make_polytopic_mesh(settings);
    warnings_ = mesh_warnings(mesh_.mesh);
    degrees_ = make_degrees(settings, mesh_.polytopes);
    spec_ = make_polytopic_spec(settings, mesh_.mesh, options.precision);
    if (!options.restart) require_coefficients(settings, mesh_, spec_, degrees_, 1, [](const std::string&) {});
    require_output_directory(settings, mesh_.mesh);
    observer_.message(fmt::format("{}: {} simplices, {} polytopes on {}", settings.title,
                                  mesh_.polytopes.simplex_count(), mesh_.polytopes.polytopes, device_->name()));
    const PlanOf plan = plan_of(mesh_, spec_, degrees_, device::traits_of(*device_), polytopic_.solver == "multigrid");
    require_polytopic_memory(plan, mesh_, spec_, degrees_, device_->kind(), device_->memory_free(),
                             polytopic_.solver == "multigrid");
    memory_ = plan(*std::max_element(degrees_.begin(), degrees_.end()), options.precision);
    for (const files::Report::Warning& warning : warnings_) observer_.message("warning: " + warning.message);
    clock_.enter(WallClock::Part::upload);
    folder_.emplace(settings.output.directory);
    if (!folder_->locked()) observer_.message(files::no_locks(settings.output.directory));
    device_->compile_ahead(polytopic::make_programs(spec_, {degrees_.begin(), degrees_.end()},
                                                    device::target_of(*device_, options.precision)));
    discretization_.emplace(*device_, mesh_.polytopes, spec_, degrees_);
    solver_.emplace(*device_, settings, mesh_, spec_, degrees_, observer_);
    if (options.restart) restart(*options.restart);
    std::optional<double> restart_time;
    if (options.restart) restart_time = begin_of(progress_.slabs);
    outputs_.emplace(settings, mesh_.mesh, observer, clock_, options.pending, true, restart_time);
  }

  files::Report run() {
    clock_.enter(WallClock::Part::loop);
    first_slab_ = progress_.slabs;
    if (progress_.slabs > 0) set_up_matrix(0);
    if (polytopic_.slabs && progress_.slabs == 0) write_outputs(false);
    for (long slab = progress_.slabs; slab < slabs(); ++slab) {
      if (observer_.interrupted() || !solve_slab_or_report(slab)) return interrupt();
      progress_.slabs = slab + 1;
      if (polytopic_.slabs) end_slab();
    }
    if (!polytopic_.slabs) write_outputs(true);
    if (polytopic_.matrix) write_matrix();
    // The upwind term of the end stands at the last slab only.
    if (polytopic_.slabs) progress_.errors.dg += progress_.errors.l2_end / 2;
    const files::Report result = report("done");
    outputs_->require_written();
    return result;
  }

 private:
  long slabs() const { return polytopic_.slabs ? polytopic_.slabs->count : 1; }
  /// The time at which the slab begins; without slabs that at which formulas are taken.
  double begin_of(long slab) const {
    return polytopic_.slabs ? polytopic_.slabs->end * static_cast<double>(slab) / static_cast<double>(slabs()) : 0;
  }

  void restart(const std::filesystem::path& file) {
    if (!polytopic_.slabs)
      throw InputError({"--restart"}, "there is nothing to continue without [time], type = \"slabs\"");
    progress_ = read_polytopic_checkpoint(file, settings_, mesh_, spec_.space, degrees_,
                                          [this](long slab) { return begin_of(slab); });
    if (static_cast<std::int64_t>(progress_.solution.size()) != discretization_->unknowns())
      throw InputError({file.string()}, fmt::format("the checkpoint has {} unknowns, the case {}",
                                                    progress_.solution.size(), discretization_->unknowns()));
    observer_.message(fmt::format("continuing from {} at t = {:.10g}, slab {}", file.string(),
                                  begin_of(progress_.slabs), progress_.slabs));
    for (files::Report::Warning& warning :
         restart_warnings(files::open_checkpoint(file), settings_, options_.precision)) {
      observer_.message("warning: " + warning.message);
      warnings_.push_back(std::move(warning));
    }
  }

  /// What `work` takes counts as a phase of the loop; compilation does not.
  template <class Work>
  void in_phase(const std::string& name, const Work& work) {
    constexpr auto loop = WallClock::Part::loop;
    clock_.enter(loop);
    const double before = clock_.seconds(loop);
    work();
    clock_.enter(loop);
    const double seconds = clock_.seconds(loop) - before;
    const auto known = std::find_if(phases_.begin(), phases_.end(), [&](const auto& p) { return p.first == name; });
    if (known == phases_.end())
      phases_.emplace_back(name, seconds);
    else
      known->second += seconds;
  }

  void set_time(long slab) {
    discretization_->set_time(begin_of(slab), begin_of(slab + 1),
                              slab > 0 ? std::span<const double>(progress_.solution) : std::span<const double>());
  }

  /// Matrix, right-hand side and what solves with them, at the time of that slab.
  void set_up_matrix(long slab) {
    set_time(slab);
    in_phase("penalties", [&] { discretization_->compute_penalties(); });
    const std::vector<double> sigma = discretization_->penalties();
    require_finite(sigma, "penalty");
    const std::vector<polytopic::Extremes> extremes = discretization_->extremes();
    const auto warn = [&](const std::string& warning) {
      if (slab == 0 && !warning.empty()) observer_.message(warning);
    };
    check_coefficients(settings_, mesh_.polytopes, degrees_, extremes, warn);
    if (slab == 0) warn(slow_multigrid(polytopic_, mesh_, spec_, degrees_, extremes));
    if (spec_.penalty.eigenvalue)
      warn(strange_penalties(mesh_.polytopes, degrees_, extremes, discretization_->eigenvalues()));
    const auto [least, largest] = std::minmax_element(sigma.begin(), sigma.end());
    progress_.least_penalty = std::min(progress_.least_penalty, *least);
    progress_.largest_penalty = std::max(progress_.largest_penalty, *largest);
    in_phase("assembly", [&] { discretization_->assemble(); });
    in_phase("set_up", [&] { solver_->set_up(*discretization_, begin_of(slab), begin_of(slab + 1)); });
  }

  void solve_slab(long slab) {
    solver_->forget_residuals();
    if (slab == 0 || matrix_depends_on_time(polytopic_)) {
      set_up_matrix(slab);
    } else {
      set_time(slab);
      in_phase("assembly", [&] { discretization_->assemble_right_hand_side(); });
    }
    load_ = discretization_->right_hand_side();
    require_finite(load_, "right-hand side");
    solution_ = progress_.solution;
    in_phase("solution", [&] { solver_->solve(*discretization_, load_, solution_); });
  }

  files::PolytopicReport::Solve last_solve() const {
    const std::vector<double>& residuals = solver_->residuals();
    return {solver_->iterations(), residuals.front(), residuals.back()};
  }

  static void require_finite(const std::vector<double>& values, const char* what) {
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
      throw Error(ExitCode::simulation_failed, fmt::format("the {} has values that are no numbers", what));
  }

  /// Equations that are not solved leave a report, with the residuals. Formulas that are no numbers somewhere are to
  /// blame for whatever failed.
  /// \return false where somebody wants to stop, and there is a slab to continue from
  bool solve_slab_or_report(long slab) {
    try {
      solve_slab(slab);
      measure();
      return true;
    } catch (const Interruption&) {
      if (slab == 0) throw;
      return false;
    } catch (const Error& error) {
      if (error.code() != ExitCode::simulation_failed) throw;
      if (!solver_->residuals().empty()) progress_.solves.push_back(last_solve());
      const int degree = *std::max_element(degrees_.begin(), degrees_.end());
      const auto formula = find_not_finite(settings_, mesh_, spec_, degree, begin_of(slab),
                                           polytopic_.slabs ? begin_of(slab + 1) : begin_of(slab));
      failure_.emplace().what = formula ? formula->text : error.what();
      report("failed");
      if (!formula) throw Error(ExitCode::simulation_failed, failure_->what);
      const std::string line = formula->place.line > 0 ? fmt::format(":{}", formula->place.line) : "";
      throw Error(ExitCode::simulation_failed, fmt::format("{}{}: {}", formula->place.file, line, formula->text));
    }
  }

  /// Measures the solution; only then it is the run's.
  void measure() {
    polytopic::SquaredErrors errors;
    in_phase("errors", [&] {
      discretization_->set_solution(solution_);
      errors = discretization_->errors();
      require_finite({errors.l2, errors.h1, errors.dg, errors.integral, errors.l2_end}, "error of the solution");
    });
    in_phase("balance", [&] { balance_ = discretization_->balance(); });
    progress_.solution = solution_;
    progress_.solves.push_back(last_solve());
    progress_.add(errors);
    progress_.add(balance_);
    progress_.energy += std::inner_product(load_.begin(), load_.end(), progress_.solution.begin(), 0.0);
  }

  /// Outputs and progress.
  void end_slab() {
    const double time = begin_of(progress_.slabs);
    write_outputs(progress_.slabs == slabs());
    Progress progress;
    progress.time = time;
    progress.done = static_cast<double>(progress_.slabs) / static_cast<double>(slabs());
    progress.step = progress_.slabs;
    progress.dt = polytopic_.slabs->end / static_cast<double>(slabs());
    progress.seconds = clock_.seconds(WallClock::Part::loop);
    if (progress.seconds > 0) {
      progress.steps_per_second = static_cast<double>(progress_.slabs - first_slab_) / progress.seconds;
      progress.dof_per_second = progress.steps_per_second * static_cast<double>(discretization_->unknowns());
    }
    forecast_.add(progress.seconds, progress.done);
    progress.left = forecast_.left();
    observer_.progress(progress);
  }

  files::Checkpoint checkpoint() const {
    return make_polytopic_checkpoint(progress_, settings_, mesh_, spec_.space, degrees_, options_.precision,
                                     begin_of(progress_.slabs));
  }

  files::Report interrupt() {
    if (progress_.slabs == 0) throw Interruption("interrupted before the first solution; nothing was computed");
    outputs_->finish();
    {
      const WallClock::Scope timing(clock_, WallClock::Part::output);
      outputs_->write_checkpoint(checkpoint(), "interrupted");
    }
    observer_.message(fmt::format("interrupted; continue with --restart {}",
                                  (outputs_->directory() / "checkpoint_interrupted.h5").string()));
    return report("interrupted");
  }

  /// \param last at the end of the run
  void write_outputs(bool last) {
    const WallClock::Scope timing(clock_, WallClock::Part::output);
    PolytopicMoment now(case_, progress_, balance_, polytopic_.slabs ? begin_of(progress_.slabs) : 0);
    std::function<Outputs::MakeCheckpoint()> take_checkpoint;
    if (polytopic_.slabs) take_checkpoint = [this] { return [taken = checkpoint()] { return taken; }; };
    outputs_->write_due(now, take_checkpoint, last);
    if (last) integrals_ = now.integrals();
  }

  void write_matrix() {
    const WallClock::Scope timing(clock_, WallClock::Part::output);
    write_matrix_market(settings_.output.directory, discretization_->matrix(), load_);
  }

  files::Report report(const std::string& status) {
    outputs_->finish();
    clock_.enter(WallClock::Part::finish);
    files::Report r = make_run_report(settings_, mesh_.mesh, *device_, options_.precision, memory_);
    r.status = status;
    r.warnings = warnings_;
    r.failure = failure_;
    r.polytopic = polytopic_report();
    for (std::size_t i = 0; i < integrals_.size(); ++i)
      r.integrals.emplace_back(settings_.output.integrals[i].name, integrals_[i]);
    if (status == "done") warn_of_integrals(r, settings_, observer_);
    if (status == "done") warn_of_fields(r, *case_.faults, mesh_.mesh.dimension, observer_);
    r.files = outputs_->files();
    r.time.writing = outputs_->seconds_beside();
    clock_.report(r.time);
    if (polytopic_.slabs) {
      r.time.t = begin_of(progress_.slabs);
      r.time.steps = progress_.slabs;
    }
    files::write_report(r, settings_.output.directory / "report.json");
    return r;
  }

  files::PolytopicReport polytopic_report() const {
    files::PolytopicReport p;
    p.polytopes = mesh_.polytopes.polytopes;
    p.interfaces = mesh_.polytopes.interface_count();
    p.facets = mesh_.polytopes.facet_count();
    p.least_order = *std::min_element(degrees_.begin(), degrees_.end());
    p.largest_order = *std::max_element(degrees_.begin(), degrees_.end());
    p.matrix = {discretization_->unknowns(), discretization_->value_count()};
    p.penalty = {spec_.penalty.name, spec_.factor, progress_.least_penalty, progress_.largest_penalty};
    p.solver = {polytopic_.solver, 0, progress_.solves.empty() ? NAN : 0, solver_->residuals(), {}};
    for (const files::PolytopicReport::Solve& solve : progress_.solves) {
      p.solver.iterations = std::max(p.solver.iterations, solve.iterations);
      if (!(solve.last <= p.solver.residual)) p.solver.residual = solve.last;
    }
    if (polytopic_.slabs) p.solver.slabs = progress_.solves;
    if (polytopic_.slabs) p.slabs = polytopic_.slabs->count;
    p.phases = phases_;
    report_solution(p);
    return p;
  }

  /// What was never found is no number, which the report has as null.
  void report_solution(files::PolytopicReport& p) const {
    const bool found = progress_.slabs > 0;
    const auto number = [&](double value) { return found ? value : NAN; };
    const polytopic::SquaredErrors& errors = progress_.errors;
    if (polytopic_.exact) {
      const auto root = [&](double square) { return number(std::sqrt(square)); };
      p.errors = files::PolytopicReport::Errors{root(errors.l2), root(errors.h1), root(errors.dg), {}};
      if (polytopic_.slabs) p.errors->l2_end = root(errors.l2_end);
    }
    for (std::size_t b = 0; b < mesh_.mesh.boundaries.size(); ++b) {
      const auto flow = found ? progress_.outflows[b] : polytopic::Balance::Outflow{NAN, NAN};
      p.fluxes.push_back({mesh_.mesh.boundaries[b].name, flow.diffusive, flow.advective});
    }
    p.conservation = progress_.conservation;
    if (!found) p.conservation = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    p.integral = number(errors.integral);
    p.energy = number(progress_.energy);
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
  std::optional<files::OutputFolder> folder_;
  std::optional<polytopic::Discretization> discretization_;
  std::optional<PolytopicSolver> solver_;
  std::optional<Outputs> outputs_;
  PolytopicProgress progress_;
  long first_slab_ = 0;  ///< of this part of the run
  Forecast forecast_;
  std::vector<double> load_, solution_;
  polytopic::Balance balance_;     ///< of the last slab
  std::vector<double> integrals_;  ///< at the end
  const PolytopicMoment::Case case_{settings_, mesh_, spec_.space, degrees_};
  device::MemoryPlan memory_;
  std::vector<std::pair<std::string, double>> phases_;
  std::optional<files::Failure> failure_;
  std::vector<files::Report::Warning> warnings_;
};

}  // namespace

files::Report run_polytopic(const case_file::Settings& settings, const RunOptions& options, Observer& observer) {
  return PolytopicRun(settings, options, observer).run();
}

}  // namespace galerna::solver
