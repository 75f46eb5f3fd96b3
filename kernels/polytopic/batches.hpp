/// \file
/// Loops over the points of a polytope's volume, of its own facets and of an interface, batch after batch.
#pragma once

#include "kernels/polytopic/facets.hpp"

namespace galerna::kernels::polytopic {

/// body(count) for each batch of the volume's points, with their modes evaluated.
/// \param derivatives whether those of the modes are needed, too
template <class Config, class L, class Body>
void for_each_volume_batch(Points<L>& points, Lines<L>& lines, ModeValues<L>& modes, const PolytopicArguments& a,
                           std::int64_t polytope, const Box<L>& box, const Times<L>& times, bool derivatives,
                           const Body& body) {
  const std::int64_t all = volume_point_count<L>(a, polytope, times);
  for (std::int64_t first = 0; first < all; first += L::batch) {
    const int count = volume_points(points, a, polytope, box, times, first);
    evaluate_lines(lines, points, box, count);
    evaluate_modes<Config>(modes, lines, count, derivatives);
    body(count);
  }
}

/// body(count) for each batch of the points on the polytope's own facets, with their modes, a n and b·n evaluated.
template <class Config, class L, class Body>
void for_each_own_facet_batch(FacetPoints<L>& facet, Lines<L>& lines, ModeValues<L>& modes, const PolytopicArguments& a,
                              std::int64_t polytope, const Box<L>& box, const Body& body) {
  const Times<L> times(a);
  const std::int64_t all = own_facet_point_count<L>(a, polytope, times);
  for (std::int64_t first = 0; first < all; first += L::batch) {
    const int count = own_facet_points(facet, a, polytope, box, times, first);
    evaluate_lines(lines, facet.points, box, count);
    evaluate_modes<Config>(modes, lines, count);
    evaluate_conormals<Config>(facet, inside_step<L>(box), count);
    body(count);
  }
}

/// The solution that comes from before the slab, at the pack of points q at its beginning: u⁻ of the slab before, or
/// what `initial` gives.
template <class Config, class L, class V, class Initial>
V value_before(const ModeValues<L>& modes, const PolytopicArguments& a, std::int64_t polytope, int q,
               const Initial& initial) {
  if (a.first_slab) return initial();
  const auto* previous = static_cast<const typename L::Real*>(a.previous) + a.first_unknowns[polytope];
  V before = V(0);
  // At the end of its slab L_k(1) = 1 takes the place of L_k(−1) = (−1)^k at the beginning of this one.
  for (int j = 0; j < L::modes; ++j)
    before += number<V>(double(Config::mode(L::dimension, j) % 2 ? -previous[j] : previous[j])) *
              load_lanes<V>(&modes.part[0][j][q]);
  return before;
}

}  // namespace galerna::kernels::polytopic
