#include "steady/elimination.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "device/address.hpp"

namespace galerna::steady {
namespace {

constexpr const char* purpose = "preconditioner of Newton's method";

/// Bytes of blocks that are being eliminated, at most, where a block each for a few workers takes less.
constexpr double room_of_workers = 2.5e8;

/// Those that can be reached from `start` and have no number yet, by distance and, at the same one, by the order of
/// those before them, those with few couplings first. \param taken [element] whether it has been reached
std::vector<std::int32_t> by_distance(const Couplings& couplings, std::int32_t start, std::vector<bool>& taken) {
  std::vector<std::int32_t> found{start};
  taken[at(start)] = true;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::size_t first = found.size();
    for (const std::int32_t other : couplings[at(found[k])]) {
      if (taken[at(other)]) continue;
      taken[at(other)] = true;
      found.push_back(other);
    }
    std::stable_sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                     [&](std::int32_t a, std::int32_t b) { return couplings[at(a)].size() < couplings[at(b)].size(); });
  }
  return found;
}

}  // namespace

std::vector<std::int32_t> reverse_cuthill_mckee(const Couplings& couplings) {
  std::vector<std::int32_t> order;
  std::vector<bool> done(couplings.size(), false);
  for (std::size_t e = 0; e < couplings.size(); ++e) {
    if (done[e]) continue;
    // The last one that is reached lies at an end of the graph, or near one after another try.
    auto start = static_cast<std::int32_t>(e);
    for (int tries = 0; tries < 2; ++tries) {
      std::vector<bool> taken = done;
      start = by_distance(couplings, start, taken).back();
    }
    const std::vector<std::int32_t> part = by_distance(couplings, start, done);
    order.insert(order.end(), part.begin(), part.end());
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Levels levels_of(const Couplings& couplings, const std::vector<std::int32_t>& order) {
  std::vector<int> level(order.size(), -1);
  int count = 1;
  for (const std::int32_t e : order) {
    int above = -1;
    if (!couplings.empty())
      for (const std::int32_t other : couplings[at(e)]) above = std::max(above, level[at(other)]);
    level[at(e)] = above + 1;
    count = std::max(count, above + 2);
  }
  Levels result;
  result.sequence = order;
  std::stable_sort(result.sequence.begin(), result.sequence.end(),
                   [&](std::int32_t a, std::int32_t b) { return level[at(a)] < level[at(b)]; });
  std::vector<std::int64_t> sizes(at(count), 0);
  for (const int l : level) ++sizes[at(l)];
  result.begins.push_back(0);
  for (const std::int64_t size : sizes) result.begins.push_back(result.begins.back() + size);
  return result;
}

EliminationPreconditioner::EliminationPreconditioner(StateVectors& vectors, device::Device& device,
                                                     const Jacobian& jacobian, const Couplings& couplings,
                                                     const std::vector<std::int32_t>& order)
    : vectors_(vectors), device_(device), kernels_(device), jacobian_(jacobian), levels_(levels_of(couplings, order)) {
  const std::vector<int>& sizes = vectors.sizes();
  std::vector<std::int32_t> places(sizes.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[at(levels_.sequence[i])] = static_cast<std::int32_t>(i);
  std::vector<std::int64_t> squares{0};
  for (const int size : sizes) squares.push_back(squares.back() + std::int64_t{size} * size);
  largest_ = *std::max_element(sizes.begin(), sizes.end());
  const std::int64_t square = std::int64_t{largest_} * largest_, bytes = 2 * square * std::int64_t{sizeof(double)};
  std::int64_t most = 0;
  for (std::size_t l = 0; l + 1 < levels_.begins.size(); ++l)
    most = std::max(most, levels_.begins[l + 1] - levels_.begins[l]);
  // Enough to keep a device busy; each has room of its own.
  const std::int64_t busy = device.kind() == device::Kind::host ? 64 : 1024, few = busy / 8;
  workers_ =
      std::min(most, std::clamp(static_cast<std::int64_t>(room_of_workers / static_cast<double>(bytes)), few, busy));
  sequence_ = algebra::upload<std::int32_t>(device, levels_.sequence, purpose);
  places_ = algebra::upload<std::int32_t>(device, places, purpose);
  squares_ = algebra::upload<std::int64_t>(device, squares, purpose);
  inverses_ = device.allocate(at(squares.back()) * sizeof(float), purpose);
  scratch_ = device.allocate(at(workers_ * bytes), purpose);
  pivots_ = device.allocate(at(workers_ * largest_) * sizeof(int), purpose);
  result_ = device.allocate(at(vectors.size()) * sizeof(double), purpose);
  if (device.kind() == device::Kind::cuda)
    prepare_solutions(couplings, places, squares);
  else
    for (auto* vector : {&solution_, &work_}) *vector = device.allocate(at(vectors.size()) * sizeof(float), purpose);
}

/// \param places [element] in the order of elimination \param squares [element] where its inverse begins
void EliminationPreconditioner::prepare_solutions(const Couplings& couplings, const std::vector<std::int32_t>& places,
                                                  const std::vector<std::int64_t>& squares) {
  const std::vector<int>& sizes = vectors_.sizes();
  const algebra::BlockPattern& pattern = jacobian_.pattern();
  std::vector<std::int64_t> first{0};
  for (const int size : sizes) first.push_back(first.back() + size);
  std::vector<arguments::RowOfSolution> rows;
  std::vector<arguments::CoupledRow> coupled;
  for (const std::int32_t e : levels_.sequence) {
    arguments::RowOfSolution row{
        first[at(e)], squares[at(e)], static_cast<std::int64_t>(coupled.size()), sizes[at(e)], 0, 0};
    int numbers = 0;
    for (const bool before : {true, false})
      for (std::size_t n = 0; !couplings.empty() && n < couplings[at(e)].size(); ++n) {
        const std::int32_t other = couplings[at(e)][n];
        if ((places[at(other)] < places[at(e)]) != before) continue;
        coupled.push_back(
            {pattern.offsets[at(algebra::find_block(pattern, at(e), other))], first[at(other)], sizes[at(other)]});
        ++(before ? row.before : row.after);
        numbers += sizes[at(other)];
      }
    coupled_ = std::max(coupled_, numbers);
    rows.push_back(row);
  }
  rows_ = algebra::upload<arguments::RowOfSolution>(device_, rows, purpose);
  coupled_rows_ = algebra::upload<arguments::CoupledRow>(device_, coupled, purpose);
  for (auto* vector : {&forward_, &backward_}) {
    *vector = device_.allocate(at(vectors_.size()) * sizeof(float) * kernels::entry_factor, purpose);
    device_.clear(**vector);
  }
}

arguments::EliminationArguments EliminationPreconditioner::elimination() const {
  return {jacobian_.matrix(), device::address<std::int32_t>(sequence_), device::address<std::int32_t>(places_),
          device::address<std::int64_t>(squares_), device::address<float>(inverses_)};
}

void EliminationPreconditioner::factor(double shift) {
  for (std::size_t l = 0; l + 1 < levels_.begins.size(); ++l)
    vectors_.factor_rows({elimination(), levels_.begins[l], levels_.begins[l + 1] - levels_.begins[l], shift,
                          device::address<double>(scratch_), device::address<int>(pivots_), workers_, largest_});
}

void EliminationPreconditioner::sweep() {
  const auto levels = levels_.begins.size() - 1;
  const auto one = [&](std::size_t l, bool forward) {
    vectors_.sweep({elimination(), levels_.begins[l], device::address<float>(solution_), device::address<float>(work_)},
                   levels_.begins[l + 1] - levels_.begins[l], forward);
  };
  for (std::size_t l = 0; l < levels; ++l) one(l, true);
  for (std::size_t l = levels - 1; l-- > 0;) one(l, false);
}

/// In one launch.
void EliminationPreconditioner::solve(const void* r) {
  arguments::SolveArguments system{};
  system.sequence = device::address<arguments::RowOfSolution>(rows_);
  system.coupled = device::address<arguments::CoupledRow>(coupled_rows_);
  system.values = static_cast<const float*>(jacobian_.values().address());
  system.inverses = device::address<float>(inverses_);
  system.rows = static_cast<std::int64_t>(levels_.sequence.size());
  system.largest = largest_;
  system.count = ++count_;
  system.right = static_cast<const double*>(r);
  system.forward = device::address<kernels::CountedNumber<float>>(forward_);
  system.backward = device::address<kernels::CountedNumber<float>>(backward_);
  system.x = device::address<double>(result_);
  vectors_.solve(system, coupled_);
}

const void* EliminationPreconditioner::apply(const void* r) {
  if (device_.kind() == device::Kind::cuda) {
    solve(r);
  } else {
    kernels_.to_single(r, solution_->address(), vectors_.size());
    sweep();
    kernels_.to_double(solution_->address(), result_->address(), vectors_.size());
  }
  return result_->address();
}

}  // namespace galerna::steady
