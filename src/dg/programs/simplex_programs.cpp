#include "dg/programs/simplex_programs.hpp"

#include <fmt/format.h>

#include "dg/programs/limiter_program.hpp"
#include "dg/programs/program_writer.hpp"

namespace galerna::dg {
namespace {

/// Kernels that a time step consists of, except the residuals.
std::vector<Entry> step_entries(const Spec& spec, const Structure& structure, const device::Target& target) {
  std::vector<Entry> entries = {monitor_entry(spec, structure, target)};
  if (target.kind == device::Kind::host) entries.push_back({"traces", "TraceArguments", "pack_traces<Config>"});
  if (spec.limiter)
    for (const Entry& entry : limiter_entries(spec, target)) entries.push_back(entry);
  entries.push_back({"change", "ChangeArguments", "change<Config>"});
  entries.push_back({"integrals", "IntegralArguments", "integrals<Config>"});
  for (const Entry& entry : state_entries(spec)) entries.push_back(entry);
  return entries;
}

void include_step(Writer& out, const Spec& spec, const Structure& structure) {
  for (const char* header : structure.headers) out.include(header);
  for (const char* header : {"kernels/change.hpp", "kernels/integrals.hpp", "kernels/error_estimate.hpp"})
    out.include(header);
  if (spec.averages) out.include("kernels/average.hpp");
  if (spec.limiter) include_limiter(out, *spec.limiter);
}

/// The members of Config that the kernels of a step need where there is a limiter or a source.
std::vector<std::string> step_members(Writer& out, const Spec& spec, const Operators& operators) {
  std::vector<std::string> members;
  if (spec.limiter) members = write_limiter(out, spec, operators);
  if (!spec.has_source()) return members;
  const std::vector<std::string> sources = write_sources(out, spec, operators, 1);
  members.insert(members.end(), sources.begin(), sources.end());
  return members;
}

}  // namespace

std::vector<device::ProgramSource> simplex_core_programs(const Spec& spec, const Operators& operators,
                                                         const Structure& structure, const device::Target& target,
                                                         const std::set<std::pair<int, int>>& stage_shapes) {
  Writer out(spec, operators, target);
  const KernelRequest request = {spec, operators, structure, target, stage_shapes};
  include_step(out, spec, structure);
  out.include_equations();
  out.common();
  std::vector<std::string> members = step_members(out, spec, operators);
  if (structure.members)
    for (const std::string& member : structure.members(request)) members.push_back(member);
  out.config_struct(members);
  for (const Entry& entry : structure.entries(request)) out.large_entry(entry);
  for (const Entry& entry : step_entries(spec, structure, target)) out.entry(entry);
  return out.finish("solver");
}

device::ProgramSource simplex_edge_program(const Spec& spec, const Operators& operators, const device::Target& target) {
  Writer out(spec, operators, target);
  out.include("kernels/element/edges.hpp");
  out.include_equations();
  out.common();
  out.config_struct({});
  out.entry({"edges", "EdgeArguments", "edge_traces<Config>"});
  return out.finish("traces at cuts").front();
}

std::vector<device::ProgramSource> simplex_case_programs(const Spec& spec, const Operators& operators,
                                                         const device::Target& target, bool stored_traces) {
  Writer out(spec, operators, target);
  out.include("kernels/boundary/ghosts.hpp");
  include_formulas(out, spec);
  out.include_equations();
  include_boundaries(out, spec);
  out.common();
  const std::vector<std::string> members = boundary_members(out, spec, stored_traces);
  const std::vector<Entry> formulas = write_formulas(out, spec);
  out.config_struct(members);
  for (const Entry& entry : boundary_entries(spec, dimension(operators.shape), stored_traces)) out.entry(entry);
  for (const Entry& entry : formulas) out.large_entry(entry);
  return out.finish("formulas");
}

bool steps_by_one_kernel(const Structure& structure, int degree, std::int64_t elements) {
  const auto [highest_degree, most_elements] = structure.steps_by_one_kernel;
  return degree <= highest_degree && elements <= most_elements;
}

Sequence sequence_program(const Spec& spec, const Operators& operators, const Structure& structure,
                          const device::Target& target, const std::set<std::pair<int, int>>& stage_shapes) {
  Writer out(spec, operators, target);
  include_step(out, spec, structure);
  for (const char* header : {"kernels/control.hpp", "kernels/boundary/ghosts.hpp", "kernels/launch_sequence.hpp"})
    out.include(header);
  out.include_equations();
  include_boundaries(out, spec);
  out.common();
  std::vector<std::string> members = step_members(out, spec, operators);
  for (const std::string& member : boundary_members(out, spec, structure.stores_traces)) members.push_back(member);
  out.config_struct(members);
  std::vector<Entry> entries = structure.entries({spec, operators, structure, target, stage_shapes});
  for (const Entry& entry : step_entries(spec, structure, target)) entries.push_back(entry);
  for (const Entry& entry : control_entries("System::variables", spec.error_control)) entries.push_back(entry);
  for (const Entry& entry : boundary_entries(spec, dimension(operators.shape), structure.stores_traces))
    entries.push_back(entry);
  out.sequence_entry(entries);
  Sequence result{out.finish("small mesh").front(), {}};
  for (const Entry& entry : entries) result.entries.push_back(entry.name);
  return result;
}

}  // namespace galerna::dg
