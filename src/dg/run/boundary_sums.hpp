/// \file
/// What has left through the boundary, summed over time.
#pragma once

#include <array>
#include <vector>

#include "dg/operator.hpp"
#include "dg/run/ranks.hpp"
#include "dg/sides/face_set.hpp"

namespace galerna::dg {

class BoundarySums {
 public:
  /// \param faces must outlive it.
  BoundarySums(device::Device& device, const FaceSets& faces, int variables, const Ranks* ranks)
      : device_(device), faces_(faces), ranks_(ranks), before_(static_cast<std::size_t>(variables), 0.0) {}

  /// Since the start. \param last_step whether the last step counts
  BoundaryTotals totals(bool last_step) const;
  /// [variable] through the boundaries where `chosen` [boundary], integrated over the last step.
  std::vector<double> of_last_step(const std::vector<bool>& chosen) const;
  /// What had left when the present state was reached. \throws std::invalid_argument for totals of other faces
  void set(const BoundaryTotals& totals);
  /// Of the current step, and of all steps before: arrays of each set of faces, null where there are none.
  std::array<std::vector<device::Memory*>, 2> arrays() const;

 private:
  device::Device& device_;
  const FaceSets& faces_;
  const Ranks* ranks_;  ///< null for one
  std::vector<double> before_;
};

}  // namespace galerna::dg
