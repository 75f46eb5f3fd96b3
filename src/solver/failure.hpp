/// \file
/// What to say when a flow is not physical: where, what, and what to try.
#pragma once

#include <string>

#include "output/solution.hpp"
#include "solver/simulation.hpp"

namespace galerna::solver {

/// What is wrong in an element.
struct BadElement {
  mesh::Index element = -1;
  mesh::Index source = -1;  ///< its position in the mesh file
  mesh::Point centroid{};
  std::string variable;                 ///< "density" or "pressure", "not a number" in either
  double smallest = 0;                  ///< of the variable, over the element's quadrature points
  std::vector<std::string> boundaries;  ///< that its sides lie on
};

/// Looks for the worst point of `element`.
BadElement inspect(const output::Solution& solution, const dg::Operators& operators, double gamma, mesh::Index element);

/// "negative pressure −0.3 in element 12 (element 47 of the mesh file) at (0.1, 0.2), beside boundary wall"
std::string describe(const BadElement& bad);

/// The element itself and those that share a side with it or with one of those.
std::vector<mesh::Index> neighbourhood(const mesh::Mesh& mesh, mesh::Index element);

/// What to try, most likely first.
std::vector<std::string> advice(const case_file::Settings& settings, const BadElement& bad);

}  // namespace galerna::solver
