/// \file
/// The solution in memory and in a kernel: modal coefficients of all variables.
///
/// On the GPU the variables of a mode lie together, [block][mode][lane][variable]: neighbours are read one by one, and
/// a mode of one of them is then one piece of memory. On the CPU, [block][variable][mode][lane], each number is a SIMD
/// pack.
#pragma once

#include "kernels/layout.hpp"

namespace galerna::kernels {

template <class Config>
using State = Array<typename Config::Value, Config::Equations::variables>;

template <class Config>
using Vector = Array<typename Config::Value, Config::Equations::dimension>;

/// Modal coefficients of one element (or one block of elements), [variable][mode].
template <class Config>
using Modes = Array<Array<typename Config::Value, Config::Operators::modes>, Config::Equations::variables>;

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

/// Of an element's mode in states as they lie on the GPU.
template <class Config>
std::int64_t mode_offset(std::int64_t element, int mode, std::int64_t modes = Config::Operators::modes) {
  constexpr int variables = Config::Equations::variables;
  return ((element / Config::width * modes + mode) * Config::width + element % Config::width) * variables;
}

#ifdef __CUDACC_RTC__
template <class Config>
State<Config> load_mode_at(const void* state, std::int64_t offset) {
  using Real = typename Config::Real;
  return load_together<Real, Config::Equations::variables>(static_cast<const Real*>(state) + offset);
}
#endif

/// Mode `mode` of the item's element.
template <class Config>
State<Config> load_mode(const void* state, const Item& item, int mode) {
#ifdef __CUDACC_RTC__
  return load_mode_at<Config>(state, mode_offset<Config>(item.block * Config::width + item.lane, mode));
#else
  constexpr int variables = Config::Equations::variables, modes = Config::Operators::modes;
  State<Config> result;
  for (int v = 0; v < variables; ++v) result[v] = load<Config>(state, item, variables * modes, v * modes + mode);
  return result;
#endif
}

template <class Config>
void store_mode(void* state, const Item& item, int mode, const State<Config>& values) {
#ifdef __CUDACC_RTC__
  const std::int64_t offset = mode_offset<Config>(item.block * Config::width + item.lane, mode);
  store_together(static_cast<typename Config::Real*>(state) + offset, values);
#else
  constexpr int variables = Config::Equations::variables, modes = Config::Operators::modes;
  for (int v = 0; v < variables; ++v) store<Config>(state, item, variables * modes, v * modes + mode, values[v]);
#endif
}

/// Mode `mode` of other elements, one for each lane.
template <class Config>
State<Config> gather_mode(const void* state, const Integers<Config>& elements, int mode) {
#ifdef __CUDACC_RTC__
  return load_mode_at<Config>(state, mode_offset<Config>(elements[0], mode));
#else
  constexpr int variables = Config::Equations::variables, modes = Config::Operators::modes;
  const auto* values = static_cast<const typename Config::Real*>(state);
  State<Config> result;
  for (int v = 0; v < variables; ++v)
    result[v] = generate<Config>(
        [&](int i) { return values[offset<Config>(elements[i], variables * modes, v * modes + mode)]; });
  return result;
#endif
}

template <class Config>
Modes<Config> load_modes(const void* state, const Item& item) {
  constexpr int variables = Config::Equations::variables, modes = Config::Operators::modes;
  Modes<Config> c;
#pragma unroll
  for (int j = 0; j < modes; ++j) {
    const State<Config> mode = load_mode<Config>(state, item, j);
#pragma unroll
    for (int v = 0; v < variables; ++v) c[v][j] = mode[v];
  }
  return c;
}

}  // namespace galerna::kernels
