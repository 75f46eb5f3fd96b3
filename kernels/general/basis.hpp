/// \file
/// The basis of a Case: Case::tensor tells which.
#pragma once

#include "kernels/general/dense.hpp"
#include "kernels/general/tensor.hpp"

namespace galerna::kernels {

template <class Case, bool tensor>
struct BasisOf {
  using Type = DenseBasis<Case>;
};
template <class Case>
struct BasisOf<Case, true> {
  using Type = TensorBasis<Case>;
};

template <class Case>
using Basis = typename BasisOf<Case, Case::tensor>::Type;

}  // namespace galerna::kernels
