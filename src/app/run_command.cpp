#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "app/commands.hpp"
#include "app/options.hpp"
#include "app/rank_device.hpp"
#include "app/rank_observer.hpp"
#include "app/terminal.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/phases.hpp"
#include "base/process_memory.hpp"
#include "base/process_start.hpp"
#include "base/standard_streams.hpp"
#include "base/temporary_folder.hpp"
#include "case/read_shock.hpp"
#include "case/reader.hpp"
#include "device/device_name.hpp"
#include "dg/plan_sets.hpp"
#include "mesh/quality.hpp"
#include "parallel/launch.hpp"
#include "parallel/mpi_team.hpp"
#include "parallel/process_team.hpp"
#include "solver/bench/structures.hpp"
#include "solver/case_programs.hpp"
#include "solver/case_warnings.hpp"
#include "solver/check_formulas.hpp"
#include "solver/check_indices.hpp"
#include "solver/check_initial.hpp"
#include "solver/forecast_memory.hpp"
#include "solver/given_flow.hpp"
#include "solver/host_memory.hpp"
#include "solver/memory.hpp"
#include "solver/mesh_warnings.hpp"
#include "solver/newton_settings.hpp"
#include "solver/outputs/check_outputs.hpp"
#include "solver/polytopic/polytopic_coefficients.hpp"
#include "solver/polytopic/polytopic_formulas.hpp"
#include "solver/polytopic/polytopic_memory.hpp"
#include "solver/polytopic/polytopic_run.hpp"
#include "solver/problem.hpp"
#include "solver/ranks.hpp"
#include "solver/reference_values.hpp"
#include "solver/require_run.hpp"
#include "solver/run/simulation.hpp"
#include "solver/user_errors.hpp"

namespace galerna::app {
namespace {

/// Shares of all elements and stages; of artificial viscosity of the elements at the end.
void print_limiter(const std::map<std::string, double>& shares) {
  if (const auto viscous = shares.find("viscosity"); viscous != shares.end()) {
    fmt::print(
        "\n  artificial viscosity in {:.2f} % of the elements{}; {:.2g} % of all elements and stages scaled for "
        "positivity\n",
        100 * viscous->second, shares.at("frozen") != 0 ? ", frozen" : "", 100 * shares.at("positivity"));
    return;
  }
  const auto filtered = shares.find("filtered");
  const std::string changed = filtered == shares.end()
                                  ? fmt::format("limiter: slopes of {:.2f} %", 100 * shares.at("slopes"))
                                  : fmt::format("filter: {:.2f} %", 100 * filtered->second);
  fmt::print("\n  {} of all elements and stages{}, {:.2g} % scaled for positivity\n", changed,
             filtered == shares.end() ? " cut" : " filtered", 100 * shares.at("positivity"));
}

const auto program_began = process_start();

struct RunWords {
  std::string file;
  std::string device = "auto";
  std::string precision = "double";
  std::vector<std::string> set;
  std::string output, restart, structure, memory, ranks;
  int pending = solver::default_pending;
  bool quiet = false;
};

std::shared_ptr<RunWords> add_words(CLI::App& command) {
  auto words = std::make_shared<RunWords>();
  command.add_option("case", words->file, "the case file")->required()->type_name("CASE.toml");
  command.add_option("--device", words->device, "auto, cpu, cuda or cuda:N")->capture_default_str();
  command.add_option("--precision", words->precision, "double or single")
      ->check(CLI::IsMember({"double", "single"}))
      ->capture_default_str();
  command.add_option("--set", words->set, "replace a setting of the case file; with nothing behind =, take it out")
      ->type_name("section.key=value");
  command.add_option("--structure", words->structure, "row of `galerna structures` that is to compute, where it fits")
      ->type_name("NAME");
  command
      .add_option("--pending", words->pending,
                  "moments of which files may wait in memory while the run goes on; 0: it waits for them")
      ->check(CLI::Range(0, 100))
      ->capture_default_str()
      ->type_name("N");
  add_threads(command);
  return words;
}

void add_ranks(CLI::App& command, RunWords& words, const std::string& what) {
  command.add_option("--ranks", words.ranks, what)->type_name("N|all");
}

/// How many ranks a run is asked to start itself. No GPU must have been talked to before.
int ranks_of(const RunWords& words, const parallel::Launch& launch) {
  const bool counts = words.ranks == "all" && words.device != "cpu";
  return parallel::ranks_to_start(words.ranks, launch, counts ? device::count_gpus_apart() : 0);
}

device::Precision precision_of(const RunWords& words) {
  return words.precision == "single" ? device::Precision::single_precision : device::Precision::double_precision;
}

/// The table at the end of a run.
void print_summary(const files::Report& report) {
  fmt::print("\n{}: t = {:.10g} after {} steps, {:.3g} s ({:.3g} s in the time loop)\n", report.status, report.time.t,
             report.time.steps, report.time.wall_total, report.time.wall_loop);
  fmt::print("{}\n", files::describe(report.time));
  fmt::print("{} degrees of freedom, {:.4g} MDOF/s, {}\n", report.dof, report.performance.dof_per_second / 1e6,
             report.device);
  if (!report.errors.empty()) {
    fmt::print("\n  {:12} {:>14} {:>14} {:>14}\n", "error", "L1", "L2", "Linf");
    for (const auto& error : report.errors)
      fmt::print("  {:12} {:14.6e} {:14.6e} {:14.6e}\n", error.variable, error.l1, error.l2, error.linf);
  }
  if (!report.limiter.empty()) print_limiter(report.limiter);
  if (report.recoveries > 0)
    fmt::print("\n  recoveries: went back {} time{} and took smaller steps\n", report.recoveries,
               report.recoveries == 1 ? "" : "s");
  if (!report.forces.empty() && report.status != "failed") {
    const bool space = report.dimension == 3;
    fmt::print("\n  {:12} {:>14} {:>14}{}\n", "force on", "x", "y", space ? fmt::format(" {:>14}", "z") : "");
    for (const auto& force : report.forces) {
      const auto total = force.force.total();
      fmt::print("  {:12} {:14.6e} {:14.6e}{}\n", force.boundary, total[0], total[1],
                 space ? fmt::format(" {:14.6e}", total[2]) : "");
    }
    if (const auto& all = report.all_coefficients)
      fmt::print("  coefficients of all walls: drag {:.6g} (pressure {:.6g}, viscous {:.6g}), lift {:.6g}\n", all->drag,
                 all->drag_pressure, all->drag_viscous, all->lift);
  }
}

int exit_code(const files::Report& report) {
  if (report.status == "failed") return static_cast<int>(ExitCode::simulation_failed);
  if (report.status == "interrupted") return static_cast<int>(ExitCode::interrupted);
  return static_cast<int>(ExitCode::done);
}

solver::RunOptions options_of(const RunWords& words) {
  solver::RunOptions options;
  options.began = program_began;
  options.device = words.device;
  options.precision = precision_of(words);
  options.structure = words.structure;
  options.pending = words.pending;
  if (!words.restart.empty()) options.restart = words.restart;
  return options;
}

/// Whether a device is here on which the case is to run.
bool has_device(const RunWords& words) {
  return !words.device.starts_with("cuda") || device::cuda_absence().empty();
}

/// Whether a check is of a run here and now.
bool is_for_this_device(const RunWords& words) {
  return has_device(words) && words.memory.empty();
}

/// A GPU that is not here.
constexpr device::Traits assumed_gpu{device::Kind::cuda, device::cuda_lanes, device::cuda_lanes, true};

/// The device that a check plans for, in words; with --memory it need not be here, and is a GPU unless a CPU is named.
struct PlannedDevice {
  device::Traits traits = assumed_gpu;
  std::string name =
      "a GPU with fp64 matrix units (compute capability 9.0 or later) is assumed, with other arrays than "
      "on older ones";
  std::size_t free = 0;  ///< bytes, 0: not known
  /// The same, as bytes that a plan may take.
  std::size_t room() const { return free > 0 ? free : std::numeric_limits<std::size_t>::max(); }
};

PlannedDevice planned_device(const RunWords& words) {
  PlannedDevice planned;
  if (!words.memory.empty()) planned.free = bytes_of(words.memory, "--memory");
  if (!has_device(words)) planned.name += ": no CUDA device here, " + device::cuda_absence();
  if (!has_device(words) || (planned.free > 0 && words.device == "auto")) return planned;
  const auto device = device::open_device(words.device);
  planned.traits = device::traits_of(*device);
  planned.name = "on " + device->name();
  if (planned.free == 0) planned.free = device->memory_free();
  return planned;
}

/// What does not fit into memory is wrong with the case that is checked.
template <class Require>
auto refuse_as_input(const RunWords& words, const Require& require) {
  try {
    return require();
  } catch (const SystemError& error) {
    throw InputError({words.file}, error.what());
  }
}

/// What there is of memory, and that the case fits into what --memory says. \param peak bytes that the case takes there
std::string describe_memory(const PlannedDevice& device, const RunWords& words, std::size_t peak) {
  if (words.memory.empty())
    return fmt::format("{}{}\n", device.name,
                       device.free > 0 ? fmt::format(": {:.1f} MB free", static_cast<double>(device.free) / 1e6) : "");
  return fmt::format("{}\nfits into {}: takes {:.2g} % of it\n", device.name, words.memory,
                     100 * static_cast<double>(peak) / static_cast<double>(device.free));
}

/// What computes the case and what it takes on the device, and what the device has. Where a GPU is asked for and there
/// is none, the last is not known. \throws InputError where it does not fit
std::string describe_plan(const case_file::Settings& settings, const mesh::Mesh& mesh, const RunWords& words) {
  const PlannedDevice planned = planned_device(words);
  const device::Traits& traits = planned.traits;
  dg::Spec spec = solver::make_spec(settings, mesh, precision_of(words));
  const device::Target target = device::target_of(device::CountingDevice(traits), spec.precision);
  if (!words.structure.empty()) {
    solver::require_structure(settings, words.structure, spec, mesh, target);
    spec.structure = words.structure;
  }
  const auto sets = dg::plan_sets(mesh, spec, target);
  std::string text;
  for (const auto& set : solver::structures_of(sets)) text += fmt::format("kernels of {}\n", solver::describe(set));
  if (!spec.structure && solver::are_timed(sets, spec, target))
    text += "on the GPU a run times what fits, and takes the fastest\n";
  const time::Scheme& scheme = time::find_scheme(settings.time.scheme);
  const auto plans = [&](const std::optional<steady::NewtonSettings>& newton) {
    return solver::plan_of(mesh, spec, scheme, solver::make_step_settings(settings, mesh), traits, newton);
  };
  const auto newton = solver::fitting_newton(settings, plans, spec, planned.free);
  if (newton && !newton->why.empty())
    text += fmt::format("preconditioner: {}; {}\n", solver::name_of(newton->preconditioner), newton->why);
  const solver::PlanOf plan_of = plans(newton);
  const device::MemoryPlan plan = refuse_as_input(words, [&] {
    return solver::require_memory(plan_of, spec.degree, spec.precision, mesh.element_count(), planned.room());
  });
  // With --memory the host is another one, too.
  const std::size_t of_host = words.memory.empty() ? available_memory() : std::numeric_limits<std::size_t>::max();
  int pending = words.pending;
  const solver::HostPlan host = solver::fitting_host_plan(
      [&](int waiting) { return solver::plan_host_memory(settings, mesh, plan, traits.kind, spec.precision, waiting); },
      pending, of_host);
  text += fmt::format("\n{}\n{}\n", solver::memory_table(plan, mesh.element_count()), solver::describe(host));
  refuse_as_input(words, [&] { solver::require_host_memory(host, of_host); });
  return text + describe_memory(planned, words, plan.peak());
}

/// Before the mesh is refined.
void require_forecast(const case_file::Settings& settings, const RunWords& words) {
  const auto coarse = solver::counts_to_forecast(settings);
  if (!coarse) return;
  const PlannedDevice planned = planned_device(words);
  const auto forecast = solver::forecast_memory(settings, *coarse, precision_of(words), planned.traits);
  if (!forecast) return;
  refuse_as_input(words, [&] {
    // With --memory the arrays are for another machine, the mesh is made here.
    const device::Kind kind = words.memory.empty() ? planned.traits.kind : device::Kind::cuda;
    solver::require_forecast(*forecast, settings, precision_of(words), kind, {planned.room(), available_memory()});
  });
}

/// Compiles the kernels of a user's equations, for the CPU where the GPU that is asked for is not here.
void compile_user_equations(const case_file::Settings& settings, const mesh::Mesh& mesh, const RunWords& words) {
  solver::require_indices_in_range(settings, mesh);  // before this process loads what is compiled of the header
  const auto device = device::open_device(has_device(words) ? words.device : "cpu");
  const device::Target target = device::target_of(*device, precision_of(words));
  solver::with_user_errors(settings, [&] {
    for (const auto& program : solver::make_programs(settings, mesh, target, precision_of(words)))
      device->load(program);
  });
}

void check_formulas(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  const Phase phase("checking formulas");
  solver::require_usable_formulas(settings, mesh, 0, solver::FormulaUse::start);
  solver::require_physical_initial_state(settings, mesh);
}

/// Options of flows that have no meaning for advection, diffusion and reaction.
void require_no_flow_options(const RunWords& words) {
  if (!words.structure.empty())
    throw InputError({"--structure"}, fmt::format("has no meaning for {}", case_file::polytopic_equations));
}

int check_polytopic(const case_file::Settings& settings, const RunWords& words) {
  require_no_flow_options(words);
  const solver::PolytopicMesh mesh = solver::make_polytopic_mesh(settings);
  print_warnings(solver::mesh_warnings(mesh.mesh));
  const std::vector<int> degrees = solver::make_degrees(settings, mesh.polytopes);
  const polytopic::Spec spec = solver::make_polytopic_spec(settings, mesh.mesh, precision_of(words));
  solver::require_finite_formulas(settings, mesh, spec, degrees);
  constexpr long all = std::numeric_limits<long>::max();
  solver::require_coefficients(settings, mesh, spec, degrees, all,
                               [](const std::string& warning) { print_error(warning + "\n"); });
  if (is_for_this_device(words)) solver::require_run(settings, mesh, spec, degrees, options_of(words));
  const bool multigrid = settings.polytopic->solver == "multigrid";
  const PlannedDevice planned = planned_device(words);
  const solver::PlanOf plan_of = solver::plan_of(mesh, spec, degrees, planned.traits, multigrid);
  const device::Kind kind = planned.traits.kind;
  const auto require = [&] {
    solver::require_polytopic_memory(plan_of, mesh, spec, degrees, kind, planned.free, multigrid);
  };
  refuse_as_input(words, require);
  const std::string memory =
      describe_memory(planned, words, solver::peak_bytes(plan_of, mesh, spec, degrees, kind, multigrid));
  fmt::print("{}: no errors; {} simplices, {} polytopes, {} interfaces\n{}{}", words.file,
             mesh.polytopes.simplex_count(), mesh.polytopes.polytopes, mesh.polytopes.interface_count(),
             solver::forecast(mesh, spec, degrees, planned.traits, multigrid, planned.free), memory);
  return 0;
}

/// The case of a run.
case_file::Settings settings_of(const RunWords& words) {
  case_file::Settings settings = case_file::read_case(words.file, words.set);
  if (!words.output.empty()) settings.output.directory = words.output;
  return settings;
}

/// Prints the end of a run. Where that cannot be written, the run is done all the same: report.json has it.
template <class Print>
void tell(const Print& print) {
  try {
    print();
    finish_standard_output();
  } catch (const std::exception&) {
    drop_standard_output();
  }
}

int run_polytopes(const case_file::Settings& settings, const RunWords& words) {
  require_no_flow_options(words);
  Terminal terminal(words.quiet);
  const files::Report report = solver::run_polytopic(settings, options_of(words), terminal);
  terminal.finish_line();
  if (!words.quiet)
    tell([&] {
      fmt::print("\n{}: {:.3g} s\n{}\n{}", report.status, report.time.wall_total, files::describe(report.time),
                 files::describe(*report.polytopic));
    });
  return exit_code(report);
}

/// \param observer that speaks through the terminal \param quiet whether nothing is said at the end
int run_flow(case_file::Settings settings, const solver::RunOptions& options, Terminal& terminal,
             solver::Observer& observer, bool quiet) {
  solver::Simulation simulation(std::move(settings), options, observer);
  const files::Report report = simulation.run();
  terminal.finish_line();
  if (!quiet) tell([&] { print_summary(report); });
  return exit_code(report);
}

int run_alone(const RunWords& words) {
  case_file::Settings settings = settings_of(words);
  if (settings.polytopic) return run_polytopes(settings, words);
  Terminal terminal(words.quiet);
  return run_flow(std::move(settings), options_of(words), terminal, terminal, words.quiet);
}

/// A rank's part of a run. \param scratch folder for what others than the first one write beside checkpoints and files
/// of the whole solution, rows of tables for instance, which nobody wants
int run_rank(const RunWords& words, parallel::Team& team, const std::string& scratch) {
  const int threads = std::max(1, host_thread_count() / team.host_size());
  setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
  case_file::Settings settings = settings_of(words);
  solver::require_ranks_possible(settings);
  if (!team.is_first()) settings.output.directory = fmt::format("{}/rank-{}", scratch, team.rank());
  solver::RunOptions options = options_of(words);
  options.team = &team;
  options.device = device_of_rank(words.device, team);
  const bool quiet = words.quiet || !team.is_first();
  Terminal terminal(quiet);
  RankObserver observer(terminal, team);
  const std::string gpu = options.device == "cpu" ? "" : "a GPU and ";
  observer.message(fmt::format("{} ranks, {}{} thread{} each", team.size(), gpu, threads, threads == 1 ? "" : "s"));
  return run_flow(std::move(settings), options, terminal, observer, quiet);
}

}  // namespace

Action add_run(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Run a simulation");
  auto words = add_words(*command);
  command->add_option("-o,--output", words->output, "output directory (replaces output.directory)")->type_name("DIR");
  command->add_option("--restart", words->restart, "continue from this checkpoint")->type_name("CHECKPOINT.h5");
  command->add_flag("--quiet", words->quiet, "print nothing but errors");
  add_ranks(*command, *words,
            "processes of this host, of which each computes a part of the mesh, on a GPU of its own where there are "
            "GPUs; all: one for each. The files are the same");
  return [words] {
    device::require_device_name(words->device);
    const parallel::Launch launch = parallel::find_launch([](const char* name) { return environment(name); });
    const int ranks = ranks_of(*words, launch);
    catch_signals();
    std::signal(SIGPIPE, SIG_IGN);  // a run goes on where nobody reads any more what it says
    if (launch.is_many() || ranks > 1) {
      const TemporaryFolder scratch;  // of the process that watches ranks, where there is one: it goes whatever they do
      const auto body = [&](parallel::Team& team) { return run_rank(*words, team, scratch.path().string()); };
      return launch.is_many() ? parallel::run_under_mpi(launch, body) : parallel::run_as_processes(ranks, body);
    }
    return run_alone(*words);
  };
}

Action add_check(CLI::App& app) {
  CLI::App* command = app.add_subcommand("check", "Check a case file and its mesh without running");
  auto words = add_words(*command);
  command
      ->add_option("--memory", words->memory,
                   "plan for a device with so much memory (80GB), a GPU unless --device is cpu")
      ->type_name("SIZE");
  add_ranks(*command, *words, "also says how a run on so many ranks cuts the mesh");
  return [words] {
    if (!words->memory.empty()) bytes_of(words->memory, "--memory");  // refused before a mesh is read
    device::require_device_name(words->device);
    const int ranks = ranks_of(*words, {});
    case_file::Settings settings = case_file::read_case(words->file, words->set);
    if (ranks > 1) solver::require_ranks_possible(settings);
    if (settings.polytopic) return check_polytopic(settings, *words);
    if (settings.equations.user) catch_signals();  // which end its compiler
    const Terminal terminal(false);                // says what takes long
    require_forecast(settings, *words);
    solver::CurvingText curving;
    const mesh::Mesh mesh = solver::make_mesh(settings, {}, &curving);
    fmt::print("{}", curving.text);
    print_warnings(solver::mesh_warnings(mesh));
    solver::check_problem(settings, mesh);
    if (const std::string text = solver::complete_reference(settings, mesh); !text.empty()) fmt::print("{}\n", text);
    check_formulas(settings, mesh);
    if (is_for_this_device(*words)) solver::require_run(settings, mesh, options_of(*words));
    if (settings.equations.user) compile_user_equations(settings, mesh, *words);
    const std::string plan = describe_plan(settings, mesh, *words);
    print_warnings(solver::start_warnings(settings, mesh, false));
    for (const std::string& warning : solver::strange_counts(settings)) print_error(warning + "\n");
    fmt::print("{}: no errors; {} elements, {} faces, order {}\n", words->file, mesh.element_count(), mesh.faces.size(),
               settings.discretization.order);
    if (const std::string method = case_file::describe_method(settings.shock); !method.empty())
      fmt::print("{}\n", method);
    if (const std::string left_out = solver::terms_outside_of_bound(settings); !left_out.empty())
      fmt::print("the step is that of the positivity bound, which leaves out {}\n", left_out);
    if (const std::string turned = mesh::describe_turned(mesh); !turned.empty()) fmt::print("mesh: {}\n", turned);
    fmt::print("{}{}", ranks > 1 ? solver::describe_cut(mesh, ranks) : "", plan);
    return 0;
  };
}

}  // namespace galerna::app
