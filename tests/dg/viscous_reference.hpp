/// \file
/// A plain right-hand side of the Navier–Stokes equations by BR2 on any mesh in the plane or in space, as
/// docs/theory.md has it, written to be read and not to be fast: everything is worked out from the nodes of the mesh
/// and the basis, equations and boundary conditions included; liftings come from a mass matrix that is solved with;
/// points of neighbours are found by their place. The metric terms are those of the elements' maps themselves, so that
/// in space it is for elements of geometry order N with 2 (N − 1) ≤ p.
#pragma once

#include <memory>
#include <vector>

#include "dg/viscous_reference_flow.hpp"
#include "mesh/mesh.hpp"

namespace galerna::tests {

/// Coefficients are [block][element][variable][mode], the numbers of modes those of the blocks' shapes.
template <int d>
class ViscousReference {
 public:
  /// \param conditions [boundary] \param penalty η; 0: the number of an element's sides
  ViscousReference(const mesh::Mesh& mesh, int degree, std::vector<Condition<d>> conditions, double penalty = 0);

  /// dc/dt
  std::vector<double> operator()(const std::vector<double>& c) const;

 private:
  class Loops;  ///< compiled once for all tests
  std::shared_ptr<const Loops> loops_;
};

}  // namespace galerna::tests
