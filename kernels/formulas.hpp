/// \file
/// Kernels that evaluate the case's formulas: L2 projection of the initial state, and the error against the exact
/// solution. They use the rule of Config::Formulas (degree ≥ 2p + 4).
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/points.hpp"
#include "kernels/residual.hpp"

namespace galerna::kernels {

/// c_j = ∫ u_0 φ_j over the reference simplex.
template <class Config>
void project(const FormulaArguments& a, const Item& item) {
  using V = typename Config::Value;
  using Formulas = typename Config::Formulas;
  constexpr int variables = Config::Equations::variables, modes = Config::Operators::modes;
  Modes<Config> coefficients;
  for (int v = 0; v < variables; ++v)
    for (int j = 0; j < modes; ++j) coefficients[v][j] = V(0);
  for (int q = 0; q < Formulas::points; ++q) {
    const Array<V, 3> x = physical_point<Config, Formulas>(a.vertices, item, q);
    const State<Config> u = Config::Initial::template state<V>(x[0], x[1], x[2], V(typename Config::Real(a.time)));
    for (int j = 0; j < modes; ++j)
      for (int v = 0; v < variables; ++v) coefficients[v][j] += V(Formulas::weight(q) * Formulas::basis(q, j)) * u[v];
  }
  store_modes<Config>(a.state, item, coefficients);
}

/// ∫ |e|, ∫ e² and max |e| of each variable's error e = u_h − u over the block.
template <class Config>
void errors(const FormulaArguments& a, const Item& item) {
  using V = typename Config::Value;
  using Formulas = typename Config::Formulas;
  constexpr int variables = Config::Equations::variables, modes = Config::Operators::modes;
  const V determinant = load<Config>(a.determinants, item, 1, 0);
  State<Config> absolute, square, largest;
  for (int v = 0; v < variables; ++v) absolute[v] = square[v] = largest[v] = V(0);
  for (int q = 0; q < Formulas::points; ++q) {
    const Array<V, 3> x = physical_point<Config, Formulas>(a.vertices, item, q);
    State<Config> e = Config::Exact::template state<V>(x[0], x[1], x[2], V(typename Config::Real(a.time)));
    for (int v = 0; v < variables; ++v) e[v] = -e[v];
    for (int j = 0; j < modes; ++j) {
      const State<Config> mode = load_mode<Config>(a.state, item, j);
      for (int v = 0; v < variables; ++v) e[v] += V(Formulas::basis(q, j)) * mode[v];
    }
    for (int v = 0; v < variables; ++v) {
      const V weight = V(Formulas::weight(q)) * determinant;
      absolute[v] += weight * abs(e[v]);
      square[v] += weight * e[v] * e[v];
      largest[v] = max(largest[v], V(abs(e[v])));
    }
  }
  for (int v = 0; v < variables; ++v) {
    const LongSum l1 = block_long_sum(absolute[v]), l2 = block_long_sum(square[v]);
    const double linf = block_max(largest[v]);
    if (item.lane == 0) {
      double* rows = a.partials + v * 7 * a.blocks;
      store_sum(rows, a.blocks, item.block, l1);
      store_sum(rows + 3 * a.blocks, a.blocks, item.block, l2);
      rows[6 * a.blocks + item.block] = linf;
    }
  }
}

}  // namespace galerna::kernels
