// A scalar, advected.
#pragma once

namespace galerna::kernels {

template <int dimension, class Parameters>
struct Scalar {
  static constexpr int variables = 1;
  static constexpr double speed = Parameters::speed;  // not Parameters::slowness
};

struct Outflow {};

}  // namespace galerna::kernels
