/// \file
/// C max ā p² |F| min(1/|T|, p^{2d}/|κ|), the form of Dong, Georgoulis, Kappas (SIAM J. Sci. Comput. 43 (2021)),
/// Appendix A, with T for the largest simplex of κ that has F as a facet.
#pragma once

#include "kernels/polytopic/penalties.hpp"

namespace galerna::kernels::polytopic {

struct CappedPenalty {
  static double side(const PenaltySide& s) {
    const double cap = power_of(s.degree, 2 * s.dimension) / s.measure;
    return s.diffusion * s.degree * s.degree * s.facet * min(1 / s.simplex, cap);
  }
  static double inside(double factor, double a, double b) { return factor * max(a, b); }
  static double outside(double factor, double a) { return factor * a; }
};

}  // namespace galerna::kernels::polytopic
