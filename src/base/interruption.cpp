#include "base/interruption.hpp"

#include <atomic>

namespace galerna {
namespace {

std::function<bool()>& listener() {
  static std::function<bool()> function;
  return function;
}

std::atomic<const Interruptible*> present = nullptr;

}  // namespace

void on_interruption(std::function<bool()> asked) {
  listener() = std::move(asked);
}

bool interrupted() {
  return listener() && listener()();
}

bool may_be_interrupted() {
  return static_cast<bool>(listener());
}

void stop_if_interrupted(const std::string& doing) {
  if (interrupted()) throw Interruption("interrupted while " + doing);
}

Interruptible::Interruptible(std::string doing) : doing_(std::move(doing)), before_(present.exchange(this)) {}

Interruptible::~Interruptible() {
  present = before_;
}

void stop_interruptible() {
  if (const Interruptible* work = present) stop_if_interrupted(work->doing_);
}

}  // namespace galerna
