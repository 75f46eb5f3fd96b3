#include "solver/bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/error.hpp"
#include "device/ceilings.hpp"
#include "dg/sides/code_counts.hpp"
#include "solver/bench/kernel_costs.hpp"
#include "solver/bench/structures.hpp"
#include "solver/problem.hpp"

namespace galerna::solver {
namespace {

/// Of an element, on average: state read and written once, ∇λ (d² numbers; not where metric terms differ from point to
/// point), one 4-byte neighbour code a side.
double floor_bytes(const dg::FlowOperator& d) {
  double sum = 0, elements = 0;
  for (const dg::ElementSet& set : d.sets()) {
    const int number = dg::bytes_of(d.spec().precision), dimension = galerna::dimension(set.operators.shape);
    const double state = static_cast<double>(set.operators.modes * d.spec().variable_count() * number);
    elements += static_cast<double>(set.blocks.items);
    sum += static_cast<double>(set.blocks.items) *
           (2 * state + dimension * dimension * number + 4 * set.operators.sides());
  }
  return sum / elements;
}

/// Bytes and operations of a launch of each kernel. \param limited_share as in CostProblem
std::map<std::string, KernelCost> costs_of(Simulation& simulation, double limited_share) {
  dg::FlowOperator& d = simulation.flow().discretization();
  const auto faces = dg::code_counts(simulation.flow().mesh(), d.spec()).boundary_faces;
  return kernel_costs(d, {simulation.flow().stepper().scheme(), std::accumulate(faces.begin(), faces.end(), 0L),
                          simulation.flow().settings().time.seeks_steady(), limited_share});
}

std::vector<KernelFigures> profile(Simulation& simulation, const BenchResult& result) {
  dg::FlowOperator& d = simulation.flow().discretization();
  constexpr int steps = 10;
  device::KernelTimes times;
  simulation.flow().stepper().run_step_by_kernel();
  const double limited_before = d.limiter_counts()[0];
  d.profile(&times);
  for (int s = 0; s < steps; ++s) simulation.flow().stepper().run_step_by_kernel();
  d.profile(nullptr);
  const double limited = d.limiter_counts()[0] - limited_before;
  const auto costs = costs_of(simulation, limited / static_cast<double>(result.elements * steps * result.stages));
  double total = 0;
  for (const auto& [name, time] : times) total += time.seconds;
  std::vector<KernelFigures> figures;
  for (const auto& [name, time] : times) {
    const auto resources = d.kernels().at(name)->resources();
    KernelFigures k;
    k.name = name;
    k.seconds = time.seconds / static_cast<double>(time.launches);
    k.launches = static_cast<double>(time.launches) / steps;
    k.share = time.seconds / total;
    k.registers = resources.registers;
    k.local_bytes = resources.local_bytes;
    if (const auto cost = costs.find(name); cost != costs.end()) {
      k.bytes = cost->second.bytes;
      k.flops = cost->second.flops;
    }
    set_rates(k, result.copy_bandwidth, result.peak_flops);
    figures.push_back(k);
  }
  std::sort(figures.begin(), figures.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  return figures;
}

}  // namespace

BenchResult bench(Simulation& simulation, const BenchSettings& settings) {
  dg::FlowOperator& d = simulation.flow().discretization();
  time::Stepper& stepper = simulation.flow().stepper();
  stepper.set_stop(std::numeric_limits<double>::max(), std::numeric_limits<long>::max());
  stepper.ignore_steadiness();

  const double first = stepper.time_steps(1);  // warms up and tells how many launches fill a repetition
  const double once = std::min(first, stepper.time_steps(1));
  const int launches = std::clamp(static_cast<int>(settings.seconds / std::max(once, 1e-9)), 1, 1000);
  std::vector<double> seconds;
  for (int r = 0; r < settings.repetitions; ++r)
    seconds.push_back(stepper.time_steps(launches) / (launches * time::Stepper::steps_per_launch()));
  std::sort(seconds.begin(), seconds.end());
  if (stepper.control().status != static_cast<int>(kernels::RunStatus::running))
    throw Error(ExitCode::simulation_failed, "the benchmark's flow became inadmissible; lower time.cfl or time.step");

  BenchResult result;
  result.title = d.spec().title;
  result.device = d.device().name();
  result.precision = d.spec().precision == device::Precision::double_precision ? "double" : "single";
  result.scheme = stepper.scheme().name;
  result.elements = simulation.flow().mesh().element_count();
  result.dof = d.degrees_of_freedom();
  result.order = d.spec().degree;
  result.stages = static_cast<int>(stepper.scheme().stages.size());
  result.step_seconds[0] = seconds[seconds.size() / 2];
  result.step_seconds[1] = seconds.front();
  result.step_seconds[2] = seconds.back();
  result.dof_per_second = static_cast<double>(result.dof * result.stages) / result.step_seconds[0];
  result.floor_bytes = floor_bytes(d);
  if (settings.measure_ceilings) {
    const device::Ceilings ceilings = device::measure_ceilings(d.device());
    result.copy_bandwidth = ceilings.copy_bandwidth;
    result.peak_flops =
        d.spec().precision == device::Precision::double_precision ? ceilings.double_flops : ceilings.single_flops;
    const double floor = result.floor_bytes * static_cast<double>(result.elements) / result.copy_bandwidth;
    result.floor_share = floor * result.stages / result.step_seconds[0];
  }
  if (d.device().kind() == device::Kind::host) result.processor = device::this_processor();
  result.structures = structures_of(d.plans());
  if (settings.kernels) result.kernels = profile(simulation, result);
  return result;
}

Comparison bench_structures(const case_file::Settings& case_settings, RunOptions options, BenchSettings settings,
                            Observer& observer) {
  settings.measure_ceilings = settings.kernels = false;
  const mesh::Mesh mesh = make_mesh(case_settings);
  check_problem(case_settings, mesh);
  const device::Target target = device::target_of(*device::open_device(options.device), options.precision);
  Comparison comparison;
  for (const std::string& row : structures_that_fit(make_spec(case_settings, mesh, options.precision), mesh, target)) {
    options.structure = row;
    Simulation simulation(case_settings, options, observer);
    comparison.emplace_back(row, bench(simulation, settings));
  }
  return comparison;
}

std::string to_text(const Comparison& comparison) {
  const auto element =
      std::find_if(comparison.begin(), comparison.end(), [](const auto& entry) { return entry.first == "element"; });
  std::string text = fmt::format("  {:16} {:>10} {:>12} {:>12}\n", "structure", "GDOF/s", "ms a step", "to element");
  for (const auto& [row, r] : comparison)
    text += fmt::format("  {:16} {:10.4g} {:12.4g} {:12.3g}\n", row, r.dof_per_second / 1e9, 1e3 * r.step_seconds[0],
                        r.dof_per_second / element->second.dof_per_second);
  // A row computes the sets that it fits; others keep their own.
  for (const auto& [row, r] : comparison)
    for (const files::Report::Structure& set : r.structures)
      if (set.structure != row) text += fmt::format("with {}: {} by {}\n", row, set.elements, set.structure);
  return text;
}

std::string to_text(const BenchResult& r) {
  std::string text = fmt::format("{}, {} elements, p = {}, {}, {}, {}\n", r.title, r.elements, r.order, r.scheme,
                                 r.precision, r.device);
  text += fmt::format("  {:.4g} MDOF/s   ({} DOF x {} right-hand sides in {:.4g} ms a step; {:.4g} ... {:.4g} ms)\n",
                      r.dof_per_second / 1e6, r.dof, r.stages, 1e3 * r.step_seconds[0], 1e3 * r.step_seconds[1],
                      1e3 * r.step_seconds[2]);
  if (r.copy_bandwidth > 0)
    text += fmt::format("  bandwidth floor: {:.0f} bytes per element and stage at {:.0f} GB/s; reached {:.1f} %\n",
                        r.floor_bytes, r.copy_bandwidth / 1e9, 100 * r.floor_share);
  if (r.peak_flops > 0)
    text += fmt::format("  arithmetic peak: {:.0f} GFLOP/s in fused multiply-adds\n", r.peak_flops / 1e9);
  if (r.processor) text += fmt::format("  processor: {}\n", device::describe(*r.processor));
  for (const files::Report::Structure& set : r.structures) text += fmt::format("  kernels of {}\n", describe(set));
  text += kernel_table(r.kernels, "step");
  return text;
}

namespace {

nlohmann::ordered_json json_of_result(const BenchResult& r) {
  nlohmann::ordered_json json = {
      {"title", r.title},
      {"device", r.device},
      {"precision", r.precision},
      {"scheme", r.scheme},
      {"elements", r.elements},
      {"order", r.order},
      {"dof", r.dof},
      {"stages", r.stages},
      {"step_seconds", {{"median", r.step_seconds[0]}, {"least", r.step_seconds[1]}, {"largest", r.step_seconds[2]}}},
      {"dof_per_second", r.dof_per_second},
      {"floor_bytes_per_element_and_stage", r.floor_bytes},
      {"copy_bandwidth", r.copy_bandwidth},
      {"peak_flops", r.peak_flops},
      {"floor_share", r.floor_share}};
  if (r.processor) json["processor"] = json_of(*r.processor);
  for (const files::Report::Structure& set : r.structures)
    json["structures"].push_back(
        {{"elements", set.elements}, {"count", set.count}, {"structure", set.structure}, {"why", set.why}});
  if (!r.kernels.empty()) json["kernels"] = json_of(r.kernels);
  return json;
}

}  // namespace

std::string to_json(const BenchResult& result) {
  return json_of_result(result).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string to_json(const Comparison& comparison) {
  auto json = nlohmann::ordered_json::object();
  for (const auto& [row, result] : comparison) json[row] = json_of_result(result);
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace galerna::solver
