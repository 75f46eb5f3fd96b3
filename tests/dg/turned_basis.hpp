/// \file
/// The basis on a side as the neighbour counts the side's points.
#pragma once

#include "basis/turned_points.hpp"
#include "dg/operators.hpp"

namespace galerna::dg {

/// In the order of Metric: [point][mode], Operators::side_basis[side] with its rows turned.
inline basis::Matrix side_basis(const Operators& operators, int side, int orientation) {
  const auto s = static_cast<std::size_t>(side);
  const basis::Matrix& own = operators.side_basis[s];
  const std::vector<int> turned = basis::turned_points(operators.side_rules[s], orientation);
  basis::Matrix result = own;
  for (std::size_t q = 0; q < turned.size(); ++q) result.row(turned[q]) = own.row(static_cast<Eigen::Index>(q));
  return result;
}

}  // namespace galerna::dg
