/// \file
/// The basis of a Config: Config::tensor tells which.
#pragma once

#include "kernels/element/dense.hpp"
#include "kernels/element/tensor.hpp"

namespace galerna::kernels {

template <class Config, bool tensor>
struct BasisOf {
  using Type = DenseBasis<Config>;
};
template <class Config>
struct BasisOf<Config, true> {
  using Type = TensorBasis<Config>;
};

template <class Config>
using Basis = typename BasisOf<Config, Config::tensor>::Type;

}  // namespace galerna::kernels
