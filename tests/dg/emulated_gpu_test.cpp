// Kernels with the structure that they have on GPUs, run thread by thread on the CPU: a thread for each element, and
// the thread groups of the element kernels.
#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/element_reference.hpp"
#include "dg/reference.hpp"
#include "dg/slope_limiters.hpp"
#include "dg/solids.hpp"
#include "dg/structures.hpp"
#include "dg/viscous_problem.hpp"
#include "mesh/geometry.hpp"

namespace galerna::tests {
namespace {

const State2 beyond = {{1, 0.5, -0.25, 2}};

State2 ghost(int, const State2&, const mesh::Point&, const Normal<2>&) {
  return beyond;
}

std::vector<double> on_emulated_gpu(const mesh::Mesh& mesh, const dg::Spec& spec, const std::vector<double>& c) {
  return Computation(mesh, spec, std::make_unique<EmulatedGpu>()).residual(c);
}

void expect_equal(const std::vector<double>& expected, const std::vector<double>& found) {
  ASSERT_EQ(expected.size(), found.size());
  EXPECT_GT(largest(expected), 0.1);
  EXPECT_LT(relative_difference(expected, found), 1e-12);
}

/// Degree 1 is unrolled, degree 3 has loops.
TEST(EmulatedGpu, OneThreadForEachTriangle) {
  const mesh::Mesh mesh = irregular_square(5, 4);
  for (int degree : {1, 3}) {
    dg::Spec spec = bare_euler(degree);
    surround(spec, mesh, beyond);
    const auto c = filled_modes(mesh, basis::mode_count(Shape::triangle, degree));
    expect_equal(ReferenceResidual(mesh, degree, ghost)(c), on_emulated_gpu(mesh, spec, c));
  }
}

/// What threads compute, the element algorithm computes, too.
TEST(EmulatedGpu, EveryRowThatFitsStraightTriangles) {
  const mesh::Mesh mesh = irregular_square(5, 4);
  dg::Spec spec = bare_euler(2);
  surround(spec, mesh, beyond);
  const auto c = filled_modes(mesh, basis::mode_count(Shape::triangle, 2));
  const dg::Operators operators = dg::make_operators(Shape::triangle, 2);
  const auto rows = dg::fitting_structures({operators}, spec, {device::Kind::cuda, device::cuda_lanes});
  ASSERT_EQ(rows.size(), 2u);
  for (const dg::Structure* row : rows) {
    spec.structure = row->name;
    expect_equal(ReferenceResidual(mesh, 2, ghost)(c), on_emulated_gpu(mesh, spec, c));
  }
}

/// Straight triangles keep their own kernels beside quadrilaterals, which read the traces that `edges` leaves.
TEST(EmulatedGpu, GroupsAndTriangles) {
  for (int order : {1, 2}) {
    const mesh::Mesh mesh = curved_mixture(3, order);
    dg::Spec spec = bare_euler(2);
    surround(spec, mesh, beyond);
    const ElementReference reference(mesh, 2, ghost);
    const auto c = reference.project([](const mesh::Point& x) {
      return State2{{1 + 0.2 * std::sin(3 * x[0]), 0.3 * x[1], 0.1 * std::cos(x[0] * x[1]), 2 + 0.1 * x[0]}};
    });
    expect_equal(reference(c), on_emulated_gpu(mesh, spec, c));
  }
}

/// Gas that bursts out of a ball in a periodic box of tetrahedra: a few Euler steps, each limited. \return coefficients
/// [element][variable][mode]
std::vector<double> limited_explosion(const mesh::Mesh& mesh, std::unique_ptr<device::Device> device) {
  dg::Spec spec = bare_euler_in_space(1);
  spec.limiter = {hierarchical(), "CharacteristicVariables", true};
  dg::Discretization discretization(*device, mesh, spec, {}, {{1, 1}});
  std::vector<double> c;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e) {
    const mesh::Point x = mesh::centroid(mesh, e);
    const bool inside = std::hypot(x[0] - 0.5, x[1] - 0.5, x[2] - 0.5) < 0.3;
    for (double mean : {inside ? 1 : 0.125, 0.0, 0.0, 0.0, inside ? 2.5 : 0.25})
      c.insert(c.end(), {mean / std::sqrt(6.0), 0, 0, 0});
  }
  std::unique_ptr<device::Memory> state = discretization.allocate_state(), next = discretization.allocate_state();
  discretization.write_state(*state, c);
  kernels::Control control{};
  control.active = 1;
  control.dt = 0.004;
  discretization.write_control(control);
  for (int step = 0; step < 3; ++step) {
    discretization.stage({state.get(), {state.get()}, {next.get()}, {{1}}, {1}, 0, 1, true});
    discretization.finish(*next, 1, false);
    std::swap(state, next);
  }
  device->synchronize();
  EXPECT_GT(discretization.limiter_counts()[0], 20);
  EXPECT_LT(discretization.limiter_counts()[0], 3 * static_cast<double>(mesh.element_count()));
  return discretization.read_state(*state);
}

TEST(EmulatedGpu, LimitedTetrahedra) {
  const mesh::Mesh mesh = box_of(Shape::tetrahedron, 3, 0, true);
  const std::vector<double> cpu = limited_explosion(mesh, device::open_device("cpu")),
                            gpu = limited_explosion(mesh, std::make_unique<EmulatedGpu>());
  EXPECT_LT(relative_difference(cpu, gpu), 1e-12);
  // Equal elements: integrals are sums of the first modes.
  double density = 0, before = 0;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e) {
    const mesh::Point x = mesh::centroid(mesh, e);
    before += std::hypot(x[0] - 0.5, x[1] - 0.5, x[2] - 0.5) < 0.3 ? 1 : 0.125;
    density += std::sqrt(6.0) * cpu[static_cast<std::size_t>(e) * 20];
  }
  EXPECT_NEAR(density, before, 1e-11);
  const dg::Operators operators = dg::make_operators(Shape::tetrahedron, 1);
  for (mesh::Index e = 0; e < mesh.element_count(); ++e)
    for (int q = 0; q < operators.volume.size(); ++q) {
      GasState<3> u{};
      for (int v = 0; v < 5; ++v)
        for (int j = 0; j < 4; ++j)
          u[v] += operators.volume_basis(q, j) * cpu[static_cast<std::size_t>((e * 5 + v) * 4 + j)];
      EXPECT_TRUE(Gas<3>::admissible(u));
    }
}

struct Filtered {
  std::vector<double> coefficients;
  std::array<double, 2> counts;  ///< elements filtered and scaled
  dg::ElementNumbers fields;
};

/// Gas that bursts out of a ball in a periodic box: two Euler steps, each kept positive, after the filter if there is
/// one.
Filtered filtered_explosion(const mesh::Mesh& mesh, bool filter, std::unique_ptr<device::Device> device) {
  const int degree = 2;
  dg::Spec spec = bare_euler_in_space(degree);
  spec.shape = mesh.blocks[0].shape;
  spec.limiter = {.positivity = true, .entropy_filter = filter};
  dg::Discretization discretization(*device, mesh, spec, {}, {{1, 1}});
  const dg::Operators operators = dg::make_operators(spec.shape, degree);
  std::vector<double> c;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e) {
    const mesh::Point x = mesh::centroid(mesh, e);
    const bool inside = std::hypot(x[0] - 0.5, x[1] - 0.5, x[2] - 0.5) < 0.3;
    for (double mean : {inside ? 1 : 0.05, 0.0, 0.0, 0.0, inside ? 2.5 : 0.05}) {
      c.push_back(mean / operators.volume_basis(0, 0));
      c.insert(c.end(), static_cast<std::size_t>(operators.modes - 1), 0.0);
    }
  }
  std::unique_ptr<device::Memory> state = discretization.allocate_state(), next = discretization.allocate_state();
  discretization.write_state(*state, c);
  kernels::Control control{};
  control.active = 1;
  control.dt = 0.01;
  discretization.write_control(control);
  for (int step = 0; step < 2; ++step) {
    discretization.stage({state.get(), {state.get()}, {next.get()}, {{1}}, {1}, 0, 1, true});
    discretization.finish(*next, 1, false);
    std::swap(state, next);
  }
  device->synchronize();
  return {discretization.read_state(*state), discretization.limiter_counts(), discretization.shock_fields()};
}

/// Threads of a GPU share elements, on tetrahedra through tables of the basis, on hexahedra line by line, also where
/// means are weighted.
TEST(EmulatedGpu, FilteredSolids) {
  for (const auto& [shape, filter] :
       {std::pair{Shape::tetrahedron, true}, {Shape::hexahedron, true}, {Shape::hexahedron, false}}) {
    const mesh::Mesh mesh = box_of(shape, 3, shape == Shape::hexahedron ? 0.1 : 0, true);
    auto [cpu, counted, fields] = filtered_explosion(mesh, filter, device::open_device("cpu"));
    auto [gpu, counted_on_gpu, fields_on_gpu] = filtered_explosion(mesh, filter, std::make_unique<EmulatedGpu>());
    EXPECT_LT(relative_difference(cpu, gpu), 1e-12) << plural_name(shape);
    EXPECT_EQ(counted, counted_on_gpu);
    EXPECT_GT(counted[filter ? 0 : 1], 0);
    EXPECT_LT(counted[0] + counted[1], 2 * static_cast<double>(mesh.element_count()));
    EXPECT_EQ(fields.size(), filter ? 2u : 0u);
    for (const auto& [name, values] : fields) {
      ASSERT_EQ(values.size(), static_cast<std::size_t>(mesh.element_count()));
      EXPECT_GT(*std::max_element(values.begin(), values.end()), 0) << name;
      // Bisections end at multiples of 2^-12, which rounding may tell apart.
      for (std::size_t e = 0; e < values.size(); ++e) EXPECT_NEAR(values[e], fields_on_gpu[name][e], 1e-3) << name << e;
    }
  }
}

TEST(EmulatedGpu, GroupsWithViscosity) {
  const ViscousProblem<2> problem(curved_mixture(3, 2), 1, 2.5);
  expect_equal(problem.expected, on_emulated_gpu(problem.mesh, problem.spec, problem.c));
}

}  // namespace
}  // namespace galerna::tests
