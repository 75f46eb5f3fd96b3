/// \file
/// Linear elasticity with continuous Lagrange elements of the order of the geometry, without a matrix.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "basis/basis.hpp"
#include "curving/planes.hpp"
#include "mesh/mesh.hpp"

namespace galerna::curving {

using Matrix3 = std::array<Vector, 3>;  ///< [row][column]

/// A body made of the elements of geometry order > 1 of a mesh.
struct Body {
  const mesh::Mesh& mesh;
  std::vector<mesh::Index> unknown;   ///< [node] number of its displacement, −1 outside of the body
  std::vector<Directions> forbidden;  ///< [unknown] in which displacements are given, or zero
  mesh::Index unknowns() const { return static_cast<mesh::Index>(forbidden.size()); }
};

/// K of ∫ σ(u) : ε(v) dx = 0, σ = λ tr ε I + 2 μ ε, ε = (∇u + ∇uᵀ)/2, λ = ν E / ((1 + ν)(1 − 2ν)), μ = E / (2 (1 + ν))
/// (M. Siebenborn, V. Schulz, S. Schmidt, Comput. Visual. Sci. 15 (2012), section 3); in the plane that of plane
/// strain. E is 1: without body forces displacements do not depend on it. Elements are those of the straight mesh, and
/// integrals are exact where their maps are affine.
class Elasticity {
 public:
  /// \param body elements must be straight-sided; it must outlive this \param poisson ν, −1 < ν < 0.5
  Elasticity(const Body& body, double poisson);
  ~Elasticity();

  /// f = K u: [unknown]
  void multiply(const std::vector<Vector>& u, std::vector<Vector>& f) const;

  /// [unknown] the blocks of K on its diagonal.
  std::vector<Matrix3> diagonal() const;

 private:
  struct Part;  ///< elements of one block of the mesh

  void gather(std::vector<Vector>& f) const;

  const Body& body_;
  std::vector<std::unique_ptr<Part>> parts_;
  mutable std::vector<Vector> loads_;      ///< [node of an element, all elements one behind the other]
  std::vector<std::int64_t> first_, own_;  ///< [unknown + 1], and entries of loads_ that are its own
};

struct Solve {
  int iterations = 0;
  bool converged = false;
};

/// Solves K u = 0 for what is not forbidden, by conjugate gradients preconditioned with the inverse blocks of the
/// diagonal. The same bits for any number of threads. \param u [unknown] given displacements and, for the rest, a
/// start; then the solution \param tolerance of the preconditioned residual, relative to that of the given
/// displacements alone
Solve solve(const Body& body, const Elasticity& elasticity, std::vector<Vector>& u, double tolerance);

}  // namespace galerna::curving
