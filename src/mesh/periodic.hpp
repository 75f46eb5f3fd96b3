/// \file
/// Periodic boundaries.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Two boundaries that are one another's continuation.
struct PeriodicPair {
  std::string from, to;  ///< boundary names
  Point translation{};   ///< maps `from` onto `to`
  SourcePlace place;     ///< where this was asked for, for messages
};

/// Joins the nodes of the pairs' boundaries in Mesh::image, and moves those of `to` onto the translated ones of `from`.
/// \param tolerance a length: how far they may be apart
/// \throws InputError for unknown boundaries and for boundaries that do not match, with the place of the pair.
void join_periodic(Mesh& mesh, const std::vector<PeriodicPair>& pairs, double tolerance);

}  // namespace galerna::mesh
