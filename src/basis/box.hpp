/// \file
/// Legendre bases on boxes: products of L_n(ξ) √(2n + 1) in coordinates ξ of −1 … 1, of mean square 1 over the box.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace galerna::basis {

/// Polynomials in so many directions of space, and in time beside them where there are slabs.
struct BoxSpace {
  int dimension = 2;
  bool slab = false;     ///< a further direction, the last one
  bool tensor = false;   ///< degree ≤ p in space times degree ≤ p in time, else total degree ≤ p
  int time_degree = -1;  ///< where tensor: the degree in time, whatever that in space; −1: p

  int directions() const { return dimension + (slab ? 1 : 0); }
  friend bool operator==(const BoxSpace&, const BoxSpace&) = default;
};

/// Number of modes of degree p ≥ 0.
int box_mode_count(const BoxSpace& space, int degree);

/// [mode][direction] degrees of each mode's factors. Lower degrees come first: the modes of degree q < p are the first
/// box_mode_count(space, q).
std::vector<std::array<std::uint8_t, 4>> box_modes(const BoxSpace& space, int degree);

/// All modes of degree p at points of a box.
class BoxBasis {
 public:
  BoxBasis(const BoxSpace& space, int degree);

  std::size_t size() const { return modes_.size(); }
  /// [mode] values. \param local [direction] −1 … 1
  std::vector<double> values(const std::array<double, 4>& local) const;
  /// Their sum with these coefficients.
  double sum(std::span<const double> coefficients, const std::array<double, 4>& local) const;

 private:
  std::array<std::vector<double>, 4> lines_at(const std::array<double, 4>& local) const;
  double product(std::size_t mode, const std::array<std::vector<double>, 4>& lines) const;

  int directions_, degree_;  ///< degree_: the highest of a factor
  std::vector<std::array<std::uint8_t, 4>> modes_;
};

}  // namespace galerna::basis
