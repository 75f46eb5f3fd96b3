/// \file
/// What lies beyond a side of an element, in 32 bits: an element and which of its sides it is, where kernels read the
/// coefficients of neighbours, or a slot of traces (kernels/traces.hpp) and how the face is turned. Negative codes are
/// the reader's own. The host puts codes together in one place (dg/sides/side_codes.hpp); kernels take them apart here.
#pragma once

#include "kernels/layout.hpp"

namespace galerna::kernels {

/// Bits for the number of a side where an element has so many.
constexpr int side_bits(int sides) {
  return sides <= 4 ? 2 : 3;
}
/// Bits for how a face is turned against the order in which the traces beside it are stored (mesh/side_order.hpp): a
/// line has two ways, a triangle six, a quadrilateral eight.
constexpr int orientation_bits(int dimension) {
  return dimension == 2 ? 1 : 3;
}

template <class Config>
constexpr int element_of(std::int32_t code) {
  return code >> side_bits(Config::Operators::sides);
}
template <class Config>
constexpr int side_of(std::int32_t code) {
  return code & ((1 << side_bits(Config::Operators::sides)) - 1);
}

template <class Config>
constexpr std::int32_t slot_of(std::int32_t code) {
  return code >> orientation_bits(Config::Equations::dimension);
}
template <class Config>
constexpr int orientation_of(std::int32_t code) {
  return code & ((1 << orientation_bits(Config::Equations::dimension)) - 1);
}

/// The elements of codes, one in each lane.
template <class Config>
Integers<Config> elements_of(const Integers<Config>& codes) {
  Integers<Config> elements;
  for (int i = 0; i < codes.size(); ++i) elements[i] = element_of<Config>(codes[i]);
  return elements;
}
/// Their sides.
template <class Config>
Integers<Config> sides_of(const Integers<Config>& codes) {
  Integers<Config> sides;
  for (int i = 0; i < codes.size(); ++i) sides[i] = side_of<Config>(codes[i]);
  return sides;
}

}  // namespace galerna::kernels
