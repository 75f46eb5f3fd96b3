/// \file
/// What is written beside computing, by a thread of its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace galerna::solver {

/// Jobs are done one after the other, in the order in which they come. One that throws ends the queue: those behind it
/// are dropped, and whoever asks next hears what it threw.
class OutputQueue {
 public:
  using Job = std::function<void()>;

  /// \param most jobs that may be there at once; 0: whoever adds one does it
  explicit OutputQueue(int most) : most_(most) {}
  /// Does what is there.
  ~OutputQueue();
  OutputQueue(const OutputQueue&) = delete;
  OutputQueue& operator=(const OutputQueue&) = delete;

  /// Whether jobs are done by another thread than that which adds them.
  bool is_beside() const { return most_ > 0; }
  /// Waits until there is room for another job. \throws what a job has thrown; so does finish()
  void make_room();
  /// Without waiting.
  void add(Job job);
  /// Waits until all jobs are done.
  void finish();

  /// Whether a job has thrown something that nobody has heard of.
  bool failed() const;
  /// Seconds that jobs have taken.
  double seconds() const;

 private:
  bool start();
  template <class Condition>
  void wait(const Condition& condition);
  void work();

  const int most_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;  ///< the first one is being done
  bool ends_ = false;
  std::exception_ptr error_;
  double seconds_ = 0;
  std::thread thread_;  ///< from the first job on
};

}  // namespace galerna::solver
