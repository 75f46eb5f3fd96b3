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
void add_volume_moments(MomentMemory<L>& memory, MomentSums<L, typename MomentSets<L>::Volume>& sums,
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
        store_volume_fields<Config>(memory.batch, point, box, q);
      });
}

/// Σ_F m_F ∫_F (n·a∇φ_i)(n·a∇φ_j) into the pair of matrices.
template <class Config, class L>
void add_normal_fluxes(MomentMemory<L>& memory, const MatrixPair<L::modes - 1>& pair, const PolytopicArguments& a,
                       std::int64_t polytope, const Box<L>& box) {
  MomentSums<L, typename MomentSets<L>::NormalFluxes> sums;
  add_own_facets<Config>(memory, sums, a, polytope, box, [&](const OwnFacetPoint<Config>& f, int q) {
    double weight = f.point.weight;
    if (f.boundary >= 0) weight *= Config::Data::boundary_type(f.boundary) == BoundaryType::dirichlet ? 2 : 0;
#pragma unroll
    for (int k = 0; k < L::d; ++k)
#pragma unroll
      for (int l = k; l < L::d; ++l)
        memory.batch.field[symmetric_entry(L::d, k, l)][q] =
            weight * (box.inverse[k] * f.conormal[k]) * (box.inverse[l] * f.conormal[l]);
  });
  sums.store(memory);
  for_each_pair<L>(a.expansion, [&](int i, int j, const auto& integral) {
    if (j > 0) pair.upper(j - 1, i - 1) = integral(Expansion::gradients, memory.moment[0]);
  });
}

/// What comes from the volume of polytope list[item], and the matrices of λ for thread_eigenvalues() or
/// grid_eigenvalues(). \tparam certify whether those are needed
template <class Config, int degree, bool certify>
void moment_volume(const PolytopicArguments& a, std::int64_t item) {
  using L = MomentLayout<Config, degree>;
  constexpr int n = L::modes, m = n - 1;
  __shared__ MomentMemory<L> memory;
  const std::int64_t polytope = a.list[item];
  const Box<L> box(a, polytope);
  const MatrixPair<m> pair{a.scratch + item * m * n};
  if constexpr (certify) add_normal_fluxes<Config>(memory, pair, a, polytope, box);

  MomentSums<L, typename MomentSets<L>::Volume> sums;
  add_volume_moments<Config>(memory, sums, a, polytope, box);
  double* values = static_cast<double*>(a.values) + a.diagonal_blocks[polytope];
  double* right_hand_side = static_cast<double*>(a.right_hand_side) + a.first_unknowns[polytope];
  sums.store(memory);
  for_each_pair<L>(a.expansion, [&](int i, int j, const auto& integral) {
    double sum = integral(Expansion::gradients, memory.moment[0]);
    if constexpr (certify)
      if (j > 0) pair.lower(i - 1, j - 1) = sum;
    if constexpr (Config::Data::reacts) sum += integral(Expansion::values, memory.moment[L::reaction]);
    double below = sum, above = sum;
    if constexpr (Config::Data::moves) {
      below += integral(Expansion::derivatives, memory.moment[L::velocity]);
      above += integral(Expansion::swapped_derivatives, memory.moment[L::velocity]);
    }
    values[i * n + j] = below;
    if (i != j) values[j * n + i] = above;
    if (j == 0) right_hand_side[i] = integral(Expansion::values, memory.moment[L::source]);
  });
}

/// Adds what comes from the facets of polytope list[item].
template <class Config, int degree>
void moment_facets(const PolytopicArguments& a, std::int64_t item) {
  using L = MomentLayout<Config, degree>;
  constexpr int n = L::modes, d = L::d;
  __shared__ MomentMemory<L> memory;
  const std::int64_t polytope = a.list[item];
  const Box<L> box(a, polytope);
  MomentSums<L, typename MomentSets<L>::Facets> sums;
  add_own_facets<Config>(memory, sums, a, polytope, box, [&](const OwnFacetPoint<Config>& f, int q) {
    const PointTerms<double> terms = point_terms(f);
    memory.batch.field[0][q] = terms.c0;
    memory.batch.field[1][q] = terms.r0;
#pragma unroll
    for (int k = 0; k < d; ++k) {
      memory.batch.field[2 + k][q] = terms.c1 * box.inverse[k] * f.conormal[k];
      memory.batch.field[2 + d + k][q] = terms.r1 * box.inverse[k] * f.conormal[k];
    }
  });
  sums.store(memory);
  double* values = static_cast<double*>(a.values) + a.diagonal_blocks[polytope];
  double* right_hand_side = static_cast<double*>(a.right_hand_side) + a.first_unknowns[polytope];
  for_each_pair<L>(a.expansion, [&](int i, int j, const auto& integral) {
    // What is there is read while integrals are computed.
    const double below = values[i * n + j], above = values[j * n + i];
    const double sum =
        integral(Expansion::values, memory.moment[0]) - integral(Expansion::both_derivatives, memory.moment[2]);
    values[i * n + j] = below + sum;
    if (i != j) values[j * n + i] = above + sum;
    // With φ_0 = 1.
    if (j == 0)
      right_hand_side[i] += integral(Expansion::values, memory.moment[1]) +
                            integral(Expansion::swapped_derivatives, memory.moment[2 + d]);
  });
}

}  // namespace galerna::kernels::polytopic
