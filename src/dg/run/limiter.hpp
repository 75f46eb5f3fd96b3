/// \file
/// What the limiters of elements (kernels/limiter) have on a device, and their launches.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "device/launcher.hpp"
#include "dg/run/limiter_exchange.hpp"
#include "dg/run/reductions.hpp"
#include "dg/run/stage_part.hpp"
#include "dg/run/state_arrays.hpp"
#include "dg/sides/face_set.hpp"

namespace galerna::dg {

/// The limiter of one set of elements.
class SetLimiter {
 public:
  /// \param set some of the mesh's elements: where slopes are limited, all of them, straight triangles or tetrahedra,
  /// and faces all of its faces; they, mesh and spec must outlive it.
  /// \param ranks null but where the mesh is a part
  SetLimiter(device::Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec, const ElementSet& set,
             const FaceSet& faces, const StateArrays& states, const Ranks* ranks);

  /// VertexNeighbours::slots; 0 where elements around vertices are not looked at.
  int vertex_slots() const { return slots_; }
  /// Limits a state of the set in place. \param gradients ∇λ_1, ∇λ_2, … of the elements \param abscissa of the time at
  /// which it stands \param watch what is filled where the result is looked at, too
  void limit(void* state, const void* gradients, kernels::Control* control, double abscissa,
             const kernels::MonitorArguments& watch) const;
  /// kernels::LimitArguments::troubled; null without a sensor.
  device::Memory* troubled() const { return troubled_.get(); }
  /// kernels::LimitArguments::counts, which launches add up over a run.
  device::Memory* counts() const { return counts_.get(); }

 private:
  void make_slopes(const mesh::Mesh& mesh, const StateArrays& states, const Ranks* ranks);
  void upload_vertex_neighbours(const NeighbourPlaces& places, const Ranks* ranks);

  device::Launcher& launcher_;
  const Spec& spec_;
  const ElementSet& set_;
  const FaceSet& faces_;
  std::unique_ptr<device::Memory> neighbours_;  ///< null where the residual's are the same
  std::unique_ptr<device::Memory> around_, derivatives_, troubled_, counts_, boundary_means_;
  int slots_ = 0;
  std::unique_ptr<LimiterExchange> exchange_;  ///< null on one rank
};

/// [0] and [1]: what kernels/limiter counts of elements limited and scaled, [2][block], summed over blocks.
std::array<double, 2> limiter_counts(device::Device& device, const std::vector<device::Memory*>& counts);

class Limiter : public ShockPart {
 public:
  /// All must outlive it. \param spec with a limiter \param ranks null but where the mesh is a part
  Limiter(device::Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec, const std::vector<ElementSet>& sets,
          const FaceSets& faces, const StateArrays& states, const Reductions& reductions, const Ranks* ranks);

  bool finish(device::Memory& state, double abscissa, bool monitored) override;
  std::vector<device::Memory*> sums() const override;

  int vertex_slots() const override { return limiters_.front().vertex_slots(); }
  std::array<double, 2> counts() const override { return limiter_counts(launcher_.device(), sums()); }
  ElementNumbers fields() const override;

 private:
  device::Launcher& launcher_;
  const Spec& spec_;
  const std::vector<ElementSet>& sets_;
  const StateArrays& states_;
  const Reductions& reductions_;
  std::vector<SetLimiter> limiters_;
};

}  // namespace galerna::dg
