// The error of a step as the time loop takes it: over the elements of all sets, none of them counted twice.
#include <gtest/gtest.h>

#include <cmath>

#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"

namespace galerna::tests {
namespace {

/// sqrt(Σ (error / (tolerance (1 + max(|u^n|, |u^{n+1}|))))² / number of coefficients)
double weighted_norm(const std::vector<double>& u, const std::vector<double>& candidate,
                     const std::vector<double>& error, double tolerance) {
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    sum += std::pow(error[i] / (tolerance * (1 + std::max(std::abs(u[i]), std::abs(candidate[i])))), 2);
  return std::sqrt(sum / static_cast<double>(u.size()));
}

double error_of_a_step(const mesh::Mesh& mesh, dg::Spec spec) {
  spec.error_control = true;
  Computation computation(mesh, spec);
  const auto n = static_cast<std::size_t>(computation->degrees_of_freedom());
  std::vector<double> u(n), candidate(n), error(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(i);
    u[i] = std::sin(x);
    candidate[i] = u[i] + 0.1 * std::cos(3 * x);
    // The last elements, which padding repeats, have the largest errors.
    error[i] = 0.01 * x / static_cast<double>(n);
  }
  const auto candidate_state = computation->allocate_state(), error_state = computation->allocate_state();
  computation->write_state(computation.state(), u);
  computation->write_state(*candidate_state, candidate);
  computation->write_state(*error_state, error);
  kernels::Control control = computation->read_control();
  control.tolerance = 0.25;
  control.stop_time = 2;
  control.embedded_order = 3;
  control.previous_error = 1;
  computation->write_control(control);
  computation->embedded_error(computation.state(), *candidate_state, *error_state);
  computation->end_step(4, false, true);
  const double expected = weighted_norm(u, candidate, error, 0.25);
  return computation->read_control().error / expected;
}

TEST(EmbeddedError, OfTrianglesCountsNoPadding) {
  EXPECT_NEAR(error_of_a_step(irregular_square(3, 3), bare_euler(2)), 1, 1e-13);
}

TEST(EmbeddedError, OfAMixtureCountsNoPadding) {
  const mesh::Mesh mesh = curved_mixture(5, 1);
  dg::Spec spec = bare_euler(2);
  surround(spec, mesh, State2{{1, 0.5, -0.25, 2}});
  EXPECT_NEAR(error_of_a_step(mesh, spec), 1, 1e-13);
}

}  // namespace
}  // namespace galerna::tests
