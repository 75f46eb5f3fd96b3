#include "solver/host_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/index.hpp"
#include "basis/basis.hpp"
#include "device/process_memory.hpp"
#include "files/vtu.hpp"

namespace galerna::solver {
namespace {

/// Kernels, threads and what libraries take when they are first used.
constexpr std::size_t beside = std::size_t{16} << 20;
/// Of files that are written.
constexpr std::size_t pieces = std::size_t{32} << 20;

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
  const device::ProcessMemory now = device::process_memory();
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
  // At the end what the device has on the host is written from there.
  const bool copies = kind != device::Kind::host || writes_on_the_way(settings);
  memory.outputs = (copies ? state : 0) + orders + std::min(state, pieces + file);
  // Of a time mean its integral, too.
  const std::size_t states = settings.output.average_start ? 2 : 1;
  memory.outputs += (states - 1) * state;
  if (writes_on_the_way(settings)) memory.pending = at(std::max(pending - 1, 0)) * state * states;
  memory.peak = std::max(now.most, memory.before + memory.to_come());
  return memory;
}

void require_host_memory(const HostPlan& plan, std::size_t free) {
  if (plan.to_come() <= free) return;
  const auto gb = [](std::size_t bytes) { return static_cast<double>(bytes) / 1e9; };
  throw SystemError(fmt::format(
      "not enough memory of the host: {:.2f} GB needed beside the mesh ({:.2f} GB arrays, {:.2f} GB a state that is "
      "written, {:.2f} GB states that wait for it), {:.2f} GB free; {}",
      gb(plan.to_come()), gb(plan.arrays), gb(plan.outputs), gb(plan.pending), gb(free),
      plan.to_come() - plan.pending <= free ? "give --pending 1" : "take a coarser mesh or a lower order"));
}

std::string describe(const HostPlan& memory) {
  const auto mb = [](std::size_t bytes) { return static_cast<double>(bytes) / 1e6; };
  return fmt::format(
      "process: {:.1f} MB at most ({:.1f} MB program and mesh, {:.1f} MB arrays, {:.1f} MB outputs, {:.1f} MB waiting "
      "for them)",
      mb(memory.peak), mb(memory.before), mb(memory.arrays), mb(memory.outputs), mb(memory.pending));
}

}  // namespace galerna::solver
