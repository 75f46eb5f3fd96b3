#include "solver/bench/structures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "dg/mesh_programs.hpp"
#include "dg/plan_sets.hpp"
#include "dg/sides/code_counts.hpp"
#include "dg/structures.hpp"
#include "solver/bench/tuning.hpp"

namespace galerna::solver {
namespace {

std::string elements_of(const dg::SetPlan& set) {
  return fmt::format("{} of order {}", plural_name(set.operators.shape), set.order);
}

std::vector<const dg::Structure*> timed(const std::vector<dg::SetPlan>& sets, const dg::Spec& spec,
                                        const device::Target& target) {
  if (sets.size() > 1) return {};
  return timed_structures(sets.front().traits(), spec, target);
}

/// The one of the rows by which the run that wrote the checkpoint computed; null if it was another one.
const dg::Structure* remembered(const files::Checkpoint& checkpoint, const std::vector<const dg::Structure*>& rows) {
  const auto tile = checkpoint.state.find("tile_elements");
  if (tile == checkpoint.state.end()) return nullptr;
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const dg::Structure* one) {
    return one->tile == static_cast<int>(tile->second.at(0));
  });
  return row == rows.end() ? nullptr : *row;
}

/// What a flow loads with each of the rows.
std::vector<device::ProgramSource> programs_with(const std::vector<const dg::Structure*>& rows, dg::Spec spec,
                                                 const mesh::Mesh& mesh, const device::Target& target,
                                                 const std::set<std::pair<int, int>>& stage_shapes) {
  std::vector<device::ProgramSource> programs;
  for (const dg::Structure* row : rows) {
    spec.structure = row->name;
    for (device::ProgramSource& program : dg::make_programs(mesh, spec, target, stage_shapes))
      programs.push_back(std::move(program));
  }
  return programs;
}

}  // namespace

void remember_structures(files::Checkpoint& checkpoint, const std::vector<dg::SetPlan>& sets,
                         const std::string& asked) {
  // Beside others nothing was measured.
  checkpoint.state["tile_elements"] = {static_cast<double>(sets.size() == 1 ? sets.front().structure->tile : 0)};
  if (!asked.empty()) checkpoint.state["structure_" + asked] = {1};
}

std::string asked_structure(const files::Checkpoint& checkpoint) {
  for (const dg::Structure& row : dg::structures())
    if (checkpoint.state.contains(std::string("structure_") + row.name)) return row.name;
  return "";
}

void choose_structure(dg::Spec& spec, const mesh::Mesh& mesh, const std::set<std::pair<int, int>>& stage_shapes,
                      device::Device& device, const std::string& asked, const files::Checkpoint* checkpoint,
                      WallClock& clock, parallel::Team* team) {
  const auto ask_for = [&](const std::string& name, const std::string& why) {
    spec.structure = name;
    spec.structure_why = why;
  };
  if (!asked.empty()) return ask_for(asked, "asked for");
  if (mesh.blocks.size() > 1) return;  // nothing is timed there
  const device::Target target = device::target_of(device, spec.precision);
  const auto rows = timed(dg::plan_sets(mesh, spec, target), spec, target);
  if (checkpoint && checkpoint->degree == spec.degree)
    if (const dg::Structure* row = remembered(*checkpoint, rows)) return ask_for(row->name, "that of the checkpoint");
  if (rows.size() < 2) return;
  const WallClock::Scope timing(clock, WallClock::Part::tuning);
  std::string name, why;
  const auto measure = [&] {
    const dg::Choice choice =
        fastest_structure(device, spec, rows, [&] { return programs_with(rows, spec, mesh, target, stage_shapes); });
    name = choice.structure->name;
    why = choice.why;
  };
  if (team) {
    team->only_first(measure);
    team->broadcast(name);
    team->broadcast(why);
  } else {
    measure();
  }
  ask_for(name, why);
}

void require_structure(const case_file::Settings& settings, const std::string& asked, const dg::Spec& spec,
                       const mesh::Mesh& mesh, const device::Target& target) {
  const dg::Structure& row = dg::find_structure(asked);
  std::vector<Problem> problems;
  for (const dg::SetPlan& set : dg::plan_sets(mesh, spec, target)) {
    const dg::Elements elements = set.traits();
    const dg::Condition* lack = dg::missing(row, elements, spec, target);
    if (!lack) {
      dg::Spec with = spec;
      with.structure = asked;
      return dg::require_codes(dg::code_counts(mesh, with), settings.mesh.place);
    }
    std::vector<std::string> names;
    for (const dg::Structure* fitting : dg::fitting_structures(elements, spec, target)) names.push_back(fitting->name);
    problems.push_back(
        {{"--structure"},
         fmt::format("{} needs {}; {} can have {}", asked, lack->what, elements_of(set), list_names(names))});
  }
  throw InputError(problems);
}

std::vector<std::string> structures_that_fit(const dg::Spec& spec, const mesh::Mesh& mesh,
                                             const device::Target& target) {
  const std::vector<dg::SetPlan> sets = dg::plan_sets(mesh, spec, target);
  std::vector<std::string> names;
  for (const dg::Structure& row : dg::structures())
    if (std::any_of(sets.begin(), sets.end(),
                    [&](const dg::SetPlan& set) { return !dg::missing(row, set.traits(), spec, target); }))
      names.push_back(row.name);
  return names;
}

bool are_timed(const std::vector<dg::SetPlan>& sets, const dg::Spec& spec, const device::Target& target) {
  return timed(sets, spec, target).size() > 1;
}

std::vector<files::Report::Structure> structures_of(const std::vector<dg::SetPlan>& sets) {
  std::vector<files::Report::Structure> result;
  for (const dg::SetPlan& set : sets) result.push_back({elements_of(set), set.elements, set.structure->name, set.why});
  return result;
}

std::string describe(const files::Report::Structure& set) {
  return fmt::format("{} {}: {} ({})", set.count, set.elements, set.structure, set.why);
}

}  // namespace galerna::solver
