/// \file
/// States on a device: arrays of all coefficients, sets one behind the other (layout: kernels/state.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dg/element_set.hpp"

namespace galerna::dg {

/// Where the numbers of a set's elements lie in a state, apart from any device.
struct StateLayout {
  device::Precision precision;
  int lanes;
  std::int64_t n, together;  ///< [block][k][lane][t], k < n, t < together
  std::size_t offset;        ///< bytes of a state before the set's

  /// Writes [variable][mode] of an element. \param state as it lies on the device
  void unpack(const std::byte* state, mesh::Index position, double* to) const;
};

class StateArrays {
 public:
  /// \param sets must outlive it.
  StateArrays(device::Device& device, const Spec& spec, const std::vector<ElementSet>& sets)
      : device_(device), precision_(spec.precision), variables_(spec.variable_count()), sets_(sets) {}

  /// Numbers of an element.
  std::int64_t values(const ElementSet& set) const { return variables_ * set.operators.modes; }
  std::int64_t degrees_of_freedom() const;
  std::size_t bytes() const;

  /// Of zeros. \param purpose for people, where memory is accounted for
  std::unique_ptr<device::Memory> allocate(const std::string& purpose) const;
  /// The part of a state that is the set's.
  void* part(device::Memory& state, const ElementSet& set) const {
    return static_cast<char*>(state.address()) + set.state_offset;
  }

  StateLayout layout(const ElementSet& set) const;

  // Coefficients are [element][variable][mode], the modes those of the element's shape: of all sets one behind the
  // other, of one set, or of some elements of a set by their positions in it.
  void write(device::Memory& state, const std::vector<double>& coefficients) const;
  /// Piece by piece: fill(number of the set, first position, last, to) writes the coefficients of some elements.
  using Fill = std::function<void(std::size_t set, mesh::Index begin, mesh::Index end, double* to)>;
  void write(device::Memory& state, const Fill& fill) const;
  std::vector<double> read(device::Memory& state) const;
  std::vector<double> read(device::Memory& state, const ElementSet& set) const;
  std::vector<double> read(device::Memory& state, const ElementSet& set,
                           const std::vector<mesh::Index>& positions) const;

  /// The bytes() of a state as they lie on the device, for StateLayout::unpack() in another thread.
  void copy(device::Memory& state, std::byte* to) const;

 private:
  std::vector<double> read(device::Memory& state, const ElementSet& set, const Blocks& part, std::int64_t first) const;
  std::vector<double> unpack(const std::byte* packed, const ElementSet& set, const Blocks& part) const;

  device::Device& device_;
  device::Precision precision_;
  int variables_;
  const std::vector<ElementSet>& sets_;
};

}  // namespace galerna::dg
