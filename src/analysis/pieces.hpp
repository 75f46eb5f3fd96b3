/// \file
/// Connected pieces of curves that are given in parts.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::analysis {

/// A part of a curve from one point to another.
struct Link {
  mesh::Index from, to;
};

/// Numbers of links, those of each connected piece in their order. An open piece begins where nothing arrives, a closed
/// one at the point of largest x, of several the one of smallest y; pieces are ordered by x, then y, of where they
/// begin. \param place (x, y) of a point
std::vector<std::vector<std::size_t>> connected_pieces(const std::vector<Link>& links,
                                                       const std::function<std::array<double, 2>(mesh::Index)>& place);

}  // namespace galerna::analysis
