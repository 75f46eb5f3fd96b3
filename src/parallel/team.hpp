/// \file
/// The ranks of one run and how they talk on the host's side. All ranks call the same functions in the same order.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/host_name.hpp"
#include "parallel/failure.hpp"

namespace galerna::parallel {

/// Where a rank stands.
struct Place {
  int rank = 0;  ///< 0 … size − 1
  int size = 1;
  int host_rank = 0;  ///< among those of the same host, 0 … host_size − 1
  int host_size = 1;
  std::string host;
};

/// What goes to another rank and what comes from it, at the same time. Both know both sizes.
struct Message {
  int rank = 0;
  std::span<const std::byte> send;
  std::span<std::byte> receive;
};

/// Can be sent as the bytes that it consists of. Pointers and views cannot: they mean nothing elsewhere.
template <class T>
concept Plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::ranges::view<T>;

class Team {
 public:
  explicit Team(Place place) : place_(std::move(place)) {}
  virtual ~Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int rank() const { return place_.rank; }
  int size() const { return place_.size; }
  int host_rank() const { return place_.host_rank; }
  int host_size() const { return place_.host_size; }
  const std::string& host() const { return place_.host; }
  bool is_first() const { return rank() == 0; }
  /// "rank 3 (host NAME)": for messages
  std::string name() const { return rank_name(rank(), host()); }

  // The primitives. Each throws RankLost when a rank that it waits for is gone; the team can then no longer be used.

  /// Returns when all ranks have called it.
  void barrier();
  /// Fills `bytes` of all ranks, equally many on each, with those of rank 0.
  void broadcast_bytes(std::span<std::byte> bytes);
  /// \param all the bytes of rank 0, then those of rank 1, …: size() times as many as `mine`, equally many on each rank
  void all_gather_bytes(std::span<const std::byte> mine, std::span<std::byte> all);
  /// \returns on rank 0 the bytes of each rank, whose numbers may differ; on others nothing
  std::vector<Bytes> gather_bytes(std::span<const std::byte> mine);
  /// Exchanges with all ranks of the list at once, one message a rank, also of no bytes. The other rank's list has the
  /// counterpart; ranks that are in no list need not call it. A message to this rank itself is a copy.
  void exchange(std::span<const Message> messages);
  /// \throws RankLost if another rank is known to have failed or to be gone. Does not wait: it is for loops
  ///   that wait for a GPU, which may wait for another rank's
  void check_others() { do_check_others(); }

  // What is made of them.

  /// Gives all ranks the value of rank 0.
  template <Plain T>
  void broadcast(T& value);
  template <Plain T>
  void broadcast(std::vector<T>& values);
  void broadcast(std::string& text);

  /// \returns the values of all ranks in their order
  template <Plain T>
  std::vector<T> all_gather(const T& mine);
  /// The same of lists, whose lengths may differ.
  template <Plain T>
  std::vector<std::vector<T>> all_gather(const std::vector<T>& mine);
  /// \returns on rank 0 the values of each rank, whose numbers may differ; on others nothing
  template <Plain T>
  std::vector<std::vector<T>> gather(const std::vector<T>& mine);
  /// \param parts on rank 0 what each rank gets; on others ignored
  template <Plain T>
  std::vector<T> scatter(const std::vector<std::vector<T>>& parts);
  /// Each rank gives each other one a list of its own length, which that one need not know.
  /// \param sent size() lists, by rank
  template <Plain T>
  std::vector<std::vector<T>> all_to_all(const std::vector<std::vector<T>>& sent);

  /// Of numbers; not a number if any is not.
  template <class T>
  T minimum(T mine);
  template <class T>
  T maximum(T mine);
  /// Of integers only: the sum of floating-point numbers depends on the order, hence on the number of ranks.
  template <std::integral T>
  T sum(T mine);
  /// Adds up, number by number, what all ranks have, equally many each.
  template <std::integral T>
  void sum(std::span<T> numbers);
  bool any(bool mine) { return maximum(mine ? 1 : 0) == 1; }
  bool all(bool mine) { return minimum(mine ? 1 : 0) == 1; }
  /// Whether all ranks have the same value, vector or string.
  template <class T>
  bool all_equal(const T& mine);

  /// Calls body on rank 0 alone; all wait for it. What it throws, all throw, with the same message and kind
  /// (failure.hpp). The body must not talk to others.
  void only_first(const std::function<void()>& body);
  /// Calls body on all ranks. If any throws, all throw what the first of them (by rank) threw, with its name in front
  /// of the message. The body must not talk to others: one that failed would not answer.
  void together(const std::function<void()>& body);

 protected:
  virtual void do_barrier() = 0;
  virtual void do_broadcast(std::span<std::byte> bytes) = 0;
  virtual void do_all_gather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;
  virtual std::vector<Bytes> do_gather(std::span<const std::byte> mine) = 0;
  /// \param messages to other ranks only, at most one each
  virtual void do_exchange(std::span<const Message> messages) = 0;
  virtual void do_check_others() = 0;

 private:
  void check_may_talk() const;
  std::exception_ptr call_silently(const std::function<void()>& body);

  Place place_;
  bool silent_ = false;  ///< in the body of only_first or together
};

// --- implementation

template <Plain T>
void Team::broadcast(T& value) {
  broadcast_bytes(std::as_writable_bytes(std::span<T, 1>(&value, 1)));
}

template <Plain T>
void Team::broadcast(std::vector<T>& values) {
  std::size_t count = values.size();
  broadcast(count);
  values.resize(count);
  broadcast_bytes(std::as_writable_bytes(std::span<T>(values)));
}

template <Plain T>
std::vector<T> Team::all_gather(const T& mine) {
  std::vector<T> all(static_cast<std::size_t>(size()));
  all_gather_bytes(std::as_bytes(std::span<const T, 1>(&mine, 1)), std::as_writable_bytes(std::span<T>(all)));
  return all;
}

template <Plain T>
std::vector<std::vector<T>> Team::all_gather(const std::vector<T>& mine) {
  std::vector<std::vector<T>> lists;
  for (const std::size_t count : all_gather(mine.size())) lists.emplace_back(count);
  std::vector<Message> messages;
  for (int other = 0; other < size(); ++other)
    messages.push_back({other, std::as_bytes(std::span<const T>(mine)),
                        std::as_writable_bytes(std::span<T>(lists[static_cast<std::size_t>(other)]))});
  exchange(messages);
  return lists;
}

template <Plain T>
std::vector<std::vector<T>> Team::gather(const std::vector<T>& mine) {
  std::vector<std::vector<T>> result;
  for (const Bytes& bytes : gather_bytes(std::as_bytes(std::span<const T>(mine)))) {
    std::vector<T>& values = result.emplace_back(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  }
  return result;
}

template <Plain T>
std::vector<T> Team::scatter(const std::vector<std::vector<T>>& parts) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(size()));
  if (is_first())
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = parts.at(i).size();
  broadcast(counts);
  std::vector<T> mine(counts[static_cast<std::size_t>(rank())]);
  std::vector<Message> messages;
  if (is_first())
    for (int other = 1; other < size(); ++other)
      messages.push_back({other, std::as_bytes(std::span<const T>(parts[static_cast<std::size_t>(other)])), {}});
  else
    messages.push_back({0, {}, std::as_writable_bytes(std::span<T>(mine))});
  exchange(messages);
  return is_first() ? parts.front() : mine;
}

template <Plain T>
std::vector<std::vector<T>> Team::all_to_all(const std::vector<std::vector<T>>& sent) {
  const auto ranks = static_cast<std::size_t>(size());
  std::vector<std::size_t> counts(ranks), table(ranks * ranks);  // table: [from][to]
  for (std::size_t to = 0; to < ranks; ++to) counts[to] = sent.at(to).size();
  all_gather_bytes(std::as_bytes(std::span(std::as_const(counts))), std::as_writable_bytes(std::span(table)));
  std::vector<std::vector<T>> received(ranks);
  std::vector<Message> messages;
  for (std::size_t other = 0; other < ranks; ++other) {
    received[other].resize(table[other * ranks + static_cast<std::size_t>(rank())]);
    if (sent[other].empty() && received[other].empty()) continue;
    messages.push_back({static_cast<int>(other), std::as_bytes(std::span<const T>(sent[other])),
                        std::as_writable_bytes(std::span<T>(received[other]))});
  }
  exchange(messages);
  return received;
}

template <class T>
T Team::minimum(T mine) {
  static_assert(std::is_arithmetic_v<T>);
  T least = mine;
  for (const T value : all_gather(mine))
    if (value < least || value != value) least = value;
  return least;
}

template <class T>
T Team::maximum(T mine) {
  static_assert(std::is_arithmetic_v<T>);
  T most = mine;
  for (const T value : all_gather(mine))
    if (value > most || value != value) most = value;
  return most;
}

template <std::integral T>
T Team::sum(T mine) {
  sum(std::span<T>(&mine, 1));
  return mine;
}

template <std::integral T>
void Team::sum(std::span<T> numbers) {
  std::vector<T> all(numbers.size() * static_cast<std::size_t>(size()));
  all_gather_bytes(std::as_bytes(numbers), std::as_writable_bytes(std::span<T>(all)));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = 0;
    for (std::size_t from = i; from < all.size(); from += numbers.size())
      numbers[i] = static_cast<T>(numbers[i] + all[from]);
  }
}

template <class T>
bool Team::all_equal(const T& mine) {
  T first = mine;
  broadcast(first);
  return all(first == mine);
}

}  // namespace galerna::parallel
