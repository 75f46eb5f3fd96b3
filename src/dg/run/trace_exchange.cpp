#include "dg/run/trace_exchange.hpp"

#include "dg/run/make_cut_exchange.hpp"

namespace galerna::dg {
namespace {

std::vector<CutNeighbour> traces_at_cuts(const FaceSets& faces, const Spec& spec) {
  std::vector<CutNeighbour> neighbours;
  for (std::size_t s = 0; s < faces.size(); ++s) {
    const int numbers = static_cast<int>(faces[s].rule().size()) * spec.variable_count();
    for (std::size_t k = 0; k < faces[s].cut().size(); ++k) {
      CutPiece& piece = piece_of(neighbours, faces[s].cut()[k].rank, s);
      piece.numbers = numbers;
      piece.send.push_back(faces[s].sent_slot(k) * numbers);
      piece.receive.push_back((faces[s].first_cut() + static_cast<std::int64_t>(k)) * numbers);
    }
  }
  return neighbours;
}

}  // namespace

TraceExchange::TraceExchange(device::Launcher& launcher, const Spec& spec, const FaceSets& faces, const Ranks& ranks)
    : faces_(faces), exchange_(make_cut_exchange(launcher, ranks.team, spec.precision, traces_at_cuts(faces, spec))) {}

void TraceExchange::exchange(Phase phase) {
  CutExchange::Arrays arrays;
  for (const FaceSet& faces : faces_)
    arrays.push_back(phase == Phase::viscous ? faces.viscous_traces() : faces.traces());
  exchange_->exchange(arrays);
}

}  // namespace galerna::dg
