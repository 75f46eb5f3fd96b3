#include "dg/run/error_norms.hpp"

#include <cmath>

namespace galerna::dg {

std::vector<ErrorNorms> norms_of(const std::vector<ErrorSums>& sums) {
  std::vector<ErrorNorms> norms;
  for (const ErrorSums& sum : sums) norms.push_back({sum.absolute.value(), std::sqrt(sum.square.value()), sum.largest});
  return norms;
}

void add(ExactSum& to, const kernels::LongSum& sum) {
  to.add(sum.high);
  if (!std::isfinite(sum.high)) return;  // what is left of it is no number
  to.add(sum.middle);
  to.add(sum.low);
}

}  // namespace galerna::dg
