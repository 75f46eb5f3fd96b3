// Kernel variants as a user meets them: the table, --structure, bench --structures.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/program_case.hpp"

namespace galerna::tests {
namespace {

namespace fs = std::filesystem;

TEST_F(Program, PrintsTheTableOfStructuresThatIsAPageOfTheDocs) {
  EXPECT_EQ(text_of(fs::path(GALERNA_SOURCE_DIR) / "docs/structures.md"), galerna("structures").output);
}

TEST_F(Program, ComputesByTheStructureThatIsAskedFor) {
  const Execution result = galerna(run_words() + " --structure element");
  EXPECT_EQ(result.code, 0);
  expect_contains(result.output, "kernels of 72 triangles of order 1: element (asked for)");
  const auto report = nlohmann::json::parse(text_of(folder / "out" / "report.json"));
  ASSERT_EQ(report["structures"].size(), 1u);
  EXPECT_EQ(report["structures"][0]["structure"], "element");
  EXPECT_EQ(report["structures"][0]["why"], "asked for");
  EXPECT_EQ(report["structures"][0]["count"], 72);
  const Execution on = galerna(run_words() + " --set time.end=0.06 --restart " + path("out/checkpoint_final.h5"));
  EXPECT_EQ(on.code, 0);
  expect_contains(on.output, "element (asked for)");
}

TEST_F(Program, RefusesStructuresThatFitNothing) {
  for (const std::string command : {"run ", "check ", "bench "}) {
    const Execution result = galerna(command + path("case.toml") + " --device cpu --structure tiles-64");
    EXPECT_EQ(result.code, static_cast<int>(ExitCode::wrong_input));
    expect_contains(result.output,
                    "--structure: error: tiles-64 needs a GPU; triangles of order 1 can have packs or element");
  }
  expect_contains(galerna("check " + path("case.toml") + " --device cpu --structure pack").output,
                  "unknown structure \"pack\"; did you mean \"packs\"?");
}

TEST_F(Program, RefusesStructuresOfPolytopes) {
  for (const std::string option : {"--structures", "--structure packs"}) {
    const Execution result =
        galerna(fmt::format("bench {}/cases/poisson-polygons/case.toml --set 'mesh.file=\"{}\"' {}", GALERNA_SOURCE_DIR,
                            path("square.msh"), option));
    EXPECT_EQ(result.code, static_cast<int>(ExitCode::wrong_input));
    expect_contains(result.output, "leave --structure and --structures out");
  }
}

TEST_F(Program, MeasuresEveryStructureThatFits) {
  const Execution result = galerna("bench " + path("case.toml") + " --device cpu --structures --repetitions 1 --json " +
                                   path("bench.json") + " --set output.directory=" + path("measured"));
  EXPECT_EQ(result.code, 0);
  EXPECT_FALSE(fs::exists(folder / "measured")) << "a case that is measured only writes nothing";
  expect_contains(result.output, "  packs");
  expect_contains(result.output, "  element");
  const auto json = nlohmann::json::parse(text_of(folder / "bench.json"));
  EXPECT_EQ(json.size(), 2u);
  for (const char* row : {"packs", "element"}) EXPECT_EQ(json[row]["structures"][0]["structure"], row);
}

}  // namespace
}  // namespace galerna::tests
