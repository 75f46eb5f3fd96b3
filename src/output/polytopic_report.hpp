/// \file
/// What report.json says of an interior-penalty method on polytopes, in place of what it says of flows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace galerna::output {

/// Members are written under their own names, those of `matrix`, `errors`, … as objects.
struct PolytopicReport {
  std::int64_t polytopes = 0, interfaces = 0, facets = 0;
  int least_order = 1, largest_order = 1;
  struct Matrix {
    std::int64_t dofs = 0, nonzeros = 0;
  } matrix;
  struct Penalty {
    std::string rule;
    double factor = 0, least = 0, largest = 0;
  } penalty;
  struct Solver {
    std::string type;
    std::int64_t iterations = 0;
    double residual = 0;  ///< Euclidean norm relative to that of the right-hand side, the largest of all slabs
  } solver;
  /// Left out where no exact solution is known; l2_end with slabs only.
  struct Errors {
    double l2 = 0, h1_seminorm = 0, dg = 0;
    std::optional<double> l2_end;
  };
  std::optional<Errors> errors;
  double integral = 0;     ///< ∫ u_h over the domain, with slabs over space and time
  double energy = 0;       ///< l(u_h), with slabs their sum
  std::int64_t slabs = 0;  ///< 0: none
};

/// Lines for people.
std::string describe(const PolytopicReport& report);

}  // namespace galerna::output
