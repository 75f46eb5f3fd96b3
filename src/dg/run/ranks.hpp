/// \file
/// What a discretization of a part of a mesh knows of the whole, and how it talks to the other parts' ranks.
#pragma once

#include <vector>

#include "base/exact_sum.hpp"
#include "base/lazy.hpp"
#include "dg/geometry/boundary_points.hpp"
#include "dg/spec.hpp"
#include "mesh/own_part.hpp"
#include "parallel/team.hpp"

namespace galerna::dg {

struct Ranks {
  parallel::Team& team;
  const mesh::OwnPart& part;   ///< make_rank_part(); must outlive the discretization
  std::vector<SetPlan> plans;  ///< plan_sets() of the whole mesh
  /// Of the whole mesh's boundary, some of which hang on sides beyond a cut; null: the part's own are right.
  const Lazy<BoundaryPoints>* points = nullptr;

  std::int64_t elements() const {
    std::int64_t sum = 0;
    for (const SetPlan& plan : plans) sum += plan.elements;
    return sum;
  }
  /// Of a state of the whole mesh.
  std::int64_t coefficients(int variables) const {
    std::int64_t sum = 0;
    for (const SetPlan& plan : plans) sum += plan.elements * plan.operators.modes * variables;
    return sum;
  }
};

/// The part of a rank, with the copies of others' elements that kernels look at.
/// \param owners [element] its rank \param order as for mesh::own_part()
mesh::OwnPart make_rank_part(const Spec& spec, const mesh::Mesh& whole, const std::vector<int>& owners, int rank,
                             const std::optional<mesh::OuterFirst>& order = {});

/// Adds to each sum what the other ranks have in its place; nothing where there are none (null).
void join_sums(const Ranks* ranks, std::vector<ExactSum>& sums);

/// As kernels store them (kernels/long_sum.hpp): `maxima` rows of numbers ≥ 0, behind which `sums` sums of three rows
/// each stand, a row having `blocks` numbers. All ranks then have the same ones, in the first block.
void join_rows(const Ranks& ranks, double* rows, std::int64_t blocks, int maxima, int sums);
/// The same of rows that a device has; waits for it.
void join_rows(const Ranks& ranks, device::Device& device, device::Memory& rows, std::int64_t blocks, int maxima,
               int sums);

}  // namespace galerna::dg
