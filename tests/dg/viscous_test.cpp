// Viscous terms of the element kernels. Their order of accuracy: ManufacturedFlow of tests/solver.
#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/element_reference.hpp"
#include "kernels/physics/navier_stokes.hpp"

namespace galerna::tests {
namespace {

struct Honey {
  static constexpr double gamma = 1.4, prandtl = 0.72, mu = 0.05;
  static constexpr double sutherland = 1, reference_temperature = 1, sutherland_temperature = 0.4;
};
using Fluid = kernels::EquationSystem<kernels::NavierStokes<2, Honey>, 2, true>;
using Gradients = Fluid::Gradients<double>;

/// A flow as C++ text for kernels, and as a function.
struct Flow {
  std::vector<std::string> formulas;
  std::function<State2(const mesh::Point&)> state;
};

dg::Spec navier_stokes(const mesh::Mesh& mesh, int degree, const Flow& flow) {
  dg::Spec spec = bare_euler(degree);
  spec.equations = {"kernels/physics/navier_stokes.hpp", "NavierStokes"};
  spec.parameters = {{"gamma", Honey::gamma},
                     {"prandtl", Honey::prandtl},
                     {"mu", Honey::mu},
                     {"sutherland", Honey::sutherland},
                     {"reference_temperature", Honey::reference_temperature},
                     {"sutherland_temperature", Honey::sutherland_temperature}};
  spec.viscous = true;
  spec.flux = {"kernels/riemann/hllc.hpp", "Hllc"};
  dg::BoundaryCondition given;
  given.kernel = {"kernels/boundary/dirichlet.hpp", "Dirichlet"};
  given.takes_data = true;
  given.state = dg::StateFunctions{false, {}};
  for (const std::string& formula : flow.formulas) given.state->functions.push_back(text(formula));
  spec.boundaries.assign(mesh.boundaries.size(), given);
  return spec;
}

/// Σ_k weight_k f(x + k step e_d) / step: derivatives of order 6.
template <class F>
State2 derivative(const F& f, const mesh::Point& x, std::size_t d, double step) {
  State2 sum{};
  const double weights[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  for (int k = 1; k <= 3; ++k) {
    mesh::Point ahead = x, behind = x;
    ahead[d] += k * step, behind[d] -= k * step;
    const State2 a = f(ahead), b = f(behind);
    for (int v = 0; v < 4; ++v) sum[v] += weights[k - 1] * (a[v] - b[v]) / step;
  }
  return sum;
}

/// −∇·(F − F_v) of a flow at a point.
State2 exact_change(const Flow& flow, const mesh::Point& x) {
  State2 change{};
  for (std::size_t d = 0; d < 2; ++d) {
    const auto flux = [&](const mesh::Point& at) {
      const State2 u = flow.state(at);
      const Gradients g = {{derivative(flow.state, at, 0, 4e-3), derivative(flow.state, at, 1, 4e-3)}};
      const Normal<2> direction = {{d == 0 ? 1.0 : 0.0, d == 1 ? 1.0 : 0.0}};
      State2 f = Fluid::flux(u, direction);
      const State2 viscous = Fluid::viscous_flux(u, g, direction);
      for (int v = 0; v < 4; ++v) f[v] -= viscous[v];
      return f;
    };
    const State2 slope = derivative(flux, x, d, 4e-3);
    for (int v = 0; v < 4; ++v) change[v] -= slope[v];
  }
  return change;
}

const Flow waves = {
    {"V(1) + number<V>(0.1) * sin(V(2) * x + y)", "number<V>(0.9) + number<V>(0.2) * cos(V(2) * y)",
     "number<V>(0.7) + number<V>(0.2) * sin(V(2) * x) * cos(y)", "V(3) + number<V>(0.2) * cos(x - V(2) * y)"},
    [](const mesh::Point& p) {
      const double x = p[0], y = p[1];
      return State2{{1 + 0.1 * std::sin(2 * x + y), 0.9 + 0.2 * std::cos(2 * y),
                     0.7 + 0.2 * std::sin(2 * x) * std::cos(y), 3 + 0.2 * std::cos(x - 2 * y)}};
    }};

/// At constant density, momentum and energy linear in x: all fluxes are polynomials but for the viscosity's dependence
/// on temperature, there are no jumps, and the right-hand side is the projection of the exact one.
TEST(Viscous, FluxOfALinearFlowIsExact) {
  const Flow linear = {{"V(1)", "number<V>(0.3) * y + number<V>(0.1) * x", "number<V>(0.2) * x - number<V>(0.1)",
                        "V(2) + number<V>(0.2) * x - number<V>(0.1) * y"},
                       [](const mesh::Point& p) {
                         return State2{{1, 0.3 * p[1] + 0.1 * p[0], 0.2 * p[0] - 0.1, 2 + 0.2 * p[0] - 0.1 * p[1]}};
                       }};
  for (const int order : {1, 2}) {
    const mesh::Mesh mesh = curved_mixture(4, order, 0.1);
    const int degree = 3;
    const ElementReference reference(mesh, degree, nullptr);
    const auto expected = reference.project([&](const mesh::Point& x) { return exact_change(linear, x); });
    const auto found = Computation(mesh, navier_stokes(mesh, degree, linear)).residual(reference.project(linear.state));
    EXPECT_GT(largest(expected), 0.05);
    EXPECT_LT(relative_difference(expected, found), order == 1 ? 2e-7 : 2e-3) << "order " << order;
  }
}

TEST(Viscous, ResidualOnTheGpuIsThatOnTheCpu) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  mesh::Mesh meshes[] = {curved_mixture(4, 4, 0.1),
                         mesh::make_rectangle(6, 5, {0, 0}, {1, 1}, mesh::CellStyle::triangles, 0.1),
                         mesh::make_rectangle(6, 5, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals, 0.1)};
  for (mesh::Mesh& straight : std::span(meshes).subspan(1)) mesh::prepare(straight);
  for (const mesh::Mesh& mesh : meshes)
    for (int degree : {1, 2, 3}) {
      const auto c = ElementReference(mesh, degree, nullptr).project(waves.state);
      const dg::Spec spec = navier_stokes(mesh, degree, waves);
      const auto expected = Computation(mesh, spec).residual(c), found = Computation(mesh, spec, "cuda").residual(c);
      EXPECT_GT(largest(expected), 0.1);
      EXPECT_LT(relative_difference(expected, found), 1e-11) << "p " << degree;
    }
}

TEST(Viscous, ConservesOnPeriodicCurvedMixtures) {
  const mesh::Mesh mesh = periodic_mixture(4, 3);
  const ElementReference reference(mesh, 2, nullptr);
  const auto rhs = Computation(mesh, navier_stokes(mesh, 2, waves)).residual(reference.project(waves.state));
  const State2 total = reference.integrals(rhs);
  EXPECT_GT(largest(rhs), 0.1);
  for (int v = 0; v < 4; ++v) EXPECT_NEAR(total[v], 0, 1e-12);
}

}  // namespace
}  // namespace galerna::tests
