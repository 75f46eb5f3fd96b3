#include "case/read_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/toml_key.hpp"
#include "case/registry.hpp"

namespace galerna::case_file {
namespace {

bool seeks_steady(const Section& s) {
  return s.has("steady") || s.has("steady_residual") || s.has("steady_forces");
}

void check_step(const Section& s, Reading& reading, bool bounded) {
  const int ways = (s.has("cfl") ? 1 : 0) + (s.has("step") ? 1 : 0) + (s.has("tolerance") ? 1 : 0);
  if (ways > 1 || (ways == 0 && !bounded))
    reading.report(s.place(), fmt::format("[time] needs exactly one of cfl, step and tolerance, but has {}", ways));
  if (!s.has("end") && !seeks_steady(s) && !s.has("max_steps"))
    reading.report(s.place(), "[time] needs an end: set end, steady_residual, steady_forces, steady or max_steps");
}

void check_local(Section& s) {
  if (!seeks_steady(s))
    s.report("local",
             "local time steps lead to steady states only: set time.steady, steady_residual or steady_forces, or leave "
             "local "
             "out");
  if (s.has("end"))
    s.report("end", "end has no meaning with local = true: elements have no common time; use max_steps");
  for (const char* name : {"step", "tolerance"})
    if (s.has(name))
      s.report(name, fmt::format("{} gives all elements the same step, but local = true each its own: use cfl", name));
}

std::vector<double> degrees_below(int order) {
  std::vector<double> degrees;
  for (int degree = 1; degree < order; ++degree) degrees.push_back(degree);
  return degrees;
}

/// Whole numbers that rise towards the order.
bool is_sequence(const std::vector<double>& degrees, int order) {
  double last = -1;
  for (double degree : degrees) {
    if (degree != std::floor(degree) || degree <= last) return false;
    last = degree;
  }
  return !degrees.empty() && last < order;
}

void read_sequence(Section& s, TimeSettings& time, int order) {
  time.sequence_steady = s.number("sequence_steady");
  time.sequence_steps = s.integer("sequence_steps");
  for (const char* name : {"sequence_steady", "sequence_steps"})
    if (s.has(name) && !s.has("sequence")) s.report(name, fmt::format("{} has no meaning without sequence", name));
  if (s.word("sequence") == std::string("none")) return;
  time.sequence_by_residual = s.word("sequence").has_value() && !time.newton;
  const auto degrees = s.word("sequence") ? std::optional(degrees_below(order)) : s.numbers("sequence", 0, 100);
  if (!degrees) return;
  if (!time.sequence_by_residual && !is_sequence(*degrees, order))
    return s.report("sequence", fmt::format("sequence must be a list of rising degrees from 0 on, all below "
                                            "discretization.order = {}",
                                            order));
  if (!seeks_steady(s))
    s.report("sequence",
             "a sequence of degrees leads to steady states only: set time.steady, steady_residual or steady_forces");
  if (s.has("end"))
    s.report("end",
             "end has no meaning with sequence: the time at which the flow is steady at the lower degrees is "
             "unknown; use max_steps");
  for (double degree : *degrees) time.sequence.push_back(static_cast<int>(degree));
}

/// What has no meaning where no time passes.
void check_newton(Section& s) {
  const std::pair<const char*, const char*> wrong[] = {
      {"end", "Newton's method knows no time: use max_steps"},
      {"cfl", "the CFL number of Newton's method grows by itself; solver.first_cfl is the first one"},
      {"step", "Newton's method takes no steps in time"},
      {"tolerance", "Newton's method takes no steps in time"},
      {"steady", "Newton's method is judged by its residual: use steady_residual"},
      {"steady_norm", "Newton's method is judged by its residual: use steady_residual"},
      {"steady_forces", "Newton's method is judged by its residual: use steady_residual"},
      {"recover", "Newton's method takes a step again with a smaller CFL number by itself"},
      {"local", "the CFL number of Newton's method is always that of each element"},
      {"sequence_steady", "with Newton's method each degree ends when the next one is due"},
      {"sequence_steps", "with Newton's method each degree ends when the next one is due"}};
  for (const auto& [key, why] : wrong)
    if (s.has(key)) s.report(key, fmt::format("{} does not go with scheme = \"newton\": {}", key, why));
}

void read_newton_sequence(Section& s, TimeSettings& time, int order) {
  const std::string word = s.word("sequence").value_or(s.has("sequence") ? "" : "automatic");
  if (word == "automatic")
    for (const double degree : degrees_below(order)) time.sequence.push_back(static_cast<int>(degree));
  if (word.empty()) read_sequence(s, time, order);
}

/// \param solver the section of its settings \param steps most of them, if given
TimeSettings read_newton(Section& s, const Section& solver, const NewtonSettings& settings,
                         const std::optional<long>& steps, int order) {
  TimeSettings time;
  time.newton = settings;
  check_newton(s);
  s.require("steady_residual");
  time.scheme = "euler";  // whose stage is a right-hand side
  time.cfl = 1;
  time.local = true;
  time.steady_residual = s.number("steady_residual");
  read_newton_sequence(s, time, order);
  time.max_steps = s.integer("max_steps").value_or(steps.value_or(200));
  if (s.has("max_steps") && solver.has("newton_steps"))
    s.report("max_steps", "time.max_steps and solver.newton_steps are the same: leave one of them out");
  return time;
}

bool depends_on_time(const std::vector<Formula>& formulas) {
  return std::any_of(formulas.begin(), formulas.end(),
                     [](const Formula& formula) { return formula.depends_on_time(); });
}

bool depends_on_time(const BoundarySettings& boundary) {
  return (boundary.state && depends_on_time(boundary.state->formulas)) ||
         std::any_of(boundary.values.begin(), boundary.values.end(),
                     [](const auto& value) { return value.second.depends_on_time(); });
}

}  // namespace

TimeSettings read_time(Section& s, Section& solver, Reading& reading, int order, bool bounded) {
  solver.check_unknown();
  const std::string scheme = s.text("scheme").value_or("rk4");
  NewtonSettings newton;
  newton.preconditioner = solver.text("preconditioner").value_or(newton.preconditioner);
  newton.first_cfl = solver.number("first_cfl").value_or(newton.first_cfl);
  const std::optional<long> newton_steps = solver.integer("newton_steps");
  if (scheme == "newton") return read_newton(s, solver, newton, newton_steps, order);
  if (solver.present()) reading.report(solver.place(), "[solver] has no meaning without time.scheme = \"newton\"");
  TimeSettings time;
  time.scheme = scheme;
  time.cfl = s.number("cfl");
  time.step = s.number("step");
  time.tolerance = s.number("tolerance");
  time.end = s.number("end");
  time.steady = s.number("steady");
  time.steady_norm = s.text("steady_norm").value_or("update");
  time.steady_residual = s.number("steady_residual");
  time.steady_forces = s.number("steady_forces");
  time.steady_window = s.integer("steady_window").value_or(1000);
  if (s.has("steady_window") && !s.has("steady_forces"))
    s.report("steady_window", "steady_window has no meaning without steady_forces");
  time.local = s.boolean("local").value_or(false);
  time.max_steps = s.integer("max_steps");
  time.recover = static_cast<int>(s.integer("recover").value_or(0));
  if (s.present()) check_step(s, reading, bounded);
  if (time.local) check_local(s);
  read_sequence(s, time, order);
  return time;
}

void check_local_steps(Reading& reading, const toml::table& root, const Settings& settings) {
  if (!settings.time.local) return;
  const std::string without = settings.time.newton ? "with scheme = \"newton\" no time passes"
                                                   : "with time.local = true elements have no common time";
  const std::string why = "depends on t, but " + without;
  for (const BoundarySettings& boundary : settings.boundaries)
    if (depends_on_time(boundary))
      reading.report(boundary.place, fmt::format("[boundary.{}] {}", toml_key(boundary.name), why));
  if (depends_on_time(settings.source)) reading.report({reading.file}, fmt::format("[source] {}", why));
  if (settings.exact && depends_on_time(settings.exact->formulas))
    reading.report(settings.exact->place, fmt::format("[exact] {}", why));
  for (const std::string output : {"output.solution", "output.checkpoint", "output.monitor"}) {
    Section s(reading, root.at_path(output).as_table(), output, output);
    if (s.has("interval"))
      s.report("interval", fmt::format("{}.interval is a time, but {}: use {}.steps", output, without, output));
  }
}

void check_steady_forces(Reading& reading, const toml::table& root, const Settings& settings) {
  if (!settings.time.steady_forces) return;
  const auto is_wall = [](const BoundarySettings& boundary) {
    const BoundaryEntry* type = find_entry(boundary_types(), boundary.type);
    return type && type->wall;
  };
  if (settings.equations.gas && std::any_of(settings.boundaries.begin(), settings.boundaries.end(), is_wall)) return;
  Section s(reading, root["time"].as_table(), "time", "time");
  s.report("steady_forces", "the case has no wall on which there is a force: use steady_residual or steady");
}

void check_averages(Reading& reading, const toml::table& root, const Settings& settings) {
  if (!settings.output.average_start) return;
  const std::string path = "output.averages";
  Section s(reading, root.at_path(path).as_table(), path, path);
  if (settings.time.newton)
    return s.report("start", "there are no time means with time.scheme = \"newton\", in which no time passes");
  if (settings.time.local)
    s.report("start", "there are no time means with time.local = true, which is not accurate in time");
  if (!settings.time.sequence.empty())
    s.report("start", "there are no time means with time.sequence, in which the degree changes");
  if (settings.time.end && *settings.output.average_start >= *settings.time.end)
    s.report("start",
             fmt::format("output.averages.start = {:g} is not before time.end = {:g}: nothing would be averaged",
                         *settings.output.average_start, *settings.time.end));
}

}  // namespace galerna::case_file
