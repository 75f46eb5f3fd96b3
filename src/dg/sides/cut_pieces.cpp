#include "dg/sides/cut_pieces.hpp"

#include <algorithm>

namespace galerna::dg {

static std::int64_t numbers_at(const std::vector<CutPiece>& pieces, std::vector<std::int64_t> CutPiece::*places) {
  std::int64_t sum = 0;
  for (const CutPiece& piece : pieces) sum += static_cast<std::int64_t>((piece.*places).size()) * piece.numbers;
  return sum;
}

std::int64_t CutNeighbour::sent() const {
  return numbers_at(pieces, &CutPiece::send);
}
std::int64_t CutNeighbour::received() const {
  return numbers_at(pieces, &CutPiece::receive);
}

CutPiece& piece_of(std::vector<CutNeighbour>& neighbours, int rank, std::size_t array) {
  auto of = std::find_if(neighbours.begin(), neighbours.end(),
                         [&](const CutNeighbour& neighbour) { return neighbour.rank == rank; });
  if (of == neighbours.end()) of = neighbours.insert(of, {rank, {}});
  if (of->pieces.empty() || of->pieces.back().array != array) of->pieces.push_back({.array = array});
  return of->pieces.back();
}

}  // namespace galerna::dg
