/// \file
/// Norms of errors over the domain, summed over elements in any order.
#pragma once

#include <vector>

#include "base/exact_sum.hpp"
#include "kernels/long_sum.hpp"

namespace galerna::dg {

/// L1, L2 and L∞ norms of an error over the domain, not normalized.
struct ErrorNorms {
  double l1 = 0, l2 = 0, linf = 0;
};

/// What they are made of.
struct ErrorSums {
  ExactSum absolute, square;
  double largest = 0;
};

/// [variable]
std::vector<ErrorNorms> norms_of(const std::vector<ErrorSums>& sums);

/// Adds what a kernel has summed up.
void add(ExactSum& to, const kernels::LongSum& sum);

}  // namespace galerna::dg
