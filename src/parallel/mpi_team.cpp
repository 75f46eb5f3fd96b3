#include "parallel/mpi_team.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/module.hpp"
#include "parallel/alone.hpp"
#include "parallel/bell.hpp"
#include "parallel/mpi_module.hpp"

namespace galerna::parallel {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Body = std::function<int(Team&)>;

void check(const char* error) {
  if (error) throw SystemError(std::string("MPI failed: ") + error);
}

/// How long ranks that hear of a failure still wait for what others did before.
constexpr auto still_under_way = 500ms;

const GalernaMpi& load(const std::filesystem::path& module) {
  return load_module<GalernaMpi>(
      module, {.links = "MPI", .symbol = "galerna_mpi", .version = galerna_mpi_version, .scope = ModuleScope::global});
}

/// Sleeps the longer the longer one waits, since MPI moves messages only while somebody asks for them.
class Patience {
 public:
  void rest() {
    if (++asked_ < 1000) return pause_core();
    if (asked_ == 1000) begin_ = Clock::now();
    std::this_thread::sleep_for(Clock::now() < begin_ + 10ms ? 20us : 500us);
  }

 private:
  int asked_ = 0;
  Clock::time_point begin_;
};

/// What ranks tell each other when one cannot go on.
class Alarms {
 public:
  /// A rank that ended, and why; nothing if it ended because another did.
  struct Ending {
    std::string host;
    std::optional<Failure> failure;
  };

  explicit Alarms(const GalernaMpi& mpi) : mpi_(mpi) {}

  void tell(int rank, const Ending& ending);
  void listen();
  bool heard_any() const { return !endings_.empty(); }
  /// By rank; with the own one after tell().
  const std::map<int, Ending>& endings() const { return endings_; }
  /// The rank that was first, as heard here, to end by itself; later ones may have received nonsense. −1 if none did.
  int cause() const { return cause_; }
  /// \throws RankLost if it is known which rank ended by itself
  void throw_if_ended() const;

 private:
  static constexpr std::size_t room = 1 << 16;

  void note(int rank, const Ending& ending);

  const GalernaMpi& mpi_;
  std::string buffer_ = std::string(room, '\0');
  std::map<int, Ending> endings_;
  int cause_ = -1;
};

void Alarms::tell(int rank, const Ending& ending) {
  Bytes failure;
  if (ending.failure) failure = to_bytes(*ending.failure);
  if (failure.size() > room / 2)
    failure = to_bytes({Failure::Kind::error, ending.failure->code, ending.failure->text.substr(0, room / 4), {}});
  std::string message = ending.host;
  message.push_back('\0');
  message.append(reinterpret_cast<const char*>(failure.data()), failure.size());
  check(mpi_.tell(message.data(), message.size()));
  note(rank, ending);
}

void Alarms::note(int rank, const Ending& ending) {
  endings_[rank] = ending;
  if (ending.failure && cause_ < 0) cause_ = rank;
}

void Alarms::listen() {
  int rank = -1;
  std::size_t size = buffer_.size();
  check(mpi_.hear(&rank, buffer_.data(), &size));
  if (rank < 0) return;
  const std::string message = buffer_.substr(0, size);
  Ending ending;
  const std::size_t name_end = message.find('\0');
  ending.host = message.substr(0, name_end);
  if (name_end + 1 < size) ending.failure = failure_of(std::as_bytes(std::span(message)).subspan(name_end + 1));
  note(rank, ending);
}

void Alarms::throw_if_ended() const {
  if (cause_ < 0) return;
  const Ending& ending = endings_.at(cause_);
  throw RankLost(cause_, rank_name(cause_, ending.host) + " ended: " + ending.failure->text);
}

class MpiTeam : public Team {
 public:
  MpiTeam(const GalernaMpi& mpi, Alarms& alarms, const GalernaMpiPlace& place)
      : Team({place.rank, place.size, place.host_rank, place.host_size, host_name()}), mpi_(mpi), alarms_(alarms) {}

 protected:
  void do_barrier() override { wait_for(mpi_.begin_barrier()); }
  void do_broadcast(std::span<std::byte> bytes) override;
  void do_all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override;
  std::vector<Bytes> do_gather(std::span<const std::byte> mine) override;
  void do_exchange(std::span<const Message> messages) override;
  void do_check_others() override;

 private:
  static constexpr std::size_t largest_piece = std::size_t{1} << 25;

  void wait_for(const char* begun);
  void all_gather_by_messages(std::span<const std::byte> mine, std::span<std::byte> all);

  const GalernaMpi& mpi_;
  Alarms& alarms_;
  // MPI goes on with what was begun when the caller's memory is long gone, because another rank failed.
  Bytes sent_, received_;
};

void MpiTeam::wait_for(const char* begun) {
  check(begun);
  Patience patience;
  std::optional<Clock::time_point> deadline;
  for (bool done = false;; patience.rest()) {
    check(mpi_.test(&done));
    if (done) return;
    alarms_.listen();
    if (alarms_.heard_any() && !deadline) deadline = Clock::now() + still_under_way;
    if (deadline && Clock::now() >= *deadline && alarms_.cause() >= 0) break;
  }
  mpi_.withdraw();
  alarms_.throw_if_ended();
}

void MpiTeam::do_check_others() {
  alarms_.listen();
  alarms_.throw_if_ended();
}

void MpiTeam::do_broadcast(std::span<std::byte> bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += largest_piece) {
    const auto piece = bytes.subspan(at, std::min(largest_piece, bytes.size() - at));
    sent_.assign(piece.begin(), piece.end());
    wait_for(mpi_.begin_broadcast(sent_.data(), sent_.size()));
    std::copy(sent_.begin(), sent_.end(), piece.begin());
  }
}

void MpiTeam::do_all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  if (all.size() > largest_piece) return all_gather_by_messages(mine, all);
  sent_.assign(mine.begin(), mine.end());
  received_.resize(all.size());
  wait_for(mpi_.begin_all_gather(sent_.data(), sent_.size(), received_.data()));
  std::copy(received_.begin(), received_.end(), all.begin());
}

void MpiTeam::all_gather_by_messages(std::span<const std::byte> mine, std::span<std::byte> all) {
  std::vector<Message> messages;
  for (int other = 0; other < size(); ++other)
    messages.push_back({other, mine, all.subspan(static_cast<std::size_t>(other) * mine.size(), mine.size())});
  exchange(messages);
}

std::vector<Bytes> MpiTeam::do_gather(std::span<const std::byte> mine) {
  const std::vector<std::size_t> sizes = all_gather(mine.size());
  if (!is_first()) {
    do_exchange(std::vector<Message>{{0, mine, {}}});
    return {};
  }
  std::vector<Bytes> result;
  std::vector<Message> messages;
  for (const std::size_t size : sizes) result.emplace_back(size);
  std::copy(mine.begin(), mine.end(), result[0].begin());
  for (int other = 1; other < size(); ++other) messages.push_back({other, {}, result[static_cast<std::size_t>(other)]});
  do_exchange(messages);
  return result;
}

void MpiTeam::do_exchange(std::span<const Message> messages) {
  std::vector<GalernaMpiMessage> plain;
  for (const Message& message : messages)
    plain.push_back(
        {message.rank, message.send.data(), message.send.size(), message.receive.data(), message.receive.size()});
  wait_for(mpi_.begin_exchange(plain.data(), plain.size()));
}

/// What happens after a rank's body threw.
class Farewell {
 public:
  Farewell(const GalernaMpi& mpi, Alarms& alarms, const Team& team) : mpi_(mpi), alarms_(alarms), team_(team) {}

  /// Throws on one rank what the team ended by. \param own what body threw; nothing if it was because another rank
  /// ended
  int end(const std::optional<Failure>& own, std::chrono::milliseconds grace);

 private:
  void wait_for_others(std::chrono::milliseconds grace);
  bool all_are_here() const { return static_cast<int>(alarms_.endings().size()) == team_.size(); }
  bool all_failed_alike() const;

  const GalernaMpi& mpi_;
  Alarms& alarms_;
  const Team& team_;
};

void Farewell::wait_for_others(std::chrono::milliseconds grace) {
  Patience patience;
  for (const auto deadline = Clock::now() + still_under_way + grace; !all_are_here() && Clock::now() < deadline;
       patience.rest())
    alarms_.listen();
}

bool Farewell::all_failed_alike() const {
  if (!all_are_here()) return false;
  const auto& first = alarms_.endings().begin()->second.failure;
  return std::all_of(alarms_.endings().begin(), alarms_.endings().end(), [&](const auto& one) {
    return first && one.second.failure && to_bytes(*first) == to_bytes(*one.second.failure);
  });
}

int Farewell::end(const std::optional<Failure>& own, std::chrono::milliseconds grace) {
  alarms_.tell(team_.rank(), {team_.host(), own});
  wait_for_others(grace);
  const bool is_speaker = alarms_.endings().begin()->first == team_.rank();
  if (all_failed_alike()) {
    check(mpi_.finish());
    if (is_speaker) throw_failure(*own);
    return 0;
  }
  // MPI cannot be finished, as calls of others are under way. The launcher kills all when the first process ends, so
  // that the others leave time to speak.
  if (!is_speaker) std::this_thread::sleep_for(3s);
  if (is_speaker && alarms_.cause() >= 0) {
    const Alarms::Ending& cause = alarms_.endings().at(alarms_.cause());
    throw_failure(named(*cause.failure, rank_name(alarms_.cause(), cause.host)));
  }
  if (is_speaker) throw SystemError("a rank ended without saying why");
  return 0;
}

int run_as_rank(const GalernaMpi& mpi, const GalernaMpiPlace& place, const Body& body, const MpiOptions& options) {
  Alarms alarms(mpi);
  MpiTeam team(mpi, alarms, place);
  std::optional<Failure> failure;
  try {
    const int largest = team.maximum(body(team));
    check(mpi.finish());
    return team.is_first() ? largest : 0;
  } catch (const RankLost&) {
  } catch (...) {
    failure = describe(std::current_exception());
  }
  return Farewell(mpi, alarms, team).end(failure, options.grace);
}

/// On all ranks alike, and before they know each other.
struct StartFailure {
  std::exception_ptr exception;
};

std::pair<const GalernaMpi*, GalernaMpiPlace> start(const Launch& launch, const std::filesystem::path& module) try {
  if (module.empty()) check_that_all_are_seen(launch, 1, "");
  const GalernaMpi& mpi = load(module);
  GalernaMpiPlace place{};
  check(mpi.start(&place));
  check_that_all_are_seen(launch, place.size, mpi.library());
  return {&mpi, place};
} catch (...) {
  throw StartFailure{std::current_exception()};
}

}  // namespace

std::filesystem::path find_mpi_module() {
  return find_module("libgalerna_mpi.so");
}

int run_under_mpi(const Launch& launch, const Body& body, const MpiOptions& options) {
  if (options.module.empty() && !launch.is_many()) {
    Alone team;
    return body(team);
  }
  try {
    const auto [mpi, place] = start(launch, options.module);
    return run_as_rank(*mpi, place, body, options);
  } catch (const StartFailure& failure) {
    if (launch.rank == 0) std::rethrow_exception(failure.exception);
    return 0;
  }
}

}  // namespace galerna::parallel
