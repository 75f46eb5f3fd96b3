/// \file
/// Source terms S of ∂u/∂t + ∇·F(u) = S(u, x, t) at the quadrature points of elements. A Config with sources has
///   using Sources       SourceList of structs with `source(u, position, time)`: the equations, the case's formulas
///   using SourcePoints  tables weighted_basis(q, j) = w_q φ_j(ξ_q), and those of physical_point()
/// A Config without them compiles to what it would be if there were no sources at all.
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/points.hpp"
#include "kernels/state.hpp"

namespace galerna::kernels {

template <class Config>
concept HasSource = requires {
  typename Config::Sources;
};

/// The sum of the parts' sources.
template <class... Parts>
struct SourceList {
  template <class V, int variables>
  static Array<V, variables> source(const Array<V, variables>& u, const Array<V, 3>& position, const V& time) {
    Array<V, variables> sum;
    for (int v = 0; v < variables; ++v) sum[v] = V(0);
    (add(sum, Parts::source(u, position, time)), ...);
    return sum;
  }

 private:
  template <class V, int variables>
  static void add(Array<V, variables>& sum, const Array<V, variables>& part) {
    for (int v = 0; v < variables; ++v) sum[v] += part[v];
  }
};

/// S at volume point q of the item's element, u being the state there, at the time of the stage.
/// \param a arguments of a kernel with `control` and `abscissa` \param nodes as in physical_point()
template <class Config, class Arguments>
State<Config> source_at(const Arguments& a, const void* nodes, const Item& item, int q, const State<Config>& u) {
  using V = typename Config::Value;
  const V time = V(typename Config::Real(a.control->time + a.abscissa * a.control->dt));
  return Config::Sources::source(u, physical_point<Config, typename Config::SourcePoints>(nodes, item, q), time);
}

}  // namespace galerna::kernels
