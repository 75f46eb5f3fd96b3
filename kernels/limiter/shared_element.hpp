/// \file
/// An element whose solution threads of a GPU share (element/thread_group.hpp), as limiters see it: its mean, the
/// states at the quadrature points of volume and sides, scaling of its modes. On a GPU all threads of a warp must call
/// the same functions together.
#pragma once

#include "kernels/element/basis.hpp"
#include "kernels/limiter/neighbours.hpp"
#include "kernels/line/points.hpp"

namespace galerna::kernels {

template <class Config>
constexpr bool has_lines_of_quadrilateral() {
  if constexpr (requires { Config::tensor; })
    return Config::tensor;
  else
    return false;
}

/// Whether every number of the basis stands in an instruction of a GPU's kernel: not where values are sums over all of
/// many modes, with which compilers would take long.
template <class Config>
constexpr bool writes_points_out() {
#ifdef __CUDACC_RTC__
  using Operators = typename Config::Operators;
  if constexpr (HasHexahedronLines<Operators>) return HexahedronPoints<Config>::written_out;
  return has_lines_of_quadrilateral<Config>() ||
         Operators::modes * (Operators::volume_points + all_side_points<Operators>()) <= 2500;
#else
  return false;
#endif
}

/// f(first), …, f(modes − 1) of an element's modes: written out where they may fit into a GPU's registers.
template <class Config, int first, class F>
void for_each_mode_from(const F& f) {
  constexpr int modes = Config::Operators::modes;
  if constexpr (modes <= 128) {
    for_each_number<modes - first>([&](int i) { f(first + i); });
  } else {
#ifndef __clang__  // which knows both pragmas, and takes only one
#pragma GCC unroll 1
#endif
#pragma unroll 1
    for (int j = first; j < modes; ++j) f(j);
  }
}

/// A thread's part at points, from tables: Config::LoopTables has volume_basis(point, mode) and, of the points of all
/// sides, side_basis(point, mode). A GPU reads them through its first cache: that of constants is too small for loops.
template <class Config>
class TabledPoints {
 public:
  using V = typename Config::Value;

  explicit TabledPoints(const PartModes<Config>& c) : c_(c) {}
  template <class Points>
  Array<Part<Config>, Points::count> values(Points batch) const {
    return combine<Points::count>([&](int k, int j) { return Config::LoopTables::volume_basis(batch.first + k, j); });
  }
  template <class Points>
  Array<Part<Config>, Points::count> side_values(Points batch) const {
    return combine<Points::count>([&](int k, int j) { return Config::LoopTables::side_basis(batch.first + k, j); });
  }

 private:
  template <int count, class Basis>
  Array<Part<Config>, count> combine(const Basis& basis) const {
    Array<Part<Config>, count> sums;
    unrolled<count>([&](int k) { sums[k] = zero_part<Config>(); });
    for_each_mode_from<Config, 0>(
        [&](int j) { unrolled<count>([&](int k) { add_product<Config>(sums[k], V(basis(k, j)), c_[j]); }); });
    return sums;
  }

  const PartModes<Config>& c_;
};

/// What evaluates a thread's part at points.
template <class Config, bool hexahedron = HasHexahedronLines<typename Config::Operators>,
          bool quadrilateral = has_lines_of_quadrilateral<Config>(), bool written_out = writes_points_out<Config>()>
struct PointValuesOf {
  using Type = TabledPoints<Config>;
};
template <class Config>
struct PointValuesOf<Config, false, false, true> {
  using Type = DenseBasis<Config>;
};
template <class Config, bool written_out>
struct PointValuesOf<Config, false, true, written_out> {
  using Type = TensorBasis<Config>;
};
template <class Config, bool written_out>
struct PointValuesOf<Config, true, false, written_out> {
  using Type = HexahedronPoints<Config>;
};
template <class Config>
using PointValues = typename PointValuesOf<Config>::Type;

/// Calls f(batch) for batches of the points 0 … points − 1, in a loop, some points twice: batches are of one size.
template <class Config, int points, class F>
void loop_through_batches(const F& f) {
#ifdef __CUDACC_RTC__
  constexpr int most = GroupThread<Config>::group;
#else
  constexpr int most = rows_together<Config>();
#endif
  constexpr int together = points < most ? points : most;
#ifndef __clang__  // which knows both pragmas, and takes only one
#pragma GCC unroll 1
#endif
#pragma unroll 1
  for (int at = 0; at < points; at += together) f(LoopBatch<together>{at + together > points ? points - together : at});
}

/// The same as fast as the device can.
template <class Config, int points, class F>
void for_each_batch_of_points(const F& f) {
  if constexpr (writes_points_out<Config>())
    for_each_batch<Config, points>(f);
  else
    loop_through_batches<Config, points>(f);
}

template <class Config>
class SharedElement {
 public:
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  static constexpr int modes = Operators::modes, variables = Config::Equations::variables;
  GroupThread<Config> thread;
  PartModes<Config> c;

  explicit SharedElement(const Item& item) : thread(item) {}
  void read(const void* state) {
    for_each_mode_from<Config, 0>([&](int j) { c[j] = load_part<Config>(state, thread, j); });
  }

  const Item& item() const { return thread.item; }

  /// The variable whose number k of a part is.
  int variable([[maybe_unused]] int k) const {
#ifdef __CUDACC_RTC__
    return thread.variable();
#else
    return k;
#endif
  }

  /// mean_of() of positivity.hpp, which all threads know then.
  template <class Arguments>
  State<Config> mean(const Arguments& a) const {
    Part<Config> own = zero_part<Config>();
    add_product<Config>(own, V(mean_scale<Config>()), c[0]);
    if constexpr (has_weighted_mean<Config>()) {
      const V inverse = V(mean_scale<Config>()) * reciprocal(load<Config>(a.means, item(), modes, 0));
      for_each_mode_from<Config, 1>(
          [&](int j) { add_product<Config>(own, V(inverse * load<Config>(a.means, item(), modes, j)), c[j]); });
    }
    return whole(own);
  }

  /// Calls f(u) with states until the threads that share the element have seen those at all points.
  template <class F>
  void for_each_point(const F& f) const {
    const PointValues<Config> values(c);
    for_each_batch_of_points<Config, Operators::volume_points>(
        [&](auto batch) { for_each_state(batch, values.values(batch), f); });
    for_each_batch_of_points<Config, all_side_points<Operators>()>(
        [&](auto batch) { for_each_state(batch, values.side_values(batch), f); });
  }

  /// Of the numbers of all threads that share the element.
  V least(const V& number) const {
    return reduce(number, [](const V& a, const V& b) { return V(min(a, b)); });
  }
  V largest(const V& number) const {
    return reduce(number, [](const V& a, const V& b) { return V(max(a, b)); });
  }

  /// Whether the mask holds for any element: on a GPU of the warp, whose threads must go on together.
  template <class Mask>
  static bool any_of(const Mask& mask) {
#ifdef __CUDACC_RTC__
    return __any_sync(0xffffffffu, mask);
#else
    return any(mask);
#endif
  }

  /// Multiplies what variable v has beside its mean by a factor.
  void scale(int v, const V& factor, const State<Config>& mean) {
    for (int k = 0; k < Part<Config>::size(); ++k) {
      if (variable(k) != v) continue;
      if constexpr (has_weighted_mean<Config>()) {
        const V constant = mean[v] * reciprocal(V(mean_scale<Config>()));
        c[0][k] = select(factor < V(1), V(constant + factor * (c[0][k] - constant)), c[0][k]);
      }
      for_each_mode_from<Config, 1>([&](int j) { c[j][k] *= factor; });
    }
  }

  /// As store_limited() of positivity.hpp.
  void store(void* state) const {
    constexpr int first = has_weighted_mean<Config>() ? 0 : 1;
    for_each_mode_from<Config, first>([&](int j) { store_part<Config>(state, thread, j, c[j]); });
  }

 private:
  /// Calls f(whole state) for those of the thread among the parts at a batch of points.
  template <class Points, class F>
  void for_each_state(Points, const Array<Part<Config>, Points::count>& parts, const F& f) const {
    const auto states = join_parts<Config, Points>(thread, parts);
    for (int s = 0; s < states.size(); ++s) f(states[s]);
  }

  /// A state from its parts.
  State<Config> whole(const Part<Config>& own) const {
#ifdef __CUDACC_RTC__
    State<Config> u;
    for (int v = 0; v < variables; ++v) u[v] = __shfl_sync(0xffffffffu, own[0], v, GroupThread<Config>::group);
    return u;
#else
    return own;
#endif
  }

  template <class Combine>
  V reduce(V number, [[maybe_unused]] const Combine& combine) const {
#ifdef __CUDACC_RTC__
#pragma unroll
    for (int step = 1; step < GroupThread<Config>::group; step *= 2)
      number = combine(number, __shfl_xor_sync(0xffffffffu, number, step));
#endif
    return number;
  }
};

/// As count_limited() of positivity.hpp, by all threads of a warp together. Several warps have elements of a block;
/// sums of whole numbers hang on no order.
template <class Config, class Arguments>
void count_shared(const Arguments& a, const SharedElement<Config>& element, const typename Config::Value& limited,
                  const typename Config::Value& scaled) {
  const Item& item = element.item();
#ifdef __CUDACC_RTC__
  const bool counts = item.thread == 0 && item.block * Config::width + item.lane < a.elements;
  const int more_limited = block_count(counts && limited > 0), more_scaled = block_count(counts && scaled > 0);
  if (threadIdx.x % 32 != 0) return;
  if (more_limited > 0) atomicAdd(a.counts + item.block, double(more_limited));
  if (more_scaled > 0) atomicAdd(a.counts + a.blocks + item.block, double(more_scaled));
#else
  const auto counts = is_element<Config>(item, a.elements);
  using V = typename Config::Value;
  a.counts[item.block] += block_count(V(select(counts, limited, V(0))) > V(0));
  a.counts[a.blocks + item.block] += block_count(V(select(counts, scaled, V(0))) > V(0));
#endif
}

}  // namespace galerna::kernels
