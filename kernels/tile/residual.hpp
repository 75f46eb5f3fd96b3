/// \file
/// Right-hand side and stage of residual.hpp for a tile of elements by one thread block: all operators are applied as
/// matrix products (tile/product.hpp), each warp works on 8 elements, and traces are exchanged in shared memory.
/// Numbers are computed in double precision, in memory they are Config::Real. Thread blocks take one tile after
/// another, so that the operators are loaded into shared memory once.
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/side_code.hpp"
#include "kernels/state.hpp"
#include "kernels/tile/product.hpp"
#include "kernels/traces.hpp"

namespace galerna::kernels {

/// Sizes of the tile kernel. Right operands are stored as blocks ("fragments") of 32 doubles, one for each lane.
template <class Config>
struct TileSizes {
  using Operators = typename Config::Operators;
  static constexpr int variables = Config::Equations::variables, dimension = Config::Equations::dimension;
  static constexpr int pairs = (variables + 1) / 2;  ///< of variables, as traces lie in shared memory
  static constexpr int modes = Operators::modes, sides = Operators::sides, side_points = Operators::side_points;
  static constexpr int trace_points = sides * side_points;
  static constexpr int elements = Config::tile_elements, threads = elements * 4;

  static constexpr int mode_fours = (modes + 3) / 4;
  static constexpr int mode_eights = Columns{modes}.eights(),
                       volume_eights = Columns{Operators::volume_points}.eights(),
                       trace_eights = Columns{trace_points}.eights();
  static constexpr int volume_fours = Columns{Operators::volume_points}.fours(),
                       trace_fours = Columns{trace_points}.fours();

  // Where each operator's fragments begin; the index of a fragment is (eight columns) · (fours of rows) + four rows.
  static constexpr int volume_values = 0;
  static constexpr int derivatives = volume_values + volume_eights * mode_fours;  ///< one operator for each direction
  static constexpr int derivative_fragments = mode_eights * volume_fours;
  static constexpr int trace_values = derivatives + dimension * derivative_fragments;
  static constexpr int lift = trace_values + trace_eights * mode_fours;
  static constexpr int operator_numbers = (lift + mode_eights * trace_fours) * 32;
};

struct alignas(16) VariablePair {
  double values[2];
};
/// The last one of an odd number of variables is with 0.
template <int variables>
VariablePair pair_of(const Array<double, variables>& u, int pair) {
  return {u[2 * pair], 2 * pair + 1 < variables ? u[2 * pair + 1] : 0};
}

/// A tile's part of shared memory, behind the operators. There are two, for a tile and the next one, so that warps
/// which are done with the first may begin with the second.
template <class Config>
struct TileMemory {
  using Sizes = TileSizes<Config>;
  const double* operators;
  VariablePair*
      traces;  ///< [pair][trace point][column]: elements of the tile, then traces from outside, `sides` in a column
  double* normals;  ///< [side][normal…, length][element]
  int* neighbours;  ///< [side][element] column and side (side_code.hpp)
  int columns;

  static constexpr int even(int n) { return n + n % 2; }
  /// 16-byte units of one of the two.
  static constexpr int size(int columns) {
    return Sizes::pairs * Sizes::trace_points * columns +
           even(Sizes::sides * (Sizes::dimension + 1) * Sizes::elements) / 2 + Sizes::sides * Sizes::elements / 4;
  }

  TileMemory(VariablePair* shared, int columns_, int which) : columns(columns_) {
    operators = reinterpret_cast<double*>(shared);
    traces = shared + even(Sizes::operator_numbers) / 2 + which * size(columns);
    normals = reinterpret_cast<double*>(traces + Sizes::pairs * Sizes::trace_points * columns);
    neighbours = reinterpret_cast<int*>(normals + even(Sizes::sides * (Sizes::dimension + 1) * Sizes::elements));
  }

  double fragment(int index) const { return operators[index * 32 + threadIdx.x % 32]; }
  VariablePair& trace(int pair, int point, int column) const {
    return traces[(pair * Sizes::trace_points + point) * columns + column];
  }
};

template <class Config>
using TileState = Array<double, Config::Equations::variables>;

/// All variables of a mode of an element, in double precision.
template <class Config>
TileState<Config> load_tile_mode(const void* state, std::int64_t element, int mode) {
  constexpr int variables = Config::Equations::variables;
  using Real = typename Config::Real;
  const auto together = *reinterpret_cast<const Together<Real, variables>*>(static_cast<const Real*>(state) +
                                                                            mode_offset<Config>(element, mode));
  TileState<Config> result;
#pragma unroll
  for (int v = 0; v < variables; ++v) result[v] = double(together.values[v]);
  return result;
}

template <class Config>
void store_tile_mode(void* state, std::int64_t element, int mode, const TileState<Config>& values) {
  constexpr int variables = Config::Equations::variables;
  using Real = typename Config::Real;
  Together<Real, variables> together;
#pragma unroll
  for (int v = 0; v < variables; ++v) together.values[v] = Real(values[v]);
  *reinterpret_cast<Together<Real, variables>*>(static_cast<Real*>(state) + mode_offset<Config>(element, mode)) =
      together;
}

/// The modes of the thread's element that products take from it: t, t + 4, …
template <class Config>
using TileModes = Array<LeftBlock<Config::Equations::variables>, TileSizes<Config>::mode_fours>;

/// \param there whether there is an element; otherwise zeros.
template <class Config>
TileModes<Config> load_tile_modes(const void* state, std::int64_t element, bool there = true) {
  using Sizes = TileSizes<Config>;
  TileModes<Config> modes;
#pragma unroll
  for (int k = 0; k < Sizes::mode_fours; ++k) {
    const int mode = 4 * k + int(threadIdx.x % 4);
    TileState<Config> values;
#pragma unroll
    for (int v = 0; v < Sizes::variables; ++v) values[v] = 0;
    if (there && mode < Sizes::modes) values = load_tile_mode<Config>(state, element, mode);
    modes[k] = values;
  }
  return modes;
}

/// U at the thread's two points of an eight, whose operator begins at fragment `first`.
template <class Config>
ResultBlock<Config::Equations::variables> values_at_points(const TileMemory<Config>& memory,
                                                           const TileModes<Config>& modes, int first) {
  auto values = zero_block<Config::Equations::variables>();
#pragma unroll
  for (int k = 0; k < TileSizes<Config>::mode_fours; ++k) multiply_add(values, modes[k], memory.fragment(first + k));
  return values;
}

template <class Config>
using TileResidual = Array<ResultBlock<Config::Equations::variables>, TileSizes<Config>::mode_eights>;

/// residual += fluxes at one of the thread's points · operator. \param four the point's block of 4 rows, of `fours`.
template <class Config>
void add_to_residual(TileResidual<Config>& residual, const TileMemory<Config>& memory,
                     const LeftBlock<Config::Equations::variables>& fluxes, int first, int fours, int four) {
#pragma unroll
  for (int n = 0; n < TileSizes<Config>::mode_eights; ++n)
    multiply_add(residual[n], fluxes, memory.fragment(first + n * fours + four));
}

template <class Config>
void store_traces(const TileMemory<Config>& memory, const TileModes<Config>& modes, int column) {
  using Sizes = TileSizes<Config>;
  constexpr Columns points{Sizes::trace_points};
#pragma unroll
  for (int n = 0; n < points.eights(); ++n) {
    const auto values = values_at_points<Config>(memory, modes, Sizes::trace_values + n * Sizes::mode_fours);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      const int point = points.at(n, odd, int(threadIdx.x % 4));
      if (point < Sizes::trace_points)
#pragma unroll
        for (int pair = 0; pair < Sizes::pairs; ++pair)
          memory.trace(pair, point, column) = pair_of<Sizes::variables>(values[odd], pair);
    }
  }
}

/// Elements outside the tile whose traces it needs: a warp takes eight of them at a time.
template <class Config>
struct OutsideElements {
  int slot, code;  ///< of the thread's element
  TileModes<Config> modes;

  OutsideElements(const ResidualArguments& a, std::int64_t tile, int eight) {
    slot = 8 * eight + int(threadIdx.x % 32) / 4;
    code = slot < a.tiles.outside ? a.tiles.codes[tile * a.tiles.outside + slot] : TileArguments::unused;
    modes = load_tile_modes<Config>(a.state, element_of<Config>(code), code >= 0);
  }
};

template <class Config>
void store_outside_traces(const TileMemory<Config>& memory, const ResidualArguments& a,
                          const OutsideElements<Config>& outside) {
  using Sizes = TileSizes<Config>;
  constexpr Columns points{Sizes::trace_points};
  using Real = typename Config::Real;
  const int code = outside.code, column = Sizes::elements + outside.slot / Sizes::sides;
  const int first = outside.slot % Sizes::sides * Sizes::side_points, wanted = code >= 0 ? side_of<Config>(code) : -1;
#pragma unroll
  for (int n = 0; n < points.eights(); ++n) {
    // Slots are sorted by the side that is wanted of them, so that most warps skip most points.
    const bool needed =
        wanted >= 0 && wanted * Sizes::side_points < 8 * n + 8 && (wanted + 1) * Sizes::side_points > 8 * n;
    if (!__any_sync(0xffffffffu, needed)) continue;
    const auto values = values_at_points<Config>(memory, outside.modes, Sizes::trace_values + n * Sizes::mode_fours);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      const int point = points.at(n, odd, int(threadIdx.x % 4));
      if (point / Sizes::side_points == wanted && point < Sizes::trace_points)
#pragma unroll
        for (int pair = 0; pair < Sizes::pairs; ++pair)
          memory.trace(pair, first + point % Sizes::side_points, column) = pair_of<Sizes::variables>(values[odd], pair);
    }
  }
  if (code < 0 && code != TileArguments::unused) {
    const auto* ghost = static_cast<const Real*>(a.traces) + trace_offset<Config>(-1 - code, 0);
    for (int q = int(threadIdx.x % 4); q < Sizes::side_points; q += 4) {
      TileState<Config> u;
#pragma unroll
      for (int v = 0; v < Sizes::variables; ++v) u[v] = double(ghost[q * Sizes::variables + v]);
#pragma unroll
      for (int pair = 0; pair < Sizes::pairs; ++pair)
        memory.trace(pair, first + q, column) = pair_of<Sizes::variables>(u, pair);
    }
  }
  __syncwarp();  // products are of whole warps
}

/// Outward normals and lengths (residual.hpp) of the tile's sides, and where their neighbours' traces are.
template <class Config>
void store_sides(const TileMemory<Config>& memory, const ResidualArguments& a, std::int64_t tile) {
  using Sizes = TileSizes<Config>;
  using Real = typename Config::Real;
  constexpr int dimension = Sizes::dimension;
  const auto* gradients = static_cast<const Real*>(a.gradients);
  for (int task = int(threadIdx.x); task < Sizes::sides * Sizes::elements; task += Sizes::threads) {
    const int side = task / Sizes::elements, element = task % Sizes::elements;
    const std::int64_t at = offset<Config>(tile * Sizes::elements + element, dimension * dimension, 0);
    double gradient[dimension], square = 0;
#pragma unroll
    for (int d = 0; d < dimension; ++d) {
      gradient[d] = 0;
#pragma unroll
      for (int i = 0; i < dimension; ++i) {
        const double g = double(gradients[at + (i * dimension + d) * Config::width]);
        gradient[d] += side == 0 ? -g : (side == i + 1 ? g : 0.0);
      }
      square += gradient[d] * gradient[d];
    }
    const double length = positive_sqrt(square), inverse = reciprocal(length);
    double* normal = memory.normals + side * (dimension + 1) * Sizes::elements + element;
#pragma unroll
    for (int d = 0; d < dimension; ++d) normal[d * Sizes::elements] = -gradient[d] * inverse;
    normal[dimension * Sizes::elements] = length;
    memory.neighbours[task] = a.tiles.neighbours[(tile * Sizes::sides + side) * Sizes::elements + element];
  }
}

/// residual += ∫ F(U)·∇φ
template <class Config>
void add_tile_volume(TileResidual<Config>& residual, const TileMemory<Config>& memory, const ResidualArguments& a,
                     const TileModes<Config>& modes, std::int64_t element) {
  using Sizes = TileSizes<Config>;
  constexpr Columns points{Config::Operators::volume_points};
  using Equations = typename Config::Equations;
  constexpr int dimension = Sizes::dimension;
  const auto* gradients =
      static_cast<const typename Config::Real*>(a.gradients) + offset<Config>(element, dimension * dimension, 0);
  Array<Array<double, dimension>, dimension> gradient;
#pragma unroll
  for (int i = 0; i < dimension; ++i)
#pragma unroll
    for (int d = 0; d < dimension; ++d) gradient[i][d] = double(gradients[(i * dimension + d) * Config::width]);
#pragma unroll
  for (int n = 0; n < points.eights(); ++n) {
    const auto values = values_at_points<Config>(memory, modes, Sizes::volume_values + n * Sizes::mode_fours);
    Array<ResultBlock<Sizes::variables>, dimension> fluxes;
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      const auto u = values[odd];
      const auto w = Equations::primitive(u);
#pragma unroll
      for (int i = 0; i < dimension; ++i) fluxes[i][odd] = Equations::flux(u, w, gradient[i]);
    }
#pragma unroll
    for (int i = 0; i < dimension; ++i)
#pragma unroll
      for (int odd = 0; odd < 2; ++odd)
        if (points.has(n, odd))
          add_to_residual<Config>(residual, memory, fluxes[i][odd],
                                  Sizes::derivatives + i * Sizes::derivative_fragments, points.fours(), 2 * n + odd);
  }
}

/// residual −= ∫ φ F* over all sides
template <class Config>
void add_tile_sides(TileResidual<Config>& residual, const TileMemory<Config>& memory, int column) {
  using Sizes = TileSizes<Config>;
  constexpr Columns points{Sizes::trace_points};
  using Equations = typename Config::Equations;
#pragma unroll
  for (int n = 0; n < points.eights(); ++n) {
    ResultBlock<Sizes::variables> fluxes;
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      // Points past the last one repeat the first; the operator's rows are 0 there.
      int point = points.at(n, odd, int(threadIdx.x % 4));
      if (point >= Sizes::trace_points) point = 0;
      const int side = point / Sizes::side_points, q = point % Sizes::side_points;
      const int code = memory.neighbours[side * Sizes::elements + column];
      const int beyond = side_of<Config>(code) * Sizes::side_points + q;
      LeftBlock<Sizes::variables> inside, outside;
#pragma unroll
      for (int pair = 0; pair < Sizes::pairs; ++pair) {
        const VariablePair in = memory.trace(pair, point, column),
                           out = memory.trace(pair, beyond, element_of<Config>(code));
#pragma unroll
        for (int v = 2 * pair; v < 2 * pair + 2 && v < Sizes::variables; ++v) {
          inside[v] = in.values[v % 2];
          outside[v] = out.values[v % 2];
        }
      }
      const double* at = memory.normals + side * (Sizes::dimension + 1) * Sizes::elements + column;
      Array<double, Sizes::dimension> normal;
#pragma unroll
      for (int d = 0; d < Sizes::dimension; ++d) normal[d] = at[d * Sizes::elements];
      const double length = at[Sizes::dimension * Sizes::elements];
      auto flux = Config::Flux::template flux<Equations>(inside, outside, normal);
#pragma unroll
      for (int v = 0; v < Sizes::variables; ++v) flux[v] *= length;
      fluxes[odd] = flux;
    }
#pragma unroll
    for (int odd = 0; odd < 2; ++odd)
      if (points.has(n, odd))
        add_to_residual<Config>(residual, memory, fluxes[odd], Sizes::lift, points.fours(), 2 * n + odd);
  }
}

/// output_k ← Σ_i coefficients[k][i] input_i + rhs[k] dt R for the thread's modes.
template <class Config, int inputs, int outputs>
void update_tile(const TileResidual<Config>& residual, const StageUpdate& update, std::int64_t element, double dt) {
  using Sizes = TileSizes<Config>;
  constexpr Columns order{Sizes::modes};
#pragma unroll
  for (int n = 0; n < order.eights(); ++n) {
    Array<double, inputs> input[2][Sizes::variables];
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!order.has(n, odd)) continue;
      const int mode = order.at(n, odd, int(threadIdx.x % 4));
#pragma unroll
      for (int i = 0; i < inputs; ++i) {
        TileState<Config> values;
        if (mode < Sizes::modes) values = load_tile_mode<Config>(update.inputs[i], element, mode);
#pragma unroll
        for (int v = 0; v < Sizes::variables; ++v) input[odd][v][i] = values[v];
      }
    }
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!order.has(n, odd)) continue;
      const int mode = order.at(n, odd, int(threadIdx.x % 4));
      const auto r = residual[n][odd];
#pragma unroll
      for (int k = 0; k < outputs; ++k) {
        TileState<Config> sum;
#pragma unroll
        for (int v = 0; v < Sizes::variables; ++v)
          sum[v] = stage_output<double>(update, k, input[odd][v], update.rhs[k] * dt * r[v]);
        if (mode < Sizes::modes) store_tile_mode<Config>(update.outputs[k], element, mode, sum);
      }
    }
  }
}

/// Asks the second-level cache for a tile's part of a state, which is one piece of memory.
template <class Config>
void fetch_ahead(const void* state, std::int64_t tile) {
  using Sizes = TileSizes<Config>;
  constexpr int line = 128, bytes = Sizes::elements * Sizes::modes * Sizes::variables * sizeof(typename Config::Real);
  const char* begin = static_cast<const char*>(state) + tile * bytes;
  for (int at = int(threadIdx.x) * line; at < bytes; at += Sizes::threads * line) fetch_line(begin + at);
}

template <class Config, int inputs, int outputs>
void tile_residual(const ResidualArguments& a) {
  using Sizes = TileSizes<Config>;
  if (!a.control->active) return;
  extern __shared__ VariablePair shared[];
  for (int k = int(threadIdx.x); k < Sizes::operator_numbers; k += Sizes::threads)
    reinterpret_cast<double*>(shared)[k] = a.tiles.operators[k];
  __syncthreads();
  const int column = int(threadIdx.x) / 4, warp = int(threadIdx.x) / 32;
  const double dt = a.control->dt;
  int which = 0;
  const std::int64_t first = a.first_of_launch / Sizes::elements + blockIdx.x;
  for (std::int64_t tile = first; tile < a.tiles.count; tile += gridDim.x, which = 1 - which) {
    const TileMemory<Config> memory(shared, a.tiles.columns, which);
    const std::int64_t element = tile * Sizes::elements + column, next = tile + gridDim.x;
    const OutsideElements<Config> outside(a, tile, warp);
    const TileModes<Config> modes = load_tile_modes<Config>(a.state, element);
    store_sides<Config>(memory, a, tile);
    if (next < a.tiles.count) {
      fetch_ahead<Config>(a.state, next);
      for (int i = 0; i < inputs; ++i)
        if (a.update.inputs[i] != a.state) fetch_ahead<Config>(a.update.inputs[i], next);
    }
    store_outside_traces<Config>(memory, a, outside);
    for (int eight = warp + Sizes::threads / 32; 8 * eight < a.tiles.outside; eight += Sizes::threads / 32)
      store_outside_traces<Config>(memory, a, OutsideElements<Config>(a, tile, eight));
    store_traces<Config>(memory, modes, column);
    TileResidual<Config> residual;
#pragma unroll
    for (int n = 0; n < Sizes::mode_eights; ++n) residual[n] = zero_block<Sizes::variables>();
    add_tile_volume<Config>(residual, memory, a, modes, element);
    // One barrier a tile: no warp is more than a tile ahead, and the other tile's memory is not touched before.
    __syncthreads();
    add_tile_sides<Config>(residual, memory, column);
    update_tile<Config, inputs, outputs>(residual, a.update, element, dt);
  }
}

}  // namespace galerna::kernels
