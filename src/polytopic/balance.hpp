/// \file
/// Conservation, element by element: what flows through the facets of a polytope by the method's own numerical fluxes,
/// what comes from sources, what is consumed and stored (docs/theory.md, "Polytopes").
#pragma once

#include <vector>

#include "polytopic/mesh.hpp"

namespace galerna::polytopic {

/// Integrals over polytopes and facets, in space, with slabs over time, too.
struct BalanceSums {
  std::vector<double> polytopes;  ///< [polytope][content_sums]
  std::vector<double> facets;     ///< [facet][flux_sums]
};

/// source = consumed + stored + outflow, for every polytope and for the domain.
struct Balance {
  /// What leaves through a boundary: −n·a∇u with the penalty's part, and b·n u, where the flow enters of the given u.
  struct Outflow {
    double diffusive = 0, advective = 0;
  };
  std::vector<Outflow> boundaries;
  double source = 0;  ///< ∫ f
  double consumed = 0;  ///< ∫ (c − ∇·b) u, the second term as ∫ b·∇u less the flow through the polytopes' surfaces
  double stored = 0;  ///< change of ∫ u, with slabs
  // [polytope]
  std::vector<double> defects;  ///< source less all others: what rounding, the solver's tolerance and balance() leave
  std::vector<double> sizes;    ///< sum of the absolute values of the terms and of the fluxes through each facet

  double outflow() const;
  double defect() const { return source - consumed - stored - outflow(); }
  /// The largest of a polytope, and relative to the largest of `sizes`.
  double largest_defect() const;
  double relative_defect() const;
};

/// \param boundaries how many there are
Balance make_balance(const Mesh& mesh, std::size_t boundaries, const BalanceSums& sums);

}  // namespace galerna::polytopic
