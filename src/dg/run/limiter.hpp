/// \file
/// What the limiters of a set of elements (kernels/limiter) have on a device, and their launches.
#pragma once

#include <array>
#include <memory>

#include "dg/run/launcher.hpp"
#include "dg/sides/face_set.hpp"

namespace galerna::dg {

class Limiter {
 public:
  /// \param set some of the mesh's elements: where slopes are limited, all of them, straight triangles or tetrahedra,
  /// and faces all of its faces; they, mesh and spec must outlive it.
  Limiter(device::Device& device, const mesh::Mesh& mesh, const Spec& spec, const ElementSet& set,
          const FaceSet& faces);

  /// VertexNeighbours::slots; 0 where elements around vertices are not looked at.
  int vertex_slots() const { return slots_; }
  /// Limits a state of the set in place. \param gradients ∇λ_1, ∇λ_2, … of the elements \param abscissa of the time at
  /// which it stands
  void limit(Launcher& launcher, void* state, const void* gradients, const kernels::Control* control,
             double abscissa) const;
  /// kernels::LimitArguments::counts, which launches add up over a run.
  device::Memory* counts() const { return counts_.get(); }

 private:
  void upload_vertex_neighbours(device::Device& device, const mesh::Mesh& mesh);

  const Spec& spec_;
  const ElementSet& set_;
  const FaceSet& faces_;
  std::unique_ptr<device::Memory> neighbours_;  ///< null where the residual's are the same
  std::unique_ptr<device::Memory> around_, derivatives_, troubled_, counts_, boundary_means_;
  int slots_ = 0;
};

}  // namespace galerna::dg
