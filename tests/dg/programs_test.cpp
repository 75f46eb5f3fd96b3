// Compiles every kernel for GPUs; NVRTC needs no GPU for that. What is the same text for two generations of GPUs, with
// matrix units for fp64 and without, is compiled for one of them, beside some of each kind for both.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "case_names.hpp"
#include "compiles.hpp"
#include "device/program.hpp"
#include "dg/fixtures.hpp"
#include "dg/programs/exchange_program.hpp"
#include "dg/programs/gather_program.hpp"
#include "dg/programs/simplex_programs.hpp"
#include "dg/slope_limiters.hpp"
#include "dg/structures.hpp"

namespace galerna::tests {
namespace {

constexpr int cuda_lanes = 32;

dg::FunctionText zero() {
  return [](const std::string& name) {
    return "template <class V> V " + name + "(const V&, const V&, const V&, const V&) { return V(0); }";
  };
}

dg::BoundaryCondition condition(const std::string& header, const std::string& type, bool state,
                                const std::vector<std::string>& values) {
  dg::BoundaryCondition result;
  result.kernel = {"kernels/boundary/" + header + ".hpp", type};
  result.takes_data = state || !values.empty();
  if (state) result.state = dg::StateFunctions{true, {zero(), zero(), zero(), zero()}};
  for (const std::string& value : values) result.values.emplace_back(value, zero());
  return result;
}

dg::Spec spec_with_everything(int degree, const dg::KernelType& flux, device::Precision precision) {
  dg::Spec spec = bare_euler(degree);
  spec.flux = flux;
  spec.boundaries = {condition("slip_wall", "SlipWall", false, {}),
                     condition("supersonic_outflow", "SupersonicOutflow", false, {}),
                     condition("dirichlet", "Dirichlet", true, {}),
                     condition("far_field", "FarField", true, {}),
                     condition("lifting_far_field", "LiftingFarField", true, {"lift_centre_x", "lift_centre_y"}),
                     condition("subsonic_outflow", "SubsonicOutflow", false, {"pressure"}),
                     condition("subsonic_inflow", "SubsonicInflow", false,
                               {"total_pressure", "total_temperature", "direction_x", "direction_y"})};
  spec.initial = dg::StateFunctions{true, {zero(), zero(), zero(), zero()}};
  spec.exact = spec.initial;
  spec.integrals = integrals_of_solution();
  spec.averages = spec.error_control = spec.candidate = true;
  spec.precision = precision;
  return spec;
}

const dg::KernelType llf = {"kernels/riemann/llf.hpp", "LocalLaxFriedrichs"};
const dg::KernelType hllc = {"kernels/riemann/hllc.hpp", "Hllc"};
const dg::KernelType roe = {"kernels/riemann/roe.hpp", "Roe"};

using StageShapes = std::set<std::pair<int, int>>;
const StageShapes every_shape = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 2}}, two_shapes = {{1, 1}, {3, 2}};

const dg::Structure& threads = dg::find_structure("threads");

const std::string with_matrix_units = "sm_90", without = "sm_80";

class CudaProgram : public ::testing::TestWithParam<std::string> {
 protected:
  void expect_compiles(int degree, const dg::KernelType& flux, device::Precision precision,
                       const StageShapes& shapes = two_shapes) const {
    const dg::Spec spec = spec_with_everything(degree, flux, precision);
    const dg::Operators operators = dg::make_operators(spec.shape, degree, -1, -1);
    const device::Target target{device::Kind::cuda, cuda_lanes, GetParam() == with_matrix_units};
    auto programs = dg::simplex_core_programs(
        spec, operators, *dg::choose_structure({operators}, spec, target).structure, target, shapes);
    for (const auto& program : dg::simplex_case_programs(spec, operators, target, false)) programs.push_back(program);
    for (const auto& program : programs) tests::expect_compiles(program, GetParam());
  }

  /// The kernel that goes through the steps of small meshes by itself.
  void expect_sequence_compiles(int degree, const dg::LimiterSpec& limiter, device::Precision precision) const {
    dg::Spec spec = spec_with_everything(degree, llf, precision);
    spec.limiter = limiter;
    spec.limiter->positivity = true;
    const dg::Operators operators = dg::make_operators(spec.shape, degree, -1, -1);
    const auto sequence =
        dg::sequence_program(spec, operators, threads, {device::Kind::cuda, cuda_lanes}, {{1, 1}, {2, 1}, {3, 2}});
    for (const char* entry : {"residual_2_1", "ghosts", "limit", "monitor", "accumulate", "next_step"})
      EXPECT_EQ(std::count(sequence.entries.begin(), sequence.entries.end(), entry), 1) << entry;
    tests::expect_compiles(sequence.source, GetParam());
  }

  /// The limiter's kernels, beside one residual. The positivity pass is in all of them.
  void expect_limiter_compiles(int degree, const dg::LimiterSpec& limiter, device::Precision precision) const {
    dg::Spec spec = spec_with_everything(degree, llf, precision);
    spec.limiter = limiter;
    spec.limiter->positivity = true;
    const dg::Operators operators = dg::make_operators(spec.shape, degree, -1, -1);
    const auto program =
        dg::simplex_core_programs(spec, operators, threads, {device::Kind::cuda, cuda_lanes}, {}).back();
    const std::string last = limiter.entropy_filter ? "filter" : "limit";
    EXPECT_EQ(std::count(program.entries.begin(), program.entries.end(), last), 1);
    tests::expect_compiles(program, GetParam());
  }

  void SetUp() override {
    if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  }
};

TEST_P(CudaProgram, CompilesForLowDegrees) {
  expect_compiles(1, llf, device::Precision::double_precision);
}

/// Tiles on matrix units, a thread for each element without.
TEST_P(CudaProgram, CompilesForDegree3) {
  expect_compiles(3, llf, device::Precision::double_precision, every_shape);
}
TEST_P(CudaProgram, CompilesForDegrees4And5) {
  for (int degree : {4, 5}) expect_compiles(degree, llf, device::Precision::double_precision);
}
TEST_P(CudaProgram, CompilesForDegree6) {
  expect_compiles(6, llf, device::Precision::double_precision);
}

TEST_P(CudaProgram, CompilesALimiter) {
  expect_limiter_compiles(1, {hierarchical(), "CharacteristicVariables", true}, device::Precision::double_precision);
}

TEST_P(CudaProgram, CompilesAFilter) {
  for (int degree : {2, 3})
    expect_limiter_compiles(degree, {.entropy_filter = true}, device::Precision::double_precision);
}

using CudaProgramForOneOf = CudaProgram;

TEST_P(CudaProgramForOneOf, CompilesForSmallMeshes) {
  for (auto precision : {device::Precision::double_precision, device::Precision::single_precision}) {
    expect_sequence_compiles(1, {.slopes = barth_jespersen()}, precision);
    expect_sequence_compiles(2, {.slopes = hierarchical()}, precision);
  }
}

TEST_P(CudaProgramForOneOf, CompilesForExchangesBetweenRanks) {
  const device::Target target{device::Kind::cuda, cuda_lanes, true};
  for (auto precision : {device::Precision::double_precision, device::Precision::single_precision}) {
    tests::expect_compiles(dg::exchange_program(precision), GetParam());
    const dg::Spec spec = spec_with_everything(2, llf, precision);
    tests::expect_compiles(dg::simplex_edge_program(spec, dg::make_operators(spec.shape, 2, -1, -1), target),
                           GetParam());
  }
}

TEST_P(CudaProgramForOneOf, CompilesForFiles) {
  tests::expect_compiles(dg::gather_program(), GetParam());
}

TEST_P(CudaProgramForOneOf, CompilesForDegree0) {
  expect_compiles(0, llf, device::Precision::double_precision);
}

TEST_P(CudaProgramForOneOf, CompilesForEveryFlux) {
  expect_compiles(2, llf, device::Precision::double_precision, every_shape);
  for (const auto& flux : {hllc, roe}) expect_compiles(2, flux, device::Precision::double_precision);
}

TEST_P(CudaProgramForOneOf, CompilesInSinglePrecision) {
  expect_compiles(3, hllc, device::Precision::single_precision);
}

const char* const limited_variables[] = {"ConservativeVariables", "PrimitiveVariables", "CharacteristicVariables"};

TEST_P(CudaProgramForOneOf, CompilesForBarthJespersenInAllVariables) {
  for (const char* variables : limited_variables)
    for (const bool vertex : {false, true})
      expect_limiter_compiles(1, {barth_jespersen(vertex), variables, true}, device::Precision::double_precision);
  expect_limiter_compiles(1, {barth_jespersen(), "CharacteristicVariables", true}, device::Precision::single_precision);
}

TEST_P(CudaProgramForOneOf, CompilesForTheHierarchicalLimiterInAllVariables) {
  for (int degree = 1; degree <= 4; ++degree)
    for (const char* variables : limited_variables)
      if (degree < 4 || variables == limited_variables[0])
        expect_limiter_compiles(degree, {hierarchical(), variables, true}, device::Precision::double_precision);
}

TEST_P(CudaProgramForOneOf, CompilesForPositivityAlone) {
  for (int degree : {0, 2, 5})
    expect_limiter_compiles(degree, {{}, "ConservativeVariables", true}, device::Precision::double_precision);
}

/// A kernel that takes viscous fluxes inside and on every kind of wall.
std::string viscous_program(const std::string& real, int sutherland) {
  const std::string parameters =
      "struct Parameters {\n  static constexpr double gamma = 1.4, prandtl = 0.72, mu = 0.01;\n"
      "  static constexpr double sutherland = " +
      std::to_string(sutherland) + ", reference_temperature = 1, sutherland_temperature = 0.4;\n};\n";
  std::string text;
  for (const char* header : {"symmetry", "slip_wall", "no_slip_adiabatic", "no_slip_isothermal",
                             "moving_wall_adiabatic", "moving_wall_isothermal", "supersonic_outflow"})
    text += std::string("#include \"kernels/boundary/") + header + ".hpp\"\n";
  text +=
      "#include \"kernels/physics/equation_system.hpp\"\n#include \"kernels/physics/navier_stokes.hpp\"\nusing "
      "namespace galerna::kernels;\n" +
      parameters + "using Real = " + real + ";\n" + R"(
using System = EquationSystem<NavierStokes<2, Parameters>, 2, true>;
struct Data {
  template <class V> static V temperature(const V&, const V&, const V&, const V&) { return V(2); }
  template <class V> static Array<V, 2> velocity(const V&, const V&, const V&, const V&) { return {{V(1), V(0)}}; }
};
using List = ViscousBoundaryList<Symmetry, SlipWall, NoSlipAdiabatic, NoSlipIsothermal<Data>, MovingWallAdiabatic<Data>,
                                 MovingWallIsothermal<Data>, SupersonicOutflow>;
extern "C" __global__ void viscous(const Array<Real, 4>* u, const Array<Array<Real, 4>, 2>* g, Array<Real, 4>* f, int n) {
  FacePoint<Real, 2> at{};
  at.normal = {{1, 0}};
  const auto state = List::state<System>(n, u[threadIdx.x], at);
  f[threadIdx.x] = List::flux<System>(n, state, g[threadIdx.x], at);
  f[threadIdx.x][0] = System::largest_diffusivity(state);
}
)";
  return text;
}

TEST_P(CudaProgram, CompilesForViscousTerms) {
  for (const char* real : {"double", "float"})
    for (const int sutherland : {0, 1}) {
      device::ProgramSource program{"viscous terms", viscous_program(real, sutherland), {"viscous"}};
      tests::expect_compiles(program, GetParam());
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaProgram, ::testing::Values(without, with_matrix_units), CaseName{});
INSTANTIATE_TEST_SUITE_P(Architectures, CudaProgramForOneOf, ::testing::Values(with_matrix_units), CaseName{});

}  // namespace
}  // namespace galerna::tests
