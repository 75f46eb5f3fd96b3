/// \file
/// A polytope's block on the diagonal of the matrix, its right-hand side and λ of the certified penalty from moments
/// (docs/theory.md, "Moments"), for GPUs with matrix units: `certified_volume` what comes from the volume, and the
/// matrices of λ; `facets` adds what comes from the facets when σ is known. Moments come with the factors that
/// derivatives on the box have, 1 over half of its edges.
#pragma once

#include "kernels/polytopic/eigenvalue.hpp"
#include "kernels/polytopic/expansion.hpp"
#include "kernels/polytopic/moments.hpp"

namespace galerna::kernels::polytopic {

/// The polytopes of a group, one for each of its teams. Teams behind the last polytope have it, too, but leave nothing.
template <class L>
class GroupPolytopes {
 public:
  GroupPolytopes(const PolytopicArguments& a, std::int64_t group) : a_(a), first_(group * L::teams) {
    const std::int64_t item = first_ + L::team();
    own_ = a.list[item < a.count ? item : a.count - 1];
  }

  std::int64_t own() const { return own_; }
  double* own_block() const { return static_cast<double*>(a_.values) + a_.diagonal_blocks[own_]; }
  bool has(int team) const { return first_ + team < a_.count; }
  double* right_hand_side(int team) const {
    return static_cast<double*>(a_.right_hand_side) + a_.first_unknowns[a_.list[first_ + team]];
  }
  /// Of λ.
  StoredPair<L::d, L::modes - 1> matrices(int team) const { return {a_, first_ + team}; }

 private:
  const PolytopicArguments& a_;
  std::int64_t first_, own_;
};

/// The diagonal blocks of a group's polytopes. \tparam add to what is in the matrix
template <class L, bool add>
class GroupBlocks {
 public:
  GroupBlocks(MomentMemory<L>& memory, const GroupPolytopes<L>& polytopes)
      : staged_(memory.block), own_(polytopes.own_block()), there_(polytopes.has(L::team())) {}

  /// What is there, if it is added to, to be read while the sum for it is computed.
  double before(int i, int j) const { return add && !staged ? own_[i * n + j] : 0; }
  /// With what was before.
  void put(int team, int i, int j, double sum) const { (staged ? staged_ + team * n * n : own_)[i * n + j] = sum; }
  /// Each team its own to the matrix, in one piece.
  void write() const {
    if constexpr (!staged) return;
    group_sync<L>();
    if (!there_) return;
    const double* sums = staged_ + L::team() * n * n;
#pragma unroll 4
    for (int k = L::rank(); k < n * n; k += L::threads) own_[k] = add ? own_[k] + sums[k] : sums[k];
  }

 private:
  static constexpr int n = L::modes;
  static constexpr bool staged = L::teams > 1;

  double *staged_, *own_;
  bool there_;
};

/// A point on a facet, and all that is known of this one, read at once.
template <class Config>
struct FacetMomentPoint : MomentPoint<Config> {
  PlacedFacet<Config::dimension> facet;
};

/// Moments over the polytope's own facets; fields(facet_point, q).
template <class Config, class L, class Sums, class Fields>
void add_own_facets(MomentBatch<L>& batch, Sums& sums, const PolytopicArguments& a, std::int64_t polytope,
                    const Box<L>& box, const Fields& fields) {
  constexpr int d = Config::dimension;
  const std::int64_t begin = a.mesh.first_own_facets[polytope];
  const int facets = int(a.mesh.first_own_facets[polytope + 1] - begin);
  add_points<L>(
      batch, sums, box, facets * a.facet.count,
      [&](int k) {
        const int own = int(unsigned(k) / unsigned(a.facet.count)), q = k - own * a.facet.count;
        const PlacedFacet<d> facet(a, a.mesh.own_facets[begin + own]);
        return FacetMomentPoint<Config>{
            {point_of_simplex<d, d>(a.facet, q, facet.corners, a.begin), a.facet.weights[q], own}, facet};
      },
      [&](FacetMomentPoint<Config>& point, int q, double factor) {
        point.weight *= factor;
        fields(own_facet_point<Config>(point.facet, point.facet.corners, box, point), q);
      });
}

/// The functions of the volume.
template <class Config, class L>
void store_volume_fields(MomentBatch<L>& batch, const MomentPoint<Config>& point, const Box<L>& box, int q) {
  constexpr int d = Config::dimension;
  const auto& x = point.x;
  const double w = point.weight;
  const auto diffusion = diffusion_at<Config, double>(x);
#pragma unroll
  for (int k = 0; k < d; ++k)
#pragma unroll
    for (int l = k; l < d; ++l)
      batch.field[symmetric_entry(d, k, l)][q] =
          w * box.inverse[k] * box.inverse[l] * diffusion[symmetric_entry(d, k, l)];
  batch.field[L::reaction][q] = w * Config::Data::template reaction<double>(x[0], x[1], x[2], x[3]);
  batch.field[L::source][q] = w * Config::Data::template source<double>(x[0], x[1], x[2], x[3]);
  if constexpr (Config::Data::moves) {
    const auto velocity = velocity_at<Config, double>(x);
#pragma unroll
    for (int k = 0; k < d; ++k) batch.field[L::velocity + k][q] = w * box.inverse[k] * velocity[k];
  }
}

template <class Config, class L>
void add_volume_moments(MomentBatch<L>& batch, MomentSums<L, typename MomentSets<L>::Volume>& sums,
                        const PolytopicArguments& a, std::int64_t polytope, const Box<L>& box) {
  constexpr int d = Config::dimension;
  const std::int64_t begin = a.mesh.first_simplices[polytope];
  const int simplices = int(a.mesh.first_simplices[polytope + 1] - begin);
  add_points<L>(
      batch, sums, box, simplices * a.volume.count,
      [&](int k) {
        auto point = moment_point<Config, d + 1>(
            a.volume, a.begin, k, [&](int simplex) { return a.mesh.simplices + (begin + simplex) * (d + 1) * d; });
        point.weight *= a.mesh.simplex_measures[begin + point.simplex];
        return point;
      },
      [&](MomentPoint<Config>& point, int q, double factor) {
        point.weight *= factor;
        store_volume_fields<Config>(batch, point, box, q);
      });
}

/// Σ_F m_F ∫_F (n·a∇φ_i)(n·a∇φ_j) into the pairs of matrices.
template <class Config, class L>
void add_normal_fluxes(MomentMemory<L>& memory, const GroupPolytopes<L>& polytopes, const PolytopicArguments& a,
                       const Box<L>& box) {
  MomentSums<L, typename MomentSets<L>::NormalFluxes> sums;
  MomentBatch<L>& batch = memory.own_batch();
  add_own_facets<Config>(batch, sums, a, polytopes.own(), box, [&](const OwnFacetPoint<Config>& f, int q) {
    double weight = f.point.weight;
    if (f.boundary >= 0) weight *= Config::Data::boundary_type(f.boundary) == BoundaryType::dirichlet ? 2 : 0;
#pragma unroll
    for (int k = 0; k < L::d; ++k)
#pragma unroll
      for (int l = k; l < L::d; ++l)
        batch.field[symmetric_entry(L::d, k, l)][q] =
            weight * (box.inverse[k] * f.conormal[k]) * (box.inverse[l] * f.conormal[l]);
  });
  sums.store(memory);
  for_each_piece<L>(
      a.expansion,
      [&](const PairIntegrals<L>& integrals) {
        typename PairIntegrals<L>::Sums sums = {};
        integrals.add(sums, Expansion::gradients, memory.moment);
        integrals.for_each([&](int k, int i, int j, int team) {
          if (j > 0 && polytopes.has(team)) polytopes.matrices(team).upper(j - 1, i - 1) = sums[k];
        });
      },
      [](auto&&) {});
  group_sync<L>();
}

/// What comes from the volume of polytopes of group `group`, and the matrices of λ for thread_eigenvalues() or
/// grid_eigenvalues(). \tparam certify whether those are needed
template <class Config, int degree, bool certify>
void moment_volume(const PolytopicArguments& a, std::int64_t group) {
  using L = MomentLayout<Config, degree>;
  using Sums = typename PairIntegrals<L>::Sums;
  MomentMemory<L>& memory = MomentMemory<L>::of_group();
  const GroupPolytopes<L> polytopes(a, group);
  const Box<L> box(a, polytopes.own());
  if constexpr (certify) add_normal_fluxes<Config>(memory, polytopes, a, box);

  MomentSums<L, typename MomentSets<L>::Volume> sums;
  add_volume_moments<Config>(memory.own_batch(), sums, a, polytopes.own(), box);
  sums.store(memory);
  const GroupBlocks<L, false> blocks(memory, polytopes);
  for_each_piece<L>(
      a.expansion,
      [&](const PairIntegrals<L>& integrals) {
        Sums sums = {};
        integrals.add(sums, Expansion::gradients, memory.moment);
        if constexpr (certify)
          integrals.for_each([&](int k, int i, int j, int team) {
            if (j > 0 && polytopes.has(team)) polytopes.matrices(team).lower(i - 1, j - 1) = sums[k];
          });
        if constexpr (Config::Data::reacts) integrals.add(sums, Expansion::values, memory.moment + L::reaction);
        Sums below = sums, above = sums;
        if constexpr (Config::Data::moves) {
          integrals.add(below, Expansion::derivatives, memory.moment + L::velocity);
          integrals.add(above, Expansion::swapped_derivatives, memory.moment + L::velocity);
        }
        integrals.for_each([&](int k, int i, int j, int team) {
          blocks.put(team, i, j, below[k]);
          if (i != j) blocks.put(team, j, i, above[k]);
        });
      },
      [&](const PairIntegrals<L>& integrals) {
        Sums sums = {};
        integrals.add(sums, Expansion::values, memory.moment + L::source);
        integrals.for_each([&](int k, int i, int, int team) {
          if (polytopes.has(team)) polytopes.right_hand_side(team)[i] = sums[k];
        });
      });
  blocks.write();
}

/// Adds what comes from the facets of polytopes of group `group`.
template <class Config, int degree>
void moment_facets(const PolytopicArguments& a, std::int64_t group) {
  using L = MomentLayout<Config, degree>;
  using Sums = typename PairIntegrals<L>::Sums;
  constexpr int d = L::d;
  MomentMemory<L>& memory = MomentMemory<L>::of_group();
  const GroupPolytopes<L> polytopes(a, group);
  const Box<L> box(a, polytopes.own());
  MomentSums<L, typename MomentSets<L>::Facets> sums;
  MomentBatch<L>& batch = memory.own_batch();
  add_own_facets<Config>(batch, sums, a, polytopes.own(), box, [&](const OwnFacetPoint<Config>& f, int q) {
    const PointTerms<double> terms = point_terms(f);
    batch.field[0][q] = terms.c0;
    batch.field[1][q] = terms.r0;
#pragma unroll
    for (int k = 0; k < d; ++k) {
      batch.field[2 + k][q] = -terms.c1 * box.inverse[k] * f.conormal[k];
      batch.field[2 + d + k][q] = terms.r1 * box.inverse[k] * f.conormal[k];
    }
  });
  sums.store(memory);
  const GroupBlocks<L, true> blocks(memory, polytopes);
  for_each_piece<L>(
      a.expansion,
      [&](const PairIntegrals<L>& integrals) {
        Sums below, above, sums = {};
        integrals.for_each([&](int k, int i, int j, int) {
          below[k] = blocks.before(i, j);
          above[k] = blocks.before(j, i);
        });
        integrals.add(sums, Expansion::values, memory.moment);
        integrals.add(sums, Expansion::both_derivatives, memory.moment + 2);
        integrals.for_each([&](int k, int i, int j, int team) {
          blocks.put(team, i, j, below[k] + sums[k]);
          if (i != j) blocks.put(team, j, i, above[k] + sums[k]);
        });
      },
      [&](const PairIntegrals<L>& integrals) {
        Sums sums = {};
        integrals.add(sums, Expansion::values, memory.moment + 1);
        // With φ_0 = 1.
        integrals.add(sums, Expansion::swapped_derivatives, memory.moment + 2 + d);
        integrals.for_each([&](int k, int i, int, int team) {
          if (polytopes.has(team)) polytopes.right_hand_side(team)[i] += sums[k];
        });
      });
  blocks.write();
}

}  // namespace galerna::kernels::polytopic
