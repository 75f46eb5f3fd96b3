#include "solver/memory.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

using device::Precision;

struct PlannedCase {
  std::string name, text;
  std::vector<std::string> set;
};

std::ostream& operator<<(std::ostream& stream, const PlannedCase& c) {
  return stream << c.name;
}

const std::string shock_with = "[shock]\nlimiter = ";

std::string open_square(const std::string& more) {
  const std::string state = "density = \"wave\"\nvelocity_x = 1\nvelocity_y = 0.5\npressure = 1\n";
  std::string text = std::string("[mesh]\nfile = \"square.msh\"\n") + density_wave + more;
  for (const char* side : {"left", "right", "top"})
    text += std::string("[boundary.") + side + "]\ntype = \"dirichlet\"\n" + state;
  return text + "[boundary.bottom]\ntype = \"slip-wall\"\n";
}

class Plan : public ::testing::TestWithParam<PlannedCase> {};

TEST_P(Plan, IsWhatTheDeviceHoldsAfterSetUp) {
  Folder folder;
  write_square(folder, 7);
  for (const std::string& device : devices())
    for (Precision precision : {Precision::double_precision, Precision::single_precision}) {
      Silent silent;
      solver::Simulation simulation(settings(folder, GetParam().text, GetParam().set),
                                    {.device = device, .precision = precision}, silent);
      EXPECT_EQ(simulation.memory().held(), simulation.discretization().device().memory_used()) << device;
      for (const dg::PlannedArray& array : simulation.memory().arrays) EXPECT_GT(array.bytes, 0u) << array.name;
    }
}

const std::string loop = "[time]\ncfl = 0.1\nend = 0.1\nscheme = ";
INSTANTIATE_TEST_SUITE_P(
    Cases, Plan,
    ::testing::Values(
        PlannedCase{
            "periodic p0",
            std::string(periodic_square) + density_wave + "[discretization]\norder = 0\n" + loop + "\"euler\"\n",
            {}},
        PlannedCase{
            "periodic p3",
            std::string(periodic_square) + density_wave + "[discretization]\norder = 3\n" + loop + "\"lsrk54\"\n",
            {}},
        PlannedCase{"source",
                    std::string(periodic_square) + density_wave + "[discretization]\norder = 3\n" + loop +
                        "\"lsrk54\"\n[source]\ndensity = \"x\"\n",
                    {}},
        PlannedCase{"steady", open_square("[discretization]\norder = 1\n" + loop + "\"rk4\"\n"), {"time.steady=1e-9"}},
        PlannedCase{"barth-jespersen",
                    open_square("[discretization]\norder = 1\n" + loop + "\"rk2-heun\"\n" + shock_with +
                                "\"barth-jespersen\"\n"),
                    {}},
        PlannedCase{"barth-jespersen around vertices",
                    open_square("[discretization]\norder = 1\n" + loop + "\"rk2-heun\"\n" + shock_with +
                                "\"barth-jespersen\"\nneighbours = \"vertex\"\n"),
                    {}},
        PlannedCase{"hierarchical",
                    open_square("[discretization]\norder = 2\nface_quadrature = 7\n" + loop + "\"ssprk33\"\n" +
                                shock_with + "\"hierarchical\"\n"),
                    {}}),
    [](const auto& test) {
      std::string name = test.param.name;
      std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
      return name;
    });

/// The double Mach reflection on a GPU, a million triangles.
solver::PlanOf double_mach() {
  const std::string folder = std::string(GALERNA_SOURCE_DIR) + "/cases/double-mach-reflection/";
  const auto settings =  // Gmsh makes the mesh; the reader only looks whether there is a file
      case_file::read_case(folder + "case.toml", {"mesh.file=\"" + folder + "channel.geo\""});
  const dg::Spec spec =
      solver::make_spec(settings, {"inflow", "ahead", "wall", "outflow", "top"}, Precision::double_precision);
  return solver::plan_of(spec, time::find_scheme(settings.time.scheme), solver::make_step_settings(settings),
                         {1'000'000, {500, 100, 2000, 500, 2100}, 0, {{32, 24}, {64, 33}}}, [](Precision) {
                           return dg::Target{device::Kind::cuda, device::cuda_lanes, true};
                         });
}

TEST(Memory, OfTheDoubleMachReflectionIsAtMost400BytesPerElement) {
  EXPECT_LE(static_cast<double>(double_mach()(1, Precision::double_precision).peak()) / 1e6, 400);
}

std::string refusal(const solver::PlanOf& plan, int degree, Precision precision, std::size_t free) {
  try {
    solver::require_memory(plan, degree, precision, 1'000'000, free);
  } catch (const SystemError& error) {
    return error.what();
  }
  return "";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
}

TEST(Memory, ThatFitsIsNotRefused) {
  const auto plan = double_mach();
  const std::size_t peak = plan(1, Precision::double_precision).peak();
  EXPECT_EQ(refusal(plan, 1, Precision::double_precision, peak), "");
  EXPECT_NE(refusal(plan, 1, Precision::double_precision, peak - 1), "");
}

TEST(Memory, ThatDoesNotFitIsRefusedWithARemedy) {
  const auto plan = double_mach();
  const std::string tight = refusal(plan, 3, Precision::double_precision, 650'000'000);
  expect_contains(tight, "650.0 MB free");
  expect_contains(tight, "the largest arrays: state and stages (2 copies) 640.0 MB, last good state 320.0 MB");
  expect_contains(tight, "the largest discretization.order that fits on this mesh is 2 (");
  expect_contains(tight, "order 3 fits with --precision single (");
  const std::string hopeless = refusal(plan, 1, Precision::single_precision, 10'000'000);
  expect_contains(hopeless, "no order fits on this mesh; at order 1 a mesh of about 5");
  EXPECT_EQ(hopeless.find("--precision"), std::string::npos) << hopeless;
}

TEST(Memory, TableListsEveryArrayAndTheSum) {
  const dg::MemoryPlan plan{{{"states", 2'000'000}, {"neighbours", 500'000}}, 1000};
  const std::string table = solver::memory_table(plan, 10'000);
  expect_contains(table, "states");
  expect_contains(table, "200.0        2.000");
  expect_contains(table, "250.0        2.500");
  EXPECT_EQ(solver::memory_summary(plan, 10'000), "2.5 MB (250 bytes per element)");
}

// Corner coordinates go to the device in parts of 16,384 elements; a linear state must be met exactly in all of them.
TEST(Formulas, AreEvaluatedPartByPart) {
  Folder folder;
  write_square(folder, 100);
  const std::string text = open_square("[discretization]\norder = 1\n[time]\ncfl = 0.5\nend = 1\n");
  const std::vector<std::string> linear = {"initial.density=\"2 + x + 3*y\"", "exact.density=\"2 + x + 3*y\""};
  for (const std::string& device : devices()) {
    Silent silent;
    solver::Simulation simulation(settings(folder, text, linear), {.device = device}, silent);
    const std::size_t used = simulation.discretization().device().memory_used();
    const auto norms = simulation.discretization().errors(simulation.stepper().state(), 0);
    EXPECT_LT(norms[0].linf, 1e-13) << device;
    EXPECT_GT(norms[0].linf, 0) << device;
    EXPECT_EQ(simulation.discretization().device().memory_used(), used);
  }
}

}  // namespace
}  // namespace galerna::tests
