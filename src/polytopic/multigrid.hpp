/// \file
/// Iterative solution of interior-penalty systems: multigrid over degrees and nested agglomerates, every level
/// assembled anew with a penalty of its own.
#pragma once

#include <memory>
#include <vector>

#include "algebra/multigrid.hpp"
#include "mesh/agglomeration.hpp"
#include "polytopic/discretization.hpp"

namespace galerna::polytopic {

/// Polytopes with their degrees, 0 or 1.
struct MultigridMesh {
  const Mesh& polytopes;
  const std::vector<int>& degrees;
};

/// From modes on the boxes of coarse polytopes to those on the boxes of the polytopes that they are made of: the same
/// polynomials, as far as degrees allow. \param parents [fine polytope] coarse polytope
algebra::Transfer transfer_between(const MultigridMesh& fine, const MultigridMesh& coarse,
                                   const std::vector<mesh::Index>& parents, const basis::BoxSpace& space);

/// Those of the coarser levels on the same polytopes: 1, or 0 where nothing diffuses and constants are sought.
std::vector<int> coarse_degrees(std::vector<int> degrees);

/// Degree 1 in space. In time corrections need as high a degree as goes with degree 1 in space on all polytopes of the
/// finest level: what is smooth in space is not therefore so in the slab.
basis::BoxSpace coarse_space(basis::BoxSpace space, int least_degree);

/// From the coarse space, of coarse_degrees(), on the same polytopes, whose modes are some of the fine one's.
algebra::Transfer same_modes(const basis::BoxSpace& fine, const std::vector<int>& degrees,
                             const basis::BoxSpace& coarse);

class MultigridSolver {
 public:
  /// \param finest discretization that is solved, on the polytopes of `agglomeration` \param degrees its own
  MultigridSolver(device::Device& device, const mesh::Mesh& mesh, const mesh::Agglomeration& agglomeration,
                  const Mesh& polytopes, Spec spec, std::vector<int> degrees);
  ~MultigridSolver();

  /// Assembles all levels for the matrix and the penalties that `finest` has now.
  /// \param begin, end as of Discretization::set_time()
  void set_up(Discretization& finest, double begin, double end);

  /// By conjugate gradients where the matrix is symmetric, else by GMRES.
  /// \param load right-hand side \param solution where to start, and what is found
  algebra::KrylovReport solve(std::span<const double> load, std::vector<double>& solution,
                              const algebra::KrylovOptions& options);

  /// [level] unknowns, the finest first
  const std::vector<std::int64_t>& unknowns() const { return unknowns_; }
  /// [level] largest eigenvalue of the block Jacobi iteration
  std::vector<double> eigenvalues() const { return multigrid_->eigenvalues(); }

 private:
  /// Polytopes of degree 1 or 0.
  struct Level {
    std::unique_ptr<Mesh> polytopes;  ///< null: those of the finest level
    std::unique_ptr<Discretization> discretization;
    std::shared_ptr<const algebra::DevicePattern> pattern;
  };
  void make_levels(Discretization& finest);
  void add_level(std::unique_ptr<Mesh> polytopes, const std::vector<int>& degrees, algebra::Transfer to_finer);
  void make_multigrid();
  algebra::DeviceMatrix matrix_of(Discretization& discretization,
                                  const std::shared_ptr<const algebra::DevicePattern>& pattern);

  device::Device& device_;
  algebra::Kernels kernels_;
  const mesh::Mesh& mesh_;
  const mesh::Agglomeration& agglomeration_;
  const Mesh& polytopes_;
  basis::BoxSpace finest_space_;
  Spec spec_;  ///< of the coarser levels
  std::vector<int> degrees_;
  int largest_degree_;
  std::shared_ptr<const algebra::DevicePattern> finest_pattern_;
  std::vector<Level> levels_;                         ///< all but the finest
  std::vector<algebra::GridLevel> multigrid_levels_;  ///< all; transfers go to the device, matrices come and go
  algebra::DeviceMatrix matrix_;
  std::vector<std::int64_t> unknowns_;
  std::unique_ptr<algebra::Multigrid> multigrid_;
};

}  // namespace galerna::polytopic
