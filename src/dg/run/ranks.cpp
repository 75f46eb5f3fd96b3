#include "dg/run/ranks.hpp"

#include <algorithm>
#include <span>

#include "kernels/step_totals.hpp"

namespace galerna::dg {

mesh::OwnPart make_rank_part(const Spec& spec, const mesh::Mesh& whole, const std::vector<int>& owners, int rank,
                             const std::optional<mesh::OuterFirst>& order) {
  const bool limits = spec.limiter && spec.limiter->slopes, spreads = spec.has_shock_viscosity();
  const bool around_vertices = spreads || (limits && spec.limiter->slopes->around_vertices);
  const auto layer = around_vertices ? mesh::GhostLayer::vertices : mesh::GhostLayer::sides;
  return mesh::own_part(mesh::make_part(whole, owners, rank, layer), order, limits || spreads);
}

void join_sums(const Ranks* ranks, std::vector<ExactSum>& sums) {
  if (!ranks) return;
  const auto of_ranks = ranks->team.all_gather(sums);
  std::fill(sums.begin(), sums.end(), ExactSum());
  for (const std::vector<ExactSum>& of : of_ranks)
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i].add(of[i]);
}

void join_rows(const Ranks& ranks, double* rows, std::int64_t blocks, int maxima, int sums) {
  const auto row = [&](int k) { return rows + k * blocks; };
  std::vector<double> found;  // maxima, then sums
  for (int k = 0; k < maxima; ++k) {
    double largest = 0;
    for (std::int64_t b = 0; b < blocks; ++b) largest = kernels::larger(largest, row(k)[b]);
    found.push_back(largest);
  }
  for (int k = 0; k < sums; ++k) {
    kernels::LongSum sum;
    for (std::int64_t b = 0; b < blocks; ++b) sum.join(kernels::load_sum(row(maxima + 3 * k), blocks, b));
    found.insert(found.end(), {sum.high, sum.middle, sum.low});
  }
  std::vector<double> all(found.size() * static_cast<std::size_t>(ranks.team.size()));
  ranks.team.all_gather_bytes(std::as_bytes(std::span<const double>(found)),
                              std::as_writable_bytes(std::span<double>(all)));
  std::fill(rows, row(maxima + 3 * sums), 0.0);
  for (const double* of = all.data(); of < all.data() + all.size(); of += found.size()) {
    for (int k = 0; k < maxima; ++k) row(k)[0] = kernels::larger(row(k)[0], of[k]);
    for (int k = 0; k < sums; ++k) {
      const double* parts = of + maxima + 3 * k;
      kernels::LongSum sum = kernels::load_sum(row(maxima + 3 * k), blocks, 0);
      sum.join({parts[0], parts[1], parts[2]});
      kernels::store_sum(row(maxima + 3 * k), blocks, 0, sum);
    }
  }
}

void join_rows(const Ranks& ranks, device::Device& device, device::Memory& rows, std::int64_t blocks, int maxima,
               int sums) {
  std::vector<double> copy(static_cast<std::size_t>((maxima + 3 * sums) * blocks));
  device.read(copy.data(), rows, copy.size() * sizeof(double));
  join_rows(ranks, copy.data(), blocks, maxima, sums);
  device.write(rows, copy.data(), copy.size() * sizeof(double));
}

}  // namespace galerna::dg
