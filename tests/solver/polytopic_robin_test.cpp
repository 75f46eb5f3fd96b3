// Cases on polytopes with boundaries where n·a∇u + h u is given, against solutions of textbooks.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/polytopic/polytopic_problem.hpp"
#include "solver/polytopic_cases.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

std::string case_of(const std::string& equations, const std::string& boundaries) {
  return R"toml(
[mesh]
file = "square.msh"
[output]
picture = false
solution = false
[equations]
type = "advection-diffusion-reaction"
)toml" + equations +
         boundaries + R"toml(
[boundary.bottom]
type = "neumann"
[boundary.top]
type = "neumann"
)toml";
}

const files::PolytopicReport::Flux& flux_of(const files::PolytopicReport& report, const std::string& boundary) {
  return *std::find_if(report.fluxes.begin(), report.fluxes.end(),
                       [&](const auto& flux) { return flux.boundary == boundary; });
}

/// A tubular reactor with axial dispersion and a reaction of first order, closed at its inlet (P. V. Danckwerts, Chem.
/// Eng. Sci. 2 (1953) 1): what the flow brings enters by flow and dispersion together.
class QuickPolytopicReactor : public PolytopicRuns {
 protected:
  QuickPolytopicReactor()
      : PolytopicRuns(case_of(R"toml(diffusion = 0.2
velocity = [1, 0]
reaction = 2
[discretization]
order = 4
)toml",
                              R"toml(
[boundary.left]
type = "robin"
coefficient = 1
flux = 1
[boundary.right]
type = "outflow"
)toml")) {}
};

TEST_F(QuickPolytopicReactor, LeavesWhatTheFormulaSays) {
  const files::PolytopicReport report = *run().polytopic;
  // J. F. Wehner, R. H. Wilhelm, Chem. Eng. Sci. 6 (1956) 89
  const double peclet = 5, rate = 2, a = std::sqrt(1 + 4 * rate / peclet);
  const double exit = 4 * a * std::exp(peclet / 2) /
                      ((1 + a) * (1 + a) * std::exp(a * peclet / 2) - (1 - a) * (1 - a) * std::exp(-a * peclet / 2));
  EXPECT_NEAR(flux_of(report, "right").advective, exit, 1e-6 * exit);
  EXPECT_EQ(flux_of(report, "right").diffusive, 0);
  // All of what enters, whatever the concentration behind the inlet is.
  const files::PolytopicReport::Flux& inlet = flux_of(report, "left");
  EXPECT_NEAR(inlet.diffusive + inlet.advective, -1, 1e-12);
  EXPECT_LT(inlet.advective, -0.5);
  EXPECT_GT(inlet.advective, -0.9);
  EXPECT_NEAR(report.conservation.consumed, 1 - exit, 1e-6);
}

TEST_F(QuickPolytopicReactor, NeedsACoefficientWhereTheFlowEnters) {
  expect_refused_by([&] { run({"boundary.left.coefficient=0.4"}); },
                    "on a boundary of type robin, neumann or outflow 2h + min(b·n, 0) is -0.2, at polytope ");
}

/// A plane wall, cooled at x = 1, with the first term of its series: ζ tan ζ = Bi = 1 (H. S. Carslaw, J. C. Jaeger,
/// Conduction of Heat in Solids, § 3.10).
class QuickPolytopicWall : public PolytopicRuns {
 protected:
  QuickPolytopicWall()
      : PolytopicRuns(case_of(R"toml(diffusion = 1
[discretization]
order = 3
[time]
type = "slabs"
end = 0.5
slabs = 4
[constants]
zeta = 0.8603335890193798
[functions]
u = "exp(-zeta^2*t)*cos(zeta*x)"
[initial]
value = "u"
[exact]
value = "u"
)toml",
                              R"toml(
[boundary.left]
type = "neumann"
[boundary.right]
type = "robin"
coefficient = 1
)toml")) {}
};

TEST_F(QuickPolytopicWall, CoolsAsTheSeriesSays) {
  const files::PolytopicReport report = *run().polytopic;
  EXPECT_LT(report.errors->l2_end, 2e-5);
  EXPECT_LT(std::abs(report.conservation.defect), 1e-9);
}

/// The matrix is another one in each slab.
TEST_F(QuickPolytopicWall, TakesACoefficientOfTime) {
  const std::vector<std::string> set = {"functions.u=\"x + t\"",
                                        "equations.source=1",
                                        "boundary.left.flux=-1",
                                        "boundary.right.coefficient=\"1 + t\"",
                                        "boundary.right.flux=\"1 + (1 + t)^2\"",
                                        "solver.type=\"direct\""};
  EXPECT_TRUE(solver::matrix_depends_on_time(*settings(folder_, text_, set).polytopic));
  EXPECT_LT(run(set).polytopic->errors->l2, 1e-12);
}

/// u is known, not up to a constant: multigrid finds it.
TEST_F(QuickPolytopicWall, NeedsNoGivenValue) {
  const std::vector<std::string> set = {"functions.u=\"x*(2 - x)\"",
                                        "time=",
                                        "initial=",
                                        "equations.source=2",
                                        "boundary.left.flux=-2",
                                        "boundary.right.coefficient=0.5",
                                        "boundary.right.flux=0.5"};
  EXPECT_LT(run(set).polytopic->errors->l2, 1e-9);
}

}  // namespace
}  // namespace galerna::tests
