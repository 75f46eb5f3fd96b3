/// \file
/// Runs kernels of GPUs on the CPU, for tests of their numbers where there is no GPU. The threads of a thread block are
/// fibers that take turns; each runs until it waits for the others of its block or warp. To be included before the
/// kernel's header.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#define __shared__

struct EmulatedIndex {
  unsigned x = 0;
};
inline EmulatedIndex threadIdx, blockIdx, blockDim, gridDim;

namespace galerna::tests {

/// The C library's _longjmp under a name of its own. With _FORTIFY_SOURCE, which Ubuntu's compilers set by themselves,
/// the header replaces _longjmp by one that takes a jump to another stack for an error and ends the program.
extern "C" [[noreturn]] void jump_between_stacks(jmp_buf place, int value) noexcept __asm__("_longjmp");

class EmulatedBlock {
 public:
  static EmulatedBlock*& current() {
    static EmulatedBlock* block = nullptr;
    return block;
  }

  EmulatedBlock(unsigned threads, std::function<void()> kernel)
      : kernel_(std::move(kernel)), threads_(threads), warps_(threads / 32), shown_(threads) {}

  void run() {
    current() = this;
    blockDim.x = static_cast<unsigned>(threads_.size());
    while (fibers().size() < threads_.size()) fibers().push_back(std::make_unique<Fiber>());
    for (std::size_t left = threads_.size(); left > 0;)
      for (std::size_t t = 0; t < threads_.size(); ++t) {
        if (threads_[t].done) continue;
        threadIdx.x = static_cast<unsigned>(t);
        resume(*fibers()[t]);
        if (threads_[t].done) --left;
      }
  }

  // Copies of the running thread to shared memory (kernels/tile/instructions.hpp) come as late as they may: when it
  // waits for their group. Until then no number is where they go, so that reading too early, or by others that are
  // still at the old ones, shows.
  void begin_copy(void* to, const void* from, std::size_t bytes) {
    copies().back().push_back({to, from, bytes});
    std::memset(to, 0xff, bytes);
  }
  void end_copy_group() { copies().emplace_back(); }
  void wait_for_copies(std::size_t newest) {
    for (; copies().size() > newest + 1; copies().pop_front())  // the last is not ended yet
      for (const Copy& copy : copies().front()) std::memcpy(copy.to, copy.from, copy.bytes);
  }
  /// Whether a thread has ended with copies under way.
  bool left_copies() const { return left_copies_; }

  void wait_for_block() { wait(block_, static_cast<int>(threads_.size())); }
  /// Least of what all threads of the block bring.
  double least(double value) {
    shown_[threadIdx.x] = value;
    wait_for_block();
    const double result = *std::min_element(shown_.begin(), shown_.end());
    wait_for_block();
    return result;
  }
  void wait_for_warp() { wait(warp().barrier, 32); }

  /// What the threads of a warp show each other.
  struct Warp {
    struct Waiting {
      int arrived = 0;
      long generation = 0;
    } barrier;
    double a0[32], a1[32], b[32];
    bool flag[32];
  };
  Warp& warp() { return warps_[threadIdx.x / 32]; }

 private:
  struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
  };
  /// Those that the running thread has begun, in groups, the newest last.
  std::deque<std::vector<Copy>>& copies() { return threads_[threadIdx.x].copies; }

  struct Thread {
    bool done = false;
    std::deque<std::vector<Copy>> copies = {{}};
  };

  static constexpr std::size_t stack_bytes = 256 * 1024;
  /// Runs one thread of each block, block after block.
  struct Fiber {
    std::unique_ptr<char[]> stack = std::make_unique_for_overwrite<char[]>(stack_bytes);
    bool started = false;
    jmp_buf place;
  };
  static std::vector<std::unique_ptr<Fiber>>& fibers() {
    static std::vector<std::unique_ptr<Fiber>> all;
    return all;
  }
  static jmp_buf& scheduler() {
    static jmp_buf place;
    return place;
  }

  /// Where fibers go from their first lines on: longjmp makes no system call, swapcontext two.
  static void go_to(jmp_buf& from, jmp_buf& to) {
    if (_setjmp(from) == 0) jump_between_stacks(to, 1);
  }

  static void resume(Fiber& fiber) {
    if (fiber.started) return go_to(scheduler(), fiber.place);
    fiber.started = true;
    if (_setjmp(scheduler()) == 0) start(fiber);
  }

  static void start(Fiber& fiber) {
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = fiber.stack.get();
    context.uc_stack.ss_size = stack_bytes;
    context.uc_link = nullptr;
    makecontext(&context, &EmulatedBlock::enter, 0);
    setcontext(&context);
  }

  static void enter() {
    const unsigned thread = threadIdx.x;
    for (;;) {
      EmulatedBlock& block = *current();
      block.kernel_();
      for (const auto& group : block.copies()) block.left_copies_ |= !group.empty();
      block.threads_[thread].done = true;
      go_to(fibers()[thread]->place, scheduler());
    }
  }

  void wait(Warp::Waiting& barrier, int all) {
    const long generation = barrier.generation;
    if (++barrier.arrived == all) {
      barrier.arrived = 0;
      ++barrier.generation;
      return;
    }
    const unsigned thread = threadIdx.x;
    while (barrier.generation == generation) go_to(fibers()[thread]->place, scheduler());
  }

  std::function<void()> kernel_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  Warp::Waiting block_;
  std::vector<double> shown_;  ///< of each thread, for all of them
  bool left_copies_ = false;
};

}  // namespace galerna::tests

namespace galerna::tests {
/// Of all products so far: 16 × 8 × 4 for each of a warp.
inline long matrix_multiply_adds = 0;
}  // namespace galerna::tests

inline void __syncthreads() {
  galerna::tests::EmulatedBlock::current()->wait_for_block();
}

inline void __syncwarp() {
  galerna::tests::EmulatedBlock::current()->wait_for_warp();
}

inline bool __any_sync(unsigned, bool flag) {
  auto& block = *galerna::tests::EmulatedBlock::current();
  block.warp().flag[threadIdx.x % 32] = flag;
  block.wait_for_warp();
  bool any = false;
  for (bool other : block.warp().flag) any |= other;
  block.wait_for_warp();
  return any;
}

namespace galerna::kernels {

/// As kernels/tile/instructions.hpp says.
inline void matrix_multiply_add(double& c0, double& c1, double& c2, double& c3, double a0, double a1, double b) {
  auto& block = *galerna::tests::EmulatedBlock::current();
  auto& warp = block.warp();
  const unsigned lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  warp.a0[lane] = a0;
  warp.a1[lane] = a1;
  warp.b[lane] = b;
  if (lane == 0) galerna::tests::matrix_multiply_adds += 16 * 8 * 4;
  block.wait_for_warp();
  for (unsigned k = 0; k < 4; ++k) {
    const double left = warp.b[2 * t * 4 + k], right = warp.b[(2 * t + 1) * 4 + k];
    c0 += warp.a0[g * 4 + k] * left;
    c1 += warp.a0[g * 4 + k] * right;
    c2 += warp.a1[g * 4 + k] * left;
    c3 += warp.a1[g * 4 + k] * right;
  }
  block.wait_for_warp();
}

inline void matrix_multiply_add(double& c0, double& c1, double a, double b) {
  double c2 = 0, c3 = 0;
  matrix_multiply_add(c0, c1, c2, c3, a, 0, b);
  if (threadIdx.x % 32 == 0) galerna::tests::matrix_multiply_adds -= 8 * 8 * 4;
}

/// As kernels/layout.hpp says; known to all threads.
inline double group_min(double value) {
  return galerna::tests::EmulatedBlock::current()->least(value);
}

inline void fetch_line(const void*) {}

template <int bytes>
void copy_ahead(void* shared, const void* from) {
  galerna::tests::EmulatedBlock::current()->begin_copy(shared, from, bytes);
}
template <int bytes>
void copy_ahead_cached(void* shared, const void* from) {
  copy_ahead<bytes>(shared, from);
}
inline unsigned recomputed(unsigned number) {
  return number;
}
inline void end_copy_group() {
  galerna::tests::EmulatedBlock::current()->end_copy_group();
}
template <int newest>
void wait_for_copies() {
  galerna::tests::EmulatedBlock::current()->wait_for_copies(newest);
}

}  // namespace galerna::kernels
