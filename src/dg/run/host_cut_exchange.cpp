#include "dg/run/host_cut_exchange.hpp"

#include <cstring>

namespace galerna::dg {

template <class Visit>
void HostCutExchange::for_each(const CutNeighbour& neighbour, const Arrays& arrays, bool sends,
                               const Visit& visit) const {
  for (const CutPiece& piece : neighbour.pieces) {
    auto* array = static_cast<std::byte*>(arrays[piece.array]);
    const std::vector<std::int64_t>& places = sends ? piece.send : piece.receive;
    for (std::size_t side = 0; side < places.size(); ++side)
      for (int k = 0; k < piece.numbers; ++k) {
        const bool apart = sends && !piece.send_last.empty() && k == piece.numbers - 1;
        visit(array + bytes_ * (apart ? piece.send_last[side] : places[side] + k * piece.stride));
      }
  }
}

void HostCutExchange::exchange_now(const Arrays& arrays) const {
  const auto size = static_cast<std::size_t>(bytes_);
  std::vector<std::vector<std::byte>> sent, received;
  std::vector<parallel::Message> messages;
  for (const CutNeighbour& neighbour : neighbours_) {
    std::byte* to = sent.emplace_back(static_cast<std::size_t>(neighbour.sent()) * size).data();
    for_each(neighbour, arrays, true, [&](const std::byte* number) {
      std::memcpy(to, number, size);
      to += size;
    });
    received.emplace_back(static_cast<std::size_t>(neighbour.received()) * size);
  }
  for (std::size_t n = 0; n < neighbours_.size(); ++n) messages.push_back({neighbours_[n].rank, sent[n], received[n]});
  team_.exchange(messages);
  for (std::size_t n = 0; n < neighbours_.size(); ++n) {
    const std::byte* from = received[n].data();
    for_each(neighbours_[n], arrays, false, [&](std::byte* number) {
      std::memcpy(number, from, size);
      from += size;
    });
  }
}

}  // namespace galerna::dg
