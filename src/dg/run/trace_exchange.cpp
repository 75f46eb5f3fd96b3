#include "dg/run/trace_exchange.hpp"

#include <algorithm>
#include <cstring>

namespace galerna::dg {

TraceExchange::TraceExchange(Launcher& launcher, const Spec& spec, const FaceSets& faces, const Ranks& ranks)
    : launcher_(launcher), spec_(spec), faces_(faces), ranks_(ranks) {
  for (std::size_t s = 0; s < faces.size(); ++s) {
    const std::vector<mesh::CutSide>& cut = faces[s].cut();
    for (std::size_t k = 0; k < cut.size(); ++k) {
      auto of = std::find_if(neighbours_.begin(), neighbours_.end(),
                             [&](const Neighbour& neighbour) { return neighbour.rank == cut[k].rank; });
      if (of == neighbours_.end()) of = neighbours_.insert(of, {cut[k].rank, {}});
      if (of->slots.empty() || of->slots.back().face_set != s) of->slots.push_back({s, {}, {}});
      of->slots.back().send.push_back(faces[s].slot_of(cut[k].side));
      of->slots.back().receive.push_back(faces[s].first_cut() + static_cast<std::int64_t>(k));
      of->bytes += slot_bytes(s);
    }
  }
}

std::size_t TraceExchange::slot_bytes(std::size_t face_set) const {
  return static_cast<std::size_t>(faces_[face_set].rule().size() * spec_.variable_count() * bytes_of(spec_.precision));
}

void TraceExchange::after(Phase phase, const StageCall&) {
  if (phase != Phase::traces && phase != Phase::viscous) return;
  Arrays arrays;
  for (const FaceSet& faces : faces_)
    arrays.push_back(static_cast<std::byte*>(phase == Phase::traces ? faces.traces() : faces.viscous_traces()));
  launcher_.call([this, arrays] { exchange(arrays); });
}

void TraceExchange::exchange(const Arrays& arrays) const {
  std::vector<std::vector<std::byte>> sent, received;
  std::vector<parallel::Message> messages;
  for (const Neighbour& neighbour : neighbours_) {
    std::byte* to = sent.emplace_back(neighbour.bytes).data();
    for (const Slots& slots : neighbour.slots)
      for (const std::int64_t slot : slots.send) {
        const std::size_t bytes = slot_bytes(slots.face_set);
        std::memcpy(to, arrays[slots.face_set] + static_cast<std::size_t>(slot) * bytes, bytes);
        to += bytes;
      }
    received.emplace_back(neighbour.bytes);
  }
  for (std::size_t n = 0; n < neighbours_.size(); ++n) messages.push_back({neighbours_[n].rank, sent[n], received[n]});
  ranks_.team.exchange(messages);
  for (std::size_t n = 0; n < neighbours_.size(); ++n) {
    const std::byte* from = received[n].data();
    for (const Slots& slots : neighbours_[n].slots)
      for (const std::int64_t slot : slots.receive) {
        const std::size_t bytes = slot_bytes(slots.face_set);
        std::memcpy(arrays[slots.face_set] + static_cast<std::size_t>(slot) * bytes, from, bytes);
        from += bytes;
      }
  }
}

}  // namespace galerna::dg
