/// \file
/// Normals of eight straight simplices in shared memory, four threads to an element.
#pragma once

#include "kernels/array.hpp"
#include "kernels/lane.hpp"

namespace galerna::kernels {

/// Of one of the elements: of each side the outward unit normal and ds/|J|.
template <class Config>
class SideNormals {
 public:
  static constexpr int sides = Config::Operators::sides, dimension = Config::Equations::dimension;
  using Real = typename Config::Real;
  using DirectionVector = Array<Real, dimension>;

  /// \param memory 8 (dimension + 1) numbers for each side; the element's are every eighth.
  SideNormals(Real* memory) : memory_(memory) {}

  /// Thread `side` of the element works out those of a side (element/geometry.hpp). \param gradient of d: ∇ξ_d.
  template <class Gradient>
  void store(int side, const Gradient& gradient) const {
    static_assert(sides <= 4);
    DirectionVector normal;
#pragma unroll
    for (int k = 0; k < dimension; ++k) normal[k] = 0;
#pragma unroll
    for (int d = 0; d < dimension; ++d) {
      Real factor = 0;
#pragma unroll
      for (int s = 0; s < sides; ++s) factor = s == side ? Real(Config::Operators::side_normal(s, d)) : factor;
      const DirectionVector along = gradient(d);
#pragma unroll
      for (int k = 0; k < dimension; ++k) normal[k] += factor * along[k];
    }
    Real square = 0;
#pragma unroll
    for (int k = 0; k < dimension; ++k) square += normal[k] * normal[k];
    const Real length = positive_sqrt(square), inverse = reciprocal(length);
    if (side < sides) {
#pragma unroll
      for (int k = 0; k < dimension; ++k) *number(side, k) = normal[k] * inverse;
      *number(side, dimension) = length;
    }
  }

  DirectionVector unit(int side) const {
    DirectionVector result;
#pragma unroll
    for (int k = 0; k < dimension; ++k) result[k] = *number(side, k);
    return result;
  }
  Real length(int side) const {
    return *number(side, dimension);
  }

 private:
  Real* number(int side, int k) const {
    return memory_ + (side * (dimension + 1) + k) * 8;
  }

  Real* memory_;
};

}  // namespace galerna::kernels
