/// \file
/// Ranks as processes of one host, without MPI.
#pragma once

#include <chrono>
#include <functional>

#include "parallel/team.hpp"

namespace galerna::parallel {

struct ProcessOptions {
  /// How long a rank may be stopped (SIGSTOP) before it is given up; not counted while the whole run is suspended
  /// (Ctrl-Z).
  std::chrono::milliseconds patience = std::chrono::seconds(60);
  /// How long the others may take to end when a rank failed or is lost; then they are killed.
  std::chrono::milliseconds grace = std::chrono::seconds(5);
};

/// Forks `size` ranks, calls body on each, and returns when all are gone. The calling process is no rank: it watches
/// them. Call it before anything makes a thread or a CUDA context: a forked process has neither, but believes it has.
///
/// - The ranks die with the caller, however it dies.
/// - Signals that ask to end, stop or continue (INT, TERM, HUP, QUIT, USR1, USR2, TSTP, CONT) reach each rank once, be
///   they sent to the caller or from the terminal. Handlers that were set before count there.
/// - Ranks are a process group of their own.
/// - A rank ends without destructors of static objects; standard streams are flushed. Nothing is printed here.
///
/// \returns the largest of what body returned
/// \throws what body threw: with the rank's name in front, unless all ranks threw the same, as they do after
///   only_first() and together(); RankLost if a rank was killed, ended early or was stopped too long; Interruption if
///   a signal that was passed on killed one
int run_as_processes(int size, const std::function<int(Team&)>& body, const ProcessOptions& options = {});

}  // namespace galerna::parallel
