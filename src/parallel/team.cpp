#include "parallel/team.hpp"

#include <algorithm>
#include <stdexcept>

namespace galerna::parallel {

void Team::check_may_talk() const {
  if (silent_) throw std::logic_error("a rank talks to others in a body that may not");
}

void Team::barrier() {
  check_may_talk();
  do_barrier();
}

void Team::broadcast_bytes(std::span<std::byte> bytes) {
  check_may_talk();
  do_broadcast(bytes);
}

void Team::all_gather_bytes(std::span<const std::byte> mine, std::span<std::byte> all) {
  check_may_talk();
  if (all.size() != mine.size() * static_cast<std::size_t>(size()))
    throw std::logic_error("all_gather: no room for the bytes of each rank");
  do_all_gather(mine, all);
}

std::vector<Bytes> Team::gather_bytes(std::span<const std::byte> mine) {
  check_may_talk();
  return do_gather(mine);
}

void Team::exchange(std::span<const Message> messages) {
  check_may_talk();
  std::vector<Message> others;
  for (const Message& message : messages) {
    if (message.rank < 0 || message.rank >= size()) throw std::logic_error("exchange: no such rank");
    if (message.rank != rank()) {
      others.push_back(message);
      continue;
    }
    if (message.send.size() != message.receive.size()) throw std::logic_error("exchange: a copy of another size");
    std::copy(message.send.begin(), message.send.end(), message.receive.begin());
  }
  std::vector<bool> named(static_cast<std::size_t>(size()), false);
  for (const Message& message : others) {
    if (named[static_cast<std::size_t>(message.rank)]) throw std::logic_error("exchange: two messages to one rank");
    named[static_cast<std::size_t>(message.rank)] = true;
  }
  if (!others.empty()) do_exchange(others);
}

void Team::broadcast(std::string& text) {
  std::size_t count = text.size();
  broadcast(count);
  text.resize(count);
  broadcast_bytes(std::as_writable_bytes(std::span<char>(text)));
}

/// \returns what body threw
std::exception_ptr Team::call_silently(const std::function<void()>& body) {
  std::exception_ptr exception;
  const bool before = std::exchange(silent_, size() > 1);
  try {
    body();
  } catch (...) {
    exception = std::current_exception();
  }
  silent_ = before;
  return exception;
}

void Team::only_first(const std::function<void()>& body) {
  check_may_talk();
  std::exception_ptr exception;
  Bytes failure;
  if (is_first()) exception = call_silently(body);
  if (exception && size() > 1) failure = to_bytes(describe(exception));
  broadcast(failure);
  if (exception) std::rethrow_exception(exception);
  if (!failure.empty()) throw_failure(failure_of(failure));
}

void Team::together(const std::function<void()>& body) {
  check_may_talk();
  const std::exception_ptr exception = call_silently(body);
  if (size() == 1 && exception) std::rethrow_exception(exception);
  if (!any(exception != nullptr)) return;
  Bytes failure;
  if (exception) failure = to_bytes(named(describe(exception), name()));
  const std::vector<Bytes> failures = gather_bytes(failure);
  for (const Bytes& one : failures) {
    failure = one;
    if (!failure.empty()) break;
  }
  broadcast(failure);
  throw_failure(failure_of(failure));
}

}  // namespace galerna::parallel
