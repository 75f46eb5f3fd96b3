/// \file
/// Kernels that evaluate the case's formulas on elements of any shape and geometry order: the L2 projection of the
/// initial state, and the error against the exact solution (docs/theory.md, Errors and conservation). Basis, shape
/// functions and points are arrays, so that one kernel is for all sets of elements.
///
/// Straight simplices with kernels of their own, whose |J| is given and constant, are computed in the program's
/// precision, all others in double precision but for the formulas themselves.
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/state.hpp"

namespace galerna::kernels {

/// Numbers of the item in memory, `stride` apart: one for each mode.
template <class V>
struct Column {
  Scalar<V>* first;
  std::int64_t stride;

  V load(int j) const { return load_lanes<V>(first + j * stride); }
  void store(int j, const V& value) const { store_lanes(first + j * stride, value); }
};

/// The item's element: where its points are, and what it has at them. Points are counted in batches, whose sums stay in
/// registers.
template <class Config>
class FormulaElement {
 public:
  using V = typename Config::Value;
  using D = InDouble<V>;
  template <class N>
  using Batch = Array<N, formula_batch>;
  static constexpr int dimension = Config::Equations::dimension, variables = Config::Equations::variables;

  FormulaElement(const FormulaArguments& a, const Item& item) : a_(a), item_(item) {}

  /// The formulas' states at a batch of points. \tparam N numbers in which positions are computed
  template <class N, class Formulas>
  Batch<State<Config>> states(int q) const {
    const V t = V(typename Config::Real(a_.time));
    Batch<State<Config>> result;
#pragma unroll 1
    for (int k = 0; k < formula_batch; ++k) {
      const Array<V, 3> x = position<N>(q + k);
      result[k] = Formulas::template state<V>(x[0], x[1], x[2], t);
    }
    return result;
  }

  /// ∂x_k/∂ξ_d at a point: [d][k].
  using Tangents = Array<Array<D, dimension>, dimension>;
  Tangents tangents(int q) const {
    Tangents g;
    for (int d = 0; d < dimension; ++d)
      for (int k = 0; k < dimension; ++k) g[d][k] = along_nodes<D>(q, 1 + d, k);
    return g;
  }

  static D determinant(const Tangents& g) {
    if constexpr (dimension == 2)
      return g[0][0] * g[1][1] - g[0][1] * g[1][0];
    else
      return g[0][0] * (g[1][1] * g[2][2] - g[1][2] * g[2][1]) + g[0][1] * (g[1][2] * g[2][0] - g[1][0] * g[2][2]) +
             g[0][2] * (g[1][0] * g[2][1] - g[1][1] * g[2][0]);
  }

  /// |J| at a point.
  D jacobian(int q) const {
    return abs(determinant(tangents(q)));
  }

  /// Where a point is, computed in numbers N.
  template <class N>
  Array<V, 3> position(int q) const {
    const Array<N, 3> computed = place<N>(q);
    Array<V, 3> x;
    for (int k = 0; k < 3; ++k) x[k] = converted<V>(computed[k]);
    return x;
  }
  template <class N>
  Array<N, 3> place(int q) const {
    Array<N, 3> x;
    for (int k = 0; k < 3; ++k) x[k] = N(0);
    for (int k = 0; k < dimension; ++k) x[k] = along_nodes<N>(q, 0, k);
    return x;
  }

  double weight(int q) const {
    return a_.weights[q];
  }

  /// Modes of a variable in the state.
  Column<V> modes(int variable) const {
    auto* state = static_cast<Scalar<V>*>(a_.state);
    const std::int64_t block = item_.block * a_.modes * variables * Config::width;
#ifdef __CUDACC_RTC__
    return {state + block + item_.lane * variables + variable, Config::width * variables};
#else
    return {state + block + std::int64_t(variable) * a_.modes * Config::width, Config::width};
#endif
  }

  /// += the values at a batch of points of the polynomial with the modes mode(j).
  template <class N, class Mode>
  void evaluate(int q, const Mode& mode, Batch<N>& sums) const {
    evaluate(a_.basis, q, mode, sums);
  }
  /// The same of any functions. \param table [point][mode] their values
  template <class N, class Mode>
  void evaluate(const double* table, int q, const Mode& mode, Batch<N>& sums) const {
    const int modes = a_.modes;
    const double* basis = table + std::int64_t(q) * modes;
    for (int j = 0; j < modes; ++j) {
      const N c = mode(j);
#pragma unroll
      for (int k = 0; k < formula_batch; ++k) sums[k] += N(Scalar<N>(basis[k * modes + j])) * c;
    }
  }

  /// Adds Σ_k factor(k, φ_j at point q + k) values[k] to each mode j of a column, which batch 0 begins.
  template <class N, class Factor>
  void spread(int q, const Factor& factor, const Batch<N>& values, const Column<N>& to) const {
    const int modes = a_.modes;
    const double* basis = a_.basis + std::int64_t(q) * modes;
    for (int j = 0; j < modes; ++j) {
      N sum = q > 0 ? to.load(j) : N(0);
#pragma unroll
      for (int k = 0; k < formula_batch; ++k) sum += N(factor(k, basis[k * modes + j])) * values[k];
      to.store(j, sum);
    }
  }
  template <class N>
  void spread(int q, const Batch<N>& values, const Column<N>& to) const {
    spread(
        q, [](int, double number) { return number; }, values, to);
  }

 private:
  /// Σ_i of what shape functions have at a point (0: values, 1 + d: derivatives by ξ_d) and coordinates k of nodes.
  template <class N>
  N along_nodes(int q, int what, int k) const {
    N sum = N(0);
    for (int i = 0; i < a_.nodes_per_element; ++i)
      sum += N(Scalar<N>(a_.shapes[(q * (1 + dimension) + what) * a_.nodes_per_element + i])) *
             converted<N>(load_lanes<D>(
                 a_.nodes + ((item_.block * a_.nodes_per_element + i) * dimension + k) * Config::width + item_.lane));
    return sum;
  }

  const FormulaArguments& a_;
  const Item& item_;
};

/// Solves M x = b for the mass matrix M_ij = ∫ φ_i φ_j dx of an element by conjugate gradients, which need nothing but
/// M's products with vectors, taken at the points of the rule: M. R. Hestenes, E. Stiefel, J. Res. Nat. Bur. Standards
/// 49 (1952). M is the identity times |J| where that is constant, and its condition is that of |J| at the points.
template <class Config>
class MassSolver {
 public:
  using Element = FormulaElement<Config>;
  using D = typename Element::D;

  MassSolver(const FormulaArguments& a, const Item& item)
      : a_(a), element_(a, item), room_(a.work + item.block * a.work_numbers * Config::width + item.lane) {}

  /// weight · |J| at the points.
  Column<D> measures() const { return column(0); }
  /// ∫ φ_j u dx of a variable; lost when it is solved for.
  Column<D> moments(int variable) const { return column(a_.points + (3 + variable) * a_.modes); }

  /// \param volume of the element, and of the reference shape
  Column<D> solve(int variable, const D& volume, double reference_volume) const {
    const Column<D> x = column(a_.points), direction = column(a_.points + a_.modes),
                    product = column(a_.points + 2 * a_.modes), residual = moments(variable);
    const D inverse = D(reference_volume) / volume;
    for (int j = 0; j < a_.modes; ++j) x.store(j, residual.load(j) * inverse);
    multiply(x, product);
    D right = D(0), rest = D(0);
    for (int j = 0; j < a_.modes; ++j) {
      const D b = residual.load(j), r = b - product.load(j);
      residual.store(j, r);
      direction.store(j, r);
      right += b * b;
      rest += r * r;
    }
    const D small = D(0x1p-100) * right;  // to rounding
    constexpr int most_steps = 200;
    for (int step = 0; step < most_steps; ++step) {
      const auto goes_on = !(rest <= small);  // lanes that are done, or hold no numbers, stay as they are
      if (!any(goes_on)) break;
      multiply(direction, product);
      D curvature = D(0), next = D(0);
      for (int j = 0; j < a_.modes; ++j) curvature += direction.load(j) * product.load(j);
      const D length = select(goes_on, D(rest / curvature), D(0));
      for (int j = 0; j < a_.modes; ++j) {
        const D r = residual.load(j) - length * product.load(j);
        x.store(j, x.load(j) + length * direction.load(j));
        residual.store(j, r);
        next += r * r;
      }
      const D kept = select(goes_on, D(next / rest), D(0));
      for (int j = 0; j < a_.modes; ++j) direction.store(j, residual.load(j) + kept * direction.load(j));
      rest = select(goes_on, next, rest);
    }
    return x;
  }

 private:
  Column<D> column(int number) const { return {room_ + std::int64_t(number) * Config::width, Config::width}; }

  void multiply(const Column<D>& x, const Column<D>& product) const {
    for (int q = 0; q < a_.points; q += formula_batch) {
      Array<D, formula_batch> values;
#pragma unroll
      for (int k = 0; k < formula_batch; ++k) values[k] = D(0);
      element_.evaluate(
          q, [&](int j) { return x.load(j); }, values);
#pragma unroll
      for (int k = 0; k < formula_batch; ++k) values[k] *= measures().load(q + k);
      element_.spread(q, values, product);
    }
  }

  const FormulaArguments& a_;
  Element element_;
  double* room_;
};

/// Where |J| is constant and the basis therefore orthogonal: c_j = ∫ u φ_j over the reference shape.
template <class Config, class Initial>
void project_directly(const FormulaArguments& a, const Item& item) {
  using V = typename Config::Value;
  const FormulaElement<Config> element(a, item);
  for (int q = 0; q < a.points; q += formula_batch) {
    const auto states = element.template states<V, Initial>(q);
    for (int v = 0; v < Config::Equations::variables; ++v) {
      Array<V, formula_batch> u;
      for (int k = 0; k < formula_batch; ++k) u[k] = states[k][v];
      element.spread(
          q, [&](int k, double number) { return Scalar<V>(element.weight(q + k)) * Scalar<V>(number); }, u,
          element.modes(v));
    }
  }
}

/// ∫ φ_j u_h dx = ∫ φ_j u dx
template <class Config, class Initial>
void project_by_mass(const FormulaArguments& a, const Item& item) {
  using V = typename Config::Value;
  using D = InDouble<V>;
  constexpr int variables = Config::Equations::variables;
  const FormulaElement<Config> element(a, item);
  const MassSolver<Config> mass(a, item);
  D volume = D(0);
  double reference_volume = 0;
  for (int q = 0; q < a.points; q += formula_batch) {
    const auto states = element.template states<D, Initial>(q);
    Array<D, formula_batch> measures;
    for (int k = 0; k < formula_batch; ++k) {
      measures[k] = D(element.weight(q + k)) * element.jacobian(q + k);
      mass.measures().store(q + k, measures[k]);
      volume += measures[k];
      reference_volume += element.weight(q + k);
    }
    for (int v = 0; v < variables; ++v) {
      Array<D, formula_batch> u;
      for (int k = 0; k < formula_batch; ++k) u[k] = measures[k] * converted<D>(states[k][v]);
      element.spread(q, u, mass.moments(v));
    }
  }
  for (int v = 0; v < variables; ++v) {
    const Column<D> solution = mass.solve(v, volume, reference_volume);
    const Column<V> modes = element.modes(v);
    for (int j = 0; j < a.modes; ++j) modes.store(j, converted<V>(solution.load(j)));
  }
}

template <class Config, class Initial>
void project(const FormulaArguments& a, const Item& item) {
  if (a.work)
    project_by_mass<Config, Initial>(a, item);
  else
    project_directly<Config, Initial>(a, item);
}

/// ∫ |e|, ∫ e² and max |e| of each variable's error e = u_h − u over the block, computed in numbers N.
/// \param measure (q) weight · |J|, 0 on padding
template <class N, class Config, class Exact, class Measure>
void add_errors(const FormulaArguments& a, const Item& item, const Measure& measure) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables;
  const FormulaElement<Config> element(a, item);
  Array<N, variables> absolute, square, largest;
  for (int v = 0; v < variables; ++v) absolute[v] = square[v] = largest[v] = N(0);
  for (int q = 0; q < a.points; q += formula_batch) {
    const auto states = element.template states<N, Exact>(q);
    Array<N, formula_batch> measures;
    for (int k = 0; k < formula_batch; ++k) measures[k] = measure(element, q + k);
    for (int v = 0; v < variables; ++v) {
      const Column<V> modes = element.modes(v);
      Array<N, formula_batch> e;
      for (int k = 0; k < formula_batch; ++k) e[k] = -converted<N>(states[k][v]);
      element.evaluate(
          q, [&](int j) { return converted<N>(modes.load(j)); }, e);
      for (int k = 0; k < formula_batch; ++k) {
        absolute[v] += measures[k] * abs(e[k]);
        square[v] += measures[k] * e[k] * e[k];
        largest[v] = max(largest[v], N(abs(e[k])));
      }
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

template <class Config, class Exact>
void errors(const FormulaArguments& a, const Item& item) {
  using V = typename Config::Value;
  using D = InDouble<V>;
  if (a.determinants) {
    const V determinant = load<Config>(a.determinants, item, 1, 0);
    add_errors<V, Config, Exact>(
        a, item, [&](const auto& element, int q) { return V(Scalar<V>(element.weight(q))) * determinant; });
  } else {
    const D counted = converted<D>(select(is_element<Config>(item, a.elements), V(1), V(0)));
    add_errors<D, Config, Exact>(
        a, item, [&](const auto& element, int q) { return D(element.weight(q)) * counted * element.jacobian(q); });
  }
}

}  // namespace galerna::kernels
