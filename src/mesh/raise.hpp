/// \file
/// Straight elements as ones of higher geometry order.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

struct Raised {
  Mesh mesh;
  std::vector<Index> numbers;  ///< [element before] its number in `mesh`
};

/// Makes the chosen elements ones of geometry order `order` ≥ 2 without a change of their shape, in blocks of their own
/// behind the straight ones. They share their nodes on edges and sides. \param mesh straight, before prepare()
/// \param chosen [element] 1 for those to raise
Raised raise(const Mesh& mesh, int order, const std::vector<char>& chosen);

}  // namespace galerna::mesh
