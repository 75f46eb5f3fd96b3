// Costs of kernels, held against what is known from elsewhere: sizes of arrays, and sums that loops over modes and
// points would take. What the kernels themselves do is compared in tests/dg/multiply_adds_test.cpp.
#include "solver/bench/kernel_costs.hpp"

#include <gtest/gtest.h>

#include "device/counting.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/fixtures.hpp"
#include "dg/slope_limiters.hpp"
#include "mesh/box.hpp"
#include "time/stepper.hpp"

namespace galerna::tests {
namespace {

constexpr device::Traits cpu{device::Kind::host, 8, 16}, gpu{device::Kind::cuda, 32, 32},
    hopper{device::Kind::cuda, 32, 32, true};

dg::Spec navier_stokes(int degree) {
  dg::Spec spec = bare_euler(degree);
  spec.equations = {"kernels/physics/navier_stokes.hpp", "NavierStokes"};
  spec.parameters = {{"gamma", 1.4},
                     {"prandtl", 0.72},
                     {"mu", 0.01},
                     {"sutherland", 0.0},
                     {"reference_temperature", 1},
                     {"sutherland_temperature", 0.4}};
  spec.viscous = true;
  return spec;
}

/// Of a mesh on a device that is not here; the only set's share of a launch, for an element.
class Costs {
 public:
  Costs(const mesh::Mesh& mesh, const dg::Spec& spec, const device::Traits& traits,
        const std::string& scheme_name = "euler", double limited_share = 0)
      : device_(traits) {
    const time::Scheme& scheme = time::find_scheme(scheme_name);
    const auto flow = dg::make_flow_operator(device_, mesh, spec, {}, time::stage_shapes(scheme));
    for (const dg::ElementSet& set : flow->sets()) labels_.push_back(set.label);
    elements_ = static_cast<double>(mesh.element_count());
    all_ = solver::kernel_costs(*flow, {scheme, mesh.boundary_faces, true, limited_share});
  }

  double bytes(const std::string& entry) const { return all_.at(entry).bytes / elements_; }
  double flops(const std::string& entry) const { return all_.at(entry).flops / elements_; }
  bool has(const std::string& entry) const { return all_.contains(entry); }
  const std::map<std::string, solver::KernelCost>& all() const { return all_; }
  const std::vector<std::string>& labels() const { return labels_; }

 private:
  device::CountingDevice device_;
  std::vector<std::string> labels_;
  double elements_;
  std::map<std::string, solver::KernelCost> all_;
};

constexpr double number = 8, integer = 4;

TEST(KernelCosts, BytesOfTrianglesAreThoseOfTheirArrays) {
  const Costs costs(irregular_square(8, 8), bare_euler(1), gpu, "rk2-heun");
  const double state = 12 * number, geometry = 4 * number, neighbours = 3 * integer;
  EXPECT_EQ(costs.bytes("residual_1_1"), 2 * state + geometry + neighbours);
  EXPECT_EQ(costs.bytes("residual_2_1"), 3 * state + geometry + neighbours);
  EXPECT_EQ(costs.bytes("monitor"), state + number + number / 128) << "128 elements, a thread block";
  EXPECT_EQ(costs.bytes("change"), 3 * state + number + (2 + 3 * 4) * number / 32);
  EXPECT_FALSE(costs.has("traces"));
  EXPECT_FALSE(costs.has("embedded_error"));
}

TEST(KernelCosts, OnTheCpuTracesPassThroughMemory) {
  const Costs costs(irregular_square(8, 8), bare_euler(1), cpu);
  const double state = 12 * number, traces = 3 * 2 * 4 * number;
  EXPECT_EQ(costs.bytes("traces"), state + traces);
  EXPECT_EQ(costs.flops("traces"), 3 * 2 * 12 * 2) << "a multiply–add for each point, mode and variable";
  EXPECT_EQ(costs.bytes("residual_1_1"), 2 * state + traces + 4 * number + 3 * integer);
}

/// Two numbers are of half the size, and everything else is the same.
TEST(KernelCosts, SinglePrecisionHalvesBytes) {
  dg::Spec spec = bare_euler(1);
  const Costs twice(irregular_square(8, 8), spec, gpu);
  spec.precision = device::Precision::single_precision;
  const Costs single(irregular_square(8, 8), spec, gpu);
  EXPECT_EQ(2 * (single.bytes("residual_1_1") - 3 * integer), twice.bytes("residual_1_1") - 3 * integer);
  EXPECT_EQ(single.flops("residual_1_1"), twice.flops("residual_1_1"));
}

/// Rows that do the same are said to: padding and traces that are evaluated twice do not count.
TEST(KernelCosts, DoNotHangOnTheRow) {
  const mesh::Mesh mesh = irregular_square(8, 8);
  dg::Spec spec = bare_euler(3);
  const Costs tiles(mesh, spec, hopper), threads(mesh, spec, gpu), packs(mesh, spec, cpu);
  spec.structure = "element";
  const Costs general(mesh, spec, gpu);
  EXPECT_EQ(tiles.flops("residual_1_1"), threads.flops("residual_1_1"));
  EXPECT_EQ(tiles.bytes("residual_1_1"), threads.bytes("residual_1_1"));
  EXPECT_EQ(general.flops("residual_1_1"), threads.flops("residual_1_1"));
  EXPECT_EQ(packs.flops("traces") + packs.flops("residual_1_1"), threads.flops("residual_1_1"));
  for (const Costs* other : {&threads, &packs, &general}) EXPECT_EQ(tiles.flops("monitor"), other->flops("monitor"));
}

/// Sums along lines grow as (p + 1)³ in all, sums over all modes as (p + 1)⁴.
TEST(KernelCosts, LinesSaveWork) {
  const mesh::Mesh mesh = [] {
    mesh::Mesh grid = mesh::make_rectangle(4, 4, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals, 0.1);
    mesh::prepare(grid, {});
    return grid;
  }();
  dg::Spec spec = bare_euler(4);
  const Costs lines(mesh, spec, gpu);
  spec.volume_quadrature = 10;  // more points than modes
  const Costs dense(mesh, spec, gpu);
  EXPECT_LT(2 * lines.flops("residual_1_1"), dense.flops("residual_1_1"));
  const double state = 25 * 4 * number, traces = 4 * 5 * 4 * number, map = 6 * number;
  EXPECT_EQ(lines.bytes("residual_1_1"), 2 * state + traces + map + 4 * integer) << "no stage follows";
}

/// With viscosity: own and neighbours' traces and viscous traces are one array each.
TEST(KernelCosts, ViscousTilesDoWhatGeneralKernelsDo) {
  const mesh::Mesh mesh = irregular_square(8, 8);
  const Costs tiles(mesh, navier_stokes(3), hopper), slices(mesh, navier_stokes(3), gpu);
  const double state = 10 * 4 * number, traces = 3 * 4 * 4 * number;
  EXPECT_EQ(tiles.bytes("residual_1_1"), 2 * state + 2 * traces + 4 * number + 3 * integer);
  EXPECT_EQ(tiles.bytes("residual_1_1"), slices.bytes("residual_1_1"));
  EXPECT_EQ(tiles.bytes("viscous"), state + 2 * traces + 4 * number + 3 * integer);
}

/// Hexahedra: traces, own viscous traces and those of neighbours, and the map in place of metric terms at points.
TEST(KernelCosts, ViscousLinesReadTracesAndMaps) {
  mesh::Mesh mesh = mesh::make_box({2, 2, 2}, {1, 1, 1}, 0.1, Shape::hexahedron);
  mesh::prepare(mesh, {});
  dg::Spec spec = navier_stokes(2);
  spec.shape = Shape::tetrahedron;
  spec.variables.insert(spec.variables.begin() + 3, "momentum_z");
  const Costs costs(mesh, spec, hopper);
  const double state = 27 * 5 * number, traces = 6 * 9 * 5 * number, map = 22 * number;
  EXPECT_EQ(costs.bytes("residual_1_1"), 2 * state + 2 * traces + map + 6 * integer);
  EXPECT_EQ(costs.bytes("viscous"), state + 2 * traces + map + 6 * integer);
  EXPECT_LT(costs.flops("viscous"), costs.flops("residual_1_1"));
}

TEST(KernelCosts, EveryKernelOfAMixtureIsCounted) {
  dg::Spec spec = navier_stokes(2);
  spec.error_control = spec.candidate = spec.averages = true;
  spec.boundaries = {{{"kernels/boundary/no_slip_adiabatic.hpp", "NoSlipAdiabatic"}, false, {}, {}}};
  mesh::Mesh mesh = curved_mixture(4, 2);
  const Costs costs(mesh, spec, gpu, "ssprk43");
  ASSERT_GT(costs.labels().size(), 1U);
  for (const std::string& label : costs.labels())
    for (const char* entry : {"traces", "viscous", "monitor", "embedded_error", "accumulate"}) {
      ASSERT_TRUE(costs.has(entry + label)) << entry << label;
      EXPECT_GT(costs.bytes(entry + label), 0) << entry;
    }
  EXPECT_EQ(costs.has("ghosts"), mesh.boundary_faces > 0);
}

TEST(KernelCosts, OfTheLimiterGrowWithWhatItChanges) {
  dg::Spec spec = bare_euler(1);
  spec.limiter = dg::LimiterSpec{};
  spec.limiter->slopes = barth_jespersen();
  const mesh::Mesh mesh = irregular_square(8, 8);
  const Costs none(mesh, spec, gpu), half(mesh, spec, gpu, "euler", 0.5);
  // The state, gradients for the waves' direction, neighbours; two counts of each block, read and written
  EXPECT_EQ(none.bytes("limit"), 96 + 4 * number + 3 * integer + 4 * number / 32);
  EXPECT_EQ(half.bytes("limit"), none.bytes("limit") + 0.5 * 8 * number) << "slopes of four variables";
}

TEST(KernelCosts, OfTheHierarchicalLimiterAreThoseOfTroubledElements) {
  dg::Spec spec = bare_euler(2);
  spec.limiter = dg::LimiterSpec{hierarchical(), "CharacteristicVariables", true};
  const mesh::Mesh mesh = irregular_square(8, 8);
  const Costs none(mesh, spec, gpu), all(mesh, spec, gpu, "euler", 1);
  EXPECT_GT(all.bytes("limit"), 1.5 * none.bytes("limit"));
  const double derivatives = 4 * 2 * number;
  EXPECT_EQ(none.bytes("detect"), 24 * number + 4 * number + derivatives + number + 3 * integer);
  EXPECT_EQ(none.bytes("detect"), all.bytes("detect"));
}

TEST(KernelCosts, StagesOfOneKernelAreAveraged) {
  // Midpoint: R(u) from u, then R(u_1) added to u.
  const Costs costs(irregular_square(8, 8), bare_euler(1), gpu, "rk2-midpoint");
  EXPECT_EQ(costs.bytes("residual_1_1"), (2 + 3) / 2.0 * 96 + 4 * number + 3 * integer);
}

}  // namespace
}  // namespace galerna::tests
