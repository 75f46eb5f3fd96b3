/// \file
/// What a program of a GPU finds in place of CUDA where emulated_gpu.hpp compiles it for the CPU: included ahead of its
/// text. No header of the standard library, whose names the kernels give themselves as they do for NVRTC.
#pragma once

#define __CUDACC_RTC__
#undef __AVX512F__  // kernels/lane.hpp has instructions of its own where the compiler is told to use AVX-512
#define __global__
#define __constant__
#define __device__
// Of functions; without an extent, what the launch gives (emulated_gpu.hpp). All fibers run in one thread of the CPU.
#define __shared__ thread_local
#define __grid_constant__
#define __launch_bounds__(...)
// The approximate instructions of kernels/lane.hpp, of a to y.
#define asm(...) y = emulated_instruction(#__VA_ARGS__, a)

/// Set by the device. Threads are fibers that take turns.
struct Emulator {
  const unsigned *thread, *block, *threads, *blocks;
  void (*wait_for_block)();
  void (*wait_for_warp)();
  void (*begin_copy)(void*, const void*, decltype(sizeof 0));
  void (*end_copy_group)();
  void (*wait_for_copies)(decltype(sizeof 0));
};
extern "C" {
Emulator emulator;

double sqrt(double), erf(double), pow(double, double), fma(double, double, double), exp(double), log(double),
    floor(double), ceil(double), sin(double), cos(double), tan(double), asin(double), acos(double), atan(double),
    atan2(double, double), sinh(double), cosh(double), tanh(double);
}

struct EmulatedIndex {
  unsigned x;
};
#define threadIdx (EmulatedIndex{*emulator.thread})
#define blockIdx (EmulatedIndex{*emulator.block})
#define blockDim (EmulatedIndex{*emulator.threads})
#define gridDim (EmulatedIndex{*emulator.blocks})

inline double abs(double a) {
  return __builtin_fabs(a);
}
template <class T>
constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
constexpr T max(T a, T b) {
  return a < b ? b : a;
}

inline double emulated_instruction(const char* text, double a) {
  return text[2] == 'c' ? 1 / a : 1 / sqrt(a);  // "rcp… or "rsqrt…
}

inline void __syncthreads() {
  emulator.wait_for_block();
}
inline void __syncwarp() {
  emulator.wait_for_warp();
}

/// Thread blocks run one after the other.
inline void __threadfence() {}
template <class T>
T atomicAdd(T* to, T number) {
  const T before = *to;
  *to += number;
  return before;
}

// As kernels/counted_number.hpp says. The others are other processes.
namespace galerna::kernels {
template <int count>
void store_words(unsigned long long (&to)[count], const unsigned long long (&words)[count]) {
  for (int k = 0; k < count; ++k) __atomic_store_n(&to[k], words[k], __ATOMIC_RELAXED);
}
template <int count>
void load_words(unsigned long long (&words)[count], const unsigned long long (&from)[count]) {
  for (int k = 0; k < count; ++k) words[k] = __atomic_load_n(&from[k], __ATOMIC_RELAXED);
}
}  // namespace galerna::kernels

/// A sum that compilers take together with no product.
inline double __dadd_rn(double a, double b) {
  volatile double first = a;
  return first + b;
}

/// The number that lane `from` of the warp gives.
inline double emulated_exchange(double number, unsigned from) {
  static double numbers[32][32];
  double* warp = numbers[threadIdx.x / 32];
  warp[threadIdx.x % 32] = number;
  emulator.wait_for_warp();
  const double result = warp[from];
  emulator.wait_for_warp();
  return result;
}
inline double __shfl_xor_sync(unsigned, double number, int distance) {
  return emulated_exchange(number, threadIdx.x % 32 ^ unsigned(distance));
}
inline double __shfl_down_sync(unsigned, double number, int distance) {
  const unsigned lane = threadIdx.x % 32, from = lane + unsigned(distance);
  return emulated_exchange(number, from < 32 ? from : lane);
}
inline double __shfl_up_sync(unsigned, double number, int distance) {
  const unsigned lane = threadIdx.x % 32;
  return emulated_exchange(number, lane < unsigned(distance) ? lane : lane - unsigned(distance));
}
inline double __shfl_sync(unsigned, double number, int from, int width = 32) {
  const unsigned lane = threadIdx.x % 32;
  return emulated_exchange(number, lane / unsigned(width) * unsigned(width) + unsigned(from % width));
}

namespace galerna::kernels {
/// As kernels/matrix_units.hpp says.
inline void matrix_multiply_add(double& c0, double& c1, double& c2, double& c3, double a0, double a1, double b) {
  static double upper[32][32], lower[32][32], right[32][32];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  upper[warp][lane] = a0;
  lower[warp][lane] = a1;
  right[warp][lane] = b;
  emulator.wait_for_warp();
  for (unsigned k = 0; k < 4; ++k) {
    const double left = right[warp][2 * t * 4 + k], next = right[warp][(2 * t + 1) * 4 + k];
    c0 += upper[warp][g * 4 + k] * left;
    c1 += upper[warp][g * 4 + k] * next;
    c2 += lower[warp][g * 4 + k] * left;
    c3 += lower[warp][g * 4 + k] * next;
  }
  emulator.wait_for_warp();
}
inline void matrix_multiply_add(double& c0, double& c1, double a, double b) {
  double c2 = 0, c3 = 0;
  matrix_multiply_add(c0, c1, c2, c3, a, 0, b);
}
}  // namespace galerna::kernels

// As kernels/tile/instructions.hpp says.
namespace galerna::kernels {
inline void fetch_line(const void*) {}
template <int bytes>
void copy_ahead(void* shared, const void* from) {
  emulator.begin_copy(shared, from, bytes);
}
template <int bytes>
void copy_ahead_cached(void* shared, const void* from) {
  copy_ahead<bytes>(shared, from);
}
inline void end_copy_group() {
  emulator.end_copy_group();
}
template <int newest>
void wait_for_copies() {
  emulator.wait_for_copies(newest);
}
inline unsigned recomputed(unsigned number) {
  return number;
}
}  // namespace galerna::kernels

inline unsigned __ballot_sync(unsigned, bool flag) {
  unsigned bits = 0;
  for (unsigned lane = 0; lane < 32; ++lane) bits |= unsigned(emulated_exchange(flag, lane) != 0) << lane;
  return bits;
}
inline bool __any_sync(unsigned mask, bool flag) {
  return __ballot_sync(mask, flag) != 0;
}
inline int __popc(unsigned bits) {
  return __builtin_popcount(bits);
}

/// Calls a kernel with the arguments at an address.
template <class Arguments>
void emulated_call(void (*kernel)(Arguments), const void* arguments) {
  kernel(*static_cast<const Arguments*>(arguments));
}
