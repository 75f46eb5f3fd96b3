/// \file
/// Streamlines of two-dimensional solutions.
#pragma once

#include <array>
#include <vector>

#include "analysis/probes.hpp"
#include "drawing/raster.hpp"

namespace galerna::drawing {

/// Places along one streamline, in the direction of the flow.
using Streamline = std::vector<std::array<double, 2>>;

struct StreamlineOptions {
  double spacing = 0;      ///< between seeds, and the least distance between lines; > 0
  double step = 0;         ///< longest step along a line; > 0
  int most_steps = 20000;  ///< of a line, in each direction
};

/// Lines along the momentum (which has the direction of the velocity), by the classical Runge–Kutta method of order 4
/// over arc length on the discontinuous polynomials. Seeds lie on a square grid over the window; a seed near a line
/// that is already there is left out, and a line ends at the boundary, at a stagnation point, where it comes near an
/// earlier line, or where it closes. Variables are density, momentum_x, momentum_y, ….
std::vector<Streamline> streamlines(const analysis::Solution& solution, const Window& window,
                                    const StreamlineOptions& options);

/// One streamline through a seed, forward and backward; empty where the seed is outside the mesh. A line that comes
/// back to its seed is closed: its last place is its first.
Streamline streamline(const analysis::Solution& solution, const analysis::PointLocator& locator,
                      const std::array<double, 2>& seed, const StreamlineOptions& options);

}  // namespace galerna::drawing
