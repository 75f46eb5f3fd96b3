#include "dg/structures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "dg/rows/rows.hpp"

namespace galerna::dg {
namespace {

/// "packs needs straight triangles; tiles-32 and tiles-64 need …": what the rows for this device lack.
std::string lacks(const Elements& elements, const Spec& spec, const device::Target& target) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const Structure& row : structures()) {
    const Condition* lack = missing(row, elements, spec, target);
    if (!lack || lack == &row.needs.front()) continue;  // the first one is the device
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == lack->what; });
    if (group == groups.end())
      groups.push_back({lack->what, {row.name}});
    else
      group->second.push_back(row.name);
  }
  std::string text;
  for (const auto& [what, names] : groups)
    text += fmt::format("{}{} {} {}", text.empty() ? "" : "; ", list_names(names, "and"),
                        names.size() > 1 ? "need" : "needs", what);
  return text;
}

/// Why the first of the rows that fit is taken.
std::string why_first(const std::vector<const Structure*>& fitting, const Elements& elements, const Spec& spec,
                      const device::Target& target) {
  if (fitting.size() == 1) return lacks(elements, spec, target);
  std::vector<std::string> others;
  for (std::size_t i = 1; i < fitting.size(); ++i) others.push_back(fitting[i]->name);
  return fmt::format("fits, and is tried before {}", list_names(others, "and"));
}

std::string needs_text(const Structure& row) {
  std::string text;
  for (const Condition& condition : row.needs) text += (text.empty() ? "" : ", ") + std::string(condition.what);
  return text.empty() ? "nothing" : text;
}

}  // namespace

const std::vector<Structure>& structures() {
  static const std::vector<Structure> table = {packs(),
                                               threads(),
                                               tiles_of_32(),
                                               tiles_of_64(),
                                               viscous_tiles(),
                                               warp_tiles(),
                                               curved_warp_tiles(),
                                               viscous_warp_tiles(),
                                               curved_viscous_warp_tiles(),
                                               lines(),
                                               viscous_lines(),
                                               element()};
  return table;
}

const Structure& find_structure(const std::string& name) {
  std::vector<std::string> names;
  for (const Structure& row : structures()) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  const std::string near = nearest_name(name, names);
  throw InputError({"--structure"},
                   fmt::format("unknown structure \"{}\"{}; allowed: {}", name,
                               near.empty() ? "" : "; did you mean \"" + near + "\"?", list_names(names)));
}

const Condition* missing(const Structure& structure, const Elements& elements, const Spec& spec,
                         const device::Target& target) {
  for (const Condition& condition : structure.needs)
    if (!condition.holds(elements, spec, target)) return &condition;
  return nullptr;
}

std::vector<const Structure*> fitting_structures(const Elements& elements, const Spec& spec,
                                                 const device::Target& target) {
  std::vector<const Structure*> rows;
  for (const Structure& row : structures())
    if (!missing(row, elements, spec, target)) rows.push_back(&row);
  std::stable_partition(rows.begin(), rows.end(), [&](const Structure* row) {
    return row->first.what && row->first.holds(elements, spec, target);
  });
  return rows;
}

Choice choose_structure(const Elements& elements, const Spec& spec, const device::Target& target) {
  std::string note;
  if (spec.structure) {
    const Structure& asked = find_structure(*spec.structure);
    const Condition* lack = missing(asked, elements, spec, target);
    if (!lack) return {&asked, spec.structure_why};
    note = fmt::format("; {}, {}, needs {}", asked.name, spec.structure_why, lack->what);
  }
  const auto fitting = fitting_structures(elements, spec, target);
  return {fitting.front(), why_first(fitting, elements, spec, target) + note};
}

std::string structures_markdown() {
  std::string text =
      "# Structures of kernels\n\n"
      "What computes the residual of a set of elements (all elements of one shape and geometry order) is a row of this "
      "table. `element` is the algorithm; the others are accelerations of it, for what they need. All of them give the "
      "same "
      "residual up to rounding.\n\n"
      "| row | what it is | needs | measured (fp64) |\n| --- | --- | --- | --- |\n";
  for (const Structure& row : structures())
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.name, row.what, needs_text(row), row.measured);
  text +=
      "\n## How a row is chosen\n\n"
      "Every set gets the first row of the table that has what it needs, with these exceptions:\n\n"
      "- ";
  for (const Structure& row : structures())
    if (row.first.what) text += fmt::format("`{}` is tried before all others at {}. ", row.name, row.first.what);
  text.back() = '\n';
  std::vector<std::string> timed;
  for (const Structure& row : structures())
    if (row.timed.what)
      timed.push_back(fmt::format("`{}`{}", row.name, *row.timed.what ? fmt::format(" ({})", row.timed.what) : ""));
  text += fmt::format(
      "- On a GPU, where a mesh holds nothing else and more than one of {} fit, they are timed, once for each device, "
      "equations, flux, order and precision, and the fastest is taken. The cache of compiled programs remembers it, "
      "and a "
      "checkpoint carries it, so that runs and restarts repeat bit for bit.\n"
      "- `--structure NAME` (`galerna run`, `check` and `bench`) asks for a row: sets that it fits get it.\n\n"
      "The log of a run, `galerna check`, `galerna bench` and `report.json` say which row every set got and why; "
      "`galerna bench --structures` runs a case with every row that fits and prints them side by side.\n",
      list_names(timed, "and"));
  return text;
}

}  // namespace galerna::dg
