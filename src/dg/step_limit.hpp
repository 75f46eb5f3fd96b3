/// \file
/// The step limit of viscous equations (docs/theory.md, Time).
#pragma once

#include "base/shape.hpp"

namespace galerna::dg {

/// D: the largest eigenvalue of viscous terms, times h²/ν, as found on irregular and on stretched meshes
/// (tests/dg/diffusion_limit_test.cpp), over 2.5.
int diffusion_factor(Shape shape, int degree);

}  // namespace galerna::dg
