/// \file
/// Slopes of linear solutions between the means of neighbours: T. J. Barth, D. C. Jespersen, AIAA 89-0366 (1989).
#pragma once

#include "kernels/limiter/slopes.hpp"

namespace galerna::kernels {

struct BarthJespersen {
  template <class Config, class About>
  static typename Config::Value limit(const LimitArguments& a, const Item& item, const About& about,
                                      const BarycentricGradients<Config>&, const typename Config::Value&,
                                      Modes<Config>& c) {
    using V = typename Config::Value;
    constexpr int variables = Config::Equations::variables, dimension = Config::Equations::dimension;
    Array<Array<V, dimension>, variables> slopes;
    for (int d = 0; d < dimension; ++d) {
      State<Config> mode;
      for (int v = 0; v < variables; ++v) mode[v] = c[v][1 + d];
      mode = about.to(mode);
      for (int v = 0; v < variables; ++v) slopes[v][d] = mode[v];
    }
    const State<Config> noise = rounding_noise<Config>(about, c);
    State<Config> factors;
    if constexpr (Config::vertex_neighbours)
      factors = vertex_factors<Config>(a, item, about, slopes, noise);
    else
      factors = face_factors<Config>(a, item, about, slopes, noise);
    V smallest = V(1);
    for (int v = 0; v < variables; ++v) smallest = min(smallest, factors[v]);
    for (int d = 0; d < dimension; ++d) {
      State<Config> mode;
      for (int v = 0; v < variables; ++v) mode[v] = slopes[v][d] * factors[v];
      mode = about.from(mode);
      for (int v = 0; v < variables; ++v) c[v][1 + d] = select(smallest < V(1), mode[v], c[v][1 + d]);
    }
    return select(smallest < V(1), V(1), V(0));
  }
};

}  // namespace galerna::kernels
