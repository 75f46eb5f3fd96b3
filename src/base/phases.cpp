#include "base/phases.hpp"

#include <algorithm>
#include <exception>
#include <mutex>

#include "base/interruption.hpp"
#include "base/process_memory.hpp"

namespace galerna {

using Clock = std::chrono::steady_clock;

/// All that is known of phases. Several threads have some where ranks are threads.
struct PhaseList {
  std::mutex mutex;
  std::uint64_t count = 0;
  std::vector<const Phase*> present;
  struct Ended {
    std::uint64_t number;
    std::string doing;
    double seconds;
    std::int64_t memory;
  };
  std::vector<Ended> past;
  const WatchedLoop* loop = nullptr;
  std::string failed;
  std::uint64_t failed_in = 0;  ///< the phase of which the failed one was a part

  static PhaseList& get() {
    static PhaseList list;
    return list;
  }

  static double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  void begin(Phase& phase) {
    const std::lock_guard lock(mutex);
    phase.number_ = ++count;
    phase.before_ = present.empty() ? 0 : present.back()->number_;
    present.push_back(&phase);
  }

  void end(const Phase& phase) {
    const std::lock_guard lock(mutex);
    present.erase(std::find(present.begin(), present.end(), &phase));
    if (std::uncaught_exceptions() > phase.exceptions_) {
      if (failed_in != phase.number_) failed = phase.doing_;
      failed_in = phase.before_;
    }
    if (phase.before_ != 0) return;
    const double seconds = seconds_since(phase.began_);
    auto same = std::find_if(past.begin(), past.end(), [&](const Ended& e) { return e.doing == phase.doing_; });
    if (same == past.end()) same = past.insert(same, {phase.number_, phase.doing_, 0, 0});
    same->seconds += seconds;
    same->memory = static_cast<std::int64_t>(process_memory().most);
  }

  std::optional<PhaseView> view() {
    const std::lock_guard lock(mutex);
    if (present.empty()) return {};
    const Phase& phase = *present.back();
    PhaseView view{phase.doing_, seconds_since(phase.began_), phase.patience_, {}, {}};
    if (const double share = phase.share_; share >= 0) {
      view.share = share;
      if (share > 0) view.left = view.seconds * (1 - share) / share;
    } else if (loop) {
      view.share = static_cast<double>(loop->done_) / static_cast<double>(loop->pieces_);
      if (*view.share > 0) view.left = seconds_since(loop->began_) * (1 - *view.share) / *view.share;
    }
    return view;
  }
};

Phase::Phase(std::string doing, double patience)
    : doing_(std::move(doing)), patience_(patience), began_(Clock::now()), exceptions_(std::uncaught_exceptions()) {
  stop_interruptible();
  PhaseList::get().begin(*this);
}

Phase::~Phase() {
  PhaseList::get().end(*this);
}

std::optional<PhaseView> present_phase() {
  return PhaseList::get().view();
}

std::string failed_phase() {
  PhaseList& list = PhaseList::get();
  const std::lock_guard lock(list.mutex);
  return list.failed;
}

std::vector<PastPhase> past_phases() {
  PhaseList& list = PhaseList::get();
  const std::lock_guard lock(list.mutex);
  std::vector<PhaseList::Ended> ended = list.past;
  std::sort(ended.begin(), ended.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  std::vector<PastPhase> past;
  for (PhaseList::Ended& one : ended) past.push_back({std::move(one.doing), one.seconds, one.memory});
  return past;
}

WatchedLoop::WatchedLoop(std::int64_t pieces) : pieces_(pieces), began_(Clock::now()) {
  PhaseList& list = PhaseList::get();
  const std::lock_guard lock(list.mutex);
  if (pieces > 1 && !list.loop) list.loop = this;
}

WatchedLoop::~WatchedLoop() {
  PhaseList& list = PhaseList::get();
  const std::lock_guard lock(list.mutex);
  if (list.loop == this) list.loop = nullptr;
}

}  // namespace galerna
