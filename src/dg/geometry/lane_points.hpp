/// \file
/// Geometry of several elements of a block side by side, in SIMD packs: for dg/geometry/metric.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "basis/basis.hpp"
#include "kernels/pack.hpp"

namespace galerna::dg {

constexpr std::size_t together = 8;  ///< elements
using Pack = kernels::Pack<double, static_cast<int>(together)>;
using PackVector = std::array<Pack, 3>;

/// Numbers at points of some elements: [point][component][lane].
class LanePoints {
 public:
  LanePoints() = default;
  LanePoints(std::size_t points, std::size_t components) { resize(points, components); }

  void resize(std::size_t points, std::size_t components) {
    components_ = components;
    numbers_.resize(points * components * together);
  }
  std::size_t size() const { return numbers_.size() / (components_ * together); }
  std::size_t components() const { return components_; }

  double& lane(std::size_t point, std::size_t component, std::size_t lane) {
    return numbers_[(point * components_ + component) * together + lane];
  }
  double lane(std::size_t point, std::size_t component, std::size_t lane) const {
    return numbers_[(point * components_ + component) * together + lane];
  }
  Pack get(std::size_t point, std::size_t component) const {
    return kernels::loaded<Pack, sizeof(double)>(numbers_.data() + (point * components_ + component) * together);
  }
  void set(std::size_t point, std::size_t component, const Pack& value) {
    kernels::stored<sizeof(double)>(numbers_.data() + (point * components_ + component) * together, value);
  }

  /// Of points with two or three components.
  PackVector vector(std::size_t point) const {
    return {get(point, 0), get(point, 1), components_ == 3 ? get(point, 2) : Pack(0)};
  }

  /// [point][component] of one element.
  Eigen::MatrixXd of_lane(std::size_t lane) const;

 private:
  std::size_t components_ = 1;
  std::vector<double> numbers_;
};

/// table · x, where x is [column of the table][component].
void multiply(const basis::Matrix& table, const LanePoints& x, LanePoints& result);

/// The normal of a side with tangents of its own: (t_y, −t_x) of one in the plane, t_1 × t_2 of two in space.
template <class V>
std::array<V, 3> normal_of(const std::array<V, 3>& t) {
  return {t[1], -t[0], V(0)};
}
template <class V>
std::array<V, 3> normal_of(const std::array<V, 3>& s, const std::array<V, 3>& t) {
  return {s[1] * t[2] - s[2] * t[1], s[2] * t[0] - s[0] * t[2], s[0] * t[1] - s[1] * t[0]};
}

/// ∂x/∂ξ_d at a point, and what follows from it.
class PointJacobian {
 public:
  /// \param along [d]: [point][k]
  PointJacobian(std::span<const LanePoints> along, std::size_t point) : dimension_(along.size()) {
    for (std::size_t d = 0; d < dimension_; ++d) along_[d] = along[d].vector(point);
  }

  /// J ∂ξ_d/∂x_k
  PackVector cofactors(std::size_t d) const {
    if (dimension_ == 3) return normal_of(along_[(d + 1) % 3], along_[(d + 2) % 3]);
    const PackVector normal = normal_of(along_[1 - d]);
    return d == 0 ? normal : PackVector{-normal[0], -normal[1], Pack(0)};
  }

  Pack determinant() const {
    const PackVector of_first = cofactors(0);
    Pack sum = 0;
    for (std::size_t k = 0; k < dimension_; ++k) sum += along_[0][k] * of_first[k];
    return sum;
  }

 private:
  std::size_t dimension_;
  std::array<PackVector, 3> along_{};
};

}  // namespace galerna::dg
