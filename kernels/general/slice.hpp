/// \file
/// How the general kernels share an element. On the GPU a group of threads works on each element, every thread on one
/// variable, its slice: what is linear in the solution (values at points, derivatives, integrals) needs no other
/// variable, and the coefficients of one variable stay in registers. Fluxes need whole states: the threads exchange
/// numbers so that thread k of the group has the whole state at point k of a batch of points. On the CPU the slice has
/// all variables, and nothing is exchanged.
#pragma once

#include "kernels/element_step.hpp"
#include "kernels/general/arguments.hpp"
#include "kernels/state.hpp"
#ifndef __CUDACC_RTC__
#include "kernels/batch/product.hpp"
#endif

namespace galerna::kernels {

template <class Case>
struct Slice {
  static constexpr int variables = Case::Equations::variables;
#ifdef __CUDACC_RTC__
  static constexpr int group = threads_per_element(variables), size = 1;
#else
  static constexpr int group = 1, size = variables;
#endif
  Item item;

  explicit Slice(const Item& at) : item(at) {}
  /// The slice's variable; threads that have none repeat the last one.
  int variable() const {
    return item.slice < variables ? item.slice : variables - 1;
  }
  bool idle() const {
    return item.slice >= variables;
  }
};

/// Numbers of the variables in a slice.
template <class Case>
using Part = Array<typename Case::Value, Slice<Case>::size>;

/// Points first_ … first_ + count_ − 1, whose states are exchanged together.
template <int first_, int count_>
struct Batch {
  static constexpr int first = first_, count = count_;
};

/// Calls f(Batch) for batches of the points 0 … points − 1.
template <class Case, int points, int first = 0, class F>
void for_each_batch(const F& f) {
#ifdef __CUDACC_RTC__
  constexpr int group = Slice<Case>::group, left = points - first, count = left < group ? left : group;
  if constexpr (left > 0) {
    f(Batch<first, count>());
    for_each_batch<Case, points, first + count>(f);
  }
#else
  for_each_rows<Case, points>([&](auto rows) { f(Batch<decltype(rows)::first, decltype(rows)::count>()); });
#endif
}

/// f(0), …, f(n − 1), written out.
template <int n, class F>
void unrolled(const F& f) {
  if constexpr (n > 0) {
    unrolled<n - 1>(f);
    f(n - 1);
  }
}

/// The same where the order of the calls matters for registers on the GPU only; a loop on the CPU.
template <int n, class F>
void for_each_number(const F& f) {
#ifdef __CUDACC_RTC__
  unrolled<n>(f);
#else
#pragma GCC unroll 1
  for (int i = 0; i < n; ++i) f(i);
#endif
}

/// The same for the terms of a short sum: written out on the CPU, too.
template <int n, class F>
void for_each_term(const F& f) {
#ifdef __CUDACC_RTC__
  unrolled<n>(f);
#else
#pragma GCC unroll 8
  for (int i = 0; i < n; ++i) f(i);
#endif
}

/// States that a thread has of a batch: on the GPU one.
template <class Case, class Points>
constexpr int states_of() {
#ifdef __CUDACC_RTC__
  return 1;
#else
  return Points::count;
#endif
}

/// The point of state s that the thread has of a batch.
template <class Case, class Points>
int point_of([[maybe_unused]] const Slice<Case>& slice, [[maybe_unused]] int s) {
#ifdef __CUDACC_RTC__
  return Points::first + (slice.item.slice < Points::count ? slice.item.slice : Points::count - 1);
#else
  return Points::first + s;
#endif
}

#ifdef __CUDACC_RTC__
/// Number k of thread t of a group becomes number t of thread k. (Through shared memory it takes fewer instructions and
/// more time, measured on an H200, with rows of memory that share no banks, too.)
template <class V, int group>
void transpose(Array<V, group>& numbers, int thread) {
#pragma unroll
  for (int step = 1; step < group; step *= 2) {
    const bool upper = thread & step;
#pragma unroll
    for (int i = 0; i < group; ++i) {
      if (i & step) continue;
      const V taken = __shfl_xor_sync(0xffffffffu, upper ? numbers[i] : numbers[i + step], step);
      if (upper)
        numbers[i] = taken;
      else
        numbers[i + step] = taken;
    }
  }
}
#endif

/// Whole states from their parts.
template <class Case, class Points>
Array<State<Case>, states_of<Case, Points>()> join_parts([[maybe_unused]] const Slice<Case>& slice,
                                                         const Array<Part<Case>, Points::count>& parts) {
#ifdef __CUDACC_RTC__
  constexpr int group = Slice<Case>::group;
  Array<typename Case::Value, group> numbers;
#pragma unroll
  for (int k = 0; k < group; ++k) numbers[k] = parts[k < Points::count ? k : Points::count - 1][0];
  transpose(numbers, slice.item.slice);
  Array<State<Case>, 1> states;
  for (int v = 0; v < Slice<Case>::variables; ++v) states[0][v] = numbers[v];
  return states;
#else
  return parts;
#endif
}

/// Parts of whole states.
template <class Case, class Points>
Array<Part<Case>, Points::count> split_states([[maybe_unused]] const Slice<Case>& slice,
                                              const Array<State<Case>, states_of<Case, Points>()>& states) {
#ifdef __CUDACC_RTC__
  constexpr int group = Slice<Case>::group;
  using V = typename Case::Value;
  Array<V, group> numbers;
#pragma unroll
  for (int v = 0; v < group; ++v) numbers[v] = v < Slice<Case>::variables ? states[0][v] : V(0);
  transpose(numbers, slice.item.slice);
  Array<Part<Case>, Points::count> parts;
  for (int k = 0; k < Points::count; ++k) parts[k][0] = numbers[k];
  return parts;
#else
  return states;
#endif
}

/// f(q) at all points of a batch. On the GPU each thread of a group computes one of the numbers.
template <class Case, class Points, class F>
Array<typename Case::Value, Points::count> share_numbers([[maybe_unused]] const Slice<Case>& slice, const F& f) {
  Array<typename Case::Value, Points::count> numbers;
#ifdef __CUDACC_RTC__
  const auto own = f(point_of<Case, Points>(slice, 0));
  for (int k = 0; k < Points::count; ++k) numbers[k] = __shfl_sync(0xffffffffu, own, k, Slice<Case>::group);
#else
  for (int k = 0; k < Points::count; ++k) numbers[k] = f(Points::first + k);
#endif
  return numbers;
}

template <class Case>
Part<Case> zero_part() {
  Part<Case> part;
  for (int v = 0; v < Part<Case>::size(); ++v) part[v] = typename Case::Value(0);
  return part;
}

/// += factor · part
template <class Case, class V>
void add_product(Part<Case>& sum, const V& factor, const Part<Case>& part) {
  for (int v = 0; v < Part<Case>::size(); ++v) sum[v] += factor * part[v];
}

/// Modal coefficients, or numbers at as many points.
template <class Case>
using SliceModes = Array<Part<Case>, Case::Operators::modes>;

/// Bytes of shared memory in a thread block for so many numbers of each slice.
template <class Case>
constexpr int shared_bytes_of(int numbers) {
  return numbers * slice_block * int(sizeof(typename Case::Real));
}

/// So many parts of a slice. On the GPU `shared` ones lie in shared memory, which saves registers.
/// \tparam number tells those apart that a kernel needs at once.
template <class Case, int size, bool shared, int number = 0>
class PartArray {
 public:
  Part<Case> at(int k) const { return parts_[k]; }
  void set(int k, const Part<Case>& part) { parts_[k] = part; }

 private:
  Array<Part<Case>, size> parts_;
};

#ifdef __CUDACC_RTC__
template <class Case, int size, int number>
class PartArray<Case, size, true, number> {
 public:
  Part<Case> at(int k) const { return {{*place(k)}}; }
  void set(int k, const Part<Case>& part) { *place(k) = part[0]; }

 private:
  /// Volatile, or the compiler would keep in registers what it has once read. A thread reads only what it wrote itself.
  static volatile typename Case::Real* place(int k) {
    __shared__ typename Case::Real memory[size * slice_block];
    return memory + k * slice_block + threadIdx.x;
  }
};
#endif

template <class Case>
Part<Case> load_part(const void* state, const Slice<Case>& slice, int mode) {
#ifdef __CUDACC_RTC__
  const Item& item = slice.item;
  const auto offset = mode_offset<Case>(item.block * Case::width + item.lane, mode) + slice.variable();
  return {{static_cast<const typename Case::Real*>(state)[offset]}};
#else
  return load_mode<Case>(state, slice.item, mode);
#endif
}

template <class Case>
void store_part(void* state, const Slice<Case>& slice, int mode, const Part<Case>& part) {
#ifdef __CUDACC_RTC__
  const Item& item = slice.item;
  const auto offset = mode_offset<Case>(item.block * Case::width + item.lane, mode) + slice.variable();
  if (!slice.idle()) static_cast<typename Case::Real*>(state)[offset] = part[0];
#else
  store_mode<Case>(state, slice.item, mode, part);
#endif
}

template <class Case>
SliceModes<Case> load_slice(const void* state, const Slice<Case>& slice) {
  SliceModes<Case> modes;
  for_each_number<Case::Operators::modes>([&](int j) { modes[j] = load_part<Case>(state, slice, j); });
  return modes;
}

/// The stage's combinations for the modes from `first` on, as many at a time as registers hold.
/// \param modes of R; afterwards of the last output.
template <class Case, int inputs, int outputs, int first = 0>
void update_slice(SliceModes<Case>& modes, const StageUpdate& update, const Slice<Case>& slice,
                  const ElementStep<Case>& dt) {
  using V = typename Case::Value;
  constexpr int all = Case::Operators::modes, size = Slice<Case>::size;
#ifdef __CUDACC_RTC__
  // More where it was faster on an H200.
  constexpr bool more = Case::tensor ? inputs == 1 || all > 30 : all <= 6;
  constexpr int together = more ? 36 / inputs : 4;
#else
  constexpr int together = 4;
#endif
  constexpr int count = first + together < all ? together : all - first;
  // All loads before the first store: outputs may alias inputs, and the compiler must assume that they do.
  Array<V, inputs> input[count][size];
  unrolled<count>([&](int j) {
    for (int i = 0; i < inputs; ++i) {
      const Part<Case> part = load_part<Case>(update.inputs[i], slice, first + j);
      for (int v = 0; v < size; ++v) input[j][v][i] = part[v];
    }
  });
  for (int k = 0; k < outputs; ++k) {
    const V rhs = dt.times(update.rhs[k]);
    unrolled<count>([&](int j) {
      Part<Case> sum;
      for (int v = 0; v < size; ++v)
        sum[v] = stage_output<typename Case::Real>(update, k, input[j][v], V(rhs * modes[first + j][v]));
      store_part<Case>(update.outputs[k], slice, first + j, sum);
      if (k == outputs - 1) modes[first + j] = sum;
    });
  }
  if constexpr (first + count < all) update_slice<Case, inputs, outputs, first + count>(modes, update, slice, dt);
}

}  // namespace galerna::kernels
