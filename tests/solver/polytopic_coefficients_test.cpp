// What formulas alone tell of a case on polytopes: held against what kernels find, and refused before they are
// compiled.
#include "solver/polytopic/polytopic_coefficients.hpp"

#include <gtest/gtest.h>

#include "device/program.hpp"
#include "solver/polytopic/polytopic_run.hpp"
#include "solver/polytopic_cases.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

const std::string flow = std::string(R"toml(
[functions]
u = "x + y"
[mesh]
file = "square.msh"
[mesh.agglomerate]
simplices = 3
[equations]
type = "advection-diffusion-reaction"
diffusion = [["2 + x", "x*y"], ["x*y", "1 + y^2"]]
velocity = ["1 + x*y", "0.5 - y"]
reaction = "x - y"
source = "1.5 + u"
[discretization]
order = 2
)toml") + prescribed_sides;

class QuickPolytopicCoefficients : public ::testing::Test {
 protected:
  QuickPolytopicCoefficients() { write_square(folder_, 4); }
  ~QuickPolytopicCoefficients() override { device::on_compile({}); }

  struct Case {
    case_file::Settings settings;
    solver::PolytopicMesh mesh;
    std::vector<int> degrees;
    polytopic::Spec spec;
  };
  Case read(const std::vector<std::string>& set) const {
    Case made{settings(folder_, flow, set), {}, {}, {}};
    made.mesh = solver::make_polytopic_mesh(made.settings);
    made.degrees = solver::make_degrees(made.settings, made.mesh.polytopes);
    made.spec = solver::make_polytopic_spec(made.settings, made.mesh.mesh, device::Precision::double_precision);
    return made;
  }
  /// \return warnings
  std::vector<std::string> require(const std::vector<std::string>& set, long slabs = 1000) const {
    const Case c = read(set);
    std::vector<std::string> warnings;
    solver::require_coefficients(c.settings, c.mesh, c.spec, c.degrees, slabs,
                                 [&](const std::string& warning) { warnings.push_back(warning); });
    return warnings;
  }
  /// Both by itself and by a run, which compiles nothing.
  void expect_refused(const std::vector<std::string>& set, const std::string& message) {
    expect_refused_by([&] { require(set); }, message);
    int compiled = 0;
    device::on_compile([&](const device::CompileEvent&) { ++compiled; });
    Silent observer;
    expect_refused_by([&] { solver::run_polytopic(settings(folder_, flow, set), {"cpu"}, observer); }, message);
    EXPECT_EQ(compiled, 0);
  }

  Folder folder_;
};

/// The right side has a given flux.
const std::vector<std::string> open_side = {"boundary.right.type=\"neumann\"",
                                            "boundary.right.value=", "boundary.right.flux=0"};

/// On the left, where the flow enters, n·a∇u + h u is.
const std::vector<std::string> exchanging_side = {"boundary.left.type=\"robin\"",
                                                  "boundary.left.value=", "boundary.left.coefficient=\"1 + y\""};

TEST_F(QuickPolytopicCoefficients, AreThoseThatKernelsFind) {
  std::vector<std::string> set = open_side;
  set.insert(set.end(), exchanging_side.begin(), exchanging_side.end());
  const Case c = read(set);
  const auto found = solver::find_extremes(c.settings, c.mesh, c.spec, 2, 0, 0);
  const auto device = device::open_device("cpu");
  polytopic::Discretization discretization(*device, c.mesh.polytopes, c.spec, c.degrees);
  discretization.set_time(0, 0);
  const auto expected = discretization.extremes();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_NEAR(found[k].least_diffusion, expected[k].least_diffusion, 1e-13) << k;
    EXPECT_NEAR(found[k].largest_diffusion, expected[k].largest_diffusion, 1e-13) << k;
    EXPECT_NEAR(found[k].least_reaction, expected[k].least_reaction, 1e-13) << k;
    if (expected[k].boundary_margin > 1e10)
      EXPECT_GT(found[k].boundary_margin, 1e10) << k;
    else
      EXPECT_NEAR(found[k].boundary_margin, expected[k].boundary_margin, 1e-13) << k;
  }
}

TEST_F(QuickPolytopicCoefficients, RefuseIndefiniteDiffusion) {
  expect_refused({"equations.diffusion=-1"}, "the diffusion has the eigenvalue -1 on polytope 0");
  expect_refused({"equations.diffusion=[[1, 2], [2, 1]]"}, "the diffusion has the eigenvalue -1 on polytope 0");
  expect_refused({"equations.diffusion=\"x - 0.5\""}, "the diffusion has the eigenvalue -0.5 on polytope ");
}

TEST_F(QuickPolytopicCoefficients, RefuseDiffusionThatNumbersDoNotHold) {
  expect_refused({"equations.diffusion=1e101"}, "it may be 1e+100 at most");
  expect_refused({"equations.diffusion=1e-101"}, "the diffusion is 1e-101 at most, too small to compute with");
  EXPECT_NO_THROW(require({"equations.diffusion=\"where(x < 0.5, 1, 1e-200)\""}));
}

/// Where a coefficient is not a number it is neither 0 nor small, and no inflow.
TEST_F(QuickPolytopicCoefficients, RefuseWhatIsNotANumber) {
  const auto refuse = [&](std::vector<std::string> set, const std::string& message) {
    for (const char* key : {"equations.velocity=", "equations.reaction="})
      if (std::none_of(set.begin(), set.end(), [&](const auto& s) { return s.starts_with(key); })) set.push_back(key);
    expect_refused(set, message);
  };
  refuse({"equations.diffusion=\"sqrt(x - 0.5)\""}, "the diffusion \"sqrt(x - 0.5)\" is not a number on polytope ");
  refuse({"equations.diffusion=[[1, 0], [0, \"log(x - 0.5)\"]]"},
         "the diffusion \"log(x - 0.5)\" is not a number on polytope ");
  refuse({"equations.diffusion=\"1/(x - x)\""}, "the diffusion \"1/(x - x)\" is infinite on polytope ");
  refuse({"equations.reaction=\"sqrt(y - 0.5)\""}, "the reaction \"sqrt(y - 0.5)\" is not a number on polytope ");
  std::vector<std::string> open = open_side;
  open.emplace_back("equations.velocity=[\"sqrt(y - 0.5)\", 0]");
  refuse(open, "the velocity \"sqrt(y - 0.5)\" is not a number on polytope ");
}

TEST_F(QuickPolytopicCoefficients, RefuseCasesInWhichNothingGivesTheSolution) {
  const std::vector<std::string> none = {"equations.diffusion=\"where(x < 0.5, 0, 1)\"",
                                         "equations.velocity=", "equations.reaction="};
  expect_refused(none, "and the case has no velocity, reaction or time: nothing gives u there");
  for (const char* something : {"equations.velocity=[1, 0]", "equations.reaction=1"}) {
    std::vector<std::string> set = none;
    set.emplace_back(something);
    EXPECT_NO_THROW(require(set)) << something;
  }
}

/// Of constants, where something diffuses.
TEST_F(QuickPolytopicCoefficients, RefuseDegreeZeroWithDiffusion) {
  expect_refused({"discretization.order=0", "equations.diffusion=0.5"}, "the order is 0 on polytope 0 at (");
  expect_refused({"discretization.order=\"where(x < 0.5, 0, 2)\"", "equations.diffusion=\"where(x < 0.25, 0, 0.5)\""},
                 "where the diffusion is 0.5: constants have no gradient");
  EXPECT_NO_THROW(require({"discretization.order=\"where(x < 0.3, 0, 2)\"",
                           "equations.diffusion=\"where(x < 0.5, 0, x)\"", "mesh.agglomerate="}));
}

TEST_F(QuickPolytopicCoefficients, LookAtAllSlabs) {
  const std::vector<std::string> set = {"time.end=1", "time.slabs=4", "initial.value=\"u\"",
                                        "equations.diffusion=\"0.6 - t\""};
  EXPECT_NO_THROW(require(set, 2));
  expect_refused_by([&] { require(set); }, "the diffusion has the eigenvalue -0.15 on polytope 0");
}

TEST_F(QuickPolytopicCoefficients, RefuseInflowThroughSidesOfGivenFlux) {
  std::vector<std::string> set = open_side;
  set.emplace_back("equations.velocity=[-1, 0]");
  expect_refused(set, "the flow enters (b·n = -1) through a boundary of type neumann or outflow");
}

TEST_F(QuickPolytopicCoefficients, RefuseCoefficientsThatAreTooSmall) {
  std::vector<std::string> set = exchanging_side;
  EXPECT_NO_THROW(require(set));
  set.emplace_back("boundary.left.coefficient=\"0.3*y\"");
  expect_refused(set, "robin, neumann or outflow 2h + min(b·n, 0) is -0.");
  set.insert(set.end(), {"equations.velocity=", "boundary.left.coefficient=\"y - 0.25\""});
  expect_refused(set, "robin, neumann or outflow 2h + min(b·n, 0) is -0.");
}

TEST_F(QuickPolytopicCoefficients, WarnOfReactionThatMayHaveNoSolution) {
  EXPECT_TRUE(require({"equations.reaction=10"}).empty());
  const auto warnings = require({"equations.reaction=-3"});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("c − ½∇·b is -3"), std::string::npos) << warnings[0];
}

TEST_F(QuickPolytopicCoefficients, WarnWhereMultigridIsSlow) {
  write_square(folder_, 12);  // 288 triangles, 96 polytopes
  std::vector<std::string> set = {"discretization.order=5", "equations.reaction=10"};
  EXPECT_TRUE(require(set).empty());
  set.emplace_back("equations.diffusion=[[0, 0], [0, 1]]");
  const auto warnings = require(set);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("100 % of the polytopes have next to no diffusion"), std::string::npos) << warnings[0];
  set.emplace_back("solver.type=\"direct\"");
  EXPECT_TRUE(require(set).empty());
  set.insert(set.end(), {"solver.type=\"multigrid\"", "discretization.order=1"});  // few unknowns
  EXPECT_TRUE(require(set).empty());
}

TEST_F(QuickPolytopicCoefficients, RefuseSourcesThatNothingBalances) {
  std::vector<std::string> set = {"equations.velocity=[0, 0]", "equations.reaction=\"0\"", "equations.source=1"};
  for (const std::string name : {"left", "right", "bottom", "top"})
    set.insert(set.end(), {"boundary." + name + ".type=\"neumann\"",
                           "boundary." + name + ".value=", "boundary." + name + ".flux=0"});
  expect_refused(set, "no boundary gives u and there is no reaction, so that u is known up to a constant only");
  set.emplace_back("boundary.left.flux=-1");
  EXPECT_NO_THROW(require(set));
  set.insert(set.end(), {"boundary.left.flux=0", "equations.reaction=1"});
  EXPECT_NO_THROW(require(set));
}

}  // namespace
}  // namespace galerna::tests
