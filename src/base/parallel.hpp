/// \file
/// Loops that all threads of the host share. For work that is done now and then; the kernels of the host device have
/// threads of their own (device/host_threads.hpp).
#pragma once

#include <cstdint>
#include <functional>

namespace galerna {

/// $OMP_NUM_THREADS if that is set, else the number of processors. \throws InputError if it is no such number
int host_thread_count();

/// Calls body(begin, end) for pieces of 0 … count − 1 with `piece` items each, the last one with what is left; which
/// pieces there are depends on no number of threads. Returns when all are done. Different threads call it at the same
/// time; what it computes must not depend on which of them does.
/// \throws what the first piece that failed threw; later ones may then be left out
void in_parallel(std::int64_t count, std::int64_t piece, const std::function<void(std::int64_t, std::int64_t)>& body);

}  // namespace galerna
