#include "solver/run/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "case/registry.hpp"
#include "dg/geometry/step_limit.hpp"
#include "mesh/geometry.hpp"
#include "mesh/validity.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/outputs/walls.hpp"
#include "solver/problem.hpp"

namespace galerna::solver {

namespace {

/// The first in the registry that limits solutions of the degree.
const std::string& limiter_of_degree(int degree) {
  const auto& limiters = case_file::limiters();
  return std::find_if(limiters.begin(), limiters.end(), [&](const auto& l) { return l.most_degree >= degree; })->name;
}

/// [variable][mode] of an element.
const double* modes_of(const analysis::Solution& solution, mesh::Index element, std::vector<double>& room) {
  const auto [block, position] = solution.mesh->locate(element);
  return solution.modes(block, position, room);
}

/// "least depth -0.1, least momentum_x 0.2"
std::string least_values(const BadElement& bad) {
  std::string text;
  for (const auto& [name, value] : bad.least)
    text += fmt::format("{}least {} {:.4g}", text.empty() ? "" : ", ", name, value);
  return text;
}

/// What chose the cfl number.
std::string cfl_name(const case_file::Settings& settings) {
  if (settings.time.cfl) return "time.cfl";
  const std::string left_out = terms_outside_of_bound(settings);
  return left_out.empty() ? "the positivity bound, cfl"
                          : fmt::format("the positivity bound, which leaves out {}, cfl", left_out);
}

}  // namespace

std::vector<std::string> boundaries_beside(const mesh::Mesh& mesh, mesh::Index element) {
  std::vector<std::string> names;
  for (const mesh::Face& face : mesh.faces) {
    if (face.left.element != element || face.boundary < 0) continue;
    const std::string& name = mesh.boundaries[static_cast<std::size_t>(face.boundary)].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

BadElement inspect(const analysis::Solution& solution, const dg::FlowOperator& discretization,
                   const Diagnostics& diagnostics, mesh::Index element) {
  const mesh::Mesh& mesh = *solution.mesh;
  const dg::Operators& operators = discretization.set_of(element).operators;
  BadElement bad;
  bad.element = element;
  bad.number = mesh.number(element);
  bad.centroid = mesh::centroid(mesh, element);
  bad.place = mesh::to_text(bad.centroid, mesh.dimension);
  bad.smallest = std::numeric_limits<double>::infinity();

  const int variables = static_cast<int>(solution.variables.size()), modes = operators.modes;
  std::vector<double> room;
  const double* c = modes_of(solution, element, room);
  std::vector<double> u(static_cast<std::size_t>(variables));
  const bool positive = !diagnostics.positive.names.empty();
  const analysis::FieldSet& watched = positive ? diagnostics.positive : diagnostics.flow;
  std::vector<double> values(watched.names.size());
  const auto consider = [&](const std::string& name, double value) {
    if (std::isfinite(bad.smallest) && bad.variable.starts_with("not")) return;
    if (!std::isfinite(value)) {
      bad.variable = fmt::format("not a number in {}", name);
      bad.smallest = value;
    } else if (positive && value < bad.smallest && value <= 0) {
      bad.variable = name;
      bad.smallest = value;
    }
  };
  for (int q = 0; q < operators.volume.size(); ++q) {
    for (int v = 0; v < variables; ++v) {
      u[static_cast<std::size_t>(v)] = 0;
      for (int j = 0; j < modes; ++j) u[static_cast<std::size_t>(v)] += operators.volume_basis(q, j) * c[v * modes + j];
    }
    watched.evaluate(u.data(), values.data());
    for (std::size_t k = 0; k < values.size(); ++k) {
      consider(watched.names[k], values[k]);
      if (q == 0 || values[k] < bad.least[watched.names[k]]) bad.least[watched.names[k]] = values[k];
    }
  }
  bad.boundaries = boundaries_beside(mesh, element);
  return bad;
}

std::string describe(const BadElement& bad) {
  std::string what = bad.variable.starts_with("not") ? bad.variable
                     : bad.variable.empty()          ? "a state that is not admissible (" + least_values(bad) + ")"
                                                     : fmt::format("{} {:.4g}", bad.variable, bad.smallest);
  std::string text = fmt::format("{} in element {} of the mesh file, at {}", what, bad.number, bad.place);
  for (const std::string& boundary : bad.boundaries) text += fmt::format(", beside boundary {}", boundary);
  return text;
}

GoodElement examine(const analysis::Solution& solution, const dg::FlowOperator& discretization,
                    const Diagnostics& diagnostics, mesh::Index element) {
  const dg::ElementSet& set = discretization.set_of(element);
  const dg::Operators& operators = set.operators;
  const int variables = static_cast<int>(solution.variables.size()), modes = operators.modes;
  std::vector<double> room;
  const double* c = modes_of(solution, element, room);
  std::vector<double> u(static_cast<std::size_t>(variables));
  const auto evaluate = [&](int q, int count) {
    for (int v = 0; v < variables; ++v) {
      double& value = u[static_cast<std::size_t>(v)];
      value = 0;
      for (int j = 0; j < count; ++j) value += operators.volume_basis(q, j) * c[v * modes + j];
    }
  };
  GoodElement good;
  const auto values_of = [&](const analysis::FieldSet& fields) {
    std::vector<double> values(fields.names.size());
    if (!values.empty()) fields.evaluate(u.data(), values.data());
    return values;
  };
  evaluate(0, 1);  // the first mode alone is the mean
  const std::vector<double> means = values_of(diagnostics.flow);
  for (std::size_t k = 0; k < means.size(); ++k) good.values[diagnostics.flow.names[k]] = means[k];

  const std::vector<std::string>& names = diagnostics.positive.names;
  std::vector<double> least(names.size(), std::numeric_limits<double>::infinity());
  double fastest = 0, most_diffusive = 0;
  for (int q = 0; q < operators.volume.size(); ++q) {
    evaluate(q, modes);
    const std::vector<double> values = values_of(diagnostics.positive);
    for (std::size_t k = 0; k < values.size(); ++k) least[k] = std::min(least[k], values[k]);
    if (diagnostics.wave_speed) fastest = std::max(fastest, diagnostics.wave_speed(u.data()));
    if (diagnostics.diffusivity) most_diffusive = std::max(most_diffusive, diagnostics.diffusivity(u.data()));
  }
  for (std::size_t k = 0; k < names.size(); ++k) good.values["smallest_" + names[k]] = least[k];
  if (!diagnostics.wave_speed) return good;
  const double h = set.diameters[static_cast<std::size_t>(element - set.first_element)];
  const int degree = discretization.spec().degree;
  good.step_limit = h / ((2 * degree + 1) * dg::wave_factor(operators.shape) * fastest +
                         dg::diffusion_factor(operators.shape, degree) * most_diffusive / h);
  return good;
}

std::string step_reason(const analysis::Solution& before, const dg::FlowOperator& discretization,
                        const case_file::Settings& settings, const Diagnostics& diagnostics,
                        const kernels::Control& control) {
  if (control.fixed_step > 0) {
    if (control.dt < 0.999 * control.fixed_step)
      return fmt::format("time.step = {:.6g}, shortened to meet t = {:.6g}", control.fixed_step, control.stop_time);
    return fmt::format("time.step = {:.6g}", control.fixed_step);
  }
  if (settings.time.local) return fmt::format("local steps: cfl = {:.6g} and the element's own limit", control.cfl);
  if (control.tolerance > 0) return fmt::format("the error estimate and time.tolerance = {:.6g}", control.tolerance);
  if (!diagnostics.wave_speed) return fmt::format("time.cfl = {:.6g}", control.cfl);
  mesh::Index narrowest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (mesh::Index e = 0; e < before.mesh->element_count(); ++e) {
    const double limit = examine(before, discretization, diagnostics, e).step_limit;
    if (limit < smallest) smallest = limit, narrowest = e;
  }
  std::string text = fmt::format("{} = {:.6g} and the limit {:.4g} of element {} at {}", cfl_name(settings),
                                 control.cfl, smallest, before.mesh->number(narrowest),
                                 mesh::to_text(mesh::centroid(*before.mesh, narrowest), before.mesh->dimension));
  if (control.dt < 0.999 * control.cfl * smallest)
    text += fmt::format(", shortened to meet t = {:.6g}", control.stop_time);
  return text;
}

void explain(files::Failure& failure, const time::FailingStage& stage, const analysis::Solution& before,
             const dg::FlowOperator& discretization, const case_file::Settings& settings,
             const Diagnostics& diagnostics) {
  const GoodElement good = examine(before, discretization, diagnostics, stage.element);
  failure.time = stage.control.time + (stage.control.time_low + stage.control.dt);  // as the step would have set it
  failure.step = stage.control.steps + 1;
  failure.stage = stage.stage;
  failure.stages = static_cast<int>(time::find_scheme(settings.time.scheme).stages.size());
  failure.values_before = good.values;
  failure.dt = settings.time.local ? stage.control.cfl * good.step_limit : stage.control.dt;
  failure.local_step_limit = good.step_limit;
  failure.step_set_by = step_reason(before, discretization, settings, diagnostics, stage.control);
}

std::string describe(const files::Failure& failure) {
  std::string text = fmt::format("the simulation failed at t = {:.10g}, step {}", failure.time, failure.step);
  if (failure.stage == 0)
    return text + fmt::format(": {}\n(repeating the last steps did not show in which stage)", failure.what);
  text += fmt::format(", in stage {} of {}: {}\nbefore the step the element had", failure.stage, failure.stages,
                      failure.what);
  const char* separator = " ";
  for (const auto& [name, value] : failure.values_before) {
    if (name.starts_with("smallest_")) continue;
    text += fmt::format("{}{} {:.4g}", std::exchange(separator, ", "), name, value);
    const auto smallest = failure.values_before.find("smallest_" + name);
    if (smallest != failure.values_before.end()) text += fmt::format(" (at least {:.4g})", smallest->second);
  }
  text += fmt::format("\ndt = {:.4g}", failure.dt);
  if (failure.local_step_limit > 0)
    text += fmt::format(", {:.3g} times the element's own limit {:.4g}", failure.dt / failure.local_step_limit,
                        failure.local_step_limit);
  return text + fmt::format("; set by {}", failure.step_set_by);
}

std::vector<mesh::Index> neighbourhood(const mesh::Mesh& mesh, mesh::Index element) {
  std::set<mesh::Index> found = {element};
  for (int ring = 0; ring < 2; ++ring) {
    const std::set<mesh::Index> before = found;
    for (const mesh::Face& face : mesh.faces) {
      if (face.right.element < 0) continue;
      if (before.count(face.left.element)) found.insert(face.right.element);
      if (before.count(face.right.element)) found.insert(face.left.element);
    }
  }
  return {found.begin(), found.end()};
}

namespace {

/// Methods for shocks, that which works everywhere first.
void advise_on_shocks(const case_file::Settings& settings, const mesh::Mesh& mesh, std::vector<std::string>& result) {
  if (settings.equations.gas || settings.equations.user)
    result.push_back(settings.time.seeks_steady()
                         ? "shocks: give the case an empty section [shock], which takes artificial viscosity"
                         : "shocks: give the case an empty section [shock], which takes the entropy filter");
  if (slopes_can_be_limited(mesh))
    result.push_back(
        fmt::format("or limit slopes: limiter = \"{}\" in [shock]", limiter_of_degree(settings.discretization.order)));
}

}  // namespace

std::vector<std::string> advice(const case_file::Settings& settings, const mesh::Mesh& mesh, const BadElement& bad) {
  const case_file::DiscretizationSettings& rules = settings.discretization;
  std::vector<std::string> result;
  if (settings.time.cfl && *settings.time.cfl > 0.9)
    result.push_back(fmt::format("time.cfl = {:g} is large; try 0.5", *settings.time.cfl));
  else if (settings.time.cfl)
    result.push_back(
        fmt::format("halve time.cfl (now {:g}); if the run then fails at the same time, the step is not the cause",
                    *settings.time.cfl));
  if (settings.time.cfl && bad.element >= 0 && mesh::is_curved(mesh, bad.element))
    result.push_back("the element is curved: such meshes begin with half of the cfl number of straight ones");
  if (settings.time.step) result.push_back("use time.cfl in place of time.step, so that the step follows the flow");
  if (!bad.boundaries.empty())
    result.push_back("check the boundary condition beside the element: does it suit the flow there?");
  if (!settings.shock && rules.order > 0) advise_on_shocks(settings, mesh, result);
  if (settings.shock && !settings.shock->positivity && settings.equations.gas)
    result.push_back("set shock.positivity = true");
  if (!settings.shock && rules.order > 1 && rules.volume_quadrature < 3 * rules.order)
    result.push_back(fmt::format(
        "vortices smaller than elements: discretization.volume_quadrature = {} takes more points", 3 * rules.order));
  if (rules.order > 0) result.push_back("strong gradients: refine the mesh there or lower discretization.order");
  if (settings.time.recover == 0)
    result.push_back("time.recover = 3 goes back and takes smaller steps where only a moment is difficult");
  result.push_back("look at the initial state: a jump at a wall or inflow starts a shock");
  return result;
}

}  // namespace galerna::solver
