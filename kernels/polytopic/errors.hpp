/// \file
/// Norms of the error, u_h − u, by polytope and by interface (docs/theory.md, "Polytopes").
#pragma once

#include "kernels/polytopic/interface.hpp"

namespace galerna::kernels::polytopic {

/// Value and gradient in space at a batch of points.
template <class L>
struct SolutionValues {
  PointValues<L> value, gradient[L::dimension];
};

template <class L>
void evaluate_solution(SolutionValues<L>& u, const ModeValues<L>& modes, const typename L::Real* coefficients,
                       int count) {
  using V = typename L::Value;
  share_points<L>(1 + L::dimension, count, [&](int part, int q) {
    V sum = V(0);
    for (int j = 0; j < L::modes; ++j) sum += V(coefficients[j]) * load_lanes<V>(&modes.part[part][j][q]);
    store_lanes<V>(part == 0 ? &u.value[q] : &u.gradient[part - 1][q], sum);
  });
}

/// Team memory of `errors`.
template <class L>
struct ErrorWork {
  ModeValues<L> modes;
  Lines<L> lines;
  FacetPoints<L> facet;
  Points<L> points;
  SolutionValues<L> solution;
};

template <class Config, class L>
void add_volume_errors(ErrorWork<L>& w, Array<double, error_sums>& sums, const typename L::Real* coefficients,
                       const PolytopicArguments& a, std::int64_t polytope, const Box<L>& box) {
  using Real = typename L::Real;
  constexpr int d = L::dimension;
  const auto add_batch = [&](int count) {
    evaluate_solution(w.solution, w.modes, coefficients, count);
    share<L>(count, [&](int q) {
      const auto x = point_at<Real>(w.points, q);
      const Real weight = w.points.weight[q];
      const Real e = w.solution.value[q] - Config::Data::template exact<Real>(x[0], x[1], x[2], x[3]);
      Array<Real, d> slope;
      Config::Data::template exact_gradient<Real>(x[0], x[1], x[2], x[3], slope);
      for (int k = 0; k < d; ++k) slope[k] = w.solution.gradient[k][q] - slope[k];
      const Array<Real, d> flux = times_diffusion<d>(diffusion_at<Config, Real>(x), slope);
      Real square = Real(0), energy = Real(0);
      for (int k = 0; k < d; ++k) {
        square += slope[k] * slope[k];
        energy += slope[k] * flux[k];
      }
      const Real reaction = Config::Data::template reaction<Real>(x[0], x[1], x[2], x[3]) -
                            Config::Data::template divergence<Real>(x[0], x[1], x[2], x[3]) / 2;
      sums[0] += weight * e * e;
      sums[1] += weight * square;
      sums[2] += weight * (energy + reaction * e * e);
      sums[3] += weight * w.solution.value[q];
    });
  };
  for_each_volume_batch<Config>(w.points, w.lines, w.modes, a, polytope, box, Times<L>(a), true, add_batch);
}

/// Boundary facets: ∫ σ e² where u is given, ½ ∫ |b·n| e².
template <class Config, class L>
void add_boundary_errors(ErrorWork<L>& w, Array<double, error_sums>& sums, const typename L::Real* coefficients,
                         const PolytopicArguments& a, std::int64_t polytope, const Box<L>& box) {
  using Real = typename L::Real;
  for_each_own_facet_batch<Config>(w.facet, w.lines, w.modes, a, polytope, box, [&](int count) {
    evaluate_solution(w.solution, w.modes, coefficients, count);
    share<L>(count, [&](int q) {
      if (w.facet.boundary[q] < 0) return;
      const auto x = point_at<Real>(w.facet.points, q);
      const Real e = w.solution.value[q] - Config::Data::template exact<Real>(x[0], x[1], x[2], x[3]);
      Real normal_diffusion = Real(0);
      for (int k = 0; k < L::dimension; ++k) normal_diffusion += w.facet.normal[k][q] * w.facet.conormal[k][q];
      const bool given =
          normal_diffusion > Real(0) && Config::Data::boundary_type(w.facet.boundary[q]) == BoundaryType::dirichlet;
      const Real speed = abs(w.facet.speed[q]) / 2;
      sums[2] += w.facet.points.weight[q] * (given ? w.facet.penalty[q] + speed : speed) * e * e;
    });
  });
}

/// ½ ∫ of the square of the jump in time at the slab's beginning, and ∫ e² at its end.
template <class Config, class L>
void add_time_errors(ErrorWork<L>& w, Array<double, error_sums>& sums, const typename L::Real* coefficients,
                     const PolytopicArguments& a, std::int64_t polytope, const Box<L>& box, bool end) {
  using Real = typename L::Real;
  const auto add_batch = [&](int count) {
    evaluate_solution(w.solution, w.modes, coefficients, count);
    share<L>(count, [&](int q) {
      const auto x = point_at<Real>(w.points, q);
      const Real weight = w.points.weight[q];
      const auto exact = [&] { return Config::Data::template exact<Real>(x[0], x[1], x[2], x[3]); };
      const Real other = end ? exact() : value_before<Config, L, Real>(w.modes, a, polytope, q, exact);
      const Real e = w.solution.value[q] - other;
      sums[end ? 4 : 2] += weight * e * e * (end ? Real(1) : Real(0.5));
    });
  };
  const Times<L> times(end ? a.end : a.begin);
  for_each_volume_batch<Config>(w.points, w.lines, w.modes, a, polytope, box, times, true, add_batch);
}

/// The sums of polytope list[item].
template <class Config, int degree>
void errors(const PolytopicArguments& a, std::int64_t item) {
  using L = Layout<Config, degree>;
  using Real = typename L::Real;
#ifdef __CUDACC_RTC__
  __shared__ ErrorWork<L> w;
#else
  ErrorWork<L> w;
#endif
  const std::int64_t polytope = a.list[item];
  const Box<L> box(a, polytope);
  const Real* coefficients = static_cast<const Real*>(a.solution) + a.first_unknowns[polytope];
  Array<double, error_sums> own = {};
  add_volume_errors<Config>(w, own, coefficients, a, polytope, box);
  add_boundary_errors<Config>(w, own, coefficients, a, polytope, box);
  if constexpr (Config::slab) {
    add_time_errors<Config>(w, own, coefficients, a, polytope, box, false);
    add_time_errors<Config>(w, own, coefficients, a, polytope, box, true);
  }
  const Array<double, error_sums> all = team_sum<L>(own);
  if (team_rank() != 0) return;
  for (int k = 0; k < error_sums; ++k) a.sums[polytope * error_sums + k] = all[k];
}

/// ∫ σ [[u_h]]² + ½ |b·n| [[u_h]]² over interface list[item]; u is continuous.
template <class Config, int degree>
void interface_errors(const PolytopicArguments& a, std::int64_t item) {
  using L = Layout<Config, degree>;
  using V = typename L::Value;
  using Real = typename L::Real;
#ifdef __CUDACC_RTC__
  __shared__ InterfaceWork<L> w;
#else
  InterfaceWork<L> w;
#endif
  const std::int64_t interface = a.list[item];
  const std::int64_t first_side = a.mesh.interfaces[interface * 2], second_side = a.mesh.interfaces[interface * 2 + 1];
  const Box<L> first_box(a, first_side), second_box(a, second_side);
  const Real* u = static_cast<const Real*>(a.solution);
  const auto value = [&](const InterfaceSide<L>& side, std::int64_t polytope, int q) {
    V sum = V(0);
    const int modes = modes_of_degree<Config>(a.mesh.degrees[polytope]);
    for (int j = 0; j < modes; ++j)
      sum += V(u[a.first_unknowns[polytope] + j]) * load_lanes<V>(&side.modes.part[0][j][q]);
    return sum;
  };
  Array<double, 1> own = {};
  for_each_interface_batch<Config>(w, a, interface, first_box, second_box, [&](int count) {
    share_points<L>(1, count, [&](int, int q) {
      const V jump = value(w.first, first_side, q) - value(w.second, second_side, q);
      const V speed = abs(load_lanes<V>(&w.facet.speed[q]));
      own[0] += lane_sum(V(load_lanes<V>(&w.facet.points.weight[q]) *
                           (load_lanes<V>(&w.facet.penalty[q]) + number<V>(0.5) * speed) * jump * jump));
    });
  });
  const Array<double, 1> sum = team_sum<L>(own);
  if (team_rank() == 0) a.sums[interface] = sum[0];
}

}  // namespace galerna::kernels::polytopic
