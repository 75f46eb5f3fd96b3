// Cases of advection, diffusion and reaction on polytopes, as a user gives them.
#include "solver/polytopic_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

const char* walls = R"toml(
[boundary.left]
type = "dirichlet"
value = "u"
[boundary.right]
type = "dirichlet"
value = "u"
[boundary.bottom]
type = "dirichlet"
value = "u"
[boundary.top]
type = "dirichlet"
value = "u"
[output]
picture = false
)toml";

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
)toml") + walls;

class PolytopicCase : public ::testing::Test {
 protected:
  PolytopicCase() { write_square(folder_, 6); }

  output::Report run(const std::vector<std::string>& set = {}) {
    return solver::run_polytopic(settings(folder_, polynomial, set), options_, observer_);
  }
  void expect_refused(const std::vector<std::string>& set, const std::string& message) {
    try {
      run(set);
      FAIL() << "was accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
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
  const std::string matrix = text_of(folder_ / "out/matrix.mtx");
  EXPECT_EQ(std::count(matrix.begin(), matrix.end(), '\n'), 2 + report["matrix"]["nonzeros"].get<int>());
  const std::string vtu = text_of(folder_ / "out/solution.vtu");
  for (const char* name : {"Name=\"u\"", "Name=\"polytope\"", "Name=\"order\""})
    EXPECT_NE(vtu.find(name), std::string::npos) << name;
}

TEST_F(PolytopicCase, RefusesOrdersThatAreNone) {
  expect_refused({"discretization.order=\"where(x < 0.5, 2.5, 2)\""}, "the order is 2.5 on polytope");
  expect_refused({"discretization.order=9"}, "the order is 9 on polytope 0 at (");
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
}

TEST_F(PolytopicCase, SolvesDirectlyAndByMultigridAlike) {
  const output::Report direct = run({"solver.type=\"direct\"", "equations.reaction=1"});
  const output::Report iterated = run({"solver.tolerance=1e-12", "equations.reaction=1"});
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
