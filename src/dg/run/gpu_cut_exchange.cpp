#include "dg/run/gpu_cut_exchange.hpp"

#include <algorithm>
#include <stdexcept>

#include "dg/blocks.hpp"
#include "dg/programs/exchange_program.hpp"

namespace galerna::dg {
namespace {

constexpr std::size_t line = 128;  // bytes: no two messages share one
constexpr const char* purpose = "numbers from other ranks";

std::int64_t whole_lines(std::int64_t bytes) {
  constexpr auto of = static_cast<std::int64_t>(line);
  return (bytes + of - 1) / of * of;
}

/// Thread blocks for so many numbers. A thread has one of them, so that it does not wait for one after the other.
std::int64_t exchange_groups(std::int64_t numbers) {
  constexpr std::int64_t numbers_a_group = kernels::exchange_group;
  return std::max<std::int64_t>(1, (numbers - 1) / numbers_a_group + 1);
}

}  // namespace

// An inbox: two halves of the messages of all neighbours, one behind the other.
GpuCutExchange::GpuCutExchange(device::Launcher& launcher, parallel::Team& team, device::Precision precision,
                               std::vector<CutNeighbour> neighbours)
    : launcher_(launcher),
      entry_bytes_(kernels::entry_factor * bytes_of(precision)),
      neighbours_(std::move(neighbours)) {
  device::Device& device = launcher.device();
  std::int64_t messages = 0, sent = 0, received = 0;
  // [neighbour] where its message begins in this rank's inbox, and this rank's in its inbox: bytes from its beginning
  std::vector<std::int64_t> own(neighbours_.size()), beyond(neighbours_.size());
  for (std::size_t n = 0; n < neighbours_.size(); ++n) {
    own[n] = messages;
    messages += whole_lines(neighbours_[n].received() * entry_bytes_);
    sent += neighbours_[n].sent();
    received += neighbours_[n].received();
  }
  arguments_.half = team.maximum(messages);
  inboxes_ = std::make_unique<Inboxes>(device, team, static_cast<std::size_t>(2 * arguments_.half) + line, purpose);
  std::vector<parallel::Message> exchanged;
  for (std::size_t n = 0; n < neighbours_.size(); ++n)
    exchanged.push_back({neighbours_[n].rank, std::as_bytes(std::span<const std::int64_t>(&own[n], 1)),
                         std::as_writable_bytes(std::span<std::int64_t>(&beyond[n], 1))});
  team.exchange(exchanged);
  const auto places = [&](bool sends) {
    std::vector<std::byte*> addresses;
    for (std::size_t n = 0; n < neighbours_.size(); ++n)
      addresses.push_back(inboxes_->of(sends ? neighbours_[n].rank : team.rank()) + (sends ? beyond : own)[n]);
    return addresses;
  };
  describe(arguments_.sent, true, places(true));
  describe(arguments_.received, false, places(false));
  groups_ = exchange_groups(std::max(sent, received));
  arrays_.push_back(allocate_cleared(device, purpose, static_cast<std::size_t>(groups_) * sizeof(unsigned)));
  arguments_.counts = static_cast<unsigned*>(arrays_.back()->address());
  if (!launcher.kernels().contains("exchange_numbers")) launcher.load(exchange_program(precision), "");
}

const std::int64_t* GpuCutExchange::keep(const std::vector<std::int64_t>& values) {
  arrays_.push_back(upload(launcher_.device(), "cuts between ranks", values));
  return static_cast<const std::int64_t*>(arrays_.back()->address());
}

void GpuCutExchange::describe(kernels::CutNumbers (&cuts)[kernels::most_cut_arrays], bool sends,
                              const std::vector<std::byte*>& messages) {
  std::vector<std::int64_t> places[kernels::most_cut_arrays], last[kernels::most_cut_arrays],
      addresses[kernels::most_cut_arrays];
  for (std::size_t n = 0; n < neighbours_.size(); ++n) {
    std::byte* next = messages[n];
    for (const CutPiece& piece : neighbours_[n].pieces) {
      const std::size_t k = piece.array;
      if (k >= kernels::most_cut_arrays) throw std::logic_error("GpuCutExchange: too many arrays");
      cuts[k].stride = piece.stride;
      cuts[k].numbers = static_cast<unsigned>(piece.numbers);
      const std::vector<std::int64_t>& of = sends ? piece.send : piece.receive;
      places[k].insert(places[k].end(), of.begin(), of.end());
      if (sends) last[k].insert(last[k].end(), piece.send_last.begin(), piece.send_last.end());
      for (std::size_t side = 0; side < of.size(); ++side, next += piece.numbers * entry_bytes_)
        addresses[k].push_back(reinterpret_cast<std::int64_t>(next));
    }
  }
  for (std::size_t k = 0; k < kernels::most_cut_arrays; ++k) {
    cuts[k].sides = static_cast<unsigned>(places[k].size());
    cuts[k].places = keep(places[k]);
    cuts[k].entries = keep(addresses[k]);
    if (!last[k].empty()) cuts[k].last_places = keep(last[k]);
  }
}

// Each thread block counts its exchanges, so that the number of blocks must not change once there was one.
void GpuCutExchange::leave_room() {
  constexpr std::int64_t part = 8;  // of a GPU's places, an eighth
  const device::Kernel& kernel = *launcher_.kernels().at("exchange_numbers");
  const std::int64_t at_once = launcher_.device().items_at_once(kernel, {1, kernels::exchange_group});
  if (at_once > 0) groups_ = std::clamp<std::int64_t>(at_once / kernels::exchange_group / part, 1, groups_);
}

void GpuCutExchange::exchange(const Arrays& arrays) {
  constexpr int group = kernels::exchange_group;
  kernels::CutExchangeArguments a = arguments_;
  for (std::size_t k = 0; k < arrays.size(); ++k) a.sent[k].array = a.received[k].array = arrays[k];
  launcher_.launch("exchange_numbers", {groups_ * group, group, 0, true}, a);
}

}  // namespace galerna::dg
