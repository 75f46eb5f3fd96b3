#include "files/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "files/atomic_file.hpp"
#include "solutions.hpp"

namespace galerna::files {
namespace {

using analysis::FlowPoint;
using analysis::ForceCoefficients;
using analysis::WallForce;

using nlohmann::json;

TEST(Report, EmptyReportHasAllSectionsAsObjects) {
  const json report = json::parse(to_json({}));
  for (const char* section : {"mesh", "time", "performance", "memory", "conservation", "errors", "residual", "forces"})
    EXPECT_TRUE(report.at(section).is_object()) << section;
  EXPECT_FALSE(report.contains("failure"));
  EXPECT_TRUE(report["mesh"]["elements"].is_object());
}

TEST(Report, NamesAreStable) {
  Report r;
  r.status = "done";
  r.case_file = "vortex.toml";
  r.mesh_file = "m.msh";
  r.elements = {{"triangles", 20}};
  r.boundaries = {{"wall", 8}};
  r.dof = 1200;
  r.structures = {{"triangles of order 1", 100, "tiles-32", "fastest of 3"}};
  r.ranks = {2, 50, 12, 9, 1, "messages"};
  r.time.t = 0.25;
  r.time.rhs_evaluations = 40;
  r.time.wall_loop = 1.5;
  r.time.wall_finish = 0.25;
  r.performance.dof_per_second = 3.2e4;
  r.performance.kernels = {{"residual_1_1", 0.75, 1e-3}};
  r.memory = {{"states", 4096}, {"neighbours", 12}};
  r.conservation = {{"density", 1, 2, -1, 1e-16}};
  r.errors = {{"density", 1e-3, 2e-3, 3e-3, 4e-3, 5e-3}};
  r.residual = {{"change", 1e-14}};
  WallForce force;
  force.pressure = {0.75, -1, 0};
  force.viscous = {0.25, -1, 0};
  force.viscous_moment[2] = 3;
  r.forces = {{"wall", force, ForceCoefficients{1.5, 1, 0.5, 2, 2, 0, 4}, {{FlowPoint::Kind::attachment, 0, 2, {}}}}};
  r.all_coefficients = r.forces[0].coefficients;
  r.reference = "coefficients: of wall, chord 1";
  const json j = json::parse(to_json(r));
  EXPECT_EQ(j["status"], "done");
  EXPECT_EQ(j["case"], "vortex.toml");
  EXPECT_EQ(j["mesh"]["elements"]["triangles"], 20);
  EXPECT_EQ(j["mesh"]["boundaries"]["wall"], 8);
  EXPECT_EQ(j["dof"], 1200);
  EXPECT_EQ(j["structures"].size(), 1u);
  EXPECT_EQ(j["structures"][0]["elements"], "triangles of order 1");
  EXPECT_EQ(j["structures"][0]["count"], 100);
  EXPECT_EQ(j["structures"][0]["structure"], "tiles-32");
  EXPECT_EQ(j["structures"][0]["why"], "fastest of 3");
  EXPECT_EQ(j["ranks"]["count"], 2);
  EXPECT_EQ(j["ranks"]["copies"], 12);
  EXPECT_EQ(j["ranks"]["transport"], "messages");
  EXPECT_EQ(j["time"]["t"], 0.25);
  EXPECT_EQ(j["time"]["rhs_evaluations"], 40);
  EXPECT_EQ(j["time"]["wall_loop"], 1.5);
  EXPECT_EQ(j["time"]["wall_finish"], 0.25);
  for (const char* part : {"total", "start", "setup", "read", "refine", "prepare", "upload", "wait", "compile",
                           "tuning", "watch", "output"})
    EXPECT_EQ(j["time"][std::string("wall_") + part], 0) << part;
  EXPECT_EQ(j["performance"]["dof_per_second"], 3.2e4);
  EXPECT_EQ(j["performance"]["kernels"]["residual_1_1"]["share"], 0.75);
  EXPECT_EQ(j["performance"]["kernels"]["residual_1_1"]["seconds"], 1e-3);
  EXPECT_EQ(j["memory"]["states"], 4096);
  EXPECT_EQ(j["conservation"]["density"]["boundary_flux"], -1);
  EXPECT_EQ(j["conservation"]["density"]["defect"], 1e-16);
  EXPECT_EQ(j["errors"]["density"]["l2"], 2e-3);
  EXPECT_EQ(j["errors"]["density"]["l1_normalized"], 4e-3);
  EXPECT_EQ(j["residual"]["change"], 1e-14);
  EXPECT_EQ(j["forces"]["wall"], (json{1, -2, 0}));
  EXPECT_EQ(j["force_parts"]["wall"]["viscous"], (json{0.25, -1, 0}));
  EXPECT_EQ(j["force_parts"]["wall"]["moment"], 3);
  EXPECT_EQ(j["coefficients"]["wall"]["drag_viscous"], 0.5);
  EXPECT_EQ(j["coefficients"]["all"]["lift"], 2);
  EXPECT_EQ(j["reference"], "coefficients: of wall, chord 1");
  EXPECT_EQ(j["separation"]["wall"][0]["kind"], "attachment");
}

TEST(Report, FailuresAndNumbersThatAreNone) {
  Report r;
  r.status = "failed";
  r.time.dt = std::numeric_limits<double>::infinity();
  r.residual = {{"density", std::nan("")}};
  Failure failure;
  failure.what = "not a number in density";
  failure.variable = "density";
  failure.where = {0.5, std::nan(""), 0};
  failure.element = 7;
  failure.advice = {"halve time.cfl"};
  failure.stage = 2;
  failure.stages = 3;
  failure.values_before = {{"density", 1.5}, {"smallest_pressure", 0.01}};
  failure.dt = 0.1;
  failure.local_step_limit = 0.2;
  failure.step_set_by = "time.step = 0.1";
  r.failure = failure;
  r.recoveries = 3;
  const json j = json::parse(to_json(r));
  EXPECT_TRUE(j["time"]["dt"].is_null());
  EXPECT_TRUE(j["residual"]["density"].is_null());
  EXPECT_EQ(j["failure"]["where"]["x"], 0.5);
  EXPECT_TRUE(j["failure"]["where"]["y"].is_null());
  EXPECT_EQ(j["failure"]["element"], 7);
  EXPECT_EQ(j["failure"]["advice"][0], "halve time.cfl");
  EXPECT_EQ(j["failure"]["stage"], 2);
  EXPECT_EQ(j["failure"]["stages"], 3);
  EXPECT_EQ(j["failure"]["values_before"]["density"], 1.5);
  EXPECT_EQ(j["failure"]["dt"], 0.1);
  EXPECT_EQ(j["failure"]["local_step_limit"], 0.2);
  EXPECT_EQ(j["failure"]["step_set_by"], "time.step = 0.1");
  EXPECT_EQ(j["recoveries"], 3);
  r.failure = Failure{};
  EXPECT_TRUE(json::parse(to_json(r))["failure"]["stage"].is_null());
}

TEST(Report, AnyFileNameGivesValidJson) {
  Report r;
  r.case_file = "caf\xe9 \"quoted\"\n.toml";  // Latin-1
  EXPECT_TRUE(json::accept(to_json(r)));
}

TEST(Report, IsNotDoneWithoutItsNorms) {
  const tests::Folder folder;
  Report report;
  report.status = "done";
  report.errors = {{"density", 1, NAN, 1, 1, 1}};
  EXPECT_THROW(write_report(report, folder / "report.json"), Error);
  const json written = json::parse(read_file(folder / "report.json"));
  EXPECT_EQ(written["status"], "failed");
  EXPECT_EQ(written["failure"]["what"], "errors.density.l2 is not a number");
  report.errors[0].l2 = 1;
  EXPECT_NO_THROW(write_report(report, folder / "report.json"));
}

TEST(Report, IsWrittenWhole) {
  const tests::Folder folder;
  write_report({}, folder / "report.json");
  EXPECT_EQ(read_file(folder / "report.json"), to_json({}));
  EXPECT_THROW(write_report({}, folder / "report.json/x"), SystemError);
}

}  // namespace
}  // namespace galerna::files
