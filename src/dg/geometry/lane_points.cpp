#include "dg/geometry/lane_points.hpp"

#include <algorithm>

namespace galerna::dg {
namespace {

/// Sums over nodes, one after the other, at each point.
template <std::size_t components>
void add_up(const basis::Matrix& table, const LanePoints& x, LanePoints& result) {
  const auto points = static_cast<std::size_t>(table.rows()), nodes = static_cast<std::size_t>(table.cols());
  for (std::size_t q = 0; q < points; ++q) {
    const double* row = table.data() + q * nodes;
    std::array<Pack, components> sums;
    sums.fill(Pack(0));
    for (std::size_t n = 0; n < nodes; ++n)
      for (std::size_t k = 0; k < components; ++k) sums[k] += row[n] * x.get(n, k);
    for (std::size_t k = 0; k < components; ++k) result.set(q, k, sums[k]);
  }
}

}  // namespace

Eigen::MatrixXd LanePoints::of_lane(std::size_t number) const {
  Eigen::MatrixXd x(size(), components_);
  for (std::size_t n = 0; n < size(); ++n)
    for (std::size_t k = 0; k < components_; ++k)
      x(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(k)) = lane(n, k, number);
  return x;
}

/// With the sums that Eigen makes, which adds up the numbers of small matrices two by two.
void multiply(const basis::Matrix& table, const LanePoints& x, LanePoints& result) {
  constexpr Eigen::Index few = 20;
  result.resize(static_cast<std::size_t>(table.rows()), x.components());
  if (table.rows() > 1 && table.rows() + table.cols() + static_cast<Eigen::Index>(x.components()) >= few)
    return x.components() == 3 ? add_up<3>(table, x, result) : add_up<2>(table, x, result);
  for (std::size_t lane = 0; lane < together; ++lane) {
    const Eigen::MatrixXd product = table * x.of_lane(lane);
    for (Eigen::Index q = 0; q < product.rows(); ++q)
      for (Eigen::Index k = 0; k < product.cols(); ++k)
        result.lane(static_cast<std::size_t>(q), static_cast<std::size_t>(k), lane) = product(q, k);
  }
}

}  // namespace galerna::dg
