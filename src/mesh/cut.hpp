/// \file
/// Which rank of a run on many devices computes which element.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// What is computed does not depend on it, only how much is exchanged.
enum class CutMethod {
  automatic,  ///< METIS or Hilbert, whichever lets the rank that exchanges most exchange less
  metis,      ///< Hilbert where METIS finds no parts of equal weight, as for a handful of elements
  hilbert,    ///< pieces of one Hilbert curve through the elements of all blocks
  random      ///< every element anywhere, the same each time: the hardest case for tests
};

/// [element] its rank, 0 … parts − 1. Every rank has an element, and all have elements of about the same weight.
/// \param mesh prepared \param weights [block] of an element, as seconds; all equal if empty
/// \throws std::invalid_argument for parts < 1, more parts than elements, weights that are not > 0 or too few
/// \throws InputError for METIS in a build without it
std::vector<int> cut(const Mesh& mesh, int parts, CutMethod method = CutMethod::automatic,
                     const std::vector<double>& weights = {});

/// The same where every rank has elements of each block. \throws InputError where a block has too few
std::vector<int> cut_all_blocks(const Mesh& mesh, int parts);

/// Weight of the heaviest rank by the mean, minus 1. \param weights as for cut
double imbalance(const Mesh& mesh, const std::vector<int>& ranks, const std::vector<double>& weights = {});

}  // namespace galerna::mesh
