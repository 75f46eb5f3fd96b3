/// \file
/// States on a device: arrays of all coefficients, sets one behind the other (layout: kernels/state.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dg/element_set.hpp"

namespace galerna::dg {

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

  // Coefficients are [element][variable][mode], the modes those of the element's shape: of all sets one behind the
  // other, of one set, or of some elements of a set by their positions in it.
  void write(device::Memory& state, const std::vector<double>& coefficients) const;
  std::vector<double> read(device::Memory& state) const;
  std::vector<double> read(device::Memory& state, const ElementSet& set) const;
  std::vector<double> read(device::Memory& state, const ElementSet& set,
                           const std::vector<mesh::Index>& positions) const;

  // In two steps, the second of which needs no device and may be taken by another thread:
  /// The bytes() of a state as they lie on the device.
  void copy(device::Memory& state, std::byte* to) const;
  /// What read() gives of the set, from a copy.
  std::vector<double> unpack(const std::byte* copy, const ElementSet& set) const;

 private:
  std::vector<double> read(device::Memory& state, const ElementSet& set, const Blocks& part, std::int64_t first) const;
  std::vector<double> unpack(const std::byte* packed, const ElementSet& set, const Blocks& part) const;

  device::Device& device_;
  device::Precision precision_;
  int variables_;
  const std::vector<ElementSet>& sets_;
};

}  // namespace galerna::dg
