/// \file
/// C (λ₊ + λ₋)/4 between polytopes, C λ/2 on the boundary: coercive for every C > 1 (docs/theory.md, "The certified
/// penalty").
#pragma once

#include "kernels/polytopic/penalties.hpp"

namespace galerna::kernels::polytopic {

struct CertifiedPenalty {
  static double side(const PenaltySide& s) { return s.eigenvalue; }
  static double inside(double factor, double a, double b) { return factor * (a + b) / 4; }
  static double outside(double factor, double a) { return factor * a / 2; }
};

}  // namespace galerna::kernels::polytopic
