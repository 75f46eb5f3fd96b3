#include "base/interruption.hpp"

namespace galerna {
namespace {

std::function<bool()>& listener() {
  static std::function<bool()> function;
  return function;
}

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

}  // namespace galerna
