// Cases on polytopes that have no solution, or none that can be trusted: what is said, and what the report holds.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/interruption.hpp"
#include "solver/polytopic/polytopic_formulas.hpp"
#include "solver/polytopic/polytopic_memory.hpp"
#include "solver/polytopic/polytopic_run.hpp"
#include "solver/polytopic_cases.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

const std::string steady = std::string(R"toml(
[functions]
u = "x + y"
[mesh]
file = "square.msh"
[equations]
type = "advection-diffusion-reaction"
diffusion = 1
velocity = [1, 0.5]
reaction = 1
source = "1.5 + u"
[discretization]
order = 1
[exact]
value = "u"
)toml") + prescribed_sides;

class QuickPolytopicFailures : public ::testing::Test {
 protected:
  QuickPolytopicFailures() { write_square(folder_, 4); }
  ~QuickPolytopicFailures() override { on_interruption({}); }

  files::Report run(const std::vector<std::string>& set) {
    return solver::run_polytopic(settings(folder_, steady, set), {"cpu"}, observer_);
  }
  /// \return the report, which says that the run failed
  nlohmann::json expect_failure(std::vector<std::string> set, const std::string& message) {
    expect_refused_by([&] { run(set); }, message);
    nlohmann::json report = nlohmann::json::parse(text_of(folder_ / "out/report.json"));
    EXPECT_EQ(report["status"], "failed");
    EXPECT_NE(report["failure"]["what"].get<std::string>().find(message), std::string::npos);
    return report;
  }

  Folder folder_;
  Silent observer_;
};

TEST_F(QuickPolytopicFailures, SayWhichFormulaIsNoNumber) {
  for (const char* solver : {"direct", "multigrid"}) {
    const auto report =
        expect_failure({std::string("solver.type=\"") + solver + "\"", "equations.source=\"log(x - 0.5)\""},
                       "the source \"log(x - 0.5)\" is not a number on polytope 0 at (");
    expect_refused_by([&] { run({"equations.source=\"log(x - 0.5)\""}); }, ": the source \"log(x - 0.5)\"");
    for (const char* name : {"l2", "h1_seminorm", "dg"}) EXPECT_TRUE(report["errors"][name].is_null()) << name;
    for (const char* name : {"integral", "energy"}) EXPECT_TRUE(report[name].is_null()) << name;
    EXPECT_TRUE(report["conservation"]["defect"].is_null());
    EXPECT_TRUE(report["fluxes"]["left"]["diffusive"].is_null());
  }
}

TEST_F(QuickPolytopicFailures, FindEveryFormula) {
  const auto found = [&](const std::vector<std::string>& set) {
    const case_file::Settings s = settings(folder_, steady, set);
    const solver::PolytopicMesh mesh = solver::make_polytopic_mesh(s);
    const auto problem = solver::find_not_finite(
        s, mesh, solver::make_polytopic_spec(s, mesh.mesh, device::Precision::double_precision), 1, 0, 0);
    return problem ? problem->text : "";
  };
  EXPECT_EQ(found({}), "");
  const std::string bad = "\"sqrt(x - 0.5)\"", on = bad + " is not a number on polytope ";
  EXPECT_EQ(found({"equations.diffusion=" + bad}).find("the diffusion " + on), 0U);
  EXPECT_EQ(found({"equations.velocity=[" + bad + ", 1]"}).find("the velocity " + on), 0U);
  EXPECT_EQ(found({"equations.reaction=" + bad}).find("the reaction " + on), 0U);
  EXPECT_EQ(found({"exact.value=" + bad}).find("the exact solution " + on), 0U);
  EXPECT_EQ(found({"boundary.bottom.value=" + bad}).find("the value of boundary bottom " + on), 0U);
  const std::vector<std::string> robin = {"boundary.bottom.type=\"robin\"", "boundary.bottom.value="};
  EXPECT_EQ(found({robin[0], robin[1], "boundary.bottom.coefficient=" + bad})
                .find("the coefficient of boundary bottom " + on),
            0U);
  EXPECT_EQ(found({"equations.source=\"1/(x - x)\""}).find("the source \"1/(x - x)\" is infinite on polytope 0 at ("),
            0U);
  EXPECT_NE(found({"equations.source=-1e200"}).find("is -1e+200 on polytope 0 at ("), std::string::npos);
  EXPECT_EQ(found({"equations.source=\"1e99*x\""}), "");
  EXPECT_EQ(found({"time.end=1", "time.slabs=1", "initial.value=" + bad}).find("the initial state " + on), 0U);
}

TEST_F(QuickPolytopicFailures, KeepWhatWasFoundBefore) {
  const auto report = expect_failure({"time.end=1", "time.slabs=4", "initial.value=\"u\"",
                                      "exact=", "solver.type=\"direct\"", "equations.source=\"log(0.6 - t)\""},
                                     "the source \"log(0.6 - t)\" is not a number on polytope 0 at (");
  EXPECT_EQ(report["time"]["t"], 0.5);
  EXPECT_EQ(report["solver"]["slabs"].size(), 2U);
  EXPECT_TRUE(report["integral"].is_number());
}

TEST_F(QuickPolytopicFailures, JudgeADirectSolutionByItsResidual) {
  EXPECT_LT(run({"solver.type=\"direct\""}).polytopic->solver.residual, 1e-13);
  run({"solver.type=\"direct\"", "solver.tolerance=1e-17"});
  EXPECT_EQ(observer_.messages.back().find("rounding leaves a residual of "), 0U);
  expect_failure({"solver.type=\"direct\"", "solver.tolerance=1e-30"},
                 "the direct solution, refined, leaves a residual");
}

TEST_F(QuickPolytopicFailures, NameAPenaltyThatNothingExplains) {
  const case_file::Settings s = settings(folder_, steady);
  const solver::PolytopicMesh mesh = solver::make_polytopic_mesh(s);
  const auto count = static_cast<std::size_t>(mesh.polytopes.polytopes);
  const double usual = 2 * mesh.polytopes.measures[1] / mesh.polytopes.measures[0];
  std::vector<double> eigenvalues(count, usual);
  const std::vector<polytopic::Extremes> extremes(count, polytopic::Extremes{0, 2, 0, 0});
  const std::vector<int> degrees(count, 1);
  EXPECT_EQ(solver::strange_penalties(mesh.polytopes, degrees, extremes, eigenvalues), "");
  eigenvalues[3] = 1e6 * usual;
  EXPECT_EQ(solver::strange_penalties(mesh.polytopes, degrees, extremes, eigenvalues)
                .find("warning: the penalty is out of all proportion on 1 polytope, most on polytope 3 at ("),
            0U);
}

TEST_F(QuickPolytopicFailures, KnowWhereMultigridIsSlow) {
  using Extremes = polytopic::Extremes;
  EXPECT_EQ(solver::one_sided_share(
                {Extremes{0, 1, 0, 0}, Extremes{1, 1, 0, 0}, Extremes{0, 0, 0, 0}, Extremes{0.1, 1, 0, 0}}),
            0.25);
}

/// Whoever wants to stop is heard at every place where the run asks.
TEST_F(QuickPolytopicFailures, StopWhereverTheyAre) {
  for (const std::string& solver : {std::string("direct"), std::string("multigrid")}) {
    run({"solver.type=\"" + solver + "\""});  // compiles
    int asked = 0, patience = 0;
    on_interruption([&] { return ++asked > patience; });
    std::set<std::string> places;
    for (bool stopped = true; stopped; ++patience) {
      asked = 0;
      try {
        run({"solver.type=\"" + solver + "\"", "mesh.agglomerate.simplices=4"});
        stopped = false;
      } catch (const Interruption& interruption) {
        places.insert(interruption.what());
      }
    }
    std::vector<std::string> expected{"joining elements to polytopes", "assembling the matrix", "solving the equations",
                                      "measuring the solution"};
    if (solver == "direct") expected.push_back("factorizing the matrix");
    for (const std::string& place : expected)
      EXPECT_EQ(places.count("interrupted while " + place), 1U) << solver << ": " << place;
    on_interruption({});
  }
}

TEST_F(QuickPolytopicFailures, AreRefusedWhereFactorsDoNotFit) {
  const case_file::Settings s = settings(folder_, steady, {"solver.type=\"direct\""});
  const solver::PolytopicMesh mesh = solver::make_polytopic_mesh(s);
  const std::vector<int> degrees(static_cast<std::size_t>(mesh.polytopes.polytopes), 1);
  const basis::BoxSpace plane{2};
  const std::size_t all = degrees.size() * 3;
  EXPECT_GT(solver::direct_bytes(mesh, plane, degrees), 3 * all * sizeof(double));
  EXPECT_LT(solver::direct_bytes(mesh, plane, degrees), 3 * all * all * sizeof(double));
  const std::string text = solver::forecast(
      mesh, solver::make_polytopic_spec(s, mesh.mesh, device::Precision::double_precision), degrees, {}, false, 0);
  EXPECT_NE(text.find("direct solution"), std::string::npos) << text;
}

}  // namespace
}  // namespace galerna::tests
