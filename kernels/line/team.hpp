/// \file
/// Who works on the lines of hexahedra. On the GPU a thread block takes a few elements, a thread for each line of each,
/// and the numbers at their points lie in shared memory; directions take turns, and threads wait for each other in
/// between. On the CPU a SIMD pack of elements goes through its lines one after the other, and the numbers lie in the
/// fastest cache.
#pragma once

#include "kernels/element/geometry.hpp"
#include "kernels/element/prefetch.hpp"
#include "kernels/element_step.hpp"
#include "kernels/line/faces.hpp"
#include "kernels/line/sizes.hpp"
#include "kernels/side_code.hpp"
#include "kernels/traces.hpp"

namespace galerna::kernels {

template <class Config>
constexpr LineSizes line_sizes() {
  return {Config::Operators::degree + 1, Config::Equations::variables, Config::viscous};
}

/// Variables first … last − 1.
struct Variables {
  int first, last;
};

/// Numbers of all variables at the points of an element, or in the same place its modes.
/// \tparam elements side by side: those of a thread block, or a pack \tparam exchanged of Line
template <class Config, int elements, int row, bool exchanged = false>
struct LineField {
  using V = typename Config::Value;
  static constexpr int n = Config::Operators::degree + 1, variables = Config::Equations::variables;
  V* begin;
  int element;

  V& at(int v, int point) const { return begin[(v * n * n * row + point) * elements + element]; }
  /// In the same place, at the ends of all lines of a direction.
  V& end(int e, int v, int line) const { return begin[((e * variables + v) * n * n + line) * elements + element]; }
  /// As states in memory.
#ifdef __CUDACC_RTC__
  V& mode(int v, int j) const {
    return begin[(j * elements + element) * variables + v];
  }
#else
  V& mode(int v, int j) const {
    return begin[v * n * n * n + j];
  }
#endif
  static constexpr Line<exchanged> line(int direction, int number) {
    return {direction, number, n, row};
  }
};

#ifdef __CUDACC_RTC__

struct alignas(16) LineMemory {
  double numbers[2];
};

template <class Config>
class LineTeam {
 public:
  using V = typename Config::Value;
  static constexpr LineSizes sizes = line_sizes<Config>();
  static constexpr int n = sizes.n, variables = sizes.variables, elements = sizes.elements(), modes = n * n * n,
                       threads = sizes.threads();
  using Field = LineField<Config, elements, sizes.row(), sizes.exchanged()>;
  Field first, second;

  /// \param number of the group of elements
  LineTeam(const ElementSetArrays& set, std::int64_t number)
      : line_(int(threadIdx.x) / elements), from_(number * elements) {
    extern __shared__ LineMemory line_memory[];
    maps_ = reinterpret_cast<V*>(line_memory);
    first = field(0);
    second = field(1);
    codes_ = reinterpret_cast<std::int32_t*>(maps_ + trilinear_numbers * elements);
    if (!set.beyond) return;
    for (int k = int(threadIdx.x); k < 6 * elements; k += threads)
      codes_[k] = set.beyond[side_slot<Config>(item_of(k % elements), k / elements)];
    if constexpr (IsTrilinear<Config>) {
      const auto* maps = static_cast<const V*>(set.contravariant) + offset<Config>(from_, trilinear_numbers, 0);
      for (int k = int(threadIdx.x); k < trilinear_numbers * elements; k += threads)
        maps_[k] = maps[k / elements * Config::width + k % elements];
    }
  }

  /// As many as the launch has room for.
  Field field(int number) const { return {maps_ + sizes.numbers(number), int(threadIdx.x) % elements}; }

  void wait() const { __syncthreads(); }

  /// f(line) for the thread's line.
  template <class F>
  void each_line(const F& f) const {
    if (line_ < n * n) f(line_);
  }

  /// f(all of them at once)
  template <class F>
  void each_variable(const F& f) const {
    f(Variables{0, variables});
  }

  Item item() const { return item_of(first.element); }
  /// Number k of the element's trilinear map, where it has one.
  V map(int k) const { return maps_[k * elements + first.element]; }

  /// Modes of the elements, in memory a row for each mode.
  void load_modes(const Variables&, const Field& to, const void* state) const {
    each_piece<4>([&](int count, const auto& place) {
      Array<Array<V, 2>, 4> pieces;
#pragma unroll
      for (int i = 0; i < 4; ++i)
        if (i < count) pieces[i] = load_together<V, 2>(numbers(state, place(i)));
#pragma unroll
      for (int i = 0; i < 4; ++i)
        if (i < count) store_together(to.begin + place(i), pieces[i]);
    });
  }

  /// output_k ← Σ_i coefficients[k][i] input_i + rhs[k] dt R of R = field, which becomes the last output.
  template <int inputs, int outputs>
  void update(const Variables&, const Field& field, const StageUpdate& update, const Control& control) const {
    constexpr int together = inputs == 1 ? 4 : 2;
    each_piece<together>([&](int count, const auto& place) {
      Array<Array<V, 2>, inputs> input[together];
#pragma unroll
      for (int i = 0; i < together; ++i)
#pragma unroll
        for (int k = 0; k < inputs; ++k)
          if (i < count) input[i][k] = load_together<V, 2>(numbers(update.inputs[k], place(i)));
#pragma unroll
      for (int i = 0; i < together; ++i) {
        if (i >= count) continue;
        const auto r = load_together<V, 2>(field.begin + place(i));
        Array<V, 2> sum;
#pragma unroll
        for (int k = 0; k < outputs; ++k) {
#pragma unroll
          for (int two = 0; two < 2; ++two) {
            const ElementStep<Config> dt(control, update.element_limits,
                                         item_of((place(i) + two) / variables % elements));
            Array<V, inputs> terms;
#pragma unroll
            for (int t = 0; t < inputs; ++t) terms[t] = input[i][t][two];
            sum[two] = stage_output<V>(update, k, terms, V(dt.times(update.rhs[k]) * r[two]));
          }
          store_together(numbers(update.outputs[k], place(i)), sum);
        }
        store_together(field.begin + place(i), sum);
      }
    });
  }

  // On a GPU other threads work while one waits.
  void ask_for_stage(const ElementArguments&, const StageShape&, int, int) const {}
  void ask_for_viscous(const ElementArguments&, int, int) const {}

  /// What traces say beyond one end of a line.
  State<Config> beyond(const ElementArguments&, const void* traces, int direction, int end, int line) const {
    const std::int32_t code = code_of(direction, end);
    return at_end(traces, slot_of<Config>(code), code, direction, end, line);
  }

  /// What the element's own traces say there.
  State<Config> own(const ElementArguments& a, const void* traces, int direction, int end, int line) const {
    const std::int64_t slot = a.faces[0].first_slot + side_slot<Config>(item(), side_of_end(direction, end));
    return at_end(traces, slot, code_of(direction, end), direction, end, line);
  }

  /// What the jump is taken to there: the state beyond, `outside`, or on the boundary what lies behind that
  /// (element/sides.hpp).
  State<Config> opposite(const ElementArguments& a, int direction, int end, int line,
                         const State<Config>& outside) const {
    const std::int32_t code = code_of(direction, end);
    const std::int64_t slot = slot_of<Config>(code);
    if (slot < a.faces[0].first_ghost) return outside;
    return at_end(a.faces[0].traces, slot + a.faces[0].faces, code, direction, end, line);
  }

  /// Leaves a gradient beside a boundary face (element/viscous.hpp).
  void put_gradient(const ElementArguments& a, int direction, int end, int line,
                    const Array<State<Config>, 3>& gradient) const {
    const std::int32_t code = code_of(direction, end);
    const std::int64_t face = slot_of<Config>(code) - a.faces[0].first_ghost;
    if (face < 0) return;
    const int point = trace_point(side_of_end(direction, end), orientation_of<Config>(code), line, n);
    for (int d = 0; d < 3; ++d)
      for (int v = 0; v < variables; ++v)
        static_cast<V*>(
            a.faces[0].face_gradients)[offset<Config>(face, n * n * 3 * variables, (point * 3 + d) * variables + v)] =
            gradient[d][v];
  }

  /// A state at one end of a line on its way to memory. \param on where the traces of one direction have room
  void put_trace(const Field& on, const ElementArguments&, void*, int direction, int end, int line,
                 const State<Config>& state) const {
    const int side = side_of_end(direction, end);
    const int point = trace_point(side, orientation_of<Config>(code_of(direction, end)), line, n);
    V* to = on.begin + (end * elements + first.element) * sizes.trace_row() + point * variables;
    for (int v = 0; v < variables; ++v) to[v] = state[v];
  }

  /// What was put, to memory: traces of elements side by side lie together.
  void write_traces(const Field& from, const ElementArguments& a, void* traces, int direction) const {
    constexpr int trace = n * n * variables;
#pragma unroll
    for (int end = 0; end < 2; ++end) {
      const std::int64_t slot = a.faces[0].first_slot + side_slot<Config>(item_of(0), side_of_end(direction, end));
      V* to = static_cast<V*>(traces) + trace_offset<Config>(slot, 0);
      const V* put = from.begin + end * elements * sizes.trace_row();
#pragma unroll 4
      for (int k = int(threadIdx.x); k < elements * trace; k += threads)
        to[k] = put[k / trace * sizes.trace_row() + k % trace];
    }
  }

 private:
  std::int32_t code_of(int direction, int end) const {
    return codes_[side_of_end(direction, end) * elements + first.element];
  }
  State<Config> at_end(const void* traces, std::int64_t slot, std::int32_t code, int direction, int end,
                       int line) const {
    const int point = trace_point(side_of_end(direction, end), orientation_of<Config>(code), line, n);
    return gather_trace<Config>(traces, {{trace_offset<Config>(slot, point)}}, 0);
  }

  Item item_of(int element) const {
    const auto number = static_cast<unsigned long long>(from_ + element);
    return {std::int64_t(number / Config::width), int(number % Config::width)};
  }

  /// f(count, place) for up to `together` pieces of two numbers of the elements' modes that the thread takes at once,
  /// piece i at place(i) in a row of all modes.
  template <int together, class F>
  void each_piece(const F& f) const {
    constexpr int all = modes * elements * variables / 2;
#pragma unroll 1
    for (int first = int(threadIdx.x); first < all; first += together * threads) {
      const int left = (all - 1 - first) / threads + 1;
      f(left < together ? left : together, [&](int i) { return 2 * (first + i * threads); });
    }
  }

  template <class Pointer>
  auto numbers(Pointer state, int place) const {
    constexpr int row = elements * variables;
    return as_numbers(state) + mode_offset<Config>(from_, place / row) + place % row;
  }
  static const V* as_numbers(const void* state) {
    return static_cast<const V*>(state);
  }
  static V* as_numbers(void* state) {
    return static_cast<V*>(state);
  }

  int line_;
  std::int64_t from_;
  V* maps_;              ///< [number][element]
  std::int32_t* codes_;  ///< of what lies beyond the elements' sides: [side][element]
};

/// For the elements of the thread block.
template <class Config>
LineTeam<Config> line_team(const ElementArguments& a) {
  return {a.set, a.first_of_launch / LineTeam<Config>::elements + blockIdx.x};
}

#else

/// TracePoints::at[side][orientation][line] = trace_point(): the CPU looks them up for each element of a pack.
template <int n>
struct TracePoints {
  short at[6][8][n * n] = {};
  constexpr TracePoints() {
    for (int side = 0; side < 6; ++side)
      for (int orientation = 0; orientation < 8; ++orientation)
        for (int line = 0; line < n * n; ++line)
          at[side][orientation][line] = short(trace_point(side, orientation, line, n));
  }
};
template <int n>
inline constexpr TracePoints<n> trace_points;

template <class Config>
class LineTeam {
 public:
  using V = typename Config::Value;
  static constexpr int n = Config::Operators::degree + 1, variables = Config::Equations::variables, modes = n * n * n;
  using Field = LineField<Config, 1, n>;
  Field first = {memory_[0], 0}, second = {memory_[1], 0};

  LineTeam(const ElementSetArrays& set, const Item& item) : set_(set), item_(item) {}

  Field field(int number) const { return {memory_[number], 0}; }

  void wait() const {}

  template <class F>
  void each_line(const F& f) const {
#pragma GCC unroll 1
    for (int line = 0; line < n * n; ++line) f(line);
  }

  /// f(one at a time): its numbers alone stay in the fastest cache for all directions.
  template <class F>
  void each_variable(const F& f) const {
#pragma GCC unroll 1
    for (int v = 0; v < variables; ++v) f(Variables{v, v + 1});
  }

  const Item& item() const {
    return item_;
  }
  V map(int k) const {
    return load<Config>(set_.contravariant, item_, trilinear_numbers, k);
  }

  void load_modes(const Variables& of, const Field& to, const void* state) const {
    for (int j = 0; j < modes; ++j) to.mode(of.first, j) = number(state, of.first, j);
  }

  template <int inputs, int outputs>
  void update(const Variables& of, const Field& field, const StageUpdate& update, const Control& control) const {
    const ElementStep<Config> dt(control, update.element_limits, item_);
    Array<V, outputs> step;
    for (int k = 0; k < outputs; ++k) step[k] = dt.times(update.rhs[k]);
    const int v = of.first;
    for (int j = 0; j < modes; ++j) {
      Array<V, inputs> input;  // all of them before the outputs, which may be the same arrays
#pragma GCC unroll 3
      for (int i = 0; i < inputs; ++i) input[i] = number(update.inputs[i], v, j);
      const V change = field.mode(v, j);
#pragma GCC unroll 3
      for (int k = 0; k < outputs; ++k) {
        const V sum = stage_output<typename Config::Real>(update, k, input, V(step[k] * change));
        if (k == outputs - 1) field.mode(v, j) = sum;
        store<Config>(update.outputs[k], item_, variables * modes, v * modes + j, sum);
      }
    }
  }

  /// Asks for a share of what the stage and the next pack need, at each line of all directions.
  [[gnu::always_inline]] void ask_for_stage(const ElementArguments& a, const StageShape& stage, int direction,
                                            int line) const {
    prefetch_stage<Config>(a, item_, stage, share(direction, line));
    prefetch_next<Config>(a, item_, share(direction, line));
  }
  /// The same for viscous fluxes at sides.
  [[gnu::always_inline]] void ask_for_viscous(const ElementArguments& a, int direction, int line) const {
    prefetch_viscous<Config>(a, item_, share(direction, line));
  }

  State<Config> beyond(const ElementArguments& a, const void* traces, int direction, int end, int line) const {
    return gather_trace<Config>(traces, offsets(a, direction, end, line, [](int, std::int64_t slot) { return slot; }),
                                0);
  }

  State<Config> own(const ElementArguments& a, const void* traces, int direction, int end, int line) const {
    return gather_trace<Config>(traces, own_offsets(a, direction, end, line), 0);
  }

  State<Config> opposite(const ElementArguments& a, int direction, int end, int line,
                         const State<Config>& outside) const {
    const TraceArrays& faces = a.faces[0];
    bool on_boundary = false;
    const auto at = offsets(a, direction, end, line, [&](int, std::int64_t slot) {
      if (slot < faces.first_ghost) return slot;
      on_boundary = true;
      return slot + faces.faces;
    });
    return on_boundary ? gather_trace<Config>(faces.traces, at, 0) : outside;
  }

  void put_gradient(const ElementArguments& a, int direction, int end, int line,
                    const Array<State<Config>, 3>& gradient) const {
    const int side = side_of_end(direction, end);
    const auto codes = load_integers<Config>(a.set.beyond, item_, 6, side);
    auto* to = static_cast<typename Config::Real*>(a.faces[0].face_gradients);
    for (int i = 0; i < codes.size(); ++i) {
      const std::int64_t face = slot_of<Config>(codes[i]) - a.faces[0].first_ghost;
      if (face < 0) continue;
      const int point = trace_points<n>.at[side][orientation_of<Config>(codes[i])][line];
      for (int d = 0; d < 3; ++d)
        for (int v = 0; v < variables; ++v)
          to[offset<Config>(face, n * n * 3 * variables, (point * 3 + d) * variables + v)] = lane_of(gradient[d][v], i);
    }
  }

  void put_trace(const Field&, const ElementArguments& a, void* traces, int direction, int end, int line,
                 const State<Config>& state) const {
    scatter_trace<Config>(traces, own_offsets(a, direction, end, line), state);
  }
  void write_traces(const Field&, const ElementArguments&, void*, int) const {}

 private:
  /// Of the point at one end of a line in the slots slot(lane, slot of the trace beyond the side).
  template <class Slot>
  TraceOffsets<Config> offsets(const ElementArguments& a, int direction, int end, int line, const Slot& slot) const {
    const int side = side_of_end(direction, end);
    const auto codes = load_integers<Config>(a.set.beyond, item_, 6, side);
    TraceOffsets<Config> at;
    for (int i = 0; i < at.size(); ++i)
      at[i] = trace_offset<Config>(slot(i, slot_of<Config>(codes[i])),
                                   trace_points<n>.at[side][orientation_of<Config>(codes[i])][line]);
    return at;
  }
  TraceOffsets<Config> own_offsets(const ElementArguments& a, int direction, int end, int line) const {
    const std::int64_t own = a.faces[0].first_slot + side_slot<Config>(item_, side_of_end(direction, end));
    return offsets(a, direction, end, line, [&](int lane, std::int64_t) { return own + lane; });
  }

  static Share share(int direction, int line) {
    const int turn = direction * n * n + line;
    return {turn, turn + 1, 3 * n * n};
  }

  V number(const void* state, int v, int j) const {
    return load<Config>(state, item_, variables * modes, v * modes + j);
  }

  const ElementSetArrays& set_;
  const Item& item_;
  mutable V memory_[line_sizes<Config>().fields()][variables * modes];
};

#endif

}  // namespace galerna::kernels
