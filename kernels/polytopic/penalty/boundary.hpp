/// \file
/// C max ā p² |∂κ|/|κ|.
#pragma once

#include "kernels/polytopic/penalties.hpp"

namespace galerna::kernels::polytopic {

struct BoundaryPenalty {
  static double side(const PenaltySide& s) { return s.diffusion * s.degree * s.degree * s.surface / s.measure; }
  static double inside(double factor, double a, double b) { return factor * max(a, b); }
  static double outside(double factor, double a) { return factor * a; }
};

}  // namespace galerna::kernels::polytopic
