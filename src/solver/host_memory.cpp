#include "solver/host_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/index.hpp"
#include "base/parallel.hpp"
#include "base/process_memory.hpp"
#include "basis/basis.hpp"
#include "dg/run/state_reader.hpp"
#include "files/vtu.hpp"

namespace galerna::solver {
namespace {

/// Kernels, threads and what libraries take when they are first used.
constexpr std::size_t beside = std::size_t{16} << 20;
/// Of files that are written: what a thread has of a list of numbers, and for HDF5.
constexpr std::size_t piece = std::size_t{8} << 20, of_file = std::size_t{16} << 20;

/// Of a copy as it lies on the device.
std::size_t state_bytes(const case_file::Settings& settings, const mesh::Mesh& mesh, device::Precision precision) {
  std::size_t numbers = 0;
  for (const mesh::ElementBlock& block : mesh.blocks)
    numbers += static_cast<std::size_t>(block.size()) *
               static_cast<std::size_t>(basis::mode_count(block.shape, settings.discretization.order));
  const std::size_t number = precision == device::Precision::double_precision ? sizeof(double) : sizeof(float);
  return numbers * settings.equations.variables.size() * number;
}

/// Whether files of the whole solution are written while the run goes on.
bool writes_on_the_way(const case_file::Settings& settings) {
  const auto has_times = [](const case_file::Schedule& schedule) { return schedule.interval || schedule.steps; };
  const case_file::OutputSettings& output = settings.output;
  return output.solution || has_times(output.checkpoint_schedule);
}

}  // namespace

HostPlan plan_host_memory(const case_file::Settings& settings, const mesh::Mesh& mesh, const device::MemoryPlan& plan,
                          device::Kind kind, device::Precision precision, int pending) {
  const ProcessMemory now = process_memory();
  HostPlan memory;
  memory.before = now.now + beside;
  if (kind == device::Kind::host) {
    memory.arrays = plan.held();
    memory.temporary = plan.temporary;
  }
  const std::size_t state = state_bytes(settings, mesh, precision);
  // Where elements are in the mesh file, and of a VTU file which way round they are.
  const std::size_t orders = static_cast<std::size_t>(mesh.element_count()) * (sizeof(mesh::Index) + 1);
  const std::size_t file = settings.output.solution ? files::VtuOptions{}.memory : 0;
  // What comes from a GPU is there twice more, as it lay there and in the order of the file.
  const std::size_t threads = static_cast<std::size_t>(host_thread_count());
  const std::size_t pieces = of_file + threads * piece * (kind == device::Kind::host ? 1 : 3);
  memory.outputs = orders + std::min(state, pieces + file);
  // Fields are evaluated in a copy of each set, where those are small.
  if (kind == device::Kind::cuda) memory.outputs += std::min(state, at(dg::StateReader::most_whole));
  // A run that waits for its files, as it does at the end, has them written from the device.
  if (writes_on_the_way(settings) && pending > 0) {
    const std::size_t states = settings.output.average_start ? 2 : 1;  // of a time mean its integral, too
    memory.outputs += states * state;
    memory.pending = at(pending - 1) * state * states;
    memory.copies = at(pending) * state * states;
  }
  // A flow goes from one degree to the next on the host.
  if (kind == device::Kind::cuda && !settings.time.sequence.empty()) memory.outputs = std::max(memory.outputs, state);
  memory.peak = std::max(now.most, memory.before + memory.to_come());
  return memory;
}

HostPlan fitting_host_plan(const std::function<HostPlan(int pending)>& plan, int& pending, std::size_t free) {
  constexpr std::size_t share = 2;
  while (pending > 0) {
    const HostPlan memory = plan(pending);
    if (memory.copies <= free / share && memory.to_come() <= free) return memory;
    --pending;
  }
  return plan(0);
}

void require_host_memory(const HostPlan& plan, std::size_t free) {
  if (plan.to_come() <= free) return;
  const auto gb = [](std::size_t bytes) { return static_cast<double>(bytes) / 1e9; };
  throw SystemError(fmt::format(
      "not enough memory of the host: {:.2f} GB needed beside the mesh ({:.2f} GB arrays, {:.2f} GB for what is "
      "written), {:.2f} GB free; take a coarser mesh or a lower order",
      gb(plan.to_come()), gb(plan.arrays), gb(plan.outputs + plan.pending), gb(free)));
}

std::string describe(const HostPlan& memory) {
  const auto mb = [](std::size_t bytes) { return static_cast<double>(bytes) / 1e6; };
  return fmt::format(
      "process: {:.1f} MB at most ({:.1f} MB program and mesh, {:.1f} MB arrays, {:.1f} MB outputs, {:.1f} MB waiting "
      "for them)",
      mb(memory.peak), mb(memory.before), mb(memory.arrays), mb(memory.outputs), mb(memory.pending));
}

}  // namespace galerna::solver
