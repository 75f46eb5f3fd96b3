/// \file
/// What polytopes of an agglomeration look like.
#pragma once

#include <string>

#include "mesh/agglomeration.hpp"

namespace galerna::mesh {

struct PolytopeShapes {
  /// Of all polytopes, and the worst of them.
  struct Ratio {
    double mean = 0, worst = 0;
    Index polytope = -1;
  };
  Index least_elements = 0, most_elements = 0;  ///< of a polytope
  Index inner_facets = 0;                       ///< sides of elements between polytopes
  Index outer_facets = 0;                       ///< on the boundary
  Index interfaces = 0;                         ///< pairs of polytopes with a common facet
  Ratio box;                                    ///< area (volume) of the bounding box by that of the polytope, ≥ 1
  Ratio roundness;  ///< length (area) of its facets by that of the circle (sphere) of its size, ≥ 1
};

/// Straight-sided elements; facets of periodic sides are inner ones. \param mesh prepared
PolytopeShapes polytope_shapes(const Mesh& mesh, const Agglomeration& agglomeration);

/// Lines for people, in the form of describe() in mesh/quality.hpp.
std::string describe_polytopes(const Mesh& mesh, const Agglomeration& agglomeration);

}  // namespace galerna::mesh
