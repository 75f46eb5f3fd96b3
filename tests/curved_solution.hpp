/// \file
/// A mesh of curved triangles and quadrilaterals side by side, with a field that is a polynomial there.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "dg/curved_meshes.hpp"
#include "solutions.hpp"

namespace galerna::tests {

/// Curved inside; the sides of the unit square stay where they are.
inline mesh::Point bent(double x, double y) {
  return {x + 0.08 * std::sin(M_PI * x) * std::sin(2 * M_PI * y),
          y + 0.07 * std::sin(2 * M_PI * x) * std::sin(M_PI * y), 0};
}

/// On elements of geometry order 2 a polynomial of degree 4 in the reference coordinates.
inline double quadratic(double x, double y, double) {
  return 1 + 2 * x - y + x * x - 3 * x * y + 0.5 * y * y;
}

class CurvedMixture : public ::testing::Test {
 protected:
  mesh::Mesh mesh_ = curved_mixture(5, 2, 0.1, bent);
  analysis::Solution solution_ = project(mesh_, 4, quadratic);
};

}  // namespace galerna::tests
