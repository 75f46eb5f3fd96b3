// Sources in the kernels of CPU and GPU, the latter run on the CPU: a uniform flow changes by its source alone.
#include <gtest/gtest.h>

#include <cmath>

#include "case_names.hpp"
#include "device/device.hpp"
#include "dg/blocks.hpp"
#include "dg/discretization.hpp"
#include "dg/fixtures.hpp"
#include "dg/geometry/geometry.hpp"
#include "dg/programs/simplex_programs.hpp"
#include "dg/structures.hpp"

namespace galerna::tests {
namespace {

constexpr auto precision = device::Precision::double_precision;
constexpr double start = 1, step = 0.1, abscissa = 0.5;

dg::FunctionText source(const std::string& expression) {
  return [expression](const std::string& name) {
    return "template <class V, class U> V " + name +
           "(const V& x, const V& y, const V&, const V& t, const U& u) { return " + expression + "; }\n";
  };
}

dg::Spec spec_with_source(int degree) {
  dg::Spec spec = bare_euler(degree);
  spec.source = {source("x * t"), source("u[0] * y"), source("V(2) * u[3]"), source("V(0)")};
  return spec;
}

/// [element][variable][mode] of the same state everywhere.
std::vector<double> uniform(const mesh::Mesh& mesh, int modes) {
  std::vector<double> c;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e)
    for (double value : {1.5, 0.3, -0.4, 2.2})
      for (int j = 0; j < modes; ++j) c.push_back(j == 0 ? value / std::sqrt(2.0) : 0);
  return c;
}

/// [element][corner][d]
std::vector<double> vertices_of(const mesh::Mesh& mesh) {
  std::vector<double> vertices;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e)
    for (const mesh::Index corner : mesh.element_nodes(e)) {
      const mesh::Point& place = mesh.nodes[static_cast<std::size_t>(corner)];
      vertices.insert(vertices.end(), {place[0], place[1]});
    }
  return vertices;
}

/// Σ_q w_q φ_j S at time start + abscissa · step.
std::vector<double> expected(const mesh::Mesh& mesh, const dg::Operators& operators) {
  const std::vector<double> vertices = vertices_of(mesh);
  const double time = start + abscissa * step;
  std::vector<double> result;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e) {
    const double* corners = vertices.data() + 6 * e;
    for (int v = 0; v < 4; ++v)
      for (int j = 0; j < operators.modes; ++j) {
        double sum = 0;
        for (int q = 0; q < operators.volume.size(); ++q) {
          const auto& xi = operators.volume.points[static_cast<std::size_t>(q)];
          const double x = corners[0] + xi[0] * (corners[2] - corners[0]) + xi[1] * (corners[4] - corners[0]);
          const double y = corners[1] + xi[0] * (corners[3] - corners[1]) + xi[1] * (corners[5] - corners[1]);
          const double s[] = {x * time, 1.5 * y, 2 * 2.2, 0};
          sum += operators.volume.weights[static_cast<std::size_t>(q)] * operators.volume_basis(q, j) * s[v];
        }
        result.push_back(sum);
      }
  }
  return result;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], wanted[i], 1e-12) << i;
}

kernels::Control control_at_start() {
  kernels::Control control{};
  control.active = 1;
  control.time = start;
  control.dt = step;
  return control;
}

class SourceTerms : public ::testing::TestWithParam<int> {};

/// The kernel of GPU threads: each side's neighbour is the element itself, so that all fluxes cancel.
TEST_P(SourceTerms, OfThreadsAreIntegralsAgainstTheBasis) {
  const mesh::Mesh mesh = irregular_square();
  const dg::Spec spec = spec_with_source(GetParam());
  const dg::Operators operators = dg::make_operators(spec.shape, spec.degree);
  const auto device = device::open_device("cpu");
  // A thread's value type is a number; of the program's kernels only that one is kept.
  device::ProgramSource text =
      dg::simplex_core_programs(spec, operators, dg::find_structure("packs"), {device::Kind::host, 1}, {{1, 1}})
          .front();
  text.text.erase(text.text.find("extern \"C\""));
  const std::size_t value = text.text.find("using Value = ");
  text.text.replace(value, text.text.find('\n', value) - value, "using Value = Real;");
  text.entries = {"threads"};
  text.text +=
      "extern \"C\" void threads(const void* arguments, std::int64_t begin, std::int64_t end) {\n"
      "  for (std::int64_t block = begin; block < end; ++block)\n"
      "    residual<Config, 1, 1>(*static_cast<const ResidualArguments*>(arguments), Item{block, 0});\n}\n";
  const auto program = device->load(text);
  const auto kernel = device->kernel(*program, "threads");

  const dg::Blocks blocks = dg::make_blocks(mesh.element_count(), device::Kind::host, 1);
  const dg::Geometry geometry = dg::make_geometry(mesh);
  const std::vector<double> c = uniform(mesh, operators.modes);
  const std::int64_t values = 4 * operators.modes;
  std::vector<double> side_basis;
  for (const basis::Matrix& m : operators.side_basis)
    side_basis.insert(side_basis.end(), m.data(), m.data() + m.size());
  std::vector<std::int32_t> itself;
  for (std::int64_t lane = 0; lane < blocks.padded(); ++lane)
    for (int side = 0; side < 3; ++side) itself.push_back(static_cast<std::int32_t>(blocks.item(lane) * 4 + side));
  const auto state = dg::upload_blocked(*device, "state", precision, blocks, values, [&] { return c; }),
             result = dg::upload_blocked(*device, "state", precision, blocks, values, [&] { return c; }),
             gradients =
                 dg::upload_blocked(*device, "gradients", precision, blocks, 4, [&] { return geometry.gradients; }),
             vertices =
                 dg::upload_blocked(*device, "vertices", precision, blocks, 6, [&] { return vertices_of(mesh); }),
             table = dg::upload_numbers(*device, "table", precision, side_basis);
  const auto neighbours = dg::upload_integers(*device, "neighbours", blocks, 3, [&] { return itself; });
  const kernels::Control control = control_at_start();
  kernels::ResidualArguments a{};
  a.state = state->address();
  a.gradients = gradients->address();
  a.nodes = vertices->address();
  a.neighbours = static_cast<const std::int32_t*>(neighbours->address());
  a.side_basis = table->address();
  a.control = &control;
  a.abscissa = abscissa;
  a.update.inputs[0] = state->address();
  a.update.outputs[0] = result->address();
  a.update.rhs[0] = 1 / step;
  device->launch(*kernel, {blocks.count, 1}, &a, sizeof a);
  device->synchronize();
  expect_near(dg::read_blocked(*device, precision, blocks, *result, values), expected(mesh, operators));
}

/// A stage as the device computes it; boundary states are those inside.
void expect_stage(int degree, bool by_element) {
  const mesh::Mesh mesh = irregular_square();
  dg::Spec spec = spec_with_source(degree);
  if (by_element) spec.structure = "element";
  dg::BoundaryCondition open;
  open.kernel = {"kernels/boundary/supersonic_outflow.hpp", "SupersonicOutflow"};
  spec.boundaries = {open, open, open, open};
  const auto device = device::open_device("cpu");
  dg::Discretization discretization(*device, mesh, spec, {{}, {}, {}, {}}, {{1, 1}});
  const auto state = discretization.allocate_state(), result = discretization.allocate_state();
  const dg::Operators& operators = discretization.set_of(0).operators;
  discretization.write_state(*state, uniform(mesh, operators.modes));
  discretization.write_control(control_at_start());
  discretization.stage({state.get(), {state.get()}, {result.get()}, {{0}}, {1 / step}, abscissa, 1, true});
  device->synchronize();
  expect_near(discretization.read_state(*result), expected(mesh, operators));
}

TEST_P(SourceTerms, OfAStageAreIntegralsAgainstTheBasis) {
  expect_stage(GetParam(), false);
}

TEST_P(SourceTerms, OfTheGeneralKernelsAreIntegralsAgainstTheBasis) {
  expect_stage(GetParam(), true);
}

INSTANTIATE_TEST_SUITE_P(QuickDegrees, SourceTerms, ::testing::Values(1), CaseName{});
INSTANTIATE_TEST_SUITE_P(Degrees, SourceTerms, ::testing::Values(0, 3), CaseName{});

}  // namespace
}  // namespace galerna::tests
