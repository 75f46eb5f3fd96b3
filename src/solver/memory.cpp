#include "solver/memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "dg/flow_operator.hpp"

namespace galerna::solver {
namespace {

using device::Precision;

std::string size_text(std::size_t bytes) {
  const double b = static_cast<double>(bytes);
  return b < 1e9 ? fmt::format("{:.1f} MB", b / 1e6) : fmt::format("{:.2f} GB", b / 1e9);
}

double per_element(std::size_t bytes, std::int64_t elements) {
  return static_cast<double>(bytes) / static_cast<double>(std::max<std::int64_t>(elements, 1));
}

/// What to do about a plan that does not fit.
std::string remedy(const PlanOf& plan, int degree, Precision precision, std::int64_t elements, std::size_t free) {
  std::string text;
  for (int lower = degree - 1; lower >= 0 && text.empty(); --lower)
    if (const std::size_t bytes = plan(lower, precision).peak(); bytes <= free)
      text = fmt::format("the largest discretization.order that fits on this mesh is {} ({})", lower, size_text(bytes));
  if (text.empty()) {
    const double share = static_cast<double>(free) / static_cast<double>(plan(degree, precision).peak());
    text = fmt::format("no order fits on this mesh; at order {} a mesh of about {:.2g} elements does", degree,
                       share * static_cast<double>(elements));
  }
  if (precision == Precision::double_precision)
    if (const std::size_t bytes = plan(degree, Precision::single_precision).peak(); bytes <= free)
      text += fmt::format("; order {} fits with --precision single ({})", degree, size_text(bytes));
  return text;
}

}  // namespace

device::MemoryPlan plan_memory(const mesh::Mesh& mesh, const dg::Spec& spec, const time::Scheme& scheme,
                               const time::StepSettings& settings, const device::Traits& traits,
                               const std::optional<steady::NewtonSettings>& newton) {
  device::CountingDevice device(traits);
  const auto discretization = dg::make_flow_operator(device, mesh, spec, {}, time::stage_shapes(scheme));
  time::Stepper stepper(*discretization, scheme, settings);
  if (spec.initial) discretization->project_initial(stepper.state(), 0);
  if (!newton) return device.plan();
  const steady::Newton method(*discretization, mesh, std::vector<double>(spec.variables.size(), 1.0), *newton);
  const auto vectors = method.vectors_of_gmres();
  return device.plan();
}

PlanOf plan_of(const mesh::Mesh& mesh, const dg::Spec& spec, const time::Scheme& scheme,
               const time::StepSettings& settings, const device::Traits& traits,
               const std::optional<steady::NewtonSettings>& newton) {
  return [&mesh, spec, &scheme, settings, traits, newton](int degree, Precision precision) {
    dg::Spec other = spec;
    other.degree = degree;
    other.precision = precision;
    if (degree == 0 && spec.degree > 0) other.limiter.reset();  // a constant has no slope to limit
    return plan_memory(mesh, other, scheme, settings, traits, newton);
  };
}

device::MemoryPlan require_memory(const PlanOf& plan, int degree, Precision precision, std::int64_t elements,
                                  std::size_t free) {
  device::MemoryPlan wanted = plan(degree, precision);
  if (wanted.peak() <= free) return wanted;
  std::string largest;
  for (std::size_t a = 0; a < std::min<std::size_t>(3, wanted.arrays.size()); ++a)
    largest += fmt::format("{}{} {}", a ? ", " : "", wanted.arrays[a].purpose, size_text(wanted.arrays[a].bytes));
  throw SystemError(
      fmt::format("not enough device memory: {} needed ({:.0f} bytes for each of {} elements), {} free; "
                  "the largest arrays: {}; {}",
                  size_text(wanted.peak()), per_element(wanted.peak(), elements), elements, size_text(free), largest,
                  remedy(plan, degree, precision, elements, free)));
}

std::string memory_summary(const device::MemoryPlan& plan, std::int64_t elements) {
  return fmt::format("{} ({:.0f} bytes per element)", size_text(plan.held()), per_element(plan.held(), elements));
}

std::string memory_table(const device::MemoryPlan& plan, std::int64_t elements) {
  std::string text = fmt::format("  {:40} {:>18} {:>12}\n", "device memory", "bytes per element", "MB");
  const auto row = [&](const std::string& name, std::size_t bytes) {
    text += fmt::format("  {:40} {:18.1f} {:12.3f}\n", name, per_element(bytes, elements),
                        static_cast<double>(bytes) / 1e6);
  };
  for (const device::PlannedArray& array : plan.arrays) row(array.purpose, array.bytes);
  row("all", plan.held());
  row("beside, while formulas are evaluated", plan.temporary);
  return text;
}

}  // namespace galerna::solver
