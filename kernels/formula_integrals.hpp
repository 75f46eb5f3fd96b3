/// \file
/// Kernels that integrate formulas of the solution, its gradient, place and time over elements and over their sides
/// (docs/theory.md, Errors and conservation). Everything is computed in double precision, whatever the program's.
#pragma once

#include "kernels/formula_integral_arguments.hpp"
#include "kernels/formulas.hpp"
#include "kernels/integrals.hpp"

namespace galerna::kernels {

/// What integrands are made of at the points of an item's element, or of a side of it.
template <class Config>
class IntegrandPoints {
 public:
  using V = typename Config::Value;
  using Element = FormulaElement<Config>;
  using D = typename Element::D;
  using Tangents = typename Element::Tangents;
  static constexpr int dimension = Element::dimension, variables = Element::variables;
  /// [variable], [direction][variable] derivatives, and on sides the unit normal out of the element.
  using Values = Array<D, (1 + dimension) * variables + dimension>;

  IntegrandPoints(const FormulaIntegralArguments& a, const Item& item) : a_(a), element_(a.rule, item) {
    if (a.positions) positions_ = load_integers<Config>(a.positions, item, 1, 0);
  }

  /// The solution at a batch of points and, in place of its gradient, derivatives by the reference coordinates.
  template <bool gradients>
  void solution(int q, Array<Values, formula_batch>& u) const {
    for (int v = 0; v < variables; ++v) {
      put(a_.rule.basis, q, v, v, u);
      if constexpr (gradients)
        for (int d = 0; d < dimension; ++d)
          put(a_.slopes + std::int64_t(d) * a_.rule.points * a_.rule.modes, q, v, (1 + d) * variables + v, u);
    }
  }

  /// Derivatives by the reference coordinates become those in space.
  static void to_space(const Tangents& g, Values& u) {
    const Tangents inverse = inverse_of(g);
    for (int v = 0; v < variables; ++v) {
      Array<D, dimension> slopes;
      for (int k = 0; k < dimension; ++k) slopes[k] = D(0);
      for (int d = 0; d < dimension; ++d)
        for (int k = 0; k < dimension; ++k) slopes[k] += u[(1 + d) * variables + v] * inverse[d][k];
      for (int k = 0; k < dimension; ++k) u[(1 + k) * variables + v] = slopes[k];
    }
  }

  /// Length or area that a point of the side stands for, per weight; its normal goes to u. The normal times the area is
  /// that of the reference shape times the cofactors of the map's derivative (Nanson's formula).
  D side(const Tangents& g, Values& u) const {
    const Tangents cofactors = cofactors_of(D(1), g);
    Array<D, dimension> normal;
    D square = D(0);
    for (int k = 0; k < dimension; ++k) {
      normal[k] = D(0);
      for (int d = 0; d < dimension; ++d) normal[k] += D(a_.outward[d]) * cofactors[d][k];
      square += normal[k] * normal[k];
    }
    // An element of negative orientation turns the normal round.
    const D area = sqrt(square), sign = select(Element::determinant(g) < D(0), D(-1), D(1));
    for (int k = 0; k < dimension; ++k) u[(1 + dimension) * variables + k] = sign * normal[k] / area;
    return area;
  }

  const Element& element() const { return element_; }

 private:
  /// Component `to` of the values: that of the functions in the table with the modes of a variable.
  void put(const double* table, int q, int variable, int to, Array<Values, formula_batch>& u) const {
    Array<D, formula_batch> sums;
    for (int k = 0; k < formula_batch; ++k) sums[k] = D(0);
    if (a_.positions) {
      element_.evaluate(
          table, q, [&](int j) { return converted<D>(gathered(variable, j)); }, sums);
    } else {
      const Column<V> modes = element_.modes(variable);
      element_.evaluate(
          table, q, [&](int j) { return converted<D>(modes.load(j)); }, sums);
    }
    for (int k = 0; k < formula_batch; ++k) u[k][to] = sums[k];
  }

  /// A mode of the sides' elements, which lie anywhere in the set.
  V gathered(int variable, int j) const {
    const auto* state = static_cast<const typename Config::Real*>(a_.rule.state);
    const std::int64_t modes = a_.rule.modes;
#ifdef __CUDACC_RTC__
    return state[mode_offset<Config>(positions_[0], j, modes) + variable];
#else
    return generate<Config>(
        [&](int i) { return state[offset<Config>(positions_[i], variables * modes, variable * modes + j)]; });
#endif
  }

  /// ∂ξ_d/∂x_k: [d][k]
  static Tangents inverse_of(const Tangents& g) {
    return cofactors_of(D(D(1) / Element::determinant(g)), g);
  }
  /// Times `scale`.
  static Tangents cofactors_of(const D& scale, const Tangents& g) {
    if constexpr (dimension == 2)
      return {{{{scale * g[1][1], -scale * g[1][0]}}, {{-scale * g[0][1], scale * g[0][0]}}}};
    else
      return {{cross(scale, g[1], g[2]), cross(scale, g[2], g[0]), cross(scale, g[0], g[1])}};
  }
  static Array<D, dimension> cross(const D& scale, const Array<D, dimension>& a, const Array<D, dimension>& b) {
    Array<D, dimension> result;
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3, last = (k + 2) % 3;
      result[k] = scale * (a[next] * b[last] - a[last] * b[next]);
    }
    return result;
  }

  const FormulaIntegralArguments& a_;
  Element element_;
  Integers<Config> positions_{};
};

/// Over the item's element or side. \tparam Integrands struct with `count` of them, whether they look at `gradients`,
/// and values(x, t, u)
template <class Config, class Integrands, bool sides>
Array<InDouble<typename Config::Value>, Integrands::count> integrals_of_item(const FormulaIntegralArguments& a,
                                                                             const Item& item) {
  using Points = IntegrandPoints<Config>;
  using D = typename Points::D;
  constexpr int count = Integrands::count;
  const Points points(a, item);
  Array<D, count> integrals;
  for (int i = 0; i < count; ++i) integrals[i] = D(0);
  for (int q = 0; q < a.rule.points; q += formula_batch) {
    Array<typename Points::Values, formula_batch> u;
    points.template solution<Integrands::gradients>(q, u);
#pragma unroll 1
    for (int k = 0; k < formula_batch; ++k) {
      const auto g = points.element().tangents(q + k);
      if constexpr (Integrands::gradients) Points::to_space(g, u[k]);
      D measure = D(a.rule.weights[q + k]);
      if constexpr (sides)
        measure *= points.side(g, u[k]);
      else
        measure *= abs(Points::Element::determinant(g));
      const auto values = Integrands::values(points.element().template place<D>(q + k), D(a.rule.time), u[k]);
      for (int i = 0; i < count; ++i) integrals[i] += measure * values[i];
    }
  }
  return integrals;
}

/// Integral i, summed over the item's block.
template <class D>
void store_integral(const FormulaArguments& a, const Item& item, int i, const D& integral) {
  const LongSum sum = block_long_sum(integral);
  if (item.lane == 0) store_sum(a.partials + 3 * i * a.blocks, a.blocks, item.block, sum);
}

template <class Config, class Integrands, bool sides>
void integrate_formulas(const FormulaIntegralArguments& a, const Item& item) {
  using D = InDouble<typename Config::Value>;
  const auto integrals = integrals_of_item<Config, Integrands, sides>(a, item);
  // Elsewhere, and on padding, integrands may be no numbers.
  const D place = load_lanes<D>(a.places + item.block * Config::width + item.lane);
  for (int i = 0; i < Integrands::count; ++i) {
    const double* wanted = a.wanted + i * a.choices;
    auto counted = (place == D(wanted[0])) || (D(wanted[0]) < D(0) && place > D(-2));
    for (int k = 1; k < a.choices; ++k) counted = counted || (place == D(wanted[k]));
    store_integral(a.rule, item, i, D(select(counted, integrals[i], D(0))));
  }
}

template <class Config, class Integrands>
void formula_integrals(const FormulaIntegralArguments& a, const Item& item) {
  integrate_formulas<Config, Integrands, false>(a, item);
}

/// Over all elements, which are given part by part, as for projections and errors. `partials` is [integral][3][block].
template <class Config, class Integrands>
void report_integrals(const FormulaArguments& a, const Item& item) {
  using V = typename Config::Value;
  using D = InDouble<V>;
  FormulaIntegralArguments all{};
  all.rule = a;
  const auto integrals = integrals_of_item<Config, Integrands, false>(all, item);
  const D counted = converted<D>(select(is_element<Config>(item, a.elements), V(1), V(0)));
  for (int i = 0; i < Integrands::count; ++i) store_integral(a, item, i, D(select(counted > D(0), integrals[i], D(0))));
}

template <class Config, class Integrands>
void formula_side_integrals(const FormulaIntegralArguments& a, const Item& item) {
  integrate_formulas<Config, Integrands, true>(a, item);
}

}  // namespace galerna::kernels
