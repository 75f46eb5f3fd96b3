#include "polytopic/balance.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/polytopic/balance_sums.hpp"

namespace galerna::polytopic {
namespace {

constexpr std::size_t content_sums = kernels::polytopic::content_sums, flux_sums = kernels::polytopic::flux_sums;

}  // namespace

double Balance::outflow() const {
  double sum = 0;
  for (const Outflow& boundary : boundaries) sum += boundary.diffusive + boundary.advective;
  return sum;
}

double Balance::largest_defect() const {
  double largest = 0;
  for (const double defect : defects) largest = std::max(largest, std::abs(defect));
  return largest;
}

double Balance::relative_defect() const {
  const double size = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  return size > 0 ? largest_defect() / size : 0;
}

Balance make_balance(const Mesh& mesh, std::size_t boundaries, const BalanceSums& sums) {
  Balance result;
  result.boundaries.resize(boundaries);
  for (std::size_t k = 0; k < sums.polytopes.size(); k += content_sums) {
    const double source = sums.polytopes[k], reaction = sums.polytopes[k + 1], transport = sums.polytopes[k + 2],
                 stored = sums.polytopes[k + 3];
    result.source += source;
    result.consumed += reaction + transport;
    result.stored += stored;
    result.defects.push_back(source - reaction - transport - stored);
    result.sizes.push_back(std::abs(source) + std::abs(reaction) + std::abs(transport) + std::abs(stored));
  }
  for (std::size_t facet = 0; facet < mesh.facet_polytopes.size() / 2; ++facet) {
    const double* flux = sums.facets.data() + facet * flux_sums;
    for (std::size_t side = 0; side < 2; ++side) {
      const std::int32_t polytope = mesh.facet_polytopes[2 * facet + side];
      if (polytope < 0) {
        Balance::Outflow& boundary = result.boundaries[static_cast<std::size_t>(-1 - polytope)];
        boundary.diffusive += flux[0];
        boundary.advective += flux[1];
        continue;
      }
      const auto k = static_cast<std::size_t>(polytope);
      const double sign = side == 0 ? 1 : -1, carried = sign * flux[2 + side];
      result.consumed -= carried;
      result.defects[k] -= sign * (flux[0] + flux[1]) - carried;
      result.sizes[k] += std::abs(flux[0]) + std::abs(flux[1]);
    }
  }
  return result;
}

}  // namespace galerna::polytopic
