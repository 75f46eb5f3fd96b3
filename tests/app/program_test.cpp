// The program as a user meets it: commands, files, messages, exit codes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <thread>

#include "app/program_case.hpp"
#include "mesh/gmsh_writer.hpp"
#include "mesh/parts.hpp"
#include "solver/polytopic_cases.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

namespace fs = std::filesystem;

TEST_F(Program, PlansForAGpuThatIsNotHereAndSaysForWhich) {
  if (device::cuda_absence().empty()) GTEST_SKIP() << "there is one";
  const Execution check = galerna("check " + path("case.toml") + " --device cuda");
  EXPECT_EQ(check.code, 0) << check.output;
  expect_contains(check.output, "compute capability 9.0 or later) is assumed");
  expect_contains(check.output, "no CUDA device here");
}

TEST_F(Program, PlansForMemoryThatIsNotHere) {
  const std::string check = "check " + path("case.toml") + " --memory ";
  const Execution large = galerna(check + "80GB");
  EXPECT_EQ(large.code, 0) << large.output;
  expect_contains(large.output, "a GPU with fp64 matrix units");
  expect_contains(large.output, "fits into 80GB");
  const Execution small = galerna(check + "10kB --device cpu");
  EXPECT_EQ(small.code, 2) << small.output;
  expect_contains(small.output, "not enough device memory");
  EXPECT_EQ(small.output.find("no errors"), std::string::npos) << small.output;
}

/// Long before its mesh of 75 million triangles could be made.
TEST_F(Program, RefusesALargeMeshBeforeItIsMade) {
  const std::string words = path("case.toml") + " --set mesh.refine=10";
  const Execution check = galerna("check " + words + " --memory 1GB");
  EXPECT_EQ(check.code, 2) << check.output;
  expect_contains(check.output, "not enough device memory");
  expect_contains(check.output, "75497472 elements");
  const Execution run = execute("ulimit -v 4000000; " + std::string(GALERNA_PROGRAM) + " run " + words +
                                " --device cpu --output " + path("out"));
  EXPECT_EQ(run.code, 4) << run.output;
  expect_contains(run.output, "not enough device memory");
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(Program, SaysWhatTakesLong) {
  const Execution check = galerna("check " + path("case.toml") + " --device cpu --set mesh.refine=6");
  EXPECT_EQ(check.code, 0) << check.output;
  expect_contains(check.output, "checking formulas");
}

TEST_F(Program, RunsAViscousCase) {
  const std::string viscous = " --set equations.type=navier-stokes --set equations.mu=0.01";
  const Execution check = galerna("check " + path("case.toml") + " --device cpu" + viscous);
  EXPECT_EQ(check.code, 0) << check.output;
  expect_contains(check.output, "viscous fluxes on sides");
  EXPECT_EQ(galerna(run_words() + viscous).code, 0);
}

TEST_F(Program, FindsTheFrequencyOfAHistory) {
  {
    std::ofstream history(folder / "monitor.csv");
    history << "time,force_body_y\n";
    for (int i = 0; i < 4000; ++i) history << 0.02 * i << "," << std::sin(0.5 * 0.02 * i * 6.283185307179586) << "\n";
  }
  const Execution result = galerna("frequency " + path("monitor.csv") + " force_body_y --length 2 --velocity 4");
  EXPECT_EQ(result.code, 0);
  expect_contains(result.output, "Strouhal number  0.25");
  EXPECT_EQ(galerna("frequency " + path("monitor.csv") + " force_body_x").code,
            static_cast<int>(ExitCode::wrong_input));
}

TEST_F(Program, RunsACaseAndWritesWhatTheGuidePromises) {
  const Execution result = galerna("run " + path("case.toml") + " --device cpu -o " + path("out") +
                                   " --threads 1 --set output.solution=true");
  EXPECT_EQ(result.code, 0) << result.output;
  expect_contains(result.output, "done: t = 0.05");
  expect_contains(result.output, "density");
  for (const char* file : {"report.json", "checkpoint_final.h5", "solution.pvd"})
    EXPECT_TRUE(fs::exists(folder / "out" / file)) << file;
  const auto report = nlohmann::json::parse(text_of(folder / "out" / "report.json"));
  EXPECT_EQ(report["status"], "done");
  expect_contains(report["device"], ", 1 thread");
  EXPECT_LT(report["errors"]["density"]["l2"].get<double>(), 1e-2);
  EXPECT_GT(report["performance"]["dof_per_second"].get<double>(), 0);
  double shares = 0;
  for (const auto& kernel : report["performance"]["kernels"]) shares += kernel["share"].get<double>();
  EXPECT_NEAR(shares, 1, 1e-12);
  expect_contains(result.output, "device memory: ");
  std::int64_t memory = 0;
  for (const auto& bytes : report["memory"]) memory += bytes.get<std::int64_t>();
  EXPECT_EQ(memory, report["performance"]["device_memory_bytes"].get<std::int64_t>());
}

TEST_F(Program, IsSilentWhenAsked) {
  EXPECT_EQ(galerna(run_words() + " --quiet").output, "");
}

TEST_F(Program, SaysWhyASimulationFailedEvenWhenAskedToBeSilent) {
  const Execution result = galerna(run_words() + " --quiet --set time.cfl=10 --set time.end=20");
  EXPECT_EQ(result.code, 3);
  expect_contains(result.output, "in element");
  expect_contains(result.output, "try: ");
  EXPECT_EQ(result.output.find("device memory"), std::string::npos) << result.output;
}

TEST_F(Program, ExplainsItselfAndItsCommands) {
  const Execution help = galerna("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* command : {"run", "check", "info", "agglomerate", "bench", "devices", "plot", "cache"}) {
    expect_contains(help.output, command);
    EXPECT_EQ(galerna(std::string(command) + " --help").code, 0) << command;
  }
}

TEST_F(Program, ExitsWith2OnWrongInput) {
  EXPECT_EQ(galerna("fly").code, 2);
  EXPECT_EQ(galerna("run").code, 2);
  const Execution missing = galerna("run " + path("nothing.toml"));
  EXPECT_EQ(missing.code, 2);
  expect_contains(missing.output, "nothing.toml: error:");
  const Execution misspelt = galerna(run_words() + " --set discretization.ordre=3");
  EXPECT_EQ(misspelt.code, 2);
  expect_contains(misspelt.output, "did you mean 'order'");
}

TEST_F(Program, NamesElementsThatFoldOnACurvedWall) {
  // A floor through the nodes of the mesh that rises between them by more than the height of the first row.
  mesh::write_gmsh(mesh::make_rectangle(2, 40, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals), folder / "square.msh");
  std::string points;
  for (int k = 0; k <= 16; ++k)
    points += fmt::format("{}[{}, {}]", k == 0 ? "" : ", ", k / 16.0, 0.03 * (1 - std::cos(k * std::numbers::pi / 4)));
  std::ofstream(folder / "case.toml")
      << "[mesh]\nfile = \"square.msh\"\nperiodic = [{ from = \"left\", to = \"right\", translation = [1, 0] }]\n"
      << "[mesh.curve.bottom]\nshape = \"spline\"\npoints = [" << points << "]\n"
      << density_wave << "[discretization]\norder = 2\n[time]\ncfl = 0.5\nend = 1\n"
      << "[boundary.bottom]\ntype = \"slip-wall\"\n[boundary.top]\ntype = \"slip-wall\"\n";
  const Execution result = galerna("check " + path("case.toml"));
  EXPECT_EQ(result.code, 2);
  expect_contains(result.output, "square.msh: error: quadrilateral 85 at (0.25, 0.0125)");
  expect_contains(result.output, "is folded: its Jacobian falls to");
  expect_contains(result.output, "refine the mesh along the wall");
}

TEST_F(Program, ExitsWith3WhenASimulationFailsAndSaysWhy) {
  const Execution result = galerna(run_words() + " --set time.cfl=10 --set time.end=20");
  EXPECT_EQ(result.code, 3) << result.output;
  expect_contains(result.output, "in element");
  expect_contains(result.output, "time.cfl");
  EXPECT_TRUE(fs::exists(folder / "out/checkpoint_last_good.h5"));
  EXPECT_EQ(nlohmann::json::parse(text_of(folder / "out/report.json"))["status"], "failed");
}

TEST_F(Program, PrintsNoForcesOfAStateThatFailed) {
  std::ofstream file(folder / "case.toml");
  file << "[mesh]\nfile = \"square.msh\"\n"
       << density_wave << "[discretization]\norder = 2\n[time]\ncfl = 0.5\nend = 20\n";
  for (const char* side : {"left", "right", "bottom", "top"})
    file << "[boundary." << side << "]\ntype = \"slip-wall\"\n";
  file.close();
  const Execution whole = galerna(run_words() + " --set time.end=1e-3");
  EXPECT_EQ(whole.code, 0) << whole.output;
  expect_contains(whole.output, "force on");
  const Execution failed = galerna(run_words() + " --set time.cfl=10");
  EXPECT_EQ(failed.code, 3) << failed.output;
  EXPECT_EQ(failed.output.find("force on"), std::string::npos) << failed.output;
}

TEST_F(Program, ExitsWith4WhenOutputCannotBeWritten) {
  std::ofstream(folder / "file") << "in the way";
  const Execution result = galerna("run " + path("case.toml") + " --device cpu --output " + path("file/out"));
  EXPECT_EQ(result.code, 4) << result.output;
  expect_contains(result.output, path("file"));
}

TEST_F(Program, ExitsWith4WhenTheDeviceIsNotThere) {
  const Execution result = galerna("run " + path("case.toml") + " --device cuda:99 --output " + path("out"));
  EXPECT_EQ(result.code, 4) << result.output;
  expect_contains(result.output, "no CUDA device");
}

/// Starts a run, sends it `signal` once monitor.csv has `rows` rows, and returns its exit code; it is killed if it does
/// not hear.
int interrupt_run(const Folder& folder, const std::vector<std::string>& words, int signal, int rows) {
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    execv(GALERNA_PROGRAM, pointers.data());
    _exit(99);
  }
  const auto try_for_a_minute = [](const auto& reached) {
    for (int tries = 0; tries < 600 && !reached(); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  };
  try_for_a_minute([&] {
    const std::string text = text_of(folder / "out/monitor.csv");
    return std::count(text.begin(), text.end(), '\n') > rows;  // the first line has names
  });
  kill(child, signal);
  int status = 0;
  bool ended = false;
  try_for_a_minute([&] { return ended = waitpid(child, &status, WNOHANG) == child; });
  if (!ended) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(Program, ExitsWith130OnAnInterruptAfterACheckpoint) {
  write_case("cfl = 0.8\nend = 1e6\n");
  // The monitor's first row is written when the time loop is about to begin.
  const std::vector<std::string> words = {"galerna", "run",     path("case.toml"), "--device",
                                          "cpu",     "--quiet", "--output",        path("out")};
  EXPECT_EQ(interrupt_run(folder, words, SIGINT, 0), 130);
  EXPECT_TRUE(fs::exists(folder / "out/checkpoint_interrupted.h5"));
  const std::string restart = " --restart " + path("out/checkpoint_interrupted.h5");
  const Execution too_late = galerna(run_words() + " --set time.end=1e-9" + restart);
  EXPECT_EQ(too_late.code, 2) << too_late.output;
  expect_contains(too_late.output, "raise time.end");
  EXPECT_EQ(galerna(run_words() + " --quiet --set time.max_steps=1" + restart).code, 0);
}

TEST_F(Program, ExitsWith130WhereEveryStepHasItsOutput) {
  write_case("cfl = 0.8\nend = 1e6\n[output.monitor]\nsteps = 1\n");
  const std::vector<std::string> words = {"galerna", "run",     path("case.toml"), "--device",
                                          "cpu",     "--quiet", "--output",        path("out")};
  for (const int signal : {SIGTERM, SIGHUP}) {
    fs::remove_all(folder / "out");
    EXPECT_EQ(interrupt_run(folder, words, signal, 3), 130);
    EXPECT_TRUE(fs::exists(folder / "out/checkpoint_interrupted.h5"));
  }
}

TEST_F(Program, ChecksACaseWithoutRunningIt) {
  const Execution result = galerna("check " + path("case.toml"));
  EXPECT_EQ(result.code, 0);
  expect_contains(result.output, "no errors; 72 elements");
  expect_contains(result.output, "state and stages (4 copies)");
  expect_contains(result.output, "bytes per element");
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(Program, TellsWhatAMeshAndACheckpointHold) {
  expect_contains(galerna("info " + path("square.msh")).output, "72 triangles of order 1");
  galerna(run_words());
  const Execution info = galerna("info " + path("out/checkpoint_final.h5"));
  EXPECT_EQ(info.code, 0) << info.output;
  expect_contains(info.output, "0.05");
}

TEST_F(Program, TurnsElementsRoundAndSaysHowMany) {
  EXPECT_EQ(galerna(run_words() + " --quiet").code, 0);
  const auto errors = [&] { return nlohmann::json::parse(text_of(folder / "out" / "report.json"))["errors"]; };
  const nlohmann::json expected = errors();
  // Every second triangle of the file is numbered the other way round.
  std::istringstream lines(text_of(folder / "square.msh"));
  std::string text, line;
  for (bool elements = false, triangles = false; std::getline(lines, line); text += line + "\n") {
    elements = (elements || line == "$Elements") && line != "$EndElements";
    std::istringstream words(line);
    std::vector<long> numbers{std::istream_iterator<long>(words), {}};
    if (!elements || numbers.size() != 4) continue;
    if (triangles && numbers[0] % 2 == 0)
      line = fmt::format("{} {} {} {}", numbers[0], numbers[2], numbers[1], numbers[3]);
    triangles = triangles || (numbers[0] == 2 && numbers[2] == 2);  // behind the head of their block
  }
  std::ofstream(folder / "square.msh") << text;
  const std::string told = "36 of 72 elements are oriented negatively in the file and were turned round";
  for (const std::string& command : {"info " + path("square.msh"), "check " + path("case.toml"), run_words()}) {
    const Execution result = galerna(command);
    EXPECT_EQ(result.code, 0) << result.output;
    expect_contains(result.output, told);
  }
  EXPECT_EQ(errors(), expected);
  const Execution again = galerna(run_words() + " --set time.end=0.06 --restart " + path("out/checkpoint_final.h5"));
  EXPECT_EQ(again.code, 0) << again.output;
}

TEST_F(Program, WarnsOnceOfNodesThatNearlyCoincide) {
  const mesh::Mesh blocks =
      mesh::beside(mesh::make_rectangle(2, 2), mesh::make_rectangle(2, 2, {1 + 1e-6, 0}, {2, 1}), "-2");
  mesh::write_gmsh(blocks, folder / "square.msh");
  std::ofstream file(folder / "case.toml");
  file << "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[initial]\ndensity = 1\nvelocity_x = "
          "0\nvelocity_y = 0\n"
          "pressure = 1\n[discretization]\norder = 1\n[time]\ncfl = 0.5\nend = 0.01\n";
  for (const mesh::Boundary& boundary : blocks.boundaries)
    file << "[boundary." << boundary.name << "]\ntype = \"slip-wall\"\n";
  file.close();
  for (const std::string& command : {"info " + path("square.msh"), "check " + path("case.toml"), run_words()}) {
    const Execution result = galerna(command);
    EXPECT_EQ(result.code, 0) << result.output;
    const std::string told = "warning: 3 pairs of boundary nodes nearly coincide, at (1, ";
    const std::size_t first = result.output.find(told);
    ASSERT_NE(first, std::string::npos) << result.output;
    EXPECT_EQ(result.output.find(told, first + 1), std::string::npos) << result.output;
  }
  const auto warnings = nlohmann::json::parse(text_of(folder / "out" / "report.json"))["warnings"];
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0]["name"], "nodes-nearly-coincide");
  EXPECT_EQ(warnings[0]["pairs"], 3);
}

TEST_F(Program, ShowsWhatAFoldedMeshHoldsBeforeItsProblem) {
  const Execution info = galerna(fmt::format("info {}/tests/mesh/bad/folded.msh", GALERNA_SOURCE_DIR));
  EXPECT_EQ(info.code, 2);
  const std::size_t counts = info.output.find("4 triangles of order 1"),
                    problem = info.output.find("error: triangle 1");
  EXPECT_LT(counts, problem) << info.output;
  EXPECT_NE(problem, std::string::npos) << info.output;
}

TEST_F(Program, PlotsACheckpoint) {
  galerna(run_words());
  const Execution result =
      galerna("plot " + path("out/checkpoint_final.h5") + " --field pressure --isolines 0.9:1.1:5 -o " + path("p.png"));
  EXPECT_EQ(result.code, 0) << result.output;
  EXPECT_EQ(text_of(folder / "p.png").substr(1, 3), "PNG");
  const Execution wrong = galerna("plot " + path("out/checkpoint_final.h5") + " --field presure -o " + path("q.png"));
  EXPECT_EQ(wrong.code, 2);
  expect_contains(wrong.output, "pressure");
  for (const std::string lines : {"0:1:nan", "0:1:1e300", "0:1:2.5"}) {
    const Execution none =
        galerna("plot " + path("out/checkpoint_final.h5") + " --isolines " + lines + " -o " + path("q.png"));
    EXPECT_EQ(none.code, 2);
    expect_contains(none.output, "is no number of lines: give an integer");
  }
  const Execution space = galerna("plot " + path("out/checkpoint_final.h5") + " --normal 0,0,1 --view 1,0,0");
  EXPECT_EQ(space.code, 2);
  expect_contains(space.output, "--normal: error: is for solutions in 3D, but this one is in 2D: leave it out");
  expect_contains(space.output, "--view: error:");
  const Execution dash = galerna("plot " + path("out/checkpoint_final.h5") + " --isolines -inf:inf:5");
  EXPECT_EQ(dash.code, 2);
  expect_contains(dash.output, "if it is the value, write --isolines=-inf:inf:5");
  const Execution endless =
      galerna("plot " + path("out/checkpoint_final.h5") + " --isolines=-inf:1:3 -o " + path("q.png"));
  EXPECT_EQ(endless.code, 2);
  expect_contains(endless.output, "--isolines: error: isolines from -inf to 1: give two finite values");
}

/// With an empty cache. The program speaks of all that is compiled, and of what no compiler sees.
TEST_F(Program, ChecksAHeaderOfItsUser) {
  const fs::path header = fs::path(GALERNA_SOURCE_DIR) / "cases/shallow-water/shallow_water.hpp";
  std::string text = text_of(header);
  const std::string right = "f[0] = u[0] * speed;";
  text.replace(text.find(right), right.size(), "f[0] = u[3] * speed;");
  std::ofstream(folder / "water.hpp") << text;
  std::ofstream(folder / "water.toml")
      << periodic_square
      << "[equations]\ntype = \"user\"\nheader = \"water.hpp\"\nname = \"ShallowWater\"\nvariables = "
      << "[\"depth\", \"momentum_x\", \"momentum_y\"]\n[equations.parameters]\ngravity = 9.81\n[discretization]\norder "
         "= "
      << "1\n[time]\ncfl = 0.5\nend = 0.1\n[initial]\ndepth = 1\nmomentum_x = 0\nmomentum_y = 0\n";
  const Execution check = execute("GALERNA_CACHE=" + path("cache") + " GALERNA_OPTIMIZE=0 " + GALERNA_PROGRAM +
                                  " check " + path("water.toml"));
  EXPECT_EQ(check.code, 2);
  expect_contains(check.output, "compiling kernels: ShallowWater 2D");
  expect_contains(check.output, "water.hpp:20: error: flux(u, a) uses element [3] of an array of 3");
}

/// Pictures of a series have the same colours.
TEST_F(Program, PlotsInARangeOfColours) {
  galerna(run_words());
  const std::string plot = "plot " + path("out/checkpoint_final.h5") + " --field pressure -o " + path("p.svg");
  EXPECT_EQ(galerna(plot).code, 0);
  const std::string own = text_of(folder / "p.svg");
  EXPECT_EQ(galerna(plot + " --range=-7:13").code, 0);
  EXPECT_NE(text_of(folder / "p.svg"), own);
  for (const char* range : {"1:0", "1:1", "0:inf"}) {
    const Execution empty = galerna(plot + " --range " + range);
    EXPECT_EQ(empty.code, 2);
    expect_contains(empty.output, "--range: error: ");
    expect_contains(empty.output, "is empty");
  }
  expect_contains(galerna(plot + " --range 1").output, "must be 2 numbers separated by ':', not \"1\"");
}

TEST_F(Program, PlotsACheckpointWhoseMeshIsInAFolderOfAnyName) {
  galerna(run_words());
  const fs::path odd = folder / "a \"b\\ c";
  fs::create_directory(odd);
  fs::copy_file(folder / "square.msh", odd / "square.msh");
  const Execution result = galerna("plot " + path("out/checkpoint_final.h5") + " --mesh-file '" +
                                   (odd / "square.msh").string() + "' -o " + path("p.png"));
  EXPECT_EQ(result.code, 0) << result.output;
}

TEST_F(Program, DrawsPicturesWithoutFonts) {
  ASSERT_EQ(galerna(run_words()).code, 0);
  for (const char* name : {"p.png", "p.svg"}) {
    setenv("FONTCONFIG_FILE", "/nonexistent", 1);
    setenv("FONTCONFIG_PATH", "/nonexistent", 1);
    const Execution result = galerna("plot " + path("out/checkpoint_final.h5") + " --field vorticity -o " + path(name));
    unsetenv("FONTCONFIG_FILE");
    unsetenv("FONTCONFIG_PATH");
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.output, path(name) + "\n");  // its name and no complaint
    const std::string with_fonts = path(std::string("again_") + name);
    ASSERT_EQ(galerna("plot " + path("out/checkpoint_final.h5") + " --field vorticity -o " + with_fonts).code, 0);
    EXPECT_EQ(text_of(path(name)), text_of(with_fonts));
  }
}

TEST_F(Program, BenchmarksACase) {
  const Execution result =
      galerna("bench " + path("case.toml") + " --device cpu --repetitions 1 --json " + path("bench.json"));
  EXPECT_EQ(result.code, 0) << result.output;
  const auto bench = nlohmann::json::parse(text_of(folder / "bench.json"));
  EXPECT_GT(bench["dof_per_second"].get<double>(), 0);
  EXPECT_GT(bench["peak_flops"].get<double>(), 0);
  EXPECT_GE(bench["processor"]["threads"].get<int>(), 1);
  EXPECT_FALSE(bench["processor"]["model"].get<std::string>().empty());
  double share = 0;
  for (const auto& kernel : bench["kernels"]) {
    share += kernel["share"].get<double>();
    if (!kernel["name"].get<std::string>().starts_with("residual")) continue;
    EXPECT_GT(kernel["bytes"].get<double>(), 72 * 6 * 4 * 8 * 2);  // the state of p = 2, read and written
    EXPECT_GT(kernel["share_of_copy_bandwidth"].get<double>(), 0);
    EXPECT_GT(kernel["share_of_peak_flops"].get<double>(), 0);
  }
  EXPECT_NEAR(share, 1, 1e-12);
}

TEST_F(Program, CompilesAUsersHeaderWhenItChecksACase) {
  const fs::path shipped = fs::path(GALERNA_SOURCE_DIR) / "cases/advection-diffusion";
  fs::copy_file(shipped / "case.toml", folder / "wave.toml");
  std::string header = text_of(shipped / "advection_diffusion.hpp");
  std::ofstream(folder / "advection_diffusion.hpp") << header;
  EXPECT_EQ(galerna("check " + path("wave.toml") + " --device cpu").code, 0);
  const std::size_t place = header.find("    return ") + 11;
  header.insert(place, "unheard_of * ");
  std::ofstream(folder / "advection_diffusion.hpp") << header;
  const Execution result = galerna("check " + path("wave.toml") + " --device cpu");
  EXPECT_EQ(result.code, static_cast<int>(ExitCode::wrong_input));
  const auto line = 1 + std::count(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(place), '\n');
  expect_contains(result.output, fmt::format("advection_diffusion.hpp:{}:", line));
  expect_contains(result.output, "unheard_of");
}

TEST_F(Program, RefusesDiffusionOfPolytopesBeforeARun) {
  std::ofstream(folder / "polytopes.toml") << "[functions]\nu = \"x\"\n[mesh]\nfile = \"square.msh\"\n[equations]\n"
                                              "type = \"advection-diffusion-reaction\"\ndiffusion = -1\n"
                                              "[discretization]\norder = 1\n"
                                           << prescribed_sides;
  for (const std::string command : {"check ", "run "}) {
    const Execution result = galerna(command + path("polytopes.toml"));
    EXPECT_EQ(result.code, static_cast<int>(ExitCode::wrong_input)) << result.output;
    expect_contains(result.output, "polytopes.toml:7:13: error: the diffusion has the eigenvalue -1 on polytope 0");
    const Execution large = galerna(command + path("polytopes.toml") + " --set equations.diffusion=1e300");
    EXPECT_EQ(large.code, static_cast<int>(ExitCode::wrong_input)) << large.output;
    expect_contains(large.output, "is 1e+300 on polytope 0");
    const Execution structure = galerna(command + path("polytopes.toml") + " --structure packs");
    EXPECT_EQ(structure.code, static_cast<int>(ExitCode::wrong_input)) << structure.output;
    expect_contains(structure.output, "--structure: error: has no meaning for");
  }
}

TEST_F(Program, DocumentsEveryKeyOfTheCaseFile) {
  const std::string reference = galerna("case-reference").output;
  EXPECT_GT(reference.size(), 5000u);
  expect_contains(text_of(fs::path(GALERNA_SOURCE_DIR) / "docs/case-file.md"), reference);
}

}  // namespace
}  // namespace galerna::tests
