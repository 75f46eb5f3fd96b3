/// \file
/// What the program is doing that may take long, for those who watch it: people at a terminal, and the report.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace galerna {

/// Being made, it stops where somebody wants that (base/interruption.hpp). A phase within another one is what is shown
/// while it lasts.
class Phase {
 public:
  /// \param doing "refining the mesh" \param patience seconds before it is worth a word
  explicit Phase(std::string doing, double patience = 0);
  ~Phase();
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  /// How much of the whole is done, from 0 to 1; from any thread.
  void did(double share) { share_ = share; }

 private:
  friend struct PhaseList;
  std::string doing_;
  double patience_;
  std::uint64_t number_;
  std::chrono::steady_clock::time_point began_;
  std::atomic<double> share_ = -1;
  std::uint64_t before_;  ///< the phase of which it is a part
  int exceptions_;        ///< on their way when it began
};

/// Of the innermost phase; of a phase that does not say how much is done, the loop that it is in, if any.
struct PhaseView {
  std::string doing;
  double seconds = 0;           ///< since it began
  double patience = 0;          ///< as the phase was made
  std::optional<double> share;  ///< of the phase
  std::optional<double> left;   ///< seconds until it ends, where `share` is known
};
std::optional<PhaseView> present_phase();

struct PastPhase {
  std::string doing;
  double seconds;
  std::int64_t memory;  ///< bytes: the most that the process had taken when the phase ended last
};
/// Those that have ended and are not part of others, equal ones together, in the order in which they began.
std::vector<PastPhase> past_phases();

/// The innermost phase that an exception has left last; "" if none has.
std::string failed_phase();

/// A loop over pieces whose progress is that of the phase; the outermost of them is looked at.
class WatchedLoop {
 public:
  explicit WatchedLoop(std::int64_t pieces);
  ~WatchedLoop();
  WatchedLoop(const WatchedLoop&) = delete;
  WatchedLoop& operator=(const WatchedLoop&) = delete;
  /// One piece more is done; from any thread.
  void did() { done_.fetch_add(1, std::memory_order_relaxed); }

 private:
  friend struct PhaseList;
  std::int64_t pieces_;
  std::atomic<std::int64_t> done_ = 0;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace galerna
