/// \file
/// Artificial viscosity at shocks (kernels/shock): what it has on a device, and its launches.
#pragma once

#include <memory>
#include <vector>

#include "dg/run/summaries.hpp"

namespace galerna::dg {

class ShockViscosity {
 public:
  /// All must outlive it. Sets get the array that their kernels read. \param spec with artificial viscosity
  /// \param ranks null but where the mesh is a part
  ShockViscosity(device::Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec, std::vector<ElementSet>& sets,
                 const FaceSets& faces, const StateArrays& states, kernels::Control* control, const Ranks* ranks,
                 const Overlap& overlap);

  /// That of the step which begins with a state. Frozen viscosity stays what it was.
  void find(device::Memory& state) const;

  /// [element] present values, for those who go on from them. Waits.
  std::vector<double> values() const;
  void restore(const std::vector<double>& values) const;
  /// "sensor", what was found last, and "viscosity", as values(). Waits.
  ElementNumbers fields() const { return {{"sensor", summaries_.trouble()}, {"viscosity", values()}}; }
  /// Of all elements those with viscosity at a corner. Waits.
  double share() const;

 private:
  /// \param mesh with copies of others' elements, where there are other ranks
  void make_vertices(const mesh::Mesh& mesh);
  void make_exchange(const std::vector<mesh::MeshPart::Link>& links, const Ranks& ranks);
  /// From elements to vertices, and to the corners of elements.
  void spread(const kernels::Control* control) const;

  device::Launcher& launcher_;
  const Spec& spec_;
  std::vector<ElementSet>& sets_;
  const kernels::Control* control_;
  Summaries summaries_;
  std::vector<std::int64_t> first_;        ///< [set] of its elements in of_elements_
  std::vector<std::int32_t> places_;       ///< [element] in of_elements_; copies of others' lie behind all sets
  std::unique_ptr<CutExchange> exchange_;  ///< of such copies; null on one rank
  Blocks vertices_;
  std::unique_ptr<device::Memory> of_elements_, of_vertices_, first_around_, around_;
  std::vector<std::unique_ptr<device::Memory>> corners_, lengths_;  ///< [set] vertices at corners, h of ε
};

}  // namespace galerna::dg
