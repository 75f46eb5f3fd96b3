#include "solver/polytopic/polytopic_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "base/file_lock.hpp"
#include "device/ceilings.hpp"
#include "solver/polytopic/polytopic_memory.hpp"
#include "solver/polytopic/polytopic_problem.hpp"
#include "solver/polytopic/polytopic_solver.hpp"

namespace galerna::solver {
namespace {

class PolytopicBench {
 public:
  PolytopicBench(const case_file::Settings& case_settings, const RunOptions& options, const BenchSettings& settings,
                 Observer& observer)
      : case_(case_settings),
        polytopic_(*case_settings.polytopic),
        settings_(settings),
        observer_(observer),
        device_(device::open_device(options.device)),
        mesh_(make_polytopic_mesh(case_)),
        degrees_(make_degrees(case_, mesh_.polytopes)),
        spec_(make_polytopic_spec(case_, mesh_.mesh, options.precision)) {
    choose_assembly();
    const bool multigrid = polytopic_.solver == "multigrid";
    require_polytopic_memory(plan_of(mesh_, spec_, degrees_, device::traits_of(*device_), multigrid), mesh_, spec_,
                             degrees_, device_->kind(), device_->memory_free(), multigrid);
    discretization_.emplace(*device_, mesh_.polytopes, spec_, degrees_);
    if (polytopic_.slabs) end_ = polytopic_.slabs->end / static_cast<double>(polytopic_.slabs->count);
    discretization_->set_time(0, end_);
    if (!settings.exclusive.empty()) lock_.emplace(settings.exclusive);
    assemble();  // compiles, and warms up
    check_coefficients(case_, mesh_.polytopes, degrees_, discretization_->extremes(),
                       [&](const std::string& warning) { observer.message(warning); });
  }

  PolytopicBenchResult run() {
    describe();
    measure_ceilings();
    measure_pattern();
    measure_assembly();
    if (settings_.kernels) profile();
    if (settings_.assembly.empty()) solve();
    return std::move(result_);
  }

 private:
  void choose_assembly() {
    const device::Target target = device::target_of(*device_, spec_.precision);
    std::vector<std::string> fitting;
    for (const polytopic::Assembly& row : polytopic::assemblies())
      if (row.fits(spec_, target)) fitting.push_back(row.name);
    if (!settings_.assembly.empty() && std::find(fitting.begin(), fitting.end(), settings_.assembly) == fitting.end())
      throw InputError({"--assembly"}, fmt::format("\"{}\" is not among what this device and case have: {}",
                                                   settings_.assembly, fmt::join(fitting, ", ")));
    spec_.assembly = settings_.assembly;
    result_.assembly = polytopic::assembly_for(spec_, target).name;
  }

  double seconds(const std::function<void()>& body) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    device_->synchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  void assemble() {
    discretization_->compute_penalties();
    discretization_->assemble();
  }

  void describe() {
    const bool twice = spec_.precision == device::Precision::double_precision;
    result_.title = case_.title;
    result_.device = device_->name();
    result_.precision = twice ? "double" : "single";
    result_.penalty = spec_.penalty.name;
    result_.solver = polytopic_.solver;
    result_.tolerance = polytopic_.tolerance;
    result_.dimension = mesh_.polytopes.dimension;
    result_.least_order = *std::min_element(degrees_.begin(), degrees_.end());
    result_.largest_order = *std::max_element(degrees_.begin(), degrees_.end());
    result_.simplices = mesh_.polytopes.simplex_count();
    result_.polytopes = mesh_.polytopes.polytopes;
    result_.interfaces = mesh_.polytopes.interface_count();
    result_.facets = mesh_.polytopes.facet_count();
    result_.dof = discretization_->unknowns();
    result_.nonzeros = discretization_->value_count();
    if (device_->kind() == device::Kind::host) result_.processor = device::this_processor();
  }

  void measure_ceilings() {
    if (!settings_.measure_ceilings) return;
    const device::Ceilings ceilings = device::measure_ceilings(*device_);
    result_.copy_bandwidth = ceilings.copy_bandwidth;
    result_.peak_flops = result_.precision == "double" ? ceilings.double_flops : ceilings.single_flops;
  }

  /// From the mesh on the device to where every block is there, memory included.
  void measure_pattern() {
    std::vector<double> times;
    for (int r = 0; r < settings_.repetitions; ++r) times.push_back(seconds([&] { discretization_->make_pattern(); }));
    std::sort(times.begin(), times.end());
    result_.pattern_seconds = times[times.size() / 2];
  }

  void measure_assembly() {
    const double once = seconds([&] { assemble(); });
    const int together = std::clamp(static_cast<int>(settings_.seconds / std::max(once, 1e-9)), 1, 100);
    std::vector<double> times;
    const std::clock_t begin = std::clock();
    for (int r = 0; r < settings_.repetitions; ++r)
      times.push_back(seconds([&] {
                        for (int k = 0; k < together; ++k) assemble();
                      }) /
                      together);
    if (result_.processor)
      result_.assembly_processor_seconds =
          static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / (settings_.repetitions * together);
    std::sort(times.begin(), times.end());
    result_.assembly_seconds[0] = times[times.size() / 2];
    result_.assembly_seconds[1] = times.front();
    result_.assembly_seconds[2] = times.back();
  }

  void profile() {
    constexpr int assemblies = 3;
    device::KernelTimes times;
    discretization_->profile(&times);
    for (int k = 0; k < assemblies; ++k) assemble();
    discretization_->profile(nullptr);
    const auto costs = discretization_->costs();
    double total = 0;
    for (const auto& [name, time] : times) total += time.seconds;
    for (const auto& [name, time] : times) {
      KernelFigures k;
      k.name = name;
      k.seconds = time.seconds / static_cast<double>(time.launches);
      k.launches = static_cast<double>(time.launches) / assemblies;
      k.share = time.seconds / total;
      const device::Kernel::Resources resources = discretization_->kernels().at(name)->resources();
      k.registers = resources.registers;
      k.local_bytes = resources.local_bytes;
      if (const auto cost = costs.find(name); cost != costs.end()) {
        k.bytes = cost->second.bytes / k.launches;  // costs are those of a matrix
        k.flops = cost->second.flops / k.launches;
      }
      set_rates(k, result_.copy_bandwidth, result_.peak_flops);
      result_.kernels.push_back(k);
    }
    std::sort(result_.kernels.begin(), result_.kernels.end(),
              [](const auto& a, const auto& b) { return a.share > b.share; });
  }

  void solve() {
    PolytopicSolver solver(*device_, case_, mesh_, spec_, degrees_, observer_);
    result_.first_set_up_seconds = seconds([&] { solver.set_up(*discretization_, 0, end_); });
    result_.set_up_seconds = seconds([&] { solver.set_up(*discretization_, 0, end_); });
    std::vector<double> load = discretization_->right_hand_side(), solution;
    result_.solution_seconds = seconds([&] { solver.solve(*discretization_, load, solution); });
    result_.iterations = solver.iterations();
  }

  const case_file::Settings& case_;
  const case_file::PolytopicSettings& polytopic_;
  const BenchSettings& settings_;
  Observer& observer_;
  std::unique_ptr<device::Device> device_;
  PolytopicMesh mesh_;
  std::vector<int> degrees_;
  polytopic::Spec spec_;
  double end_ = 0;
  std::optional<polytopic::Discretization> discretization_;
  std::optional<FileLock> lock_;
  PolytopicBenchResult result_;
};

std::string order_text(const PolytopicBenchResult& r) {
  return r.least_order == r.largest_order ? std::to_string(r.largest_order)
                                          : fmt::format("{} ... {}", r.least_order, r.largest_order);
}

std::string solution_text(const PolytopicBenchResult& r) {
  std::string text =
      fmt::format("  solver: {}; set-up {:.4g} ms, the first time {:.4g} ms; solution {:.4g} ms", r.solver,
                  1e3 * r.set_up_seconds, 1e3 * r.first_set_up_seconds, 1e3 * r.solution_seconds);
  text += r.iterations > 0 ? fmt::format(", {} iterations to {:g}\n", r.iterations, r.tolerance) : "\n";
  return text;
}

}  // namespace

PolytopicBenchResult bench_polytopic(const case_file::Settings& case_settings, const RunOptions& options,
                                     const BenchSettings& settings, Observer& observer) {
  return PolytopicBench(case_settings, options, settings, observer).run();
}

std::string to_text(const PolytopicBenchResult& r) {
  std::string text = fmt::format("{}, {} polytopes of {} simplices, p = {}, {}, {}\n", r.title, r.polytopes,
                                 r.simplices, order_text(r), r.precision, r.device);
  text += fmt::format("  {} degrees of freedom, {} non-zeros, {} interfaces of {} facets\n", r.dof, r.nonzeros,
                      r.interfaces, r.facets);
  text += fmt::format("  pattern: {:.4g} ms\n", 1e3 * r.pattern_seconds);
  text += fmt::format("  assembly: {:.4g} ms ({:.4g} ... {:.4g} ms), penalty \"{}\", {:.4g} MDOF/s, by {}\n",
                      1e3 * r.assembly_seconds[0], 1e3 * r.assembly_seconds[1], 1e3 * r.assembly_seconds[2], r.penalty,
                      static_cast<double>(r.dof) / r.assembly_seconds[0] / 1e6, r.assembly);
  if (r.processor)
    text += fmt::format("  processor time of an assembly: {:.4g} ms of {} threads together\n",
                        1e3 * r.assembly_processor_seconds, r.processor->threads);
  if (r.set_up_seconds > 0) text += solution_text(r);
  if (r.copy_bandwidth > 0) text += fmt::format("  copy bandwidth: {:.0f} GB/s\n", r.copy_bandwidth / 1e9);
  if (r.peak_flops > 0)
    text += fmt::format("  arithmetic peak: {:.0f} GFLOP/s in fused multiply-adds\n", r.peak_flops / 1e9);
  if (r.processor) text += fmt::format("  processor: {}\n", device::describe(*r.processor));
  return text + kernel_table(r.kernels, "matrix");
}

std::string to_json(const PolytopicBenchResult& r) {
  nlohmann::ordered_json json = {
      {"title", r.title},
      {"device", r.device},
      {"precision", r.precision},
      {"dimension", r.dimension},
      {"order", r.largest_order},
      {"least_order", r.least_order},
      {"simplices", r.simplices},
      {"polytopes", r.polytopes},
      {"interfaces", r.interfaces},
      {"facets", r.facets},
      {"dof", r.dof},
      {"nonzeros", r.nonzeros},
      {"penalty", r.penalty},
      {"assembly", r.assembly},
      {"pattern_seconds", r.pattern_seconds},
      {"assembly_seconds",
       {{"median", r.assembly_seconds[0]}, {"least", r.assembly_seconds[1]}, {"largest", r.assembly_seconds[2]}}},
      {"assembly_processor_seconds", r.assembly_processor_seconds},
      {"solver", r.solver},
      {"first_set_up_seconds", r.first_set_up_seconds},
      {"set_up_seconds", r.set_up_seconds},
      {"iterations", r.iterations},
      {"solution_seconds", r.solution_seconds},
      {"tolerance", r.tolerance},
      {"copy_bandwidth", r.copy_bandwidth},
      {"peak_flops", r.peak_flops}};
  if (r.processor) json["processor"] = json_of(*r.processor);
  if (!r.kernels.empty()) json["kernels"] = json_of(r.kernels);
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace galerna::solver
