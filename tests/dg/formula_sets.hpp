// Sets of elements with nothing but what formulas need, for tests of what kernels/formulas.hpp computes.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dg/computation.hpp"
#include "dg/plan_sets.hpp"
#include "dg/programs/element_programs.hpp"
#include "dg/run/formulas.hpp"

namespace galerna::tests {

/// A function of x, y, z and t as kernels have it.
inline dg::FunctionText at_place(const std::string& expression) {
  return [expression](const std::string& name) {
    return "template <class V> V " + name +
           "([[maybe_unused]] const V& x, [[maybe_unused]] const V& y, [[maybe_unused]] const V& z, "
           "[[maybe_unused]] const V& t) { return " +
           expression + "; }";
  };
}

/// One of them for each variable, over and over.
inline dg::StateFunctions state_of(const std::vector<std::string>& expressions, std::size_t variables) {
  dg::StateFunctions state{false, {}};
  for (std::size_t v = 0; v < variables; ++v) state.functions.push_back(at_place(expressions[v % expressions.size()]));
  return state;
}

/// The kernels' text depends on no degree, shape or geometry order: one program serves all.
struct FormulaSets {
  std::unique_ptr<device::Device> device;
  const mesh::Mesh& mesh;
  dg::Spec spec;
  std::vector<dg::ElementSet> sets;
  dg::StateArrays states{*device, spec, sets};
  device::Launcher launcher{*device};
  dg::Formulas formulas{launcher, mesh, spec, sets, states};
  std::unique_ptr<device::Memory> state;

  FormulaSets(const mesh::Mesh& on, const dg::Spec& of_degree_1, int degree,
              std::unique_ptr<device::Device> where = device::open_device("cpu"))
      : device(std::move(where)), mesh(on), spec(of_degree_1) {
    const dg::Operators any = dg::make_operators(spec.shape, 1);
    const device::Target target = device::target_of(*device, spec.precision);
    for (const auto& program : dg::element_case_programs(spec, any, any.side, true, target)) launcher.load(program, "");
    spec.degree = degree;
    sets = dg::make_element_sets(mesh, dg::plan_sets(mesh, spec, target), spec, target);
    state = states.allocate("states");
  }

  std::vector<double> projected(double time = 0) {
    formulas.project(*state, time);
    return states.read(*state);
  }
};

}  // namespace galerna::tests
