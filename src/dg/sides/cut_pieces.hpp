/// \file
/// Which numbers cross the cuts of a mesh between two ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace galerna::dg {

/// Numbers of one array that go to a neighbour, and come from it, in the same order on both: of sides between both, or
/// of elements and faces of which the other has copies. The comments speak of sides.
struct CutPiece {
  std::size_t array = 0;
  int numbers = 0;          ///< of a side
  std::int64_t stride = 1;  ///< from one to the next
  // [side] places in the array, in numbers:
  std::vector<std::int64_t> send;
  std::vector<std::int64_t> send_last;  ///< of the last one; empty: it is in line with the others
  std::vector<std::int64_t> receive;
};

/// A message to a rank consists of the numbers of these pieces; so does one from it.
struct CutNeighbour {
  int rank = 0;
  std::vector<CutPiece> pieces;

  std::int64_t sent() const;
  std::int64_t received() const;
};

/// The neighbour's piece of the array, made where there is none yet.
CutPiece& piece_of(std::vector<CutNeighbour>& neighbours, int rank, std::size_t array);

}  // namespace galerna::dg
