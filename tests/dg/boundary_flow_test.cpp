// What is reported of the boundary is what stands in the residual: the rate of change of all integrals.
#include <gtest/gtest.h>

#include <cmath>

#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/element_reference.hpp"
#include "mesh/faces.hpp"

namespace galerna::tests {
namespace {

/// A flow that no wall likes: it slips, goes through and has another temperature.
State2 flow(const mesh::Point& p) {
  const double x = p[0], y = p[1];
  return {{1 + 0.1 * std::sin(2 * x + y), 0.4 + 0.2 * std::cos(2 * y), 0.3 + 0.2 * std::sin(2 * x) * std::cos(y),
           3 + 0.2 * std::cos(x - 2 * y)}};
}

dg::BoundaryCondition condition(const std::string& header, const std::string& type,
                                const std::vector<std::pair<std::string, double>>& values = {}) {
  dg::BoundaryCondition result;
  result.kernel = {"kernels/boundary/" + header + ".hpp", type};
  result.takes_data = !values.empty();
  for (const auto& [name, value] : values)
    result.values.emplace_back(name, text("number<V>(" + std::to_string(value) + ")"));
  return result;
}

std::vector<dg::BoundaryCondition> viscous_walls() {
  return {condition("no_slip_adiabatic", "NoSlipAdiabatic"),
          condition("no_slip_isothermal", "NoSlipIsothermal", {{"temperature", 0.9}}),
          condition("moving_wall_adiabatic", "MovingWallAdiabatic", {{"velocity_x", 0.5}, {"velocity_y", 0.2}}),
          condition("moving_wall_isothermal", "MovingWallIsothermal",
                    {{"velocity_x", -0.3}, {"velocity_y", 0.1}, {"temperature", 1.1}}),
          condition("slip_wall", "SlipWall")};
}

dg::Spec euler(int degree) {
  dg::Spec spec = bare_euler(degree);
  spec.boundaries = {condition("slip_wall", "SlipWall")};
  return spec;
}

dg::Spec navier_stokes(int degree) {
  dg::Spec spec = bare_euler(degree);
  spec.equations = {"kernels/physics/navier_stokes.hpp", "NavierStokes"};
  spec.parameters = {{"gamma", 1.4},
                     {"prandtl", 0.72},
                     {"mu", 0.05},
                     {"sutherland", 1},
                     {"reference_temperature", 1},
                     {"sutherland_temperature", 0.4}};
  spec.viscous = true;
  spec.flux = {"kernels/riemann/hllc.hpp", "Hllc"};
  spec.boundaries = viscous_walls();
  return spec;
}

/// Every n-th side of the boundary belongs to one of n boundaries.
mesh::Mesh divide_boundary(mesh::Mesh mesh, std::size_t count) {
  std::vector<mesh::Boundary> parts(count);
  std::size_t next = 0;
  for (const mesh::Boundary& boundary : mesh.boundaries)
    for (const mesh::Side& side : boundary.sides) parts[next++ % count].sides.push_back(side);
  for (std::size_t b = 0; b < count; ++b) parts[b].name = "wall " + std::to_string(b);
  mesh.boundaries = parts;
  mesh::build_faces(mesh, 1e-9);
  return mesh;
}

/// ∫ F*·n − F_v·n ds over the boundary.
State2 outflow(Computation& computation, const mesh::Mesh& mesh) {
  const dg::BoundaryFlow flow = computation->boundary_flow(computation.state(), 0);
  const dg::BoundaryPoints& points = computation->boundary_points();
  const std::vector<double>& weights = computation->sets().front().operators.side.weights;
  State2 sum{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.boundary_faces) * weights.size(); ++k) {
    const double length = std::hypot(points.normals[2 * k], points.normals[2 * k + 1]) * weights[k % weights.size()];
    for (std::size_t v = 0; v < 4; ++v) {
      const double viscous = flow.viscous.empty() ? 0 : flow.viscous[4 * k + v];
      sum[static_cast<int>(v)] += length * (flow.inviscid[4 * k + v] - viscous);
    }
  }
  return sum;
}

void expect_balance(const mesh::Mesh& whole, dg::Spec spec) {
  const mesh::Mesh mesh = divide_boundary(whole, spec.boundaries.size());
  const ElementReference reference(mesh, spec.degree, nullptr);
  for (const std::string& device : {std::string("cpu"), std::string("cuda")}) {
    if (device == "cuda" && !device::cuda_absence().empty()) continue;
    Computation computation(mesh, spec, device);
    const auto rhs = computation.residual(reference.project(flow));
    const State2 change = reference.integrals(rhs), out = outflow(computation, mesh);
    const double scale = device == "cpu" ? 1 : 10;
    for (int v = 1; v < 4; ++v) EXPECT_GT(std::abs(out[v]), 1e-3) << "p " << spec.degree << ", variable " << v;
    for (int v = 0; v < 4; ++v)
      EXPECT_NEAR(change[v], -out[v], scale * 2e-12) << device << ", p " << spec.degree << ", variable " << v;
  }
}

mesh::Mesh square(mesh::CellStyle style) {
  mesh::Mesh mesh = mesh::make_rectangle(4, 3, {0, 0}, {1, 1}, style, 0.15);
  mesh::prepare(mesh);
  return mesh;
}

class BoundaryBalance : public testing::TestWithParam<int> {};

TEST_P(BoundaryBalance, OfTheEulerEquationsOnTriangles) {
  dg::Spec spec = euler(GetParam());
  const mesh::Mesh mesh = square(mesh::CellStyle::random_triangles);
  const ElementReference reference(mesh, spec.degree, nullptr);
  Computation computation(mesh, spec);
  ASSERT_TRUE(computation->sets().front().stands_by_itself());
  const State2 change = reference.integrals(computation.residual(reference.project(flow)));
  const State2 out = outflow(computation, mesh);
  EXPECT_GT(std::abs(out[1]), 1e-3);
  for (int v = 0; v < 4; ++v) EXPECT_NEAR(change[v], -out[v], 2e-12) << "variable " << v;
}

TEST_P(BoundaryBalance, OfViscousTriangles) {
  expect_balance(square(mesh::CellStyle::random_triangles), navier_stokes(GetParam()));
}

TEST_P(BoundaryBalance, OfViscousQuadrilaterals) {
  expect_balance(square(mesh::CellStyle::quadrilaterals), navier_stokes(GetParam()));
}

TEST_P(BoundaryBalance, OfViscousCurvedMixtures) {
  expect_balance(curved_mixture(4, 3, 0.1), navier_stokes(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Degrees, BoundaryBalance, testing::Range(1, 4),
                         [](const auto& degree) { return "p" + std::to_string(degree.param); });

/// Sums for the conservation report and the control block stay as they were, also where the flow is no number.
TEST(BoundaryFlow, LeavesNoTraceInTheRun) {
  const mesh::Mesh mesh = divide_boundary(square(mesh::CellStyle::quadrilaterals), 5);
  Computation computation(mesh, navier_stokes(1));
  const ElementReference reference(mesh, 1, nullptr);
  auto c = reference.project(flow);
  computation.residual(c);
  const auto sums = computation->read_sums();
  const kernels::Control before = computation->read_control();
  c[0] = std::nan("");
  computation->write_state(computation.state(), c);
  computation->boundary_flow(computation.state(), 3);
  EXPECT_EQ(computation->read_sums(), sums);
  const kernels::Control after = computation->read_control();
  EXPECT_EQ(after.active, before.active);
  EXPECT_EQ(after.dt, before.dt);
  EXPECT_EQ(after.time, before.time);
}

/// Flow and walls at one velocity, temperature and density: no friction, no heat, a pressure along the normal.
TEST(BoundaryFlow, OfAGasAtRestIsItsPressure) {
  const mesh::Mesh mesh = divide_boundary(square(mesh::CellStyle::random_triangles), 1);
  dg::Spec spec = navier_stokes(2);
  spec.boundaries = {condition("no_slip_isothermal", "NoSlipIsothermal", {{"temperature", 0.8}})};
  Computation computation(mesh, spec);
  const ElementReference reference(mesh, 2, nullptr);
  computation->write_state(computation.state(), reference.project([](const mesh::Point&) {
    return State2{{1.5, 0, 0, 1.2 / 0.4}};
  }));
  const dg::BoundaryFlow out = computation->boundary_flow(computation.state(), 0);
  const dg::BoundaryPoints& points = computation->boundary_points();
  ASSERT_EQ(out.inside.size(), static_cast<std::size_t>(mesh.boundary_faces) * 3 * 4);
  for (std::size_t k = 0; k < out.inside.size() / 4; ++k) {
    const double length = std::hypot(points.normals[2 * k], points.normals[2 * k + 1]);
    for (std::size_t d = 0; d < 2; ++d)
      EXPECT_NEAR(out.inviscid[4 * k + 1 + d], 1.2 * points.normals[2 * k + d] / length, 1e-13);
    for (std::size_t v = 0; v < 4; ++v) EXPECT_NEAR(out.viscous[4 * k + v], 0, 1e-13);
    EXPECT_NEAR(out.inside[4 * k], 1.5, 1e-13);
    EXPECT_NEAR(out.viscous_state[4 * k + 3], 1.2 / 0.4, 1e-13);
  }
}

}  // namespace
}  // namespace galerna::tests
