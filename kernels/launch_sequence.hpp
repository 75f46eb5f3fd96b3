/// \file
/// A kernel that goes through a whole sequence of launches of other kernels by itself, with a barrier of the whole GPU
/// behind each: on small meshes a launch takes longer than the kernel it starts, and its instructions must be fetched
/// again every time.
#pragma once

namespace galerna::kernels {

/// One launch of the sequence.
struct Phase {
  int entry;   ///< number of the kernel
  int groups;  ///< thread blocks
  alignas(16) unsigned char arguments[496];
};

/// All thread blocks must run at once (a cooperative launch), in thread blocks of sequence_group threads.
struct SequenceArguments {
  const Phase* phases;
  int count;
  unsigned* arrivals;  ///< 0 at the start
};
constexpr int sequence_group = 128;

#ifdef __CUDACC_RTC__

/// Waits until all thread blocks have come here `passed` times; what they wrote before can be read afterwards.
inline void await_all_groups(unsigned* arrivals, unsigned passed) {
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrivals) : "memory");
    const unsigned all = passed * gridDim.x;
    unsigned now;
    do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(arrivals) : "memory");
    while (now < all);
  }
  __syncthreads();
}

/// Copies a phase to shared memory, the thread block together.
inline void fetch_phase(Phase& to, const Phase& from) {
  static_assert(sizeof(Phase) % sizeof(uint4) == 0 && sizeof(Phase) / sizeof(uint4) <= sequence_group);
  if (threadIdx.x < sizeof(Phase) / sizeof(uint4))
    reinterpret_cast<uint4*>(&to)[threadIdx.x] = reinterpret_cast<const uint4*>(&from)[threadIdx.x];
}

/// \tparam Kernels has run(entry, arguments, thread), which calls kernel number `entry`.
template <class Kernels>
void sequence(const SequenceArguments& a) {
  __shared__ Phase phases[2];
  fetch_phase(phases[0], a.phases[0]);
  __syncthreads();
  for (int i = 0; i < a.count; ++i) {
    const Phase& phase = phases[i % 2];
    // The next one, while there is something to wait for anyway.
    if (i + 1 < a.count) fetch_phase(phases[(i + 1) % 2], a.phases[i + 1]);
    for (int group = blockIdx.x; group < phase.groups; group += gridDim.x) {
      Kernels::run(phase.entry, phase.arguments, int(group * sequence_group + threadIdx.x));
      __syncthreads();  // shared memory is free again
    }
    await_all_groups(a.arrivals, i + 1);
  }
}

#endif

}  // namespace galerna::kernels
