// Cases of advection, diffusion and reaction on polytopes, as a user gives them.
#include "solver/polytopic/polytopic_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "mesh/box.hpp"
#include "solver/case_programs.hpp"
#include "solver/polytopic/polytopic_memory.hpp"
#include "solver/polytopic_cases.hpp"
#include "solver/problem.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// −Δu = f with u = x² − 2xy + y + 1.
const std::string polynomial = std::string(R"toml(
[functions]
u = "x^2 - 2*x*y + y + 1"
[mesh]
file = "square.msh"
[mesh.agglomerate]
simplices = 6
[equations]
type = "advection-diffusion-reaction"
diffusion = 1
source = "-2"
[discretization]
order = 2
[exact]
value = "u"
)toml") + prescribed_sides;

TEST(PolytopicPrograms, AreThoseThatAGpuWithMatrixUnitsRuns) {
  const Folder folder;
  write_square(folder, 2);
  const auto programs = [&](bool matrix_units) {
    return solver::make_programs(settings(folder, polynomial), {device::Kind::cuda, device::cuda_lanes, matrix_units},
                                 device::Precision::double_precision);
  };
  const auto assembles_by_moments = [](const device::ProgramSource& program) {
    return program.text.find("moment_block") != std::string::npos;
  };
  const auto with = programs(true), without = programs(false);
  EXPECT_TRUE(std::any_of(with.begin(), with.end(), assembles_by_moments));
  EXPECT_FALSE(std::any_of(without.begin(), without.end(), assembles_by_moments));
}

class PolytopicCase : public ::testing::Test {
 protected:
  PolytopicCase() { write_square(folder_, 6); }

  files::Report run(const std::vector<std::string>& set = {}) {
    return solver::run_polytopic(settings(folder_, polynomial, set), options_, observer_);
  }
  void expect_refused(const std::vector<std::string>& set, const std::string& message) {
    expect_refused_by([&] { run(set); }, message);
  }

  Folder folder_;
  solver::RunOptions options_{"cpu"};
  Silent observer_;
};

TEST_F(PolytopicCase, ReproducesAPolynomialAndReportsIt) {
  run({"output.matrix=true", "solver.type=\"direct\""});
  const auto report = nlohmann::json::parse(text_of(folder_ / "out/report.json"));
  EXPECT_EQ(report["status"], "done");
  EXPECT_EQ(report["mesh"]["polytopes"], 12);
  EXPECT_EQ(report["matrix"]["dofs"], 12 * 6);
  EXPECT_LT(report["errors"]["l2"], 1e-12);
  EXPECT_LT(report["errors"]["dg"], 1e-11);
  EXPECT_NEAR(report["integral"], 1.0 / 3 - 0.5 + 0.5 + 1, 1e-12);
  EXPECT_GT(report["memory"]["matrix"], report["matrix"]["nonzeros"]);
  for (const auto& [boundary, flux] : {std::pair{"left", -1.0}, {"right", -1.0}, {"bottom", 0.0}, {"top", 0.0}}) {
    EXPECT_NEAR(report["fluxes"][boundary]["diffusive"], flux, 1e-11) << boundary;
    EXPECT_EQ(report["fluxes"][boundary]["advective"], 0) << boundary;
  }
  EXPECT_NEAR(report["conservation"]["source"], -2, 1e-13);
  EXPECT_LT(report["conservation"]["relative_element_defect"], 1e-12);
  const std::string matrix = text_of(folder_ / "out/matrix.mtx");
  EXPECT_EQ(std::count(matrix.begin(), matrix.end(), '\n'), 2 + report["matrix"]["nonzeros"].get<int>());
  const std::string vtu = text_of(folder_ / "out/solution.vtu");
  for (const char* name : {"Name=\"u\"", "Name=\"polytope\"", "Name=\"order\"", "Name=\"defect\""})
    EXPECT_NE(vtu.find(name), std::string::npos) << name;
}

TEST_F(PolytopicCase, ReproducesAPolynomialOnQuadrilaterals) {
  write_square(folder_, 6, mesh::CellStyle::quadrilaterals, 0.1);
  const files::Report elements = run({"mesh.agglomerate="});
  EXPECT_EQ(elements.polytopic->polytopes, 36);
  EXPECT_EQ(elements.elements.at("triangles"), 72);
  EXPECT_LT(elements.polytopic->errors->l2, 1e-9);
  const files::Report joined = run({"solver.type=\"direct\""});
  EXPECT_EQ(joined.polytopic->polytopes, 12);
  EXPECT_LT(joined.polytopic->errors->l2, 1e-12);
}

/// −Δu = 0 with u = 1 + x − 2y + 3z.
TEST(PolytopicSolids, ReproduceAPolynomial) {
  const Folder folder;
  Silent observer;
  for (const Shape shape : {Shape::hexahedron, Shape::prism, Shape::pyramid}) {
    mesh::write_gmsh(mesh::make_box({2, 2, 2}, {1, 1, 1}, 0, shape), folder / "box.msh");
    std::string text = R"toml(
[functions]
u = "1 + x - 2*y + 3*z"
[mesh]
file = "box.msh"
[equations]
type = "advection-diffusion-reaction"
diffusion = 1
[discretization]
order = 1
[solver]
type = "direct"
[exact]
value = "u"
[output]
solution = false
)toml";
    for (const char* name : {"left", "right", "front", "back", "bottom", "top"})
      text += std::string("[boundary.") + name + "]\ntype = \"dirichlet\"\nvalue = \"u\"\n";
    const files::Report report = solver::run_polytopic(settings(folder, text), {"cpu"}, observer);
    const auto parts = shape == Shape::hexahedron ? 6 : shape == Shape::prism ? 3 : 2;
    EXPECT_EQ(report.elements.at("tetrahedra"), parts * report.polytopic->polytopes);
    EXPECT_LT(report.polytopic->errors->l2, 1e-12) << name(shape);
  }
}

TEST_F(PolytopicCase, RefusesOrdersThatAreNone) {
  expect_refused({"discretization.order=\"where(x < 0.5, 2.5, 2)\""}, "the order is 2.5 on polytope");
  expect_refused({"discretization.order=9"}, "the order is 9 on polytope 0 at (");
}

TEST_F(PolytopicCase, MemoryIsWhatTheDeviceHoldsAtTheEnd) {
  for (const char* solver : {"direct", "multigrid"}) {
    const files::Report report = run({std::string("solver.type=\"") + solver + "\""});
    std::int64_t planned = 0;
    for (const auto& [array, bytes] : report.memory) planned += bytes;
    // Sums of vectors take a little more while equations are not solved at once.
    EXPECT_NEAR(static_cast<double>(planned), static_cast<double>(report.performance.device_memory_bytes),
                0.01 * static_cast<double>(planned))
        << solver;
  }
}

TEST_F(PolytopicCase, AMatrixBeyondMemoryIsRefusedBeforeItIsAllocated) {
  const case_file::Settings s = settings(folder_, polynomial);
  const solver::PolytopicMesh mesh = solver::make_polytopic_mesh(s);
  const auto precision = device::Precision::double_precision;
  const std::vector<int> degrees(12, 4);
  const auto plan = [&](bool multigrid) {
    return solver::plan_of(mesh, solver::make_polytopic_spec(s, mesh.mesh, precision), degrees, {}, multigrid);
  };
  EXPECT_GT(plan(true)(4, precision).held(), plan(false)(4, precision).held() + 12 * 15 * 15 * 4);
  const std::size_t enough_for_two = plan(true)(2, precision).peak();
  try {
    solver::require_memory(plan(true), 4, precision, 12, enough_for_two);
    FAIL() << "was accepted";
  } catch (const SystemError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("not enough device memory: "), 0U) << text;
    EXPECT_NE(text.find("for each of 12 elements"), std::string::npos) << text;
    EXPECT_NE(text.find("the largest discretization.order that fits on this mesh is 2"), std::string::npos) << text;
  }
}

TEST_F(PolytopicCase, RefusesOrderFilesOfTheWrongLength) {
  std::ofstream(folder_ / "orders.txt") << "1 2 3";
  expect_refused({"discretization.order=", "discretization.order_file=\"orders.txt\""},
                 "the file has 3 orders, but there are 12 polytopes");
}

TEST_F(PolytopicCase, RefusesNegativeDiffusion) {
  expect_refused({"equations.diffusion=\"x - 0.25\""}, "the diffusion has the eigenvalue -0.25 on polytope");
  expect_refused({"equations.diffusion=[[1, 2], [2, 1]]"}, "eigenvalue -1 on");
}

TEST_F(PolytopicCase, RefusesCoefficientsOfSpaceInThePlane) {
  expect_refused({"equations.velocity=[1, 0, 0]"}, "velocity has 3 components, but the mesh is in 2 dimensions");
}

TEST_F(PolytopicCase, RefusesFlowThroughABoundaryWithoutValues) {
  expect_refused({"equations.velocity=[1, 0]", "boundary.left.type=\"outflow\"", "boundary.left.value="},
                 "the flow enters (b·n = -1) through a boundary of type neumann or outflow");
}

TEST_F(PolytopicCase, WarnsOfNegativeReaction) {
  run({"equations.reaction=-1"});
  const auto found = std::find_if(observer_.messages.begin(), observer_.messages.end(),
                                  [](const std::string& m) { return m.starts_with("warning: c − ½∇·b is -1 on"); });
  EXPECT_NE(found, observer_.messages.end());
}

TEST_F(PolytopicCase, SaysThatAPenaltyIsTooSmall) {
  for (const char* solver : {"direct", "multigrid"})
    expect_refused({"discretization.penalty=\"boundary\"", "discretization.penalty_factor=0.02",
                    std::string("solver.type=\"") + solver + "\""},
                   "the penalty \"boundary\" with factor 0.02 is too small");
}

TEST_F(PolytopicCase, SaysHowFarIterationsCame) {
  expect_refused({"solver.max_iterations=2"},
                 "the equations are not solved to 1e-10 after 2 iterations, residuals 1.0e");
  const auto report = nlohmann::json::parse(text_of(folder_ / "out/report.json"));
  EXPECT_EQ(report["status"], "failed");
  EXPECT_EQ(report["solver"]["residuals"].size(), 3U);
  const std::string what = report["failure"]["what"];
  EXPECT_EQ(what.find("the equations are not solved"), 0U);
  EXPECT_NE(what.find("take solver.type = \"direct\", for "), std::string::npos) << what;
  // A residual that is small enough is not: the error is looked at.
  expect_refused({"solver.max_iterations=2", "solver.tolerance=0.5"}, "but an error of about ");
}

TEST_F(PolytopicCase, SolvesDirectlyAndByMultigridAlike) {
  const files::Report direct = run({"solver.type=\"direct\"", "equations.reaction=1"});
  const files::Report iterated = run({"solver.tolerance=1e-12", "equations.reaction=1"});
  EXPECT_EQ(direct.polytopic->solver.iterations, 0);
  EXPECT_GT(iterated.polytopic->solver.iterations, 0);
  EXPECT_LE(iterated.polytopic->solver.residual, 1e-12);
  EXPECT_NEAR(direct.polytopic->energy, iterated.polytopic->energy, 1e-10 * direct.polytopic->energy);
}

/// u is known but for a constant, which its mean says.
std::vector<std::string> fluxes(const std::string& right) {
  std::vector<std::string> set = {"functions.u=\"x - y\"", "equations.source=0"};
  for (const auto& [name, flux] :
       {std::pair<std::string, std::string>{"left", "-1"}, {"right", right}, {"bottom", "1"}, {"top", "-1"}}) {
    const std::string section = "boundary." + name;
    set.insert(set.end(), {section + ".type=\"neumann\"", section + ".value=", section + ".flux=" + flux});
  }
  return set;
}

TEST_F(PolytopicCase, FluxesEverywhereLeaveAConstant) {
  for (const char* solver : {"direct", "multigrid"}) {
    std::vector<std::string> set = fluxes("1");
    set.push_back(std::string("solver.type=\"") + solver + "\"");
    EXPECT_LT(run(set).polytopic->errors->l2, 1e-9) << solver;
  }
}

TEST_F(PolytopicCase, RefusesFluxesThatDoNotBalance) {
  expect_refused(fluxes("2"), "sources and fluxes through the boundary do not add up to zero");
}

TEST_F(PolytopicCase, RefusesMorePolytopesThanSimplices) {
  expect_refused({"mesh.agglomerate.simplices=", "mesh.agglomerate.polytopes=1000"},
                 "polytopes = 1000, but the mesh has 72 simplices only");
}

}  // namespace
}  // namespace galerna::tests
