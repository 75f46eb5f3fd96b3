// What users start from: the shipped cases, and the cases that README.md and docs/ print.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/program.hpp"
#include "folder.hpp"

namespace galerna::tests {
namespace {

namespace fs = std::filesystem;
const fs::path source = GALERNA_SOURCE_DIR;

/// The folders of cases/ with a case file.
std::vector<std::string> shipped_cases() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(source / "cases"))
    if (fs::exists(entry.path() / "case.toml")) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string name_of(const ::testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

bool has_picture(const fs::path& folder) {
  const fs::directory_iterator files(folder);
  return std::any_of(begin(files), end(files), [](const auto& file) { return file.path().extension() == ".png"; });
}

/// With the mesh that the build made from its .geo file.
class ShippedCase : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!fs::exists(file_)) GTEST_SKIP() << "built without Gmsh";
    setenv("GALERNA_OPTIMIZE", "1", 0);  // a few steps on small meshes
  }

  const fs::path file_ = fs::path(GALERNA_BINARY_DIR) / "cases" / GetParam() / "case.toml";
};

TEST_P(ShippedCase, IsFreeOfErrors) {
  const Execution result = galerna("check " + file_.string() + " --device cpu");
  EXPECT_EQ(result.code, 0) << result.output;
  expect_contains(result.output, "no errors");
}

/// Cases that have no steps, but slabs or nothing of the kind.
bool is_polytopic(const fs::path& file) {
  return text_of(file).find("advection-diffusion-reaction") != std::string::npos;
}

/// Cases begin at the first degree of their sequence, others are run at degree 1, whose kernels compile much faster:
/// what kernels of higher degrees compute is for tests/dg, and what users would miss if the case's did not compile is
/// built with galerna_programs.
std::string at_low_degree(const fs::path& file) {
  return text_of(file).find("\nsequence = ") == std::string::npos ? " --set discretization.order=1" : "";
}

TEST_P(ShippedCase, TakesItsFirstSteps) {
  Folder folder;
  if (is_polytopic(file_)) {
    const Execution result = galerna("run " + file_.string() + " --output " + (folder / "out").string());
    EXPECT_EQ(result.code, 0) << result.output;
    EXPECT_EQ(nlohmann::json::parse(text_of(folder / "out/report.json"))["status"], "done");
    EXPECT_TRUE(fs::exists(folder / "out/solution.vtu") || fs::exists(folder / "out/solution.pvd"));
    return;
  }
  const std::string steps =
      text_of(file_).find("\"newton\"") == std::string::npos ? "20" : "3";  // many need no more than 20
  const Execution result = galerna("run " + file_.string() + at_low_degree(file_) + " --set time.max_steps=" + steps +
                                   " --output " + (folder / "out").string());
  EXPECT_EQ(result.code, 0) << result.output;
  expect_contains(result.output, "after " + steps + " steps");
  EXPECT_TRUE(has_picture(folder / "out"));
  EXPECT_EQ(nlohmann::json::parse(text_of(folder / "out/report.json"))["status"], "step limit");
}

INSTANTIATE_TEST_SUITE_P(Cases, ShippedCase, ::testing::ValuesIn(shipped_cases()), name_of);

/// The first block of code of a page behind some words.
std::string code_after(const std::string& page, const std::string& words) {
  const std::string text = text_of(source / page), fence = "\n```";
  const std::size_t place = text.find(words), open = text.find(fence, place);
  const std::size_t begin = text.find('\n', open + 1) + 1, end = text.find(fence, begin);
  EXPECT_NE(place, std::string::npos) << page << ": " << words;
  return text.substr(begin, end + 1 - begin);
}

class Documentation : public ::testing::Test {
 protected:
  void SetUp() override {
    if (execute("gmsh --version").code != 0) GTEST_SKIP() << "Gmsh is not here";
  }

  /// \param words of a command line that runs in the folder.
  void expect_success(const std::string& words) const {
    const Execution result = execute("cd " + folder_.path().string() + " && " + words);
    EXPECT_EQ(result.code, 0) << result.output;
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  const std::string program_ = GALERNA_PROGRAM;
  Folder folder_;
};

TEST_F(Documentation, FirstCaseOfTheReadmeRuns) {
  write("bump.geo", code_after("README.md", "put it in\n`bump.geo`"));
  write("bump.toml", code_after("README.md", "in `bump.toml`"));
  expect_success("gmsh -v 1 -2 bump.geo -o bump.msh");
  expect_success(program_ + " check bump.toml");
  expect_success(program_ + " run bump.toml -o bump");
  const auto report = nlohmann::json::parse(text_of(folder_ / "bump/report.json"));
  EXPECT_EQ(report["status"], "steady");
  EXPECT_LT(std::abs(report["forces"]["wall"][0].get<double>()), 6e-5);
  EXPECT_LT(report["entropy_error"]["l2"].get<double>(), 6e-5);  // 1.6e-3 where normals are those of straight sides
  for (const char* file : {"picture_mach.png", "solution.pvd", "report.json", "monitor.csv", "checkpoint_final.h5"})
    EXPECT_TRUE(fs::exists(folder_ / "bump" / file)) << file;
  expect_success(program_ + " plot bump/checkpoint_final.h5 --field pressure -o pressure.png");
  expect_success(program_ + " run bump.toml --set time.steady=1e-7 --restart bump/checkpoint_final.h5 -o further");
}

TEST_F(Documentation, FirstAirfoilWingAndSphereAreFreeOfErrors) {
  const std::string page = "docs/first-airfoil.md";
  for (const std::string name : {"airfoil", "wing", "sphere"}) {
    write(name + ".geo", code_after(page, "n `" + name + ".geo`:"));
    write(name + ".toml", code_after(page, "n `" + name + ".toml`:"));
    expect_success("gmsh -v 1 " + std::string(name == "airfoil" ? "-2" : "-3") + " -order 2 " + name + ".geo -o " +
                   name + ".msh");
    expect_success(program_ + " check " + name + ".toml --device cpu");
  }
}

TEST_F(Documentation, HeatAndTransportIsFreeOfErrors) {
  const std::string page = "docs/heat-and-transport.md";
  write("square.geo", code_after(page, "-o square.msh`"));
  write("slabs.toml", code_after(page, "## By polytopes"));
  write("heat.hpp", code_after(page, "`heat.hpp`:"));
  write("explicit.toml", code_after(page, "The case:"));
  expect_success("gmsh -v 1 -2 square.geo -o square.msh");
  expect_success(program_ + " check slabs.toml --device cpu");
  expect_success(program_ + " check explicit.toml --device cpu");
}

TEST_F(Documentation, ChannelOfTheCookbookRuns) {
  const std::string page = "docs/cookbook.md";
  write("box.geo", code_after(page, "`box.geo`:"));
  write("channel.toml", code_after(page, "## Driving force"));
  expect_success("gmsh -v 1 -2 box.geo -setnumber lx 1 -setnumber h 0.25 -o channel.msh");
  expect_success(program_ + " run channel.toml -o out --device cpu --set discretization.order=1");
  const auto report = nlohmann::json::parse(text_of(folder_ / "out/report.json"));
  EXPECT_EQ(report["status"], "steady");
  EXPECT_NEAR(report["forces"]["top"][0].get<double>(), 0.004, 1e-5);  // half of what drives the flow
}

TEST_F(Documentation, BurgersEquationRuns) {
  const std::string page = "docs/your-own-equations.md";
  write("burgers.hpp", code_after(page, "in `burgers.hpp`"));
  write("burgers.toml", code_after(page, "`burgers.toml`, with a mesh"));
  fs::copy_file(source / "cases/advection-diffusion/square.geo", folder_ / "square.geo");
  expect_success("gmsh -v 1 -2 square.geo -o square.msh");
  expect_success(program_ + " check burgers.toml --device cpu");
  expect_success(program_ + " run burgers.toml --output burgers --device cpu");
  EXPECT_TRUE(fs::exists(folder_ / "burgers/picture_c.png"));
}

}  // namespace
}  // namespace galerna::tests
