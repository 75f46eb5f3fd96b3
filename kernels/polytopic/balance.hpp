/// \file
/// What flows through facets and what polytopes hold, as the method has it (docs/theory.md, "Polytopes"): by one thread
/// an item and in double precision, apart from what assembles the matrix.
#pragma once

#include "kernels/polytopic/balance_sums.hpp"
#include "kernels/polytopic/facets.hpp"

namespace galerna::kernels::polytopic {

template <class Config>
struct PointSolution {
  double value = 0;
  Array<double, Config::dimension> gradient = {};  ///< in space
};

/// The polynomial of a polytope at a point. \param unknowns of all polytopes \param time in the slab, −1 … 1
template <class Config>
PointSolution<Config> solution_at(const PolytopicArguments& a, const void* unknowns, std::int64_t polytope,
                                  const double* x, double time) {
  constexpr int d = Config::dimension, directions = d + (Config::slab ? 1 : 0), highest_degree = 6;
  const auto* coefficients = static_cast<const typename Config::Real*>(unknowns) + a.first_unknowns[polytope];
  const double* box = a.mesh.boxes + polytope * 3 * d;
  const int degree = a.mesh.degrees[polytope];
  double values[directions][highest_degree + 2] = {}, slopes[directions][highest_degree + 2] = {};
  for (int k = 0; k < directions; ++k) {
    const double at = k < d ? (x[k] - box[k]) * box[2 * d + k] : time;
    values[k][0] = 1;
    for (int n = 0; n < degree; ++n) {
      // As evaluate_lines(), without the norms.
      values[k][n + 1] = ((2 * n + 1) * at * values[k][n] - (n > 0 ? n * values[k][n - 1] : 0)) / (n + 1);
      slopes[k][n + 1] = (n > 0 ? slopes[k][n - 1] : 0) + (2 * n + 1) * values[k][n];
    }
  }
  PointSolution<Config> u;
  for (int j = 0; j < modes_of_degree<Config>(degree); ++j) {
    double norm = coefficients[j];
    for (int k = 0; k < directions; ++k) norm *= legendre_norm<double>(Config::mode(k, j));
    for (int derivative = -1; derivative < d; ++derivative) {
      double product = norm;
      for (int k = 0; k < directions; ++k)
        product *= k == derivative ? slopes[k][Config::mode(k, j)] / box[d + k] : values[k][Config::mode(k, j)];
      (derivative < 0 ? u.value : u.gradient[derivative]) += product;
    }
  }
  return u;
}

/// The solution on one side of a facet: u, n·a∇u, nᵀa n, b·n, coefficients taken on that side.
struct FacetTrace {
  double value, flux, diffusion, speed;
};

/// \param x point of the facet \param at the same, a little inside, and the time \param time in the slab, −1 … 1
template <class Config>
FacetTrace facet_trace(const PolytopicArguments& a, std::int64_t polytope, const double* x, const Array<double, 4>& at,
                       const double* normal, double time) {
  constexpr int d = Config::dimension;
  const PointSolution<Config> u = solution_at<Config>(a, a.solution, polytope, x, time);
  Array<double, d> n;
  for (int k = 0; k < d; ++k) n[k] = normal[k];
  const Array<double, d> conormal = times_diffusion<d>(diffusion_at<Config, double>(at), n);
  const Array<double, d> velocity = velocity_at<Config, double>(at);
  FacetTrace trace = {u.value, 0, 0, 0};
  for (int k = 0; k < d; ++k) {
    trace.flux += conormal[k] * u.gradient[k];
    trace.diffusion += conormal[k] * n[k];
    trace.speed += velocity[k] * n[k];
  }
  return trace;
}

/// Numerical fluxes of diffusion and of the flow, in the direction of the normal.
struct NumericalFlux {
  double diffusive, advective;
};

inline NumericalFlux inner_flux(const FacetTrace& first, const FacetTrace& second, double penalty) {
  return {penalty * (first.value - second.value) - (first.flux + second.flux) / 2,
          first.speed * (first.speed < 0 ? second.value : first.value)};
}

/// As boundary_terms() has it.
template <class Config>
NumericalFlux boundary_flux(const FacetTrace& u, double penalty, int boundary, const Array<double, 4>& at) {
  const double given = Config::Data::template boundary_data<double>(boundary, at[0], at[1], at[2], at[3]);
  const BoundaryType type = Config::Data::boundary_type(boundary);
  if (type != BoundaryType::dirichlet) {
    const double exchange = Config::Data::template exchange<double>(boundary, at[0], at[1], at[2], at[3]);
    return {takes_data(type, u.speed, u.diffusion) ? exchange * u.value - given : 0, u.speed * u.value};
  }
  return {u.diffusion > 0 ? penalty * (u.value - given) - u.flux : 0, u.speed * (u.speed < 0 ? given : u.value)};
}

/// The sums of a facet, over the slab.
template <class Config>
void facet_fluxes(const PolytopicArguments& a, std::int64_t facet) {
  constexpr int d = Config::dimension;
  using L = Layout<Config, 1>;
  const double* corners = a.mesh.facets + facet * (d + 1) * d;
  const double* normal = corners + d * d;
  const std::int64_t first = a.mesh.facet_polytopes[facet * 2], second = a.mesh.facet_polytopes[facet * 2 + 1];
  const Times<L> times(a);
  Array<double, flux_sums> sums = {};
  for (int point = 0; point < a.facet.count; ++point)
    for (int instant = 0; instant < times.count(); ++instant) {
      double x[3] = {};
      for (int c = 0; c < d; ++c)
        for (int k = 0; k < d; ++k) x[k] += a.facet.points[c * a.facet.stride + point] * corners[c * d + k];
      const double weight = a.mesh.facet_measures[facet] * a.facet.weights[point] * times.weight(instant);
      const double time = times.rule ? times.rule->points[instant] : 0;
      const auto place = [&](double inside) {
        Array<double, 4> at = {{x[0], x[1], x[2], times.time(instant)}};
        for (int k = 0; k < d; ++k) at[k] -= inside * normal[k];
        return at;
      };
      const Array<double, 4> at = place(second < 0 ? 0 : inside_step(Box<L>(a, first)));
      const FacetTrace u = facet_trace<Config>(a, first, x, at, normal, time);
      NumericalFlux flux;
      if (second < 0) {
        flux = boundary_flux<Config>(u, a.penalty[facet], int(-1 - second), at);
      } else {
        const FacetTrace beyond =
            facet_trace<Config>(a, second, x, place(-inside_step(Box<L>(a, second))), normal, time);
        flux = inner_flux(u, beyond, a.penalty[facet]);
        sums[3] += weight * beyond.speed * beyond.value;
      }
      sums[0] += weight * flux.diffusive;
      sums[1] += weight * flux.advective;
      sums[2] += weight * u.speed * u.value;
    }
  for (int k = 0; k < flux_sums; ++k) a.sums[facet * flux_sums + k] = sums[k];
}

/// The sums of a polytope, over the slab.
template <class Config>
void contents(const PolytopicArguments& a, std::int64_t polytope) {
  constexpr int d = Config::dimension;
  using L = Layout<Config, 1>;
  const Times<L> times(a);
  Array<double, content_sums> sums = {};
  for (std::int64_t s = a.mesh.first_simplices[polytope]; s < a.mesh.first_simplices[polytope + 1]; ++s)
    for (int point = 0; point < a.volume.count; ++point) {
      double x[3] = {};
      for (int c = 0; c <= d; ++c)
        for (int k = 0; k < d; ++k)
          x[k] += a.volume.points[c * a.volume.stride + point] * a.mesh.simplices[(s * (d + 1) + c) * d + k];
      const double weight = a.mesh.simplex_measures[s] * a.volume.weights[point];
      for (int instant = 0; instant < times.count(); ++instant) {
        const Array<double, 4> at = {{x[0], x[1], x[2], times.time(instant)}};
        const auto u = solution_at<Config>(a, a.solution, polytope, x, times.rule ? times.rule->points[instant] : 0);
        const double w = weight * times.weight(instant);
        const Array<double, d> velocity = velocity_at<Config, double>(at);
        sums[0] += w * Config::Data::template source<double>(at[0], at[1], at[2], at[3]);
        sums[1] += w * Config::Data::template reaction<double>(at[0], at[1], at[2], at[3]) * u.value;
        for (int k = 0; k < d; ++k) sums[2] += w * velocity[k] * u.gradient[k];
      }
      if constexpr (Config::slab) {
        sums[3] += weight * solution_at<Config>(a, a.solution, polytope, x, 1).value;
        sums[3] -= weight * (a.first_slab ? Config::Data::template initial<double>(x[0], x[1], x[2], a.begin)
                                          : solution_at<Config>(a, a.previous, polytope, x, 1).value);
      }
    }
  for (int k = 0; k < content_sums; ++k) a.sums[polytope * content_sums + k] = sums[k];
}

}  // namespace galerna::kernels::polytopic
