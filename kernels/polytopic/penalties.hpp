/// \file
/// The penalty σ of each facet. A rule is a struct in a header of its own (kernels/polytopic/penalty):
///   static double side(const PenaltySide&)          what one polytope asks for
///   static double inside(double C, double, double)  σ of two of them
///   static double outside(double C, double)         σ on the boundary
#pragma once

#include "kernels/polytopic/team.hpp"

namespace galerna::kernels::polytopic {

/// What a rule may know of a polytope κ at its facet F.
struct PenaltySide {
  int dimension, degree;
  double diffusion;         ///< largest eigenvalue of a on κ, of rules that do not ask for λ_κ
  double eigenvalue;        ///< λ_κ, of rules that ask for it
  double measure, surface;  ///< |κ|, |∂κ|
  double facet;             ///< |F|
  double simplex;           ///< |T|, T the simplex of κ that has F as a facet
};

inline double power_of(double base, int exponent) {
  double result = 1;
  for (int k = 0; k < exponent; ++k) result *= base;
  return result;
}

template <class Config>
PenaltySide penalty_side(const PolytopicArguments& a, std::int64_t facet, int side) {
  const std::int64_t polytope = a.mesh.facet_polytopes[facet * 2 + side];
  PenaltySide s;
  s.dimension = Config::dimension;
  s.degree = a.mesh.degrees[polytope];
  s.diffusion = a.eigenvalues ? 0 : a.extremes[polytope * extreme_values + 1];
  s.eigenvalue = a.eigenvalues ? a.eigenvalues[polytope] : 0;
  s.measure = a.mesh.measures[polytope * 2];
  s.surface = a.mesh.measures[polytope * 2 + 1];
  s.facet = a.mesh.facet_measures[facet];
  s.simplex = a.mesh.facet_simplices[facet * 2 + side];
  return s;
}

template <class Config>
void penalties(const PolytopicArguments& a, std::int64_t facet) {
  using Rule = typename Config::Penalty;
  const double first = Rule::side(penalty_side<Config>(a, facet, 0));
  a.penalty[facet] = a.mesh.facet_polytopes[facet * 2 + 1] < 0
                         ? Rule::outside(a.factor, first)
                         : Rule::inside(a.factor, first, Rule::side(penalty_side<Config>(a, facet, 1)));
}

}  // namespace galerna::kernels::polytopic
