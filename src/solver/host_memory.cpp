#include "solver/host_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/index.hpp"
#include "basis/basis.hpp"
#include "device/process_memory.hpp"
#include "solver/outputs/fields.hpp"

namespace galerna::solver {
namespace {

/// Kernels, threads and what libraries take when they are first used.
constexpr std::size_t beside = std::size_t{16} << 20;

/// Points, fields and cells of files/vtu.cpp, and what of them stands in encoded blocks.
std::size_t vtu_bytes(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  const case_file::OutputSettings& output = settings.output;
  const std::size_t fields =
      output.solution_fields.empty() ? case_fields(settings).listed_names().size() : output.solution_fields.size();
  const std::size_t real = output.solution_precision == "double" ? sizeof(double) : sizeof(float);
  std::size_t bytes = 0;
  for (const mesh::ElementBlock& block : mesh.blocks) {
    const int order = std::max({1, settings.discretization.order, block.order});
    const auto points = static_cast<std::size_t>(block.size()) *
                        static_cast<std::size_t>(basis::mode_count(block.shape, order));  // of the lattice
    constexpr std::size_t coordinates = 3, in_a_vector = 3;
    bytes += points * ((coordinates + fields + in_a_vector) * real + sizeof(std::int64_t));
  }
  return bytes + bytes / 2;
}

std::size_t state_bytes(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  std::size_t numbers = 0;
  for (const mesh::ElementBlock& block : mesh.blocks)
    numbers += static_cast<std::size_t>(block.size()) *
               static_cast<std::size_t>(basis::mode_count(block.shape, settings.discretization.order));
  return numbers * settings.equations.variables.size() * sizeof(double);
}

/// Whether files of the whole solution are written while the run goes on.
bool writes_on_the_way(const case_file::Settings& settings) {
  const auto has_times = [](const case_file::Schedule& schedule) { return schedule.interval || schedule.steps; };
  const case_file::OutputSettings& output = settings.output;
  return output.solution || has_times(output.checkpoint_schedule);
}

}  // namespace

HostPlan plan_host_memory(const case_file::Settings& settings, const mesh::Mesh& mesh, const device::MemoryPlan& plan,
                          device::Kind kind, int pending) {
  const device::ProcessMemory now = device::process_memory();
  HostPlan memory;
  memory.before = now.now + beside;
  memory.arrays = kind == device::Kind::host ? plan.held() : 0;
  const std::size_t state = state_bytes(settings, mesh);
  // The state, and while a checkpoint is made, it in two orders; or its VTU file.
  memory.outputs = state + std::max(2 * state, settings.output.solution ? vtu_bytes(settings, mesh) : 0);
  // Of a time mean its integral, too.
  if (writes_on_the_way(settings)) memory.pending = at(pending) * state * (settings.output.average_start ? 2 : 1);
  memory.peak = std::max(now.most, memory.before + memory.arrays + memory.outputs + memory.pending);
  return memory;
}

std::string describe(const HostPlan& memory) {
  const auto mb = [](std::size_t bytes) { return static_cast<double>(bytes) / 1e6; };
  return fmt::format(
      "process: {:.1f} MB at most ({:.1f} MB program and mesh, {:.1f} MB arrays, {:.1f} MB outputs, {:.1f} MB waiting "
      "for them)",
      mb(memory.peak), mb(memory.before), mb(memory.arrays), mb(memory.outputs), mb(memory.pending));
}

}  // namespace galerna::solver
