#include "solver/outputs/output_queue.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace galerna::solver {

OutputQueue::~OutputQueue() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void OutputQueue::make_room() {
  wait([this] { return std::ssize(jobs_) < std::max(most_, 1); });
}

void OutputQueue::finish() {
  wait([this] { return jobs_.empty(); });
}

void OutputQueue::add(Job job) {
  if (most_ == 0 || !start()) return job();
  {
    const std::lock_guard lock(mutex_);
    if (error_) return;
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

bool OutputQueue::failed() const {
  const std::lock_guard lock(mutex_);
  return error_ != nullptr;
}

double OutputQueue::seconds() const {
  const std::lock_guard lock(mutex_);
  return seconds_;
}

/// False where the system grants no thread.
bool OutputQueue::start() {
  if (!thread_.joinable()) try {
      thread_ = std::thread([this] { work(); });
    } catch (const std::system_error&) {
      return false;
    }
  return true;
}

template <class Condition>
void OutputQueue::wait(const Condition& condition) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, condition);
  const std::exception_ptr error = std::exchange(error_, nullptr);
  lock.unlock();
  if (error) std::rethrow_exception(error);
}

void OutputQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    const Job& job = jobs_.front();  // stays where it is while others come
    lock.unlock();
    const auto begin = std::chrono::steady_clock::now();
    std::exception_ptr error;
    try {
      job();
    } catch (...) {
      error = std::current_exception();
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    lock.lock();
    seconds_ += taken.count();
    jobs_.pop_front();
    if (error) {
      error_ = error;
      jobs_.clear();
    }
    changed_.notify_all();
  }
}

}  // namespace galerna::solver
