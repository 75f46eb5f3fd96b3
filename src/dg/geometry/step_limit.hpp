/// \file
/// The step limit of waves and of viscous equations (docs/theory.md, Step limit).
#pragma once

#include "base/shape.hpp"

namespace galerna::dg {

/// W: the step that waves allow is h / ((2p + 1) W λ). 1 in the plane and for pyramids; on the other solids what it
/// takes for the cfl of triangles to be stable on tetrahedra, and that of quadrilaterals on hexahedra and prisms
/// (bench/spectrum.py).
double wave_factor(Shape shape);

/// D: the largest eigenvalue of viscous terms, times h²/ν, as found on irregular and on stretched meshes
/// (tests/dg/step_limit_test.cpp), over 2.5.
int diffusion_factor(Shape shape, int degree);

}  // namespace galerna::dg
