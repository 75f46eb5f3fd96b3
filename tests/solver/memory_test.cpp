#include "solver/memory.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/error.hpp"
#include "mesh/box.hpp"
#include "mesh/prepare.hpp"
#include "solver/host_memory.hpp"
#include "solver/mixtures.hpp"
#include "solver/problem.hpp"

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
      EXPECT_EQ(simulation.memory().held(), simulation.flow().discretization().device().memory_used()) << device;
      for (const device::PlannedArray& array : simulation.memory().arrays) EXPECT_GT(array.bytes, 0u) << array.purpose;
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
        PlannedCase{"integrals of formulas",
                    open_square("[discretization]\norder = 1\n" + loop +
                                "\"euler\"\n[output.integral.swirl]\nformula = \"vorticity^2\"\n"
                                "[output.integral.push]\nformula = \"pressure*normal_x\"\nboundary = \"left\"\n"),
                    {}},
        PlannedCase{"error control",
                    open_square("[discretization]\norder = 1\n[time]\ntolerance = 1e-4\nend = 0.1\nscheme = "
                                "\"ssprk43\"\n"),
                    {}},
        PlannedCase{"limited and viscous",
                    open_square("[discretization]\norder = 1\n" + loop + "\"ssprk33\"\n" + shock_with +
                                "\"barth-jespersen\"\n"),
                    {"equations.type=\"navier-stokes\"", "equations.mu=0.01", "equations.prandtl=0.72"}},
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

const device::Traits gpu{device::Kind::cuda, device::cuda_lanes, device::cuda_lanes, true};
const device::Traits cpu{device::Kind::host, 8, 16, false};

/// 100,000 triangles between the boundaries of the double Mach reflection.
const mesh::Mesh& channel() {
  static const mesh::Mesh made = [] {
    mesh::Mesh mesh = mesh::make_rectangle(400, 125, {0, 0}, {4, 1});
    const std::map<std::string, std::string> names = {
        {"left", "inflow"}, {"right", "outflow"}, {"bottom", "wall"}, {"top", "top"}};
    for (mesh::Boundary& boundary : mesh.boundaries) boundary.name = names.at(boundary.name);
    mesh::prepare(mesh, {});
    return mesh;
  }();
  return made;
}

/// The double Mach reflection on a GPU.
solver::PlanOf double_mach() {
  const std::string folder = std::string(GALERNA_SOURCE_DIR) + "/cases/double-mach-reflection/";
  const auto settings =  // Gmsh makes the mesh; the reader only looks whether there is a file
      case_file::read_case(folder + "case.toml", {"mesh.file=\"" + folder + "channel.geo\""});
  const dg::Spec spec = solver::make_spec(settings, channel(), Precision::double_precision);
  return solver::plan_of(channel(), spec, time::find_scheme(settings.time.scheme),
                         solver::make_step_settings(settings, channel()), gpu);
}

TEST(Memory, OfTheDoubleMachReflectionIsAtMost400BytesPerElement) {
  EXPECT_LE(static_cast<double>(double_mach()(1, Precision::double_precision).peak()) / 1e5, 400);
}

using Purposes = std::map<std::string, std::size_t>;

/// What the case takes in double precision on such a device, which is not here.
device::MemoryPlan plan_for(const Folder& folder, const std::string& text, const std::vector<std::string>& set,
                            const device::Traits& traits) {
  const case_file::Settings read = settings(folder, text, set);
  const mesh::Mesh mesh = solver::make_mesh(read);
  const dg::Spec spec = solver::make_spec(read, mesh, Precision::double_precision);
  return solver::plan_memory(mesh, spec, time::find_scheme(read.time.scheme), solver::make_step_settings(read, mesh),
                             traits);
}

/// \param temporary nodes of elements, where mass matrices are solved points, moments and three vectors for each of
/// them, and tables of basis, shape functions and weights at the formulas' points, whose number is a multiple of 8
void expect_plan(const device::MemoryPlan& plan, const Purposes& expected, std::size_t temporary) {
  Purposes found;
  for (const device::PlannedArray& array : plan.arrays) found[array.purpose] = array.bytes;
  EXPECT_EQ(found, expected);
  EXPECT_EQ(plan.temporary, temporary);
}

// Numbers of these were found by adding up what arrays were known to be there.

TEST(QuickPlans, OfTrianglesInTilesOnAGpuThatIsNotHere) {
  Folder folder;
  write_square(folder, 30);
  expect_plan(plan_for(folder, open_square("[discretization]\norder = 3\n" + loop + "\"lsrk54\"\n"), {}, gpu),
              {{"state and stages (4 copies)", 2457600},
               {"last good state", 614400},
               {"fluxes at points of the boundary, for reports", 131072},
               {"boundary faces", 120896},
               {"ghost states", 65536},
               {"gradients of barycentric coordinates", 61440},
               {"fluxes through the boundary", 32768},
               {"connectivity of tiles", 28080},
               {"neighbours", 23040},
               {"determinants", 15360},
               {"diameters", 15360},
               {"operators of tiles", 7680},
               {"reductions over blocks", 7600},
               {"tables", 960},
               {"control", sizeof(kernels::Control)}},
              1920 * 6 * 8 + 32 * (10 + 3 * 3 + 1) * 8);
}

TEST(QuickPlans, OfLimitersInSpace) {
  Folder folder;
  mesh::write_gmsh(mesh::make_box({4, 4, 4}), folder / "box.msh");
  std::string text =
      "[mesh]\nfile = \"box.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 2\n[shock]\nlimiter = "
      "\"hierarchical\"\n[time]\nscheme = \"ssprk33\"\nend = 1\n[initial]\ndensity = 1\nvelocity_x = 0\nvelocity_y = "
      "0\nvelocity_z = 0\npressure = 1\n";
  for (const char* name : {"left", "right", "front", "back", "bottom", "top"})
    text += std::string("[boundary.") + name + "]\ntype = \"symmetry\"\n";
  const auto purposes = [&](const std::vector<std::string>& set) {
    Purposes found;
    for (const device::PlannedArray& array : plan_for(folder, text, set, gpu).arrays)
      found[array.purpose] = array.bytes;
    return found;
  };
  const Purposes found = purposes({});
  constexpr std::size_t elements = 384;  // 12 blocks
  EXPECT_EQ(found.at("derivatives, for the limiter"), elements * 5 * 3 * 8);
  EXPECT_EQ(found.at("elements around vertices"), elements * 4 * 24 * 4);
  EXPECT_EQ(found.at("neighbours, for the limiter"), elements * 4 * 4);
  EXPECT_EQ(found.at("troubled elements"), elements * 8);
  EXPECT_EQ(found.at("counts of the limiter"), 2 * 12 * sizeof(double));
  Purposes without = purposes({"shock=", "time.cfl=0.1"}), positive = purposes({"shock.limiter=\"none\""});
  without["counts of the limiter"] = 2 * 12 * sizeof(double);
  without["reductions over blocks"] += elements / 128 * sizeof(double);  // limits at points of sides
  EXPECT_EQ(positive, without);
}

TEST(QuickPlans, OfTilesBesideQuadrilaterals) {
  Folder folder;
  write_mixture(folder, 24, 1);
  const std::string rim =
      "[boundary.rim]\ntype = \"dirichlet\"\ndensity = \"wave\"\nvelocity_x = 1\nvelocity_y = 0.5\npressure = 1\n";
  const std::string text = std::string("[mesh]\nfile = \"square.msh\"\n") + density_wave +
                           "[discretization]\norder = 3\n" + loop + "\"rk4\"\n" + rim;
  expect_plan(plan_for(folder, text, {}, gpu),
              {{"state and stages (4 copies)", 1441792},
               {"traces on sides, of this stage and the next", 819200},
               {"last good state", 360448},
               {"metric terms", 41984},
               {"fluxes at points of the boundary, for reports", 32768},
               {"boundary faces", 30224},
               {"neighbours", 12288},
               {"connectivity of tiles", 8768},
               {"fluxes through the boundary", 8192},
               {"operators of tiles", 7680},
               {"edges of sets of triangles", 3008},
               {"reductions over blocks", 3864},
               {"control", sizeof(kernels::Control)}},
              384 * (8 + 40 + 7 * 16) * 8 + 40 * (16 + 3 * 4 + 1) * 8);
}

TEST(QuickPlans, OfViscousTilesAndTimeMeans) {
  Folder folder;
  write_square(folder, 30);
  expect_plan(plan_for(folder, open_square("[discretization]\norder = 4\n" + loop + "\"ssprk54\"\n"),
                       {"equations.type=\"navier-stokes\"", "equations.mu=0.01", "equations.prandtl=0.72",
                        "output.averages.start=0.01"},
                       gpu),
              {{"state and stages (4 copies)", 3686400},
               {"traces on sides, of this stage and the next", 2170880},
               {"time mean, now and at the last good state", 1843200},
               {"viscous fluxes on sides", 1003520},
               {"last good state", 921600},
               {"fluxes at points of the boundary, for reports", 327680},
               {"gradients on the boundary", 163840},
               {"boundary faces", 149568},
               {"metric terms", 76800},
               {"fluxes through the boundary", 32768},
               {"neighbours", 23040},
               {"operators of tiles", 16384},
               {"reductions over blocks", 7480},
               {"control", sizeof(kernels::Control)}},
              1920 * (6 + 40 + 7 * 15) * 8 + 40 * (15 + 3 * 3 + 1) * 8);
}

TEST(QuickPlans, OfTheHierarchicalLimiterOnACpu) {
  Folder folder;
  write_square(folder, 30);
  const std::string text =
      open_square("[discretization]\norder = 2\n" + loop + "\"ssprk33\"\n" + shock_with + "\"hierarchical\"\n");
  const device::MemoryPlan plan = plan_for(folder, text, {}, cpu);
  EXPECT_EQ(plan.held(), 2432024u + sizeof(kernels::Control));
  EXPECT_EQ(plan.temporary, 1800u * 6 * 8 + 16 * (6 + 3 * 3 + 1) * 8);
}

/// Nothing depends on the points of a metric: a plan for curved elements is as quick as any.
TEST(QuickPlans, OfViscousFlowOnCurvedElementsWithErrorControl) {
  Folder folder;
  write_mixture(folder, 24, 3);
  const std::string rim =
      "[boundary.rim]\ntype = \"dirichlet\"\ndensity = \"wave\"\nvelocity_x = 1\nvelocity_y = 0.5\npressure = 1\n";
  const std::string text = std::string("[mesh]\nfile = \"square.msh\"\n") + density_wave +
                           "[discretization]\norder = 2\n[time]\ntolerance = 1e-5\nend = 0.1\nscheme = \"ssprk43\"\n" +
                           rim;
  const device::MemoryPlan plan =
      plan_for(folder, text, {"equations.type=\"navier-stokes\"", "equations.mu=0.01", "equations.prandtl=0.72"}, cpu);
  EXPECT_EQ(plan.held(), 2622048u + sizeof(kernels::Control));
  EXPECT_EQ(plan.temporary, 352u * (32 + 32 + 7 * 9) * 8 + 32 * (9 + 3 * 16 + 1) * 8);
}

std::string refusal(const solver::PlanOf& plan, int degree, Precision precision, std::size_t free) {
  try {
    solver::require_memory(plan, degree, precision, 100'000, free);
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

/// Moments that wait for their files are given up before a run is refused, and take half of what is free at most.
TEST(HostMemory, HasAsManyMomentsWaitingAsFit) {
  constexpr std::size_t arrays = 100, pieces = 10, state = 20;
  const auto plan = [](int pending) {
    solver::HostPlan memory;
    memory.arrays = arrays;
    memory.copies = static_cast<std::size_t>(pending) * state;
    memory.outputs = pieces + memory.copies;
    return memory;
  };
  const auto fitting = [&](int pending, std::size_t free) {
    const std::size_t taken = solver::fitting_host_plan(plan, pending, free).to_come();
    EXPECT_EQ(taken, arrays + pieces + static_cast<std::size_t>(pending) * state);
    return pending;
  };
  EXPECT_EQ(fitting(2, 150), 2);
  EXPECT_EQ(fitting(2, 149), 1);
  EXPECT_EQ(fitting(2, 129), 0);
  EXPECT_EQ(fitting(2, 50), 0);
  EXPECT_EQ(fitting(9, 300), 7);
  EXPECT_NO_THROW(solver::require_host_memory(plan(0), 110));
  EXPECT_THROW(solver::require_host_memory(plan(0), 109), SystemError);
}

/// A GPU's state is written from there: the host has pieces of it, unless the run goes on beside files.
TEST(HostMemory, OfAGpuHoldsNoStateAtTheEnd) {
  Folder folder;
  write_square(folder, 48);
  const std::string text =
      std::string(periodic_square) + density_wave + "[discretization]\norder = 5\n" + loop + "\"rk4\"\n";
  const auto planned = [&](const std::vector<std::string>& set, int pending) {
    const case_file::Settings read = settings(folder, text, set);
    const mesh::Mesh mesh = solver::make_mesh(read);
    return solver::plan_host_memory(read, mesh, {}, device::Kind::cuda, Precision::double_precision, pending);
  };
  const std::size_t elements = 2 * 48 * 48, state = elements * 21 * 4 * 8;
  EXPECT_EQ(planned({}, 2).copies, 0u);
  EXPECT_EQ(planned({"output.checkpoint.steps=1"}, 0).copies, 0u);
  EXPECT_EQ(planned({"output.checkpoint.steps=1"}, 2).copies, 2 * state);
  EXPECT_EQ(planned({"output.checkpoint.steps=1"}, 2).outputs, planned({}, 2).outputs + state);
  EXPECT_EQ(planned({"output.checkpoint.steps=1", "output.averages.start=0"}, 1).copies, 2 * state);
}

TEST(Memory, ThatDoesNotFitIsRefusedWithARemedy) {
  const auto plan = double_mach();
  const std::string tight = refusal(plan, 3, Precision::double_precision, 70'000'000);
  expect_contains(tight, "70.0 MB free");
  expect_contains(tight, "the largest arrays: state and stages (2 copies) 64.1 MB, last good state 32.0 MB");
  expect_contains(tight, "the largest discretization.order that fits on this mesh is 2 (");
  expect_contains(tight, "order 3 fits with --precision single (");
  const std::string hopeless = refusal(plan, 1, Precision::single_precision, 1'000'000);
  expect_contains(hopeless, "no order fits on this mesh; at order 1 a mesh of about 5.1e+03");
  EXPECT_EQ(hopeless.find("--precision"), std::string::npos) << hopeless;
}

TEST(QuickPlans, OfSolidsThatDoNotFitSayWhatDoes) {
  for (Shape shape : {Shape::tetrahedron, Shape::hexahedron, Shape::prism, Shape::pyramid}) {
    Folder folder;
    mesh::write_gmsh(mesh::make_box({3, 3, 3}, {1, 1, 1}, 0, shape), folder / "box.msh");
    std::string text =
        "[mesh]\nfile = \"box.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 3\n[time]\nscheme = "
        "\"rk4\"\ncfl = 0.4\nend = 1\n[initial]\ndensity = 1\nvelocity_x = 0\nvelocity_y = 0\nvelocity_z = "
        "0\npressure = 1\n";
    for (const char* name : {"left", "right", "front", "back", "bottom", "top"})
      text += std::string("[boundary.") + name + "]\ntype = \"symmetry\"\n";
    const case_file::Settings read = settings(folder, text);
    const mesh::Mesh mesh = solver::make_mesh(read);
    const auto plan = solver::plan_of(mesh, solver::make_spec(read, mesh, Precision::double_precision),
                                      time::find_scheme(read.time.scheme), solver::make_step_settings(read, mesh), gpu);
    const std::size_t of_degree_2 = plan(2, Precision::double_precision).peak();
    EXPECT_EQ(refusal(plan, 2, Precision::double_precision, of_degree_2), "") << name(shape);
    expect_contains(refusal(plan, 3, Precision::double_precision, of_degree_2),
                    "the largest discretization.order that fits on this mesh is 2 (");
    expect_contains(refusal(plan, 3, Precision::double_precision, 1000), "at order 3 a mesh of about ");
  }
}

TEST(Memory, TableListsEveryArrayAndTheSum) {
  const device::MemoryPlan plan{{{"states", 2'000'000}, {"neighbours", 500'000}}, 1000};
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
    const std::size_t used = simulation.flow().discretization().device().memory_used();
    const auto norms = simulation.flow().discretization().errors(simulation.flow().stepper().state(), 0);
    EXPECT_LT(norms[0].linf, 1e-13) << device;
    EXPECT_GT(norms[0].linf, 0) << device;
    EXPECT_EQ(simulation.flow().discretization().device().memory_used(), used);
  }
}

}  // namespace
}  // namespace galerna::tests
