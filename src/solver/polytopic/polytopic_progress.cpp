#include "solver/polytopic/polytopic_progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/version.hpp"
#include "mesh/hash.hpp"

namespace galerna::solver {
namespace {

using State = std::map<std::string, std::vector<double>>;

/// All numbers of a run but the solution, by name, on their way to or from a checkpoint: visit(name, vector) for each.
template <class Progress, class Visit>
void visit_numbers(Progress& p, const Visit& visit) {
  auto& c = p.conservation;
  visit("errors", {&p.errors.l2, &p.errors.h1, &p.errors.dg, &p.errors.integral, &p.errors.l2_end});
  visit("penalty", {&p.least_penalty, &p.largest_penalty});
  visit("energy", {&p.energy});
  visit("conservation", {&c.source, &c.consumed, &c.stored, &c.outflow, &c.defect, &c.largest_element_defect,
                         &c.relative_element_defect});
}

State what_it_is_of(const PolytopicMesh& mesh, const basis::BoxSpace& space, const std::vector<int>& degrees) {
  return {{"orders", {degrees.begin(), degrees.end()}},
          {"polytopes", {mesh.agglomeration.polytope.begin(), mesh.agglomeration.polytope.end()}},
          {"space", {static_cast<double>(space.tensor)}}};
}

const std::vector<double>& numbers_at(const State& state, const std::string& name, std::size_t count,
                                      const std::filesystem::path& file) {
  const auto found = state.find(name);
  if (found == state.end() || found->second.size() != count)
    throw InputError({file.string()}, fmt::format("is no checkpoint of slabs: {} is missing or wrong", name));
  return found->second;
}

}  // namespace

void PolytopicProgress::add(const polytopic::SquaredErrors& slab) {
  errors.l2 += slab.l2;
  errors.h1 += slab.h1;
  errors.dg += slab.dg;
  errors.integral += slab.integral;
  errors.l2_end = slab.l2_end;
}

void PolytopicProgress::add(const polytopic::Balance& slab) {
  outflows.resize(slab.boundaries.size());
  for (std::size_t b = 0; b < outflows.size(); ++b) {
    outflows[b].diffusive += slab.boundaries[b].diffusive;
    outflows[b].advective += slab.boundaries[b].advective;
  }
  conservation.source += slab.source;
  conservation.consumed += slab.consumed;
  conservation.stored += slab.stored;
  conservation.outflow += slab.outflow();
  conservation.defect += slab.defect();
  conservation.largest_element_defect = std::max(conservation.largest_element_defect, slab.largest_defect());
  conservation.relative_element_defect = std::max(conservation.relative_element_defect, slab.relative_defect());
}

files::Checkpoint make_polytopic_checkpoint(const PolytopicProgress& progress, const case_file::Settings& settings,
                                            const PolytopicMesh& mesh, const basis::BoxSpace& space,
                                            const std::vector<int>& degrees, device::Precision precision, double time) {
  files::Checkpoint c;
  c.galerna_version = version_commit();
  c.build = build();
  c.resolved_case = settings.resolved;
  c.mesh_hash = mesh::hash(mesh.mesh);
  c.mesh_file = std::filesystem::absolute(mesh.mesh.file).string();
  c.degree = *std::max_element(degrees.begin(), degrees.end());
  c.variables = {"u"};
  c.precision = precision == device::Precision::double_precision ? "double" : "single";
  c.time = time;
  c.step = progress.slabs;
  c.state = what_it_is_of(mesh, space, degrees);
  visit_numbers(progress, [&](const char* name, std::initializer_list<const double*> numbers) {
    for (const double* number : numbers) c.state[name].push_back(*number);
  });
  for (const files::PolytopicReport::Solve& solve : progress.solves)
    c.state["solves"].insert(c.state["solves"].end(), {static_cast<double>(solve.iterations), solve.first, solve.last});
  for (const polytopic::Balance::Outflow& flow : progress.outflows)
    c.state["outflows"].insert(c.state["outflows"].end(), {flow.diffusive, flow.advective});
  c.coefficients = progress.solution;
  return c;
}

PolytopicProgress read_polytopic_checkpoint(const std::filesystem::path& file, const case_file::Settings& settings,
                                            const PolytopicMesh& mesh, const basis::BoxSpace& space,
                                            const std::vector<int>& degrees,
                                            const std::function<double(long slab)>& begin_of) {
  const files::Checkpoint c = files::read_checkpoint(file);
  const long slabs = settings.polytopic->slabs->count;
  const auto refuse = [&](const std::string& why) { throw InputError({file.string()}, why); };
  if (c.mesh_hash != mesh::hash(mesh.mesh))
    refuse(
        fmt::format("the checkpoint is of another mesh ({}) than the case's ({}); give the same mesh.file and "
                    "mesh.refine",
                    c.mesh_file, mesh.mesh.file));
  if (c.variables != std::vector<std::string>{"u"})
    refuse("the checkpoint holds other variables than the case's equations");
  for (const auto& [name, values] : what_it_is_of(mesh, space, degrees))
    if (c.state.count(name) == 0 || c.state.at(name) != values)
      refuse(
          fmt::format("the checkpoint was made with other {}: give the same [mesh.agglomerate], [discretization] "
                      "and time.space",
                      name));
  if (c.step >= slabs && c.time < settings.polytopic->slabs->end * (1 - 1e-12))
    refuse(fmt::format(
        "the checkpoint is at t = {:.10g} after {} slabs, but time.slabs = {} up to time.end = {:.10g}: slabs "
        "must be as long as they were, so raise time.slabs in proportion",
        c.time, c.step, slabs, settings.polytopic->slabs->end));
  if (c.step >= slabs)
    refuse(
        fmt::format("the checkpoint is at t = {:.10g}, where the run ends already; raise time.end = {:.10g} and "
                    "time.slabs = {}",
                    c.time, settings.polytopic->slabs->end, slabs));
  if (std::abs(begin_of(c.step) - c.time) > 1e-12 * c.time)
    refuse(
        fmt::format("the checkpoint is at t = {:.10g} after {} slabs, where the case has t = {:.10g}: slabs must be "
                    "as long as they were",
                    c.time, c.step, begin_of(c.step)));
  PolytopicProgress p;
  p.slabs = static_cast<long>(c.step);
  p.solution = c.coefficients;
  visit_numbers(p, [&](const char* name, std::initializer_list<double*> numbers) {
    const std::vector<double>& values = numbers_at(c.state, name, numbers.size(), file);
    std::size_t k = 0;
    for (double* number : numbers) *number = values[k++];
  });
  const std::vector<double>& solves = numbers_at(c.state, "solves", 3 * static_cast<std::size_t>(c.step), file);
  for (std::size_t k = 0; k < solves.size(); k += 3)
    p.solves.push_back({static_cast<std::int64_t>(solves[k]), solves[k + 1], solves[k + 2]});
  const std::vector<double>& outflows = numbers_at(c.state, "outflows", 2 * mesh.mesh.boundaries.size(), file);
  for (std::size_t k = 0; k < outflows.size(); k += 2) p.outflows.push_back({outflows[k], outflows[k + 1]});
  return p;
}

}  // namespace galerna::solver
