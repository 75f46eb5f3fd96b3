/// \file
/// What to say when a flow is not physical: where, what, and what to try.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/solution.hpp"
#include "case/settings.hpp"
#include "dg/flow_operator.hpp"
#include "files/report.hpp"
#include "solver/outputs/fields.hpp"
#include "time/stepper.hpp"

namespace galerna::solver {

/// What is wrong in an element.
struct BadElement {
  mesh::Index element = -1;
  std::int64_t number = -1;  ///< in the mesh file
  mesh::Point centroid{};
  std::string place;                    ///< the centroid in words
  std::string variable;                 ///< "density" or "pressure", "not a number" in either
  double smallest = 0;                  ///< of the variable, over the element's quadrature points
  std::map<std::string, double> least;  ///< of all that was looked at
  std::vector<std::string> boundaries;  ///< that its sides lie on
};

/// Names of the boundaries that sides of an element lie on, each once.
std::vector<std::string> boundaries_beside(const mesh::Mesh& mesh, mesh::Index element);

/// Looks for the worst point of `element`.
BadElement inspect(const analysis::Solution& solution, const dg::FlowOperator& discretization,
                   const Diagnostics& diagnostics, mesh::Index element);

/// "pressure −0.3 in element 47 of the mesh file, at (0.1, 0.2), beside boundary wall"
std::string describe(const BadElement& bad);

/// The element itself and those that share a side with it or with one of those.
std::vector<mesh::Index> neighbourhood(const mesh::Mesh& mesh, mesh::Index element);

/// The element in a good state.
struct GoodElement {
  /// Means of density, velocity_x, …, pressure; smallest_density and smallest_pressure over the quadrature points. Of a
  /// user's equations, means of the variables.
  std::map<std::string, double> values;
  double step_limit = 0;  ///< as kernels/monitor.hpp; 0 if not known
};
GoodElement examine(const analysis::Solution& solution, const dg::FlowOperator& discretization,
                    const Diagnostics& diagnostics, mesh::Index element);

/// What chose the step: the setting, and the element whose limit is the smallest, or a time that was to be met.
std::string step_reason(const analysis::Solution& before, const dg::FlowOperator& discretization,
                        const case_file::Settings& settings, const Diagnostics& diagnostics,
                        const kernels::Control& control);

/// Adds stage, values before and steps to what is known of a failure.
void explain(files::Failure& failure, const time::FailingStage& stage, const analysis::Solution& before,
             const dg::FlowOperator& discretization, const case_file::Settings& settings,
             const Diagnostics& diagnostics);

/// The failure in plain words, several lines.
std::string describe(const files::Failure& failure);

/// What to try, most likely first.
std::vector<std::string> advice(const case_file::Settings& settings, const mesh::Mesh& mesh, const BadElement& bad);

}  // namespace galerna::solver
