/// \file
/// Blocks of so few modes that one thread of a GPU has room for them in its registers: a thread a polytope, a thread an
/// interface (or a warp that goes through their points together), point after point (kernels/polytopic/moment_block.hpp
/// and interface_tiles.hpp say what is summed).
#pragma once

#include "kernels/polytopic/moment_point.hpp"
#include "kernels/polytopic/thread_eigenvalue.hpp"
#include "kernels/side_sum.hpp"

namespace galerna::kernels::polytopic {

/// Threads of a GPU that share an item of few modes: one, or a warp where items have many simplices and facets.
template <int count_>
struct ItemThreads {
  static constexpr int count = count_;
  static_assert(count == 1 || count == 32);

  /// Of the calling thread's number among all of them.
  static std::int64_t item(std::int64_t thread) { return thread / count; }
  static int rank() { return count == 1 ? 0 : int(threadIdx.x) % count; }
  /// What they have together, known to each of them.
  template <class T>
  static T sum(T own) {
    return side_sum<count>(own);
  }
};

/// Blocks that threads of a warp have, by way of shared memory to the matrix, so that each is written in one piece.
template <int n>
class StagedBlocks {
 public:
  double* own() { return memory_[warp()].block[lane()]; }

  /// \param offset of the own block in `values` \param numbers how many it has; 0: none \tparam add to what is there
  template <bool add>
  void write(double* values, std::int64_t offset, int numbers) {
    Memory& m = memory_[warp()];
    m.offset[lane()] = offset;
    m.numbers[lane()] = numbers;
    __syncwarp();
#pragma unroll 4
    for (int k = lane(); k < 32 * n * n; k += 32) {
      const int thread = k / (n * n), entry = k % (n * n);
      if (entry >= m.numbers[thread]) continue;
      double& value = values[m.offset[thread] + entry];
      const double own = m.block[thread][entry];
      value = add ? value + own : own;
    }
    __syncwarp();
  }

  /// One more than an even number of them, so that threads that write theirs meet different banks.
  struct Memory {
    double block[32][n * n | 1];
    std::int64_t offset[32];
    int numbers[32];
  };
  explicit StagedBlocks(Memory* memory) : memory_(memory) {}

 private:
  static int warp() {
    return threadIdx.x / 32;
  }
  static int lane() {
    return threadIdx.x % 32;
  }

  Memory* memory_;
};

/// Of the threads of an item.
template <class Threads, int n>
LowerTriangle<n> sum_of_triangle(LowerTriangle<n> own) {
#pragma unroll
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j <= i; ++j) own(i, j) = Threads::sum(own(i, j));
  return own;
}

/// As moment_volume(), list[item] by few threads; all threads of a group come here.
template <class Config, int degree, bool certify, class Threads>
void small_volume(const PolytopicArguments& a, std::int64_t thread) {
  using L = OneThread<Config, degree>;
  constexpr int n = L::modes, d = L::dimension;
  __shared__ typename StagedBlocks<n>::Memory memory[thread_group / 32];
  StagedBlocks<n> staged(memory);
  const std::int64_t item = Threads::item(thread);
  const bool there = item < a.count, writes = there && Threads::rank() == 0;
  const std::int64_t polytope = a.list[there ? item : a.count - 1];
  const Box<L> box(a, polytope);
  LowerTriangle<n - 1> stiffness = {};
  double low[L::low_order ? n : 1][L::low_order ? n : 1] = {}, load[n] = {};
  const std::int64_t end = a.mesh.first_simplices[polytope + 1];
  const auto corners_of = [&](std::int64_t k) {
    return load_pairs<(d + 1) * d>(a.mesh.simplices + (k < end ? k : end - 1) * (d + 1) * d);
  };
  // A simplex is read while points of the one before it are computed.
  const std::int64_t first = a.mesh.first_simplices[polytope] + Threads::rank();
  auto next = corners_of(first);
  for (std::int64_t k = first; k < end; k += Threads::count) {
    const auto corners = next;
    const double measure = a.mesh.simplex_measures[k];
    next = corners_of(k + Threads::count);
    for (int q = 0; q < a.volume.count; ++q) {
      const auto x = point_of_simplex<d, d + 1>(a.volume, q, corners, a.begin);
      const double w = a.volume.weights[q] * measure;
      const PointModes<Config, L> modes(box, x);
      auto diffusion = diffusion_at<Config, double>(x);
      const double reaction = w * Config::Data::template reaction<double>(x[0], x[1], x[2], x[3]),
                   source = w * Config::Data::template source<double>(x[0], x[1], x[2], x[3]);
      [[maybe_unused]] const auto velocity = velocity_at<Config, double>(x);
#pragma unroll
      for (int j = 0; j < n; ++j) {
        load[j] += source * modes.value[j];
        Array<double, d> gradient;
#pragma unroll
        for (int l = 0; l < d; ++l) gradient[l] = w * modes.gradient[l][j];
        if (j > 0) {
          const Array<double, d> flux = times_diffusion<d>(diffusion, gradient);
#pragma unroll
          for (int i = j; i < n; ++i) stiffness(i - 1, j - 1) += modes.along(flux, i);
        }
        if constexpr (L::low_order) {
          double own = reaction * modes.value[j];
          if constexpr (Config::Data::moves)
#pragma unroll
            for (int l = 0; l < d; ++l) own += velocity[l] * gradient[l];
#pragma unroll
          for (int i = 0; i < n; ++i) low[i][j] += own * modes.value[i];
        }
      }
    }
  }
  stiffness = sum_of_triangle<Threads>(stiffness);
  double* right_hand_side = static_cast<double*>(a.right_hand_side) + a.first_unknowns[polytope];
#pragma unroll
  for (int i = 0; i < n; ++i) {
    load[i] = Threads::sum(load[i]);
    if (writes) right_hand_side[i] = load[i];
#pragma unroll
    for (int j = 0; j < n; ++j) {
      const int high = i > j ? i : j, least = i > j ? j : i;
      staged.own()[i * n + j] = (least > 0 ? stiffness(least > 0 ? high - 1 : 0, least > 0 ? least - 1 : 0) : 0) +
                                (L::low_order ? Threads::sum(low[L::low_order ? i : 0][L::low_order ? j : 0]) : 0);
    }
  }
  staged.template write<false>(static_cast<double*>(a.values), a.diagonal_blocks[polytope], writes ? n * n : 0);
  if constexpr (certify) {
    LowerTriangle<n - 1> surface = {};
    for_each_own_facet_point<Config, Threads>(a, polytope, box, [&](const OwnFacetPoint<Config>& f) {
      double w = f.point.weight;
      if (f.boundary >= 0) w *= Config::Data::boundary_type(f.boundary) == BoundaryType::dirichlet ? 2 : 0;
      const PointModes<Config, L> modes(box, f.point.x);
      double flux[n];
#pragma unroll
      for (int j = 1; j < n; ++j) flux[j] = modes.along(f.conormal, j);
#pragma unroll
      for (int i = 1; i < n; ++i)
#pragma unroll
        for (int j = 1; j <= i; ++j) surface(i - 1, j - 1) += w * flux[i] * flux[j];
    });
    surface = sum_of_triangle<Threads>(surface);
    const double largest = largest_eigenvalue_in_registers(stiffness, surface);
    if (writes) a.eigenvalues[polytope] = largest;
  }
}

/// What boundary data add to the right-hand side; all threads of the polytope come here.
template <class Config, class Threads, class L>
void small_boundary_data(const PolytopicArguments& a, std::int64_t polytope, const Box<L>& box) {
  double* right_hand_side = static_cast<double*>(a.right_hand_side) + a.first_unknowns[polytope];
  double load[L::modes] = {};
  for_each_own_facet_point<Config, Threads>(a, polytope, box, [&](const OwnFacetPoint<Config>& f) {
    if (f.boundary < 0) return;
    const PointTerms<double> terms = point_terms(f);
    const PointModes<Config, L> modes(box, f.point.x);
#pragma unroll
    for (int j = 0; j < L::modes; ++j) load[j] += terms.r0 * modes.value[j] + terms.r1 * modes.along(f.conormal, j);
  });
#pragma unroll
  for (int j = 0; j < L::modes; ++j) {
    load[j] = Threads::sum(load[j]);
    if (Threads::rank() == 0) right_hand_side[j] += load[j];
  }
}

/// As moment_facets().
template <class Config, int degree, class Threads>
void small_facets(const PolytopicArguments& a, std::int64_t thread) {
  using L = OneThread<Config, degree>;
  constexpr int n = L::modes;
  __shared__ typename StagedBlocks<n>::Memory memory[thread_group / 32];
  StagedBlocks<n> staged(memory);
  const std::int64_t item = Threads::item(thread);
  const bool there = item < a.count, writes = there && Threads::rank() == 0;
  const std::int64_t polytope = a.list[there ? item : a.count - 1];
  const Box<L> box(a, polytope);
  double block[n][n] = {};
  int outer = 0;
  for_each_own_facet_point<Config, Threads>(a, polytope, box, [&](const OwnFacetPoint<Config>& f) {
    const PointTerms<double> terms = point_coefficients(f);
    const PointModes<Config, L> modes(box, f.point.x);
    outer |= f.boundary >= 0 ? 1 : 0;
    double flux[n];
#pragma unroll
    for (int j = 0; j < n; ++j) flux[j] = modes.along(f.conormal, j);
#pragma unroll
    for (int j = 0; j < n; ++j) {
      const double value = terms.c0 * modes.value[j] - terms.c1 * flux[j], share = -terms.c1 * modes.value[j];
#pragma unroll
      for (int i = j; i < n; ++i) block[i][j] += value * modes.value[i] + share * flux[i];
    }
  });
#pragma unroll
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < n; ++j) staged.own()[i * n + j] = Threads::sum(i > j ? block[i][j] : block[j][i]);
  if (Threads::sum(outer) > 0 && there) small_boundary_data<Config, Threads, L>(a, polytope, box);
  staged.template write<true>(static_cast<double*>(a.values), a.diagonal_blocks[polytope], writes ? n * n : 0);
}

/// As interface_tiles().
template <class Config, int degree, class Threads>
void small_interface(const PolytopicArguments& a, std::int64_t thread) {
  using L = OneThread<Config, degree>;
  constexpr int n = L::modes, d = L::dimension;
  __shared__ typename StagedBlocks<n>::Memory memory[thread_group / 32];
  StagedBlocks<n> staged(memory);
  const std::int64_t item = Threads::item(thread);
  const bool there = item < a.count, writes = there && Threads::rank() == 0;
  const std::int64_t interface = a.list[there ? item : a.count - 1];
  const std::int64_t first = a.mesh.interfaces[interface * 2], second = a.mesh.interfaces[interface * 2 + 1];
  const Box<L> boxes[2] = {Box<L>(a, first), Box<L>(a, second)};
  const double step[2] = {inside_step<L>(boxes[0]), -inside_step<L>(boxes[1])};
  constexpr bool moves = Config::Data::moves;
  double both[n][n] = {}, flow[moves ? n : 1][moves ? n : 1] = {};
  const std::int64_t end = a.mesh.first_facets[interface + 1];
  for (std::int64_t facet = a.mesh.first_facets[interface] + Threads::rank(); facet < end; facet += Threads::count) {
    const auto corners = load_pairs<(d + 1) * d>(a.mesh.facets + facet * (d + 1) * d);
    const double measure = a.mesh.facet_measures[facet], penalty = a.penalty[facet];
    Array<double, d> normal;
#pragma unroll
    for (int k = 0; k < d; ++k) normal[k] = corners[d * d + k];
    for (int q = 0; q < a.facet.count; ++q) {
      const auto x = point_of_simplex<d, d>(a.facet, q, corners, a.begin);
      const double w = a.facet.weights[q] * measure;
      const PointModes<Config, L> left(boxes[0], x), right(boxes[1], x);
      Array<double, d> conormal[2];
      double speed = 0;
#pragma unroll
      for (int side = 0; side < 2; ++side) {
        Array<double, 4> inside = x;
#pragma unroll
        for (int k = 0; k < d; ++k) inside[k] -= step[side] * normal[k];
        conormal[side] = times_diffusion<d>(diffusion_at<Config, double>(inside), normal);
        if constexpr (moves)
          if (side == 1) {
            const auto velocity = velocity_at<Config, double>(inside);
#pragma unroll
            for (int k = 0; k < d; ++k) speed += velocity[k] * normal[k];
          }
      }
      const double sigma = penalty + (speed < 0 ? -speed : 0);
      double flux[n];
#pragma unroll
      for (int i = 0; i < n; ++i) flux[i] = left.along(conormal[0], i);
#pragma unroll
      for (int j = 0; j < n; ++j) {
        const double half = 0.5 * w * right.value[j],
                     value = -w * (sigma * right.value[j] + 0.5 * right.along(conormal[1], j));
#pragma unroll
        for (int i = 0; i < n; ++i) {
          both[i][j] += left.value[i] * value + flux[i] * half;
          if constexpr (moves) flow[i][j] += left.value[i] * (-2 * speed * half);
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < n; ++j) {
      both[i][j] = Threads::sum(both[i][j]);
      if constexpr (moves) flow[i][j] = Threads::sum(flow[i][j]);
    }
  const int rows = modes_of_degree<Config>(a.mesh.degrees[first]),
            columns = modes_of_degree<Config>(a.mesh.degrees[second]);
  double* const values = static_cast<double*>(a.values);
  for (int side = 0; side < 2; ++side) {
#pragma unroll
    for (int i = 0; i < n; ++i)
#pragma unroll
      for (int j = 0; j < n; ++j) {
        if (i >= rows || j >= columns) continue;
        if (side == 0)
          staged.own()[i * columns + j] = both[i][j];
        else
          staged.own()[j * rows + i] = both[i][j] + (moves ? flow[moves ? i : 0][moves ? j : 0] : 0);
      }
    staged.template write<false>(values, a.interface_blocks[interface * 2 + side], writes ? rows * columns : 0);
  }
}

}  // namespace galerna::kernels::polytopic
