/// \file
/// Ranks that mpirun or srun started.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>

#include "parallel/launch.hpp"
#include "parallel/team.hpp"

namespace galerna::parallel {

/// Of libgalerna_mpi.so, as find_module().
std::filesystem::path find_mpi_module();

struct MpiOptions {
  std::filesystem::path module = find_mpi_module();
  /// How long a rank that fails, or hears of another's failure, waits for the others to hear of it, too.
  std::chrono::milliseconds grace = std::chrono::seconds(5);
};

/// Calls body on this process's rank. Once in the life of a process.
///
/// The outcome is that of all ranks, and one process alone speaks for them: rank 0, or the first that still answers.
/// Others return 0: launchers kill all when one process ends with another code, even while rank 0 is still writing.
///
/// A rank that waits for others sleeps after a short time. It hears of failures. A rank that is killed, or hangs, is
/// the launcher's to notice.
///
/// \returns the largest of what body returned
/// \throws what body threw, with the rank's name in front unless all ranks threw the same; InputError if the processes
///   do not see one another; SystemError if MPI cannot be loaded or fails
int run_under_mpi(const Launch& launch, const std::function<int(Team&)>& body, const MpiOptions& options = {});

}  // namespace galerna::parallel
