/// \file
/// Recirculation: how far flow runs backward along a line.
#pragma once

#include "analysis/probes.hpp"
#include "analysis/solution.hpp"

namespace galerna::analysis {

/// Distance from the beginning of a line to where the first stretch of reverse flow on it ends: where the velocity
/// along the line turns from negative to positive, found on `count` equally spaced points and then by bisection of the
/// solution itself. Points outside the mesh are passed over; the distance counts from the beginning of the line all the
/// same. 0 where nothing flows backward, NaN where it does to the end of the line. Variables are density, momentum_x,
/// momentum_y, ….
double reverse_flow_length(const Solution& solution, const PointLocator& locator, const mesh::Point& from,
                           const mesh::Point& to, int count);

}  // namespace galerna::analysis
