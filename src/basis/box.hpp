/// \file
/// Legendre bases on boxes: products of L_n(ξ) √(2n + 1) in coordinates ξ of −1 … 1, of mean square 1 over the box.
#pragma once

#include <array>
#include <cstdint>
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

/// Values of all modes of degree p at a point of the box. \param local [direction] −1 … 1
std::vector<double> box_values(const BoxSpace& space, int degree, const std::array<double, 4>& local);

}  // namespace galerna::basis
