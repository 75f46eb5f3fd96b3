/// \file
/// What report.json says of an interior-penalty method on polytopes, in place of what it says of flows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace galerna::files {

/// Members are written under their own names, those of `matrix`, `errors`, … as objects, unless noted.
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
  /// Of one solution: Euclidean norms of the residual relative to that of the right-hand side, at the start and at the
  /// end.
  struct Solve {
    std::int64_t iterations = 0;
    double first = 0, last = 0;
  };
  struct Solver {
    std::string type;
    std::int64_t iterations = 0;    ///< the most of all slabs
    double residual = 0;            ///< the largest of all slabs
    std::vector<double> residuals;  ///< of the last solution, iteration by iteration
    std::vector<Solve> slabs;       ///< left out without slabs
  } solver;
  /// Left out where no exact solution is known; l2_end with slabs only.
  struct Errors {
    double l2 = 0, h1_seminorm = 0, dg = 0;
    std::optional<double> l2_end;
  };
  std::optional<Errors> errors;
  /// "fluxes.BOUNDARY": what leaves through it by diffusion, with the penalty's part, and with the flow; with slabs
  /// over all of them.
  struct Flux {
    std::string boundary;
    double diffusive = 0, advective = 0;
  };
  std::vector<Flux> fluxes;
  /// source = consumed + stored + outflow, of the domain and, up to the defects, of every polytope.
  struct Conservation {
    double source = 0, consumed = 0, stored = 0, outflow = 0, defect = 0;
    /// Of all polytopes and slabs; relative to the largest sum of what one polytope exchanges.
    double largest_element_defect = 0, relative_element_defect = 0;
  } conservation;
  double integral = 0;     ///< ∫ u_h over the domain, with slabs over space and time
  double energy = 0;       ///< l(u_h), with slabs their sum
  std::int64_t slabs = 0;  ///< 0: none
  /// "performance.phases": seconds, what time.wall_loop consists of.
  std::vector<std::pair<std::string, double>> phases;
};

/// Lines for people.
std::string describe(const PolytopicReport& report);

}  // namespace galerna::files
