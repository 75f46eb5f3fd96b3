/// \file
/// How the element kernels share an element. On the GPU a group of threads works on each element, every thread on one
/// variable, its part: what is linear in the solution (values at points, derivatives, integrals) needs no other
/// variable, and the coefficients of one variable stay in registers. Fluxes need whole states: the threads exchange
/// numbers so that thread k of the group has the whole state at point k of a batch of points. On the CPU one thread has
/// all variables, and nothing is exchanged.
#pragma once

#include "kernels/element/arguments.hpp"
#include "kernels/element_step.hpp"
#include "kernels/state.hpp"
#ifndef __CUDACC_RTC__
#include "kernels/packs/product.hpp"
#endif

namespace galerna::kernels {

template <class Config>
struct GroupThread {
  static constexpr int variables = Config::Equations::variables;
#ifdef __CUDACC_RTC__
  static constexpr int group = threads_per_element(variables), size = 1;
#else
  static constexpr int group = 1, size = variables;
#endif
  Item item;

  explicit GroupThread(const Item& at) : item(at) {}
  /// The thread's variable; threads that have none repeat the last one.
  int variable() const {
    return item.thread < variables ? item.thread : variables - 1;
  }
  bool idle() const {
    return item.thread >= variables;
  }
};

/// Numbers of the variables that a thread has.
template <class Config>
using Part = Array<typename Config::Value, GroupThread<Config>::size>;

/// Points first_ … first_ + count_ − 1, whose states are exchanged together.
template <int first_, int count_>
struct Batch {
  static constexpr int first = first_, count = count_;
};

/// The same from a point on that only the running kernel knows.
template <int count_>
struct LoopBatch {
  static constexpr int count = count_;
  int first;
};

/// Whether the GPU's kernels go through batches of points and through modes in loops: Config::Operators::in_loops.
template <class Config>
constexpr bool in_loops() {
#ifdef __CUDACC_RTC__
  return requires {
    Config::Operators::in_loops;
  };
#else
  return false;
#endif
}

/// Calls f(batch) for batches of 0 … all − 1, of `together` numbers each but for the last one.
template <class Config, int all, int together, int first = 0, class F>
void for_each_batch_of(const F& f) {
  constexpr int left = all - first, count = left < together ? left : together;
  if constexpr (in_loops<Config>()) {
    constexpr int rest = all % together;
#pragma unroll 1
    for (int at = 0; at < all - rest; at += together) f(LoopBatch<together>{at});
    if constexpr (rest > 0) f(Batch<all - rest, rest>());
  } else if constexpr (left > 0) {
    f(Batch<first, count>());
    for_each_batch_of<Config, all, together, first + count>(f);
  }
}

/// Calls f(batch) for batches of the points 0 … points − 1.
template <class Config, int points, class F>
void for_each_batch(const F& f) {
#ifdef __CUDACC_RTC__
  for_each_batch_of<Config, points, GroupThread<Config>::group>(f);
#else
  for_each_rows<Config, points>([&](auto rows) { f(Batch<decltype(rows)::first, decltype(rows)::count>()); });
#endif
}

/// f(first), …, f(first + n − 1), written out; in halves, since compilers bound the depth of templates.
template <int n, int first = 0, class F>
void unrolled(const F& f) {
  if constexpr (n == 1) {
    f(first);
  } else if constexpr (n > 1) {
    unrolled<n / 2, first>(f);
    unrolled<n - n / 2, first + n / 2>(f);
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

/// The same for numbers of modes, or of others that are as many.
template <class Config, int n, class F>
void for_each_mode(const F& f) {
  if constexpr (in_loops<Config>()) {
#pragma unroll 4
    for (int i = 0; i < n; ++i) f(i);
  } else {
    for_each_number<n>(f);
  }
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
template <class Config, class Points>
constexpr int states_of() {
#ifdef __CUDACC_RTC__
  return 1;
#else
  return Points::count;
#endif
}

/// The point of state s that the thread has of a batch.
template <class Config, class Points>
int point_of(Points batch, [[maybe_unused]] const GroupThread<Config>& thread, [[maybe_unused]] int s) {
#ifdef __CUDACC_RTC__
  return batch.first + (thread.item.thread < Points::count ? thread.item.thread : Points::count - 1);
#else
  return batch.first + s;
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
template <class Config, class Points>
Array<State<Config>, states_of<Config, Points>()> join_parts([[maybe_unused]] const GroupThread<Config>& thread,
                                                             const Array<Part<Config>, Points::count>& parts) {
#ifdef __CUDACC_RTC__
  constexpr int group = GroupThread<Config>::group;
  Array<typename Config::Value, group> numbers;
#pragma unroll
  for (int k = 0; k < group; ++k) numbers[k] = parts[k < Points::count ? k : Points::count - 1][0];
  transpose(numbers, thread.item.thread);
  Array<State<Config>, 1> states;
  for (int v = 0; v < GroupThread<Config>::variables; ++v) states[0][v] = numbers[v];
  return states;
#else
  return parts;
#endif
}

/// Parts of whole states.
template <class Config, class Points>
Array<Part<Config>, Points::count> split_states([[maybe_unused]] const GroupThread<Config>& thread,
                                                const Array<State<Config>, states_of<Config, Points>()>& states) {
#ifdef __CUDACC_RTC__
  constexpr int group = GroupThread<Config>::group;
  using V = typename Config::Value;
  Array<V, group> numbers;
#pragma unroll
  for (int v = 0; v < group; ++v) numbers[v] = v < GroupThread<Config>::variables ? states[0][v] : V(0);
  transpose(numbers, thread.item.thread);
  Array<Part<Config>, Points::count> parts;
  for (int k = 0; k < Points::count; ++k) parts[k][0] = numbers[k];
  return parts;
#else
  return states;
#endif
}

/// f(q) at all points of a batch. On the GPU each thread of a group computes one of the numbers.
template <class Config, class Points, class F>
Array<typename Config::Value, Points::count> share_numbers(Points batch,
                                                           [[maybe_unused]] const GroupThread<Config>& thread,
                                                           const F& f) {
  Array<typename Config::Value, Points::count> numbers;
#ifdef __CUDACC_RTC__
  const auto own = f(point_of<Config>(batch, thread, 0));
  for (int k = 0; k < Points::count; ++k) numbers[k] = __shfl_sync(0xffffffffu, own, k, GroupThread<Config>::group);
#else
  for (int k = 0; k < Points::count; ++k) numbers[k] = f(batch.first + k);
#endif
  return numbers;
}

template <class Config>
Part<Config> zero_part() {
  Part<Config> part;
  for (int v = 0; v < Part<Config>::size(); ++v) part[v] = typename Config::Value(0);
  return part;
}

/// += factor · part
template <class Config, class V>
void add_product(Part<Config>& sum, const V& factor, const Part<Config>& part) {
  for (int v = 0; v < Part<Config>::size(); ++v) sum[v] += factor * part[v];
}

/// Modal coefficients, or numbers at as many points.
template <class Config>
using PartModes = Array<Part<Config>, Config::Operators::modes>;

/// Bytes of shared memory in a thread block for so many numbers of each thread.
template <class Config>
constexpr int shared_bytes_of(int numbers) {
  return numbers * group_block * int(sizeof(typename Config::Real));
}

/// So many parts of a thread. On the GPU `shared` ones lie in shared memory, which saves registers.
/// \tparam number tells those apart that a kernel needs at once.
template <class Config, int size, bool shared, int number = 0>
class PartArray {
 public:
  Part<Config> at(int k) const { return parts_[k]; }
  void set(int k, const Part<Config>& part) { parts_[k] = part; }

 private:
  Array<Part<Config>, size> parts_;
};

#ifdef __CUDACC_RTC__
template <class Config, int size, int number>
class PartArray<Config, size, true, number> {
 public:
  Part<Config> at(int k) const { return {{*place(k)}}; }
  void set(int k, const Part<Config>& part) { *place(k) = part[0]; }

 private:
  /// Volatile, or the compiler would keep in registers what it has once read. A thread reads only what it wrote itself.
  static volatile typename Config::Real* place(int k) {
    __shared__ typename Config::Real memory[size * group_block];
    return memory + k * group_block + threadIdx.x;
  }
};
#endif

template <class Config>
Part<Config> load_part(const void* state, const GroupThread<Config>& thread, int mode) {
#ifdef __CUDACC_RTC__
  const Item& item = thread.item;
  const auto offset = mode_offset<Config>(item.block * Config::width + item.lane, mode) + thread.variable();
  return {{static_cast<const typename Config::Real*>(state)[offset]}};
#else
  return load_mode<Config>(state, thread.item, mode);
#endif
}

template <class Config>
void store_part(void* state, const GroupThread<Config>& thread, int mode, const Part<Config>& part) {
#ifdef __CUDACC_RTC__
  const Item& item = thread.item;
  const auto offset = mode_offset<Config>(item.block * Config::width + item.lane, mode) + thread.variable();
  if (!thread.idle()) static_cast<typename Config::Real*>(state)[offset] = part[0];
#else
  store_mode<Config>(state, thread.item, mode, part);
#endif
}

template <class Config>
PartModes<Config> load_parts(const void* state, const GroupThread<Config>& thread) {
  PartModes<Config> modes;
  for_each_mode<Config, Config::Operators::modes>([&](int j) { modes[j] = load_part<Config>(state, thread, j); });
  return modes;
}

/// The stage's combinations for a batch of modes.
template <class Config, int inputs, int outputs, class Batch>
void update_batch(Batch batch, PartModes<Config>& modes, const StageUpdate& update, const GroupThread<Config>& thread,
                  const ElementStep<Config>& dt) {
  using V = typename Config::Value;
  constexpr int size = GroupThread<Config>::size, count = Batch::count;
  // All loads before the first store: outputs may alias inputs, and the compiler must assume that they do.
  Array<V, inputs> input[count][size];
  unrolled<count>([&](int j) {
    for (int i = 0; i < inputs; ++i) {
      const Part<Config> part = load_part<Config>(update.inputs[i], thread, batch.first + j);
      for (int v = 0; v < size; ++v) input[j][v][i] = part[v];
    }
  });
  for (int k = 0; k < outputs; ++k) {
    const V rhs = dt.times(update.rhs[k]);
    unrolled<count>([&](int j) {
      Part<Config> sum;
      for (int v = 0; v < size; ++v)
        sum[v] = stage_output<typename Config::Real>(update, k, input[j][v], V(rhs * modes[batch.first + j][v]));
      store_part<Config>(update.outputs[k], thread, batch.first + j, sum);
      if (k == outputs - 1) modes[batch.first + j] = sum;
    });
  }
}

/// The same for all modes, as many at a time as registers hold.
/// \param modes of R; afterwards of the last output.
template <class Config, int inputs, int outputs>
void update_parts(PartModes<Config>& modes, const StageUpdate& update, const GroupThread<Config>& thread,
                  const ElementStep<Config>& dt) {
  constexpr int all = Config::Operators::modes;
#ifdef __CUDACC_RTC__
  // More where it was faster on an H200.
  constexpr bool more = Config::tensor ? inputs == 1 || all > 30 : all <= 6;
  constexpr int together = more ? 36 / inputs : 4;
#else
  constexpr int together = 4;
#endif
  for_each_batch_of<Config, all, together>(
      [&](auto batch) { update_batch<Config, inputs, outputs>(batch, modes, update, thread, dt); });
}

}  // namespace galerna::kernels
