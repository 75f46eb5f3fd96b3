/// \file
/// A polytope's block on the diagonal of the matrix, its right-hand side and λ of the certified penalty from moments
/// (docs/theory.md, "Moments"), for GPUs with matrix units: `certified_volume` what comes from the volume, and λ;
/// `facets` adds what comes from the facets when σ is known.
#pragma once

#include "kernels/polytopic/expansion.hpp"
#include "kernels/polytopic/moments.hpp"
#include "kernels/polytopic/team_eigenvalue.hpp"

namespace galerna::kernels::polytopic {

/// f(i, j) for the pairs j ≤ i < n.
template <class L, class F>
void for_each_pair(int n, const F& f) {
  share<L>(n * (n + 1) / 2, [&](int k) {
    const int i = int((sqrt(8.0 * k + 1) - 1) * 0.5);
    f(i, k - i * (i + 1) / 2);
  });
}

/// Moments over the polytope's own facets; fields(facet_point, q).
template <class Config, class L, class Sums, class Fields>
void add_own_facets(MomentMemory<L>& memory, Sums& sums, const PolytopicArguments& a, std::int64_t polytope,
                    const Box<L>& box, const Fields& fields) {
  constexpr int d = Config::dimension;
  const std::int64_t begin = a.mesh.first_own_facets[polytope];
  const int facets = int(a.mesh.first_own_facets[polytope + 1] - begin);
  add_points<L>(
      memory, sums, box, facets * a.facet.count,
      [&](int k) {
        return moment_point<Config, d>(a.facet, a.begin, k, [&](int facet) {
          return a.mesh.facets + std::int64_t(a.mesh.own_facets[begin + facet] / 2) * (d + 1) * d;
        });
      },
      [&](MomentPoint<Config>& point, int q, double factor) {
        point.weight *= factor;
        fields(own_facet_point<Config>(a, a.mesh.own_facets[begin + point.simplex], box, point), q);
      });
}

/// The functions of the volume: a, c, f, b.
template <class Config, class L>
void store_volume_fields(MomentBatch<L>& batch, const MomentPoint<Config>& point, int q) {
  constexpr int d = Config::dimension;
  const auto& x = point.x;
  const double w = point.weight;
  const auto diffusion = diffusion_at<Config, double>(x);
#pragma unroll
  for (int k = 0; k < L::tensor; ++k) batch.field[k][q] = w * diffusion[k];
  batch.field[L::tensor][q] = w * Config::Data::template reaction<double>(x[0], x[1], x[2], x[3]);
  batch.field[L::tensor + 1][q] = w * Config::Data::template source<double>(x[0], x[1], x[2], x[3]);
  if constexpr (Config::Data::moves) {
    const auto velocity = velocity_at<Config, double>(x);
#pragma unroll
    for (int k = 0; k < d; ++k) batch.field[L::tensor + 2 + k][q] = w * velocity[k];
  }
#pragma unroll
  for (int k = L::volume_fields; k < 8 * L::column_tiles; ++k) batch.field[k][q] = 0;
}

template <class Config, class L>
void add_volume_moments(MomentMemory<L>& memory, MomentSums<Config, L, L::column_tiles>& sums,
                        const PolytopicArguments& a, std::int64_t polytope, const Box<L>& box) {
  constexpr int d = Config::dimension;
  const std::int64_t begin = a.mesh.first_simplices[polytope];
  const int simplices = int(a.mesh.first_simplices[polytope + 1] - begin);
  add_points<L>(
      memory, sums, box, simplices * a.volume.count,
      [&](int k) {
        return moment_point<Config, d + 1>(
            a.volume, a.begin, k, [&](int simplex) { return a.mesh.simplices + (begin + simplex) * (d + 1) * d; });
      },
      [&](MomentPoint<Config>& point, int q, double factor) {
        point.weight *= factor * a.mesh.simplex_measures[begin + point.simplex];
        store_volume_fields<Config>(memory.batch, point, q);
      });
}

/// Σ_F m_F ∫_F (n·a∇φ_i)(n·a∇φ_j) into the pair of matrices.
template <class Config, class L>
void add_normal_fluxes(MomentMemory<L>& memory, double* pair, const PolytopicArguments& a, std::int64_t polytope,
                       const Box<L>& box) {
  constexpr int n = L::modes - 1;
  MomentSums<Config, L, 1> sums;
  add_own_facets<Config>(memory, sums, a, polytope, box, [&](const OwnFacetPoint<Config>& f, int q) {
    double weight = f.point.weight;
    if (f.boundary >= 0) weight *= Config::Data::boundary_type(f.boundary) == BoundaryType::dirichlet ? 2 : 0;
#pragma unroll
    for (int k = 0; k < L::d; ++k)
#pragma unroll
      for (int l = k; l < L::d; ++l)
        memory.batch.field[symmetric_entry(L::d, k, l)][q] = weight * f.conormal[k] * f.conormal[l];
#pragma unroll
    for (int k = L::tensor; k < 8; ++k) memory.batch.field[k][q] = 0;
  });
  sums.store(memory, 0);
  const MatrixPair<n> m{pair};
  for_each_pair<L>(n, [&](int i, int j) {
    m.upper(j, i) = ModePair<Config, L>(i + 1, j + 1).gradients(memory.moment[0], L::count, box.inverse);
  });
}

/// What comes from the volume of polytope list[item]; and λ, or the matrices for thread_eigenvalues(). \tparam certify
/// whether those are needed
template <class Config, int degree, bool certify>
void moment_volume(const PolytopicArguments& a, std::int64_t item) {
  using L = MomentLayout<Config, degree>;
  using Pair = ModePair<Config, L>;
  constexpr int n = L::modes, m = n - 1;
  __shared__ MomentMemory<L> memory;
  __shared__ double staged[certify && L::staged ? m * n : 1];
  __shared__ EigenvalueWork<m> work;
  const std::int64_t polytope = a.list[item];
  const Box<L> box(a, polytope);
  double* pair = staged;
  if constexpr (!L::staged) pair = a.scratch + item * n * n;
  if constexpr (certify) add_normal_fluxes<Config>(memory, pair, a, polytope, box);

  MomentSums<Config, L, L::column_tiles> sums;
  add_volume_moments<Config>(memory, sums, a, polytope, box);
  double* values = static_cast<double*>(a.values) + a.diagonal_blocks[polytope];
  double* right_hand_side = static_cast<double*>(a.right_hand_side) + a.first_unknowns[polytope];
  sums.store(memory, 0);
  constexpr bool together = L::column_tiles == 1;
  for_each_pair<L>(n, [&](int i, int j) {
    const Pair modes(i, j);
    const double stiffness = modes.gradients(memory.moment[0], L::count, box.inverse);
    if constexpr (certify)
      if (j > 0) MatrixPair<m>{pair}.lower(i - 1, j - 1) = stiffness;
    double sum = stiffness;
    if constexpr (Config::Data::reacts) sum += modes.values(memory.moment[L::tensor]);
    double below = sum, above = sum;
    if constexpr (Config::Data::moves && together) {
      below += modes.derivatives(memory.moment[L::tensor + 2], L::count, box.inverse);
      above += Pair(j, i).derivatives(memory.moment[L::tensor + 2], L::count, box.inverse);
    }
    values[i * n + j] = below;
    values[j * n + i] = above;
  });
  share<L>(n, [&](int i) { right_hand_side[i] = Pair(i, 0).values(memory.moment[L::tensor + 1]); });
  if constexpr (!together) {
    sums.store(memory, 1);
    constexpr int first = (L::tensor + 2) % 8;
    for_each_pair<L>(n, [&](int i, int j) {
      values[i * n + j] += Pair(i, j).derivatives(memory.moment[first], L::count, box.inverse);
      if (i != j) values[j * n + i] += Pair(j, i).derivatives(memory.moment[first], L::count, box.inverse);
    });
  }
  if constexpr (certify && eigenvalue_fits_in_thread(n)) {
    team_sync<L>();
    share<L>(m * n, [&](int k) { a.scratch[item * m * n + k] = pair[k]; });
  } else if constexpr (certify) {
    const double largest = largest_generalized_eigenvalue_by_team<L, m>(pair, work);
    if (team_rank() == 0) a.eigenvalues[polytope] = largest;
  }
}

/// Adds what comes from the facets of polytope list[item].
template <class Config, int degree>
void moment_facets(const PolytopicArguments& a, std::int64_t item) {
  using L = MomentLayout<Config, degree>;
  using Pair = ModePair<Config, L>;
  constexpr int n = L::modes, d = L::d;
  __shared__ MomentMemory<L> memory;
  const std::int64_t polytope = a.list[item];
  const Box<L> box(a, polytope);
  MomentSums<Config, L, 1> sums;
  add_own_facets<Config>(memory, sums, a, polytope, box, [&](const OwnFacetPoint<Config>& f, int q) {
    const PointTerms<double> terms = point_terms(f);
    memory.batch.field[0][q] = terms.c0;
    memory.batch.field[1][q] = terms.r0;
#pragma unroll
    for (int k = 0; k < d; ++k) {
      memory.batch.field[2 + k][q] = terms.c1 * f.conormal[k];
      memory.batch.field[2 + d + k][q] = terms.r1 * f.conormal[k];
    }
#pragma unroll
    for (int k = 2 + 2 * d; k < 8; ++k) memory.batch.field[k][q] = 0;
  });
  sums.store(memory, 0);
  double* values = static_cast<double*>(a.values) + a.diagonal_blocks[polytope];
  double* right_hand_side = static_cast<double*>(a.right_hand_side) + a.first_unknowns[polytope];
  for_each_pair<L>(n, [&](int i, int j) {
    const double sum = Pair(i, j).values(memory.moment[0]) -
                       Pair(i, j).derivatives(memory.moment[2], L::count, box.inverse) -
                       Pair(j, i).derivatives(memory.moment[2], L::count, box.inverse);
    values[i * n + j] += sum;
    if (i != j) values[j * n + i] += sum;
  });
  share<L>(n, [&](int i) {
    right_hand_side[i] +=
        Pair(i, 0).values(memory.moment[1]) + Pair(0, i).derivatives(memory.moment[2 + d], L::count, box.inverse);
  });
}

}  // namespace galerna::kernels::polytopic
