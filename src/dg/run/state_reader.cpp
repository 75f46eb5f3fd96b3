#include "dg/run/state_reader.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>

#include "kernels/gather.hpp"

namespace galerna::dg {
namespace {

constexpr std::int64_t bytes_of_piece = std::int64_t{8} << 20;
/// Of elements that come with one.
constexpr std::int64_t bytes_of_window = std::int64_t{1} << 20;

std::int64_t elements_in(std::int64_t bytes, std::int64_t bytes_of_element) {
  return std::max<std::int64_t>(1, bytes / bytes_of_element);
}

template <class T>
void widen(const std::byte* from, std::int64_t numbers, double* to) {
  std::copy_n(reinterpret_cast<const T*>(from), numbers, to);
}

}  // namespace

StateReader::StateReader(device::Launcher& launcher, const std::vector<ElementSet>& sets, const StateArrays& states,
                         device::Memory& state, device::HostRooms rooms)
    : launcher_(launcher), sets_(sets), state_(state), rooms_(std::move(rooms)), wholes_(sets.size()) {
  static std::atomic<std::uint64_t> readers = 0;
  number_ = ++readers;
  std::int64_t most = 1, largest = bytes_of_piece;
  for (const ElementSet& set : sets) {
    layouts_.push_back(states.layout(set));
    const std::int64_t each = states.values(set) * bytes_of(layouts_.back().precision);
    most = std::max(most, elements_in(bytes_of_piece, each));
    largest = std::max(largest, each);
  }
  positions_ = launcher.device().allocate(static_cast<std::size_t>(most) * sizeof(std::int32_t), "pieces of files");
  numbers_ = launcher.device().allocate(static_cast<std::size_t>(largest), "pieces of files");
}

void StateReader::read(std::size_t set, std::span<const mesh::Index> positions, double* to) const {
  const auto most =
      static_cast<std::size_t>(elements_in(bytes_of_piece, values(set) * bytes_of(layouts_[set].precision)));
  for (std::size_t first = 0; first < positions.size(); first += most) {
    const std::size_t count = std::min(most, positions.size() - first);
    read_piece(set, positions.subspan(first, count), to + static_cast<std::int64_t>(first) * values(set));
  }
}

void StateReader::read_piece(std::size_t set, std::span<const mesh::Index> positions, double* to) const {
  const StateLayout& layout = layouts_[set];
  const std::vector<std::int32_t> places(positions.begin(), positions.end());
  const std::int64_t numbers = std::ssize(places) * values(set);
  const int bytes = bytes_of(layout.precision);
  device::Device& device = launcher_.device();
  device.enter_thread();
  const auto room = rooms_.take(device, numbers_->bytes());
  kernels::GatherArguments a{};
  a.state = reinterpret_cast<const unsigned*>(static_cast<const char*>(state_.address()) + layout.offset);
  a.positions = static_cast<const std::int32_t*>(positions_->address());
  a.to = static_cast<unsigned*>(numbers_->address());
  a.words = bytes / static_cast<int>(sizeof(unsigned));
  a.all = numbers * a.words;
  a.lanes = layout.lanes;
  a.n = static_cast<int>(layout.n);
  a.together = static_cast<int>(layout.together);
  {
    const std::lock_guard lock(mutex_);
    device.write(*positions_, places.data(), places.size() * sizeof(std::int32_t));
    launcher_.launch("gather_numbers", {a.all, kernels::gather_group}, a);
    device.read(room.get(), *numbers_, static_cast<std::size_t>(numbers * bytes));
  }
  if (layout.precision == device::Precision::double_precision)
    widen<double>(room.get(), numbers, to);
  else
    widen<float>(room.get(), numbers, to);
}

/// [element][variable][mode] of all elements of a set that is small enough, read once.
const double* StateReader::whole(std::size_t set) const {
  const std::int64_t numbers = sets_[set].blocks.items * values(set);
  if (numbers * static_cast<std::int64_t>(sizeof(double)) > most_whole) return nullptr;
  Whole& whole = wholes_[set];
  std::call_once(whole.once, [&] {
    std::vector<mesh::Index> positions(static_cast<std::size_t>(sets_[set].blocks.items));
    std::iota(positions.begin(), positions.end(), 0);
    whole.values.resize(static_cast<std::size_t>(numbers));
    read(set, positions, whole.values.data());
  });
  return whole.values.data();
}

void StateReader::read_one(std::size_t set, mesh::Index position, double* to) const {
  if (const double* const all = whole(set)) {
    std::copy_n(all + position * values(set), values(set), to);
    return;
  }
  read_window(set, position, to);
}

void StateReader::read_window(std::size_t set, mesh::Index position, double* to) const {
  struct Window {
    std::uint64_t reader = 0;
    std::size_t set = 0;
    mesh::Index begin = 0, end = 0;
    std::vector<double> values;
  };
  // Time means are made of two states, element by element.
  thread_local std::array<Window, 2> windows;
  Window& window = windows[number_ % windows.size()];
  const std::int64_t each = values(set);
  if (window.reader != number_ || window.set != set || position < window.begin || position >= window.end) {
    const mesh::Index end = std::min(position + elements_in(bytes_of_window, each * bytes_of(layouts_[set].precision)),
                                     sets_[set].blocks.items);
    std::vector<mesh::Index> positions(static_cast<std::size_t>(end - position));
    std::iota(positions.begin(), positions.end(), position);
    window.reader = 0;  // none, should reading fail
    window.values.resize(positions.size() * static_cast<std::size_t>(each));
    read(set, positions, window.values.data());
    window = {number_, set, position, end, std::move(window.values)};
  }
  std::copy_n(window.values.begin() + (position - window.begin) * each, each, to);
}

}  // namespace galerna::dg
