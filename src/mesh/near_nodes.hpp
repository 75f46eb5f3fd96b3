/// \file
/// Boundary nodes that nearly coincide: where parts of a mesh that were made apart, or written with few digits, do not
/// fit together. Where nodes do coincide, sides lie upon one another (mesh/overlaps.hpp).
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

struct NearNodes {
  Index first, second;
  double distance;
  double edge;  ///< the shortest edge of all elements with one of the nodes
};

/// All pairs of different corners of boundary sides whose distance is between 10⁻⁸ and 2·10⁻³ of the shortest edge
/// there, the nearest first. \param mesh with faces, see prepare()
std::vector<NearNodes> find_near_nodes(const Mesh& mesh);

/// How many, where, how near, and the remedy; "" for none.
std::string describe_near_nodes(const Mesh& mesh, const std::vector<NearNodes>& pairs);

}  // namespace galerna::mesh
