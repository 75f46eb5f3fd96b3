#include "dg/run/limiter_exchange.hpp"

#include "dg/run/make_cut_exchange.hpp"

namespace galerna::dg {
namespace {

using Links = std::vector<mesh::MeshPart::Link>;

/// Numbers of items in an array [block][k][lane][t], k < n, t < together. Of each item these go: for each row, from
/// (k, t) = (row, 0) on, `numbers` of them at a distance.
struct ItemNumbers {
  int lanes;
  std::int64_t n, together = 1;
  int rows = 1, numbers = 1;
  std::int64_t stride = 1;

  std::int64_t place(std::int64_t item, int row) const {
    return ((item / lanes * n + row) * lanes + item % lanes) * together;
  }
};

void add(std::vector<CutNeighbour>& neighbours, std::size_t array, const Links& links, const ItemNumbers& of) {
  for (const mesh::MeshPart::Link& link : links) {
    CutPiece& piece = piece_of(neighbours, link.rank, array);
    piece.numbers = of.numbers;
    piece.stride = of.stride;
    for (int row = 0; row < of.rows; ++row) {
      for (const std::int64_t item : link.send) piece.send.push_back(of.place(item, row));
      for (const std::int64_t item : link.receive) piece.receive.push_back(of.place(item, row));
    }
  }
}

/// A row for each mode, of all variables. \param layout of a state
ItemNumbers numbers_of_modes(const StateLayout& layout, int modes, int variables) {
  const std::int64_t all = layout.n * layout.together / variables;  // modes of an element
  return {layout.lanes, layout.n, layout.together, modes, variables, layout.together > 1 ? 1 : all * layout.lanes};
}

/// All n numbers of an item that lie in lanes.
ItemNumbers numbers_in_lanes(int lanes, int n) {
  return {lanes, n, 1, 1, n, lanes};
}

}  // namespace

LimiterExchange::LimiterExchange(device::Launcher& launcher, const Spec& spec, const ElementSet& set,
                                 const StateArrays& states, const NeighbourPlaces& places, const Ranks& ranks,
                                 int derivatives) {
  const SlopeLimiter& slopes = *spec.limiter->slopes;
  const int variables = spec.variable_count(), lanes = set.blocks.lanes;
  const Links elements = places.elements_at_cuts();
  std::vector<CutNeighbour> of_states, of_derivatives;
  add(of_states, 0, elements,
      numbers_of_modes(states.layout(set), slopes.detects ? set.operators.modes : 1, variables));
  if (slopes.around_vertices && spec.bounds_slopes_at_boundary())
    add(of_states, 1, places.boundary_faces_at_cuts(), numbers_in_lanes(lanes, variables));
  states_ = make_cut_exchange(launcher, ranks.team, spec.precision, std::move(of_states));
  if (derivatives == 0) return;
  add(of_derivatives, 0, elements, numbers_in_lanes(lanes, derivatives));
  derivatives_ = make_cut_exchange(launcher, ranks.team, spec.precision, std::move(of_derivatives));
}

void LimiterExchange::states(void* state, void* boundary_means) {
  states_->exchange({state, boundary_means});
}

void LimiterExchange::derivatives(void* derivatives) {
  if (derivatives_) derivatives_->exchange({derivatives});
}

}  // namespace galerna::dg
