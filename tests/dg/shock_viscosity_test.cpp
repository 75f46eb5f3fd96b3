// Artificial viscosity: what it does to the residual, against equations that have the same diffusion, where it comes
// and how it is spread, and what it leaves alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/curved_solids.hpp"
#include "dg/emulated_gpu.hpp"
#include "dg/solids.hpp"
#include "kernels/diffusion.hpp"
#include "mesh/geometry.hpp"

namespace galerna::tests {
namespace {

/// u_t + ∇·(a u) = κ Δu.
const char* const drift = R"(
#pragma once
#include "kernels/lane.hpp"
namespace galerna::kernels {
template <int dimension, class Parameters>
struct Drift {
  static constexpr int variables = 1;
  template <class V>
  static Array<V, 1> flux(const Array<V, 1>& u, const Array<V, dimension>& a) {
    V speed = V(0);
    for (int d = 0; d < dimension; ++d) speed += number<V>(1 + 0.5 * d) * a[d];
    return {{speed * u[0]}};
  }
  template <class V>
  static V largest_wave_speed(const Array<V, 1>&) { return V(3); }
  template <class V>
  static Array<V, 1> viscous_flux(const Array<V, 1>&, const Array<Array<V, 1>, dimension>& gradients,
                                  const Array<V, dimension>& a) {
    V along = V(0);
    for (int d = 0; d < dimension; ++d) along += gradients[d][0] * a[d];
    return {{number<V>(Parameters::kappa) * along}};
  }
  template <class V>
  static V largest_diffusivity(const Array<V, 1>&) { return number<V>(Parameters::kappa); }
};
}  // namespace galerna::kernels
)";

constexpr double kappa = 0.07;

dg::Spec drift_spec(const mesh::Mesh& mesh, int degree, bool artificial) {
  dg::Spec spec = bare_euler(degree);
  spec.shape = mesh.blocks[0].shape;
  spec.equations = {"drift.hpp", "Drift"};
  spec.equations.text = device::Header{"drift.hpp", drift};
  spec.parameters = {{"kappa", kappa}};
  spec.variables = {"u"};
  spec.viscous = !artificial;
  if (artificial) spec.limiter = {.viscosity = true};
  return spec;
}

mesh::Mesh periodic_square(mesh::CellStyle style) {
  mesh::Mesh mesh = mesh::make_rectangle(4, 3, {0, 0}, {1, 0.7}, style, 0.2);
  mesh::PrepareOptions options;
  options.periodic = {{"left", "right", {1, 0, 0}, {}}, {"bottom", "top", {0, 0.7, 0}, {}}};
  mesh::prepare(mesh, options);
  return mesh;
}

std::vector<double> some_numbers(std::size_t count) {
  Random random;
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random.uniform(-1, 1);
  return numbers;
}

void expect_diffusion_of_equations(const mesh::Mesh& mesh, int degree) {
  Computation equations(mesh, drift_spec(mesh, degree, false)), artificial(mesh, drift_spec(mesh, degree, true));
  const auto c = some_numbers(static_cast<std::size_t>(equations->degrees_of_freedom()));
  artificial->set_shock_viscosity(std::vector<double>(static_cast<std::size_t>(mesh.element_count()), kappa));
  EXPECT_LT(relative_difference(equations.residual(c), artificial.residual(c)), 1e-12)
      << plural_name(mesh.blocks[0].shape) << ", p = " << degree;
}

TEST(QuickShockViscosity, DiffusesAsEquationsInThePlane) {
  for (int degree : {1, 3}) {
    expect_diffusion_of_equations(periodic_square(mesh::CellStyle::random_triangles), degree);
    expect_diffusion_of_equations(periodic_square(mesh::CellStyle::quadrilaterals), degree);
  }
}

TEST(ShockViscosity, DiffusesAsEquationsInSolids) {
  for (Shape shape : {Shape::tetrahedron, Shape::hexahedron})
    expect_diffusion_of_equations(box_of(shape, 3, 0.1, true), 2);
  expect_diffusion_of_equations(curved_box_of_all_solids(2, 2, true), 1);
}

/// ∇Û of a gas is (∇ρ, ∇(ρv), ∇(ρH)), here by differences.
TEST(ShockViscosity, KeepsTotalEnthalpy) {
  using Equations = Gas<2>;
  using State = kernels::Array<double, 4>;
  const State u = {{1.2, 0.5, -0.3, 2.9}}, change = {{0.3, -0.2, 0.7, 0.4}};
  const auto enthalpy = [](const State& of) { return of[3] + Equations::primitive(of).pressure; };
  constexpr double step = 1e-6;
  State ahead = u, behind = u;
  for (int v = 0; v < 4; ++v) ahead[v] += step * change[v], behind[v] -= step * change[v];
  const kernels::Array<State, 2> gradients = {{change, State{}}};
  const auto along = kernels::smoothed_gradient<Equations, double>(Equations::primitive(u), gradients, {{1.0, 0.0}});
  for (int v = 0; v < 3; ++v) EXPECT_EQ(along[v], change[v]);
  EXPECT_NEAR(along[3], (enthalpy(ahead) - enthalpy(behind)) / (2 * step), 1e-8);
}

dg::Spec euler_with_viscosity(const mesh::Mesh& mesh, int degree) {
  dg::Spec spec = mesh.dimension == 3 ? bare_euler_in_space(degree) : bare_euler(degree);
  spec.shape = mesh.blocks[0].shape;
  spec.limiter = {.viscosity = true};
  return spec;
}

/// Means of gas at rest of density `inside` where x is between 0.2 and 0.6, else 1.
std::vector<double> slab(const mesh::Mesh& mesh, int degree, double inside) {
  std::vector<double> c;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e) {
    const dg::Operators operators = dg::make_operators(mesh.shape(e), degree);
    const double x = mesh::centroid(mesh, e)[0], density = x > 0.2 && x < 0.6 ? inside : 1;
    for (int v = 0; v < mesh.dimension + 2; ++v) {
      const double mean = v == 0 ? density : v == mesh.dimension + 1 ? 2.5 * density : 0;
      c.push_back(mean / operators.volume_basis(0, 0));
      c.insert(c.end(), static_cast<std::size_t>(operators.modes - 1), 0.0);
    }
  }
  return c;
}

TEST(QuickShockViscosity, ComesWhereThereAreJumps) {
  constexpr int degree = 1;
  for (const mesh::Mesh& mesh :
       {periodic_square(mesh::CellStyle::random_triangles), box_of(Shape::hexahedron, 4, 0.05, true)}) {
    Computation flow(mesh, euler_with_viscosity(mesh, degree));
    flow.monitored(slab(mesh, degree, 1.00001));
    EXPECT_EQ(flow->share_of_shock_viscosity(), 0);
    const double smooth = flow.monitored(slab(mesh, degree, 1.00001)).largest_stable;
    EXPECT_LT(flow.monitored(slab(mesh, degree, 3)).largest_stable, 0.8 * smooth);  // the step knows of it
    EXPECT_GT(flow->share_of_shock_viscosity(), 0);
    const std::vector<double> found = flow->shock_viscosity();
    EXPECT_GT(*std::max_element(found.begin(), found.end()), 0);
    EXPECT_EQ(*std::min_element(found.begin(), found.end()), 0);
  }
}

/// The largest viscosity at a slab of dense gas.
double largest_of_slab(const mesh::Mesh& mesh) {
  Computation flow(mesh, euler_with_viscosity(mesh, 1));
  flow.monitored(slab(mesh, 1, 3));
  const std::vector<double> found = flow->shock_viscosity();
  return *std::max_element(found.begin(), found.end());
}

/// However deep the elements are.
TEST(ShockViscosity, IsThatOfThePlaneInExtrudedElements) {
  for (const auto& [style, shape] :
       {std::pair{mesh::CellStyle::triangles, Shape::prism}, {mesh::CellStyle::quadrilaterals, Shape::hexahedron}}) {
    mesh::Mesh plane = mesh::make_rectangle(4, 3, {0, 0}, {1, 0.7}, style);
    mesh::PrepareOptions options;
    options.periodic = {{"left", "right", {1, 0, 0}, {}}, {"bottom", "top", {0, 0.7, 0}, {}}};
    mesh::prepare(plane, options);
    const double expected = largest_of_slab(plane);
    ASSERT_GT(expected, 0);
    for (double depth : {0.5, 5.0})
      EXPECT_NEAR(largest_of_slab(box_of(shape, {4, 3, 1}, {1, 0.7, depth}, 0, true)), expected, 1e-12 * expected)
          << plural_name(shape) << depth;
  }
}

/// Newton's method has a derivative of it: differences of differences shrink with their step, on both devices.
TEST(QuickShockViscosity, IsSmoothWhereNewtonAsksForIt) {
  const mesh::Mesh mesh = periodic_square(mesh::CellStyle::quadrilaterals);
  dg::Spec spec = euler_with_viscosity(mesh, 1);
  spec.limiter->newton = true;
  Computation cpu(mesh, spec), gpu(mesh, spec, std::make_unique<EmulatedGpu>());
  const auto largest = [&](Computation& flow, double inside) {
    flow.monitored(slab(mesh, 1, inside));
    const std::vector<double> found = flow->shock_viscosity();
    return *std::max_element(found.begin(), found.end());
  };
  constexpr double step = 2.5e-4;
  double before = largest(cpu, 1), slope = 0, bend = 0, steepest = 0;
  EXPECT_EQ(before, 0);
  for (int k = 1; k <= 400; ++k) {
    const double found = largest(cpu, 1 + k * step), now = (found - before) / step;
    bend = std::max(bend, std::abs(now - slope));
    steepest = std::max(steepest, now);
    before = found;
    slope = now;
  }
  EXPECT_GT(before, 0);
  EXPECT_LT(bend, 0.25 * steepest);  // a kink has a bend as large as the slope
  EXPECT_NEAR(largest(gpu, 1.05), largest(cpu, 1.05), 1e-12);
}

/// Density is the same everywhere, so that no jump tells of it.
TEST(QuickShockViscosity, ComesNearVacuumWhereNewtonAsksForIt) {
  for (const mesh::Mesh& mesh :
       {periodic_square(mesh::CellStyle::random_triangles), box_of(Shape::hexahedron, 4, 0.05, true)}) {
    dg::Spec spec = euler_with_viscosity(mesh, 2);
    constexpr std::size_t chosen = 5;
    std::vector<double> c = slab(mesh, 2, 1);
    const auto modes = c.size() / static_cast<std::size_t>(mesh.element_count() * (mesh.dimension + 2));
    const std::size_t energy = ((chosen + 1) * static_cast<std::size_t>(mesh.dimension + 2) - 1) * modes;
    c[energy + 1] = 0.4 * c[energy];
    Computation without(mesh, spec);
    without.monitored(c);
    EXPECT_EQ(without->share_of_shock_viscosity(), 0);
    spec.limiter->newton = true;
    Computation cpu(mesh, spec), gpu(mesh, spec, std::make_unique<EmulatedGpu>());
    cpu.monitored(c);
    gpu.monitored(c);
    const std::vector<double> found = cpu->shock_viscosity();
    for (std::size_t e = 0; e < found.size(); ++e) EXPECT_EQ(found[e] > 0, e == chosen) << e;
    EXPECT_LT(relative_difference(found, gpu->shock_viscosity()), 1e-13);
  }
}

/// θ of Persson and Peraire, by the modes of an element's density.
double persson_peraire(const double* c, const dg::Operators& operators, double s0, double width) {
  const auto degrees = basis::mode_degrees(operators.shape, operators.degree);
  double highest = 0, all = 0;
  for (int j = 0; j < operators.modes; ++j) {
    all += c[j] * c[j];
    if (degrees[static_cast<std::size_t>(j)] == operators.degree) highest += c[j] * c[j];
  }
  const double s = std::log10(highest / all);
  if (s < s0 - width) return 0;
  if (s > s0 + width) return 1;
  return 0.5 * (1 + std::sin(std::numbers::pi * (s - s0) / (2 * width)));
}

/// Highest modes that are of no matter in some elements and large in others, on both devices. s0 is −4 log10 p where it
/// is not given.
TEST(QuickShockViscosity, FollowsPerssonAndPeraire) {
  for (const mesh::Mesh& mesh :
       {periodic_square(mesh::CellStyle::random_triangles), box_of(Shape::hexahedron, 3, 0.05, true)}) {
    constexpr int degree = 2;
    dg::Spec spec = euler_with_viscosity(mesh, degree);
    spec.limiter->persson_peraire = {{{}, 0.5, 0.3}};
    const dg::Operators operators = dg::make_operators(mesh.blocks[0].shape, degree);
    const std::size_t of_element = static_cast<std::size_t>((mesh.dimension + 2) * operators.modes);
    std::vector<double> c = slab(mesh, degree, 1), expected;
    for (std::size_t at = 0; at < c.size(); at += of_element) {
      c[at + static_cast<std::size_t>(operators.modes - 1)] =
          0.9 * c[at] * std::pow(10, -0.15 * static_cast<double>(at / of_element % 20));
      expected.push_back(persson_peraire(&c[at], operators, -4 * std::log10(2), 0.5));
    }
    ASSERT_EQ(*std::min_element(expected.begin(), expected.end()), 0);
    ASSERT_EQ(*std::max_element(expected.begin(), expected.end()), 1);
    Computation cpu(mesh, spec), gpu(mesh, spec, std::make_unique<EmulatedGpu>());
    cpu.monitored(c);
    gpu.monitored(c);
    EXPECT_LT(relative_difference(cpu->shock_fields().at("sensor"), expected), 1e-12);
    EXPECT_LT(relative_difference(cpu->shock_viscosity(), gpu->shock_viscosity()), 1e-12);
    spec.limiter->persson_peraire->epsilon0 *= 2;
    Computation twice(mesh, spec);
    twice.monitored(c);
    std::vector<double> doubled = cpu->shock_viscosity();
    for (double& x : doubled) x *= 2;
    EXPECT_LT(relative_difference(twice->shock_viscosity(), doubled), 1e-14);
  }
}

/// On curved elements, too.
TEST(ShockViscosity, LeavesGasAtRest) {
  const mesh::Mesh mesh = curved_box_of_all_solids(2, 2, true);
  Computation flow(mesh, euler_with_viscosity(mesh, 1));
  flow.monitored(slab(mesh, 1, 3));
  ASSERT_GT(flow->share_of_shock_viscosity(), 0);
  EXPECT_LT(largest(flow.residual(slab(mesh, 1, 1))), 1e-11);
}

TEST(ShockViscosity, StaysWhenFrozen) {
  const mesh::Mesh mesh = periodic_square(mesh::CellStyle::random_triangles);
  Computation flow(mesh, euler_with_viscosity(mesh, 1));
  flow.monitored(slab(mesh, 1, 3));
  const std::vector<double> before = flow->shock_viscosity();
  kernels::Control control = flow->read_control();
  control.frozen = 1;
  flow->write_control(control);
  flow.monitored(slab(mesh, 1, 1));
  EXPECT_EQ(flow->shock_viscosity(), before);
  control.frozen = 0;
  flow->write_control(control);
  flow.monitored(slab(mesh, 1, 1));
  EXPECT_NE(flow->shock_viscosity(), before);
}

TEST(ShockViscosity, IsTheSameOnTheEmulatedGpu) {
  const mesh::Mesh mesh = periodic_square(mesh::CellStyle::random_triangles);
  Computation cpu(mesh, euler_with_viscosity(mesh, 2)),
      gpu(mesh, euler_with_viscosity(mesh, 2), std::make_unique<EmulatedGpu>());
  const auto c = slab(mesh, 2, 3);
  cpu.monitored(c);
  gpu.monitored(c);
  EXPECT_LT(relative_difference(cpu->shock_viscosity(), gpu->shock_viscosity()), 1e-13);
  EXPECT_LT(relative_difference(cpu.residual(c), gpu.residual(c)), 1e-12);
}

}  // namespace
}  // namespace galerna::tests
