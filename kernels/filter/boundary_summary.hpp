/// \file
/// What the flow meets at the boundary, as a summary (summary.hpp) without a mean over a side: gas that flows in brings
/// its entropy along.
#pragma once

#include "kernels/boundary/ghosts.hpp"
#include "kernels/filter/summary.hpp"

namespace galerna::kernels {

/// The condition's ghost state for the mean of the element inside. \param item a block of boundary faces of one
/// boundary.
template <class Config>
void boundary_summary(const BoundarySummaryArguments& a, const Item& item) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  constexpr int variables = Equations::variables;
  if (rests(a)) return;
  const int condition = a.faces.conditions[item.block];
  const State<Config> inside = summary_mean<Config>(a.elements, load_integers<Config>(a.inside, item, 1, 0));
  const State<Config> mean = mean_over_face<Config>(
      a, item, [&](const auto& at) { return Config::Boundaries::template ghost<Equations>(condition, inside, at); });
  constexpr int numbers = summary_of_mean + variables;
  store<Config>(a.summaries, item, numbers, summary_of_trouble, V(0));
  for (int k = summary_of_entropy; k < summary_of_mean; ++k) store<Config>(a.summaries, item, numbers, k, V(1));
  for (int v = 0; v < variables; ++v) store<Config>(a.summaries, item, numbers, summary_of_mean + v, mean[v]);
}

}  // namespace galerna::kernels
