/// \file
/// The solution in memory and in a kernel: modal coefficients of all variables.
///
/// On the GPU the variables of a mode lie together, [block][mode][lane][variable]: neighbours are read one by one, and
/// a mode of one of them is then one piece of memory. On the CPU, [block][variable][mode][lane], each number is a SIMD
/// pack.
#pragma once

#include "kernels/layout.hpp"

namespace galerna::kernels {

template <class Case>
using State = Array<typename Case::Value, Case::Equations::variables>;

template <class Case>
using Vector = Array<typename Case::Value, Case::Equations::dimension>;

/// Modal coefficients of one element (or one block of elements), [variable][mode].
template <class Case>
using Modes = Array<Array<typename Case::Value, Case::Operators::modes>, Case::Equations::variables>;

/// n numbers that lie together, read and written with the widest instructions that their size allows.
template <class Real, int n>
struct alignas(n * sizeof(Real) % 16 == 0  ? 16
               : n * sizeof(Real) % 8 == 0 ? 8
                                           : sizeof(Real)) Together {
  Real values[n];
};

template <class Real, int n>
Array<Real, n> load_together(const Real* from) {
  const auto together = *reinterpret_cast<const Together<Real, n>*>(from);
  Array<Real, n> numbers;
  for (int k = 0; k < n; ++k) numbers[k] = together.values[k];
  return numbers;
}

template <class Real, int n>
void store_together(Real* to, const Array<Real, n>& numbers) {
  Together<Real, n> together;
  for (int k = 0; k < n; ++k) together.values[k] = numbers[k];
  *reinterpret_cast<Together<Real, n>*>(to) = together;
}

template <class Case>
std::int64_t mode_offset(std::int64_t element, int mode) {
  constexpr int variables = Case::Equations::variables, modes = Case::Operators::modes;
  return ((element / Case::width * modes + mode) * Case::width + element % Case::width) * variables;
}

#ifdef __CUDACC_RTC__
template <class Case>
State<Case> load_mode_at(const void* state, std::int64_t offset) {
  using Real = typename Case::Real;
  return load_together<Real, Case::Equations::variables>(static_cast<const Real*>(state) + offset);
}
#endif

/// Mode `mode` of the item's element.
template <class Case>
State<Case> load_mode(const void* state, const Item& item, int mode) {
#ifdef __CUDACC_RTC__
  return load_mode_at<Case>(state, mode_offset<Case>(item.block * Case::width + item.lane, mode));
#else
  constexpr int variables = Case::Equations::variables, modes = Case::Operators::modes;
  State<Case> result;
  for (int v = 0; v < variables; ++v) result[v] = load<Case>(state, item, variables * modes, v * modes + mode);
  return result;
#endif
}

template <class Case>
void store_mode(void* state, const Item& item, int mode, const State<Case>& values) {
#ifdef __CUDACC_RTC__
  const std::int64_t offset = mode_offset<Case>(item.block * Case::width + item.lane, mode);
  store_together(static_cast<typename Case::Real*>(state) + offset, values);
#else
  constexpr int variables = Case::Equations::variables, modes = Case::Operators::modes;
  for (int v = 0; v < variables; ++v) store<Case>(state, item, variables * modes, v * modes + mode, values[v]);
#endif
}

/// Mode `mode` of other elements, one for each lane.
template <class Case>
State<Case> gather_mode(const void* state, const Integers<Case>& elements, int mode) {
#ifdef __CUDACC_RTC__
  return load_mode_at<Case>(state, mode_offset<Case>(elements[0], mode));
#else
  constexpr int variables = Case::Equations::variables, modes = Case::Operators::modes;
  const auto* values = static_cast<const typename Case::Real*>(state);
  State<Case> result;
  for (int v = 0; v < variables; ++v)
    result[v] =
        generate<Case>([&](int i) { return values[offset<Case>(elements[i], variables * modes, v * modes + mode)]; });
  return result;
#endif
}

template <class Case>
void store_modes(void* state, const Item& item, const Modes<Case>& c) {
#pragma unroll
  for (int j = 0; j < Case::Operators::modes; ++j) {
    State<Case> mode;
    for (int v = 0; v < Case::Equations::variables; ++v) mode[v] = c[v][j];
    store_mode<Case>(state, item, j, mode);
  }
}

template <class Case>
Modes<Case> load_modes(const void* state, const Item& item) {
  constexpr int variables = Case::Equations::variables, modes = Case::Operators::modes;
  Modes<Case> c;
#pragma unroll
  for (int j = 0; j < modes; ++j) {
    const State<Case> mode = load_mode<Case>(state, item, j);
#pragma unroll
    for (int v = 0; v < variables; ++v) c[v][j] = mode[v];
  }
  return c;
}

}  // namespace galerna::kernels
