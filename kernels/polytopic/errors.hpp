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
    for (int j = 0; j < L::modes; ++j) sum += V(coefficients[j]) * load_points<V>(&modes.part[part][j][q]);
    store_points<V>(part == 0 ? &u.value[q] : &u.gradient[part - 1][q], sum);
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

template <class Case, class L>
void add_volume_errors(ErrorWork<L>& w, Array<double, error_sums>& sums, const typename L::Real* coefficients,
                       const PolytopicArguments& a, std::int64_t polytope, const Box<L>& box) {
  using Real = typename L::Real;
  constexpr int d = L::dimension;
  const Times<L> times(a);
  const std::int64_t all = volume_point_count<L>(a, polytope, times);
  for (std::int64_t first = 0; first < all; first += L::batch) {
    const int count = volume_points(w.points, a, polytope, box, times, first);
    evaluate_lines(w.lines, w.points, box, count);
    evaluate_modes<Case>(w.modes, w.lines, count);
    evaluate_solution(w.solution, w.modes, coefficients, count);
    share<L>(count, [&](int q) {
      const auto x = point_at<Real>(w.points, q);
      const Real weight = w.points.weight[q];
      const Real e = w.solution.value[q] - Case::Data::template exact<Real>(x[0], x[1], x[2], x[3]);
      Array<Real, d> slope;
      Case::Data::template exact_gradient<Real>(x[0], x[1], x[2], x[3], slope);
      for (int k = 0; k < d; ++k) slope[k] = w.solution.gradient[k][q] - slope[k];
      const Array<Real, d> flux = times_diffusion<d>(diffusion_at<Case, Real>(x), slope);
      Real square = Real(0), energy = Real(0);
      for (int k = 0; k < d; ++k) {
        square += slope[k] * slope[k];
        energy += slope[k] * flux[k];
      }
      const Real reaction = Case::Data::template reaction<Real>(x[0], x[1], x[2], x[3]) -
                            Case::Data::template divergence<Real>(x[0], x[1], x[2], x[3]) / 2;
      sums[0] += weight * e * e;
      sums[1] += weight * square;
      sums[2] += weight * (energy + reaction * e * e);
      sums[3] += weight * w.solution.value[q];
    });
  }
}

/// Boundary facets: ∫ σ e² where u is given, ½ ∫ |b·n| e².
template <class Case, class L>
void add_boundary_errors(ErrorWork<L>& w, Array<double, error_sums>& sums, const typename L::Real* coefficients,
                         const PolytopicArguments& a, std::int64_t polytope, const Box<L>& box) {
  using Real = typename L::Real;
  const Times<L> times(a);
  const std::int64_t all = own_facet_point_count<L>(a, polytope, times);
  for (std::int64_t first = 0; first < all; first += L::batch) {
    const int count = own_facet_points(w.facet, a, polytope, box, times, first);
    evaluate_lines(w.lines, w.facet.points, box, count);
    evaluate_modes<Case>(w.modes, w.lines, count);
    evaluate_conormals<Case>(w.facet, inside_step<L>(box), count);
    evaluate_solution(w.solution, w.modes, coefficients, count);
    share<L>(count, [&](int q) {
      if (w.facet.boundary[q] < 0) return;
      const auto x = point_at<Real>(w.facet.points, q);
      const Real e = w.solution.value[q] - Case::Data::template exact<Real>(x[0], x[1], x[2], x[3]);
      Real normal_diffusion = Real(0);
      for (int k = 0; k < L::dimension; ++k) normal_diffusion += w.facet.normal[k][q] * w.facet.conormal[k][q];
      const bool given =
          normal_diffusion > Real(0) && Case::Data::boundary_type(w.facet.boundary[q]) == BoundaryType::dirichlet;
      const Real speed = abs(w.facet.speed[q]) / 2;
      sums[2] += w.facet.points.weight[q] * (given ? w.facet.penalty[q] + speed : speed) * e * e;
    });
  }
}

/// ½ ∫ of the square of the jump in time at the slab's beginning, and ∫ e² at its end.
template <class Case, class L>
void add_time_errors(ErrorWork<L>& w, Array<double, error_sums>& sums, const typename L::Real* coefficients,
                     const PolytopicArguments& a, std::int64_t polytope, const Box<L>& box, bool end) {
  using Real = typename L::Real;
  const Times<L> times(end ? a.end : a.begin);
  const std::int64_t all = volume_point_count<L>(a, polytope, times);
  const Real* previous = static_cast<const Real*>(a.previous) + a.first_unknowns[polytope];
  for (std::int64_t first = 0; first < all; first += L::batch) {
    const int count = volume_points(w.points, a, polytope, box, times, first);
    evaluate_lines(w.lines, w.points, box, count);
    evaluate_modes<Case>(w.modes, w.lines, count);
    evaluate_solution(w.solution, w.modes, coefficients, count);
    share<L>(count, [&](int q) {
      const auto x = point_at<Real>(w.points, q);
      const Real weight = w.points.weight[q];
      Real other = Real(0);
      if (end || a.first_slab)
        other = Case::Data::template exact<Real>(x[0], x[1], x[2], x[3]);
      else
        for (int j = 0; j < L::modes; ++j)
          other += (Case::mode(L::dimension, j) % 2 ? -previous[j] : previous[j]) * w.modes.part[0][j][q];
      const Real e = w.solution.value[q] - other;
      sums[end ? 4 : 2] += weight * e * e * (end ? Real(1) : Real(0.5));
    });
  }
}

/// The sums of polytope list[item].
template <class Case, int degree>
void errors(const PolytopicArguments& a, std::int64_t item) {
  using L = Layout<Case, degree>;
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
  add_volume_errors<Case>(w, own, coefficients, a, polytope, box);
  add_boundary_errors<Case>(w, own, coefficients, a, polytope, box);
  if constexpr (Case::slab) {
    add_time_errors<Case>(w, own, coefficients, a, polytope, box, false);
    add_time_errors<Case>(w, own, coefficients, a, polytope, box, true);
  }
  const Array<double, error_sums> all = team_sum<L>(own);
  if (team_rank() != 0) return;
  for (int k = 0; k < error_sums; ++k) a.sums[polytope * error_sums + k] = all[k];
}

/// ∫ σ [[u_h]]² + ½ |b·n| [[u_h]]² over interface list[item]; u is continuous.
template <class Case, int degree>
void interface_errors(const PolytopicArguments& a, std::int64_t item) {
  using L = Layout<Case, degree>;
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
  const Times<L> times(a);
  const Real* u = static_cast<const Real*>(a.solution);
  const auto value = [&](const InterfaceSide<L>& side, std::int64_t polytope, int q) {
    V sum = V(0);
    const int modes = modes_of_degree<Case>(a.mesh.degrees[polytope]);
    for (int j = 0; j < modes; ++j)
      sum += V(u[a.first_unknowns[polytope] + j]) * load_points<V>(&side.modes.part[0][j][q]);
    return sum;
  };
  Array<double, 1> own = {};
  const std::int64_t all = interface_point_count<L>(a, interface, times);
  for (std::int64_t first = 0; first < all; first += L::batch) {
    const int count = interface_points(w, a, interface, first_box, second_box, times, first);
    evaluate_sides<Case>(w, first_box, second_box, count);
    share_points<L>(1, count, [&](int, int q) {
      const V jump = value(w.first, first_side, q) - value(w.second, second_side, q);
      const V speed = abs(load_points<V>(&w.facet.speed[q]));
      own[0] += lane_sum(V(load_points<V>(&w.facet.points.weight[q]) *
                           (load_points<V>(&w.facet.penalty[q]) + number<V>(0.5) * speed) * jump * jump));
    });
  }
  const Array<double, 1> sum = team_sum<L>(own);
  if (team_rank() == 0) a.sums[interface] = sum[0];
}

}  // namespace galerna::kernels::polytopic
