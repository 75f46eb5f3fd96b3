// Equations from headers of users: the shipped cases' headers, and small ones written here.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "case_names.hpp"
#include "compiles.hpp"
#include "dg/discretization.hpp"
#include "files/checkpoint.hpp"
#include "solver/case_programs.hpp"
#include "solver/decay.hpp"
#include "solver/make_mesh.hpp"
#include "solver/problem.hpp"
#include "solver/runs.hpp"
#include "solver/user_errors.hpp"

namespace galerna::tests {
namespace {

namespace fs = std::filesystem;

const fs::path cases = fs::path(GALERNA_SOURCE_DIR) / "cases";

std::string advection(int order) {
  return std::string(periodic_square) + "[functions]\nprofile = \"sin(2*pi*(x - t))*cos(2*pi*(y - 0.5*t))\"\n" +
         "[equations]\ntype = \"user\"\nheader = \"" +
         (cases / "advection-diffusion/advection_diffusion.hpp").string() +
         "\"\nname = \"AdvectionDiffusion\"\nvariables = [\"concentration\"]\nviscous = false\n" +
         "[equations.parameters]\nvelocity_x = 1\nvelocity_y = 0.5\ndiffusivity = 0\n[initial]\nconcentration = "
         "\"profile\"\n[exact]\nconcentration = \"profile\"\n[output]\nsolution = false\n[discretization]\norder = " +
         std::to_string(order) + "\n";
}

/// Water that flows about a point which moves with velocity (1, 0.5): v²/r = g ∂h/∂r holds everywhere.
std::string water_vortex(int order) {
  return "[constants]\nb = 4\n[functions]\ndx = \"x - 5 - t\"\ndy = \"y - 5 - 0.5*t\"\nr2 = \"dx^2 + dy^2\"\n"
         "swirl = \"b/(2*pi)*exp((1 - r2)/2)\"\nlevel = \"1 - b^2/(8*pi^2*9.81)*exp(1 - r2)\"\n[mesh]\nfile = "
         "\"box.msh\"\nperiodic = [ { from = \"left\", to = \"right\", translation = [11, 0] }, { from = \"bottom\", "
         "to "
         "= \"top\", translation = [0, 11] } ]\n[equations]\ntype = \"user\"\nheader = \"" +
         (cases / "shallow-water/shallow_water.hpp").string() +
         "\"\nname = \"ShallowWater\"\nvariables = [\"depth\", \"momentum_x\", \"momentum_y\"]\nprimitives = "
         "[\"depth\", \"velocity_x\", \"velocity_y\"]\n[equations.parameters]\ngravity = 9.81\n[initial]\ndepth = "
         "\"level\"\nvelocity_x = \"1 - swirl*dy\"\nvelocity_y = \"0.5 + swirl*dx\"\n[exact]\ndepth = \"level\"\n"
         "velocity_x = \"1 - swirl*dy\"\nvelocity_y = \"0.5 + swirl*dx\"\n[output]\nsolution = false\n"
         "[discretization]\norder = " +
         std::to_string(order) + "\n[time]\nscheme = \"ssprk54\"\ncfl = 0.5\nend = 0.25\n";
}

class Degree : public ::testing::TestWithParam<int> {};

TEST_P(Degree, AdvectAProfileWithOrderDegreePlusOne) {
  const int p = GetParam();
  Folder folder;
  write_square(folder, 8);
  const std::string text =
      advection(p) + "[time]\nscheme = \"ssprk54\"\nend = 0.25\ncfl = " + (p < 4 ? "0.5" : "0.2") + "\n";
  const double coarse = run(folder, text).report.errors.at(0).l2,
               fine = run(folder, text, {"mesh.refine=1"}).report.errors.at(0).l2;
  EXPECT_GE(std::log2(coarse / fine), p + 0.8) << coarse << " " << fine;
}
INSTANTIATE_TEST_SUITE_P(UserEquations, Degree, ::testing::Range(1, 5), CaseName{});

TEST(UserEquations, CarryAVortexOfWaterWithItsOrder) {
  Folder folder;
  mesh::write_gmsh(mesh::make_rectangle(22, 22, {0, 0}, {11, 11}, mesh::CellStyle::random_triangles, 0.15),
                   folder / "box.msh");
  const auto coarse = run(folder, water_vortex(3)), fine = run(folder, water_vortex(3), {"mesh.refine=1"});
  for (std::size_t v = 0; v < 3; ++v) {
    const double order = std::log2(coarse.report.errors[v].l2 / fine.report.errors[v].l2);
    EXPECT_GE(order, 3.8) << fine.report.errors[v].variable << " " << fine.report.errors[v].l2;
    const auto& balance = fine.report.conservation[v];
    EXPECT_LT(std::abs(balance.end - balance.start), 1e-11 * (1 + std::abs(balance.start)));
  }
}

/// The shipped case on a mesh of the test, its files in the folder.
std::string shipped(const Folder& folder, const std::string& name) {
  for (const auto& entry : fs::directory_iterator(cases / name))
    fs::copy_file(entry.path(), folder / entry.path().filename(), fs::copy_options::overwrite_existing);
  std::ifstream stream(folder / "case.toml");
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

void write_channel(const Folder& folder) {
  mesh::Mesh mesh = mesh::make_rectangle(60, 2, {-1.5, 0}, {1.5, 0.1}, mesh::CellStyle::triangles);
  for (mesh::Boundary& boundary : mesh.boundaries) {
    if (boundary.name == "left") boundary.name = "upstream";
    if (boundary.name == "right") boundary.name = "downstream";
  }
  mesh::write_gmsh(mesh, folder / "channel.msh");
}

std::string dam_break(const Folder& folder) {
  std::string text = shipped(folder, "shallow-water");
  for (const char* wall : {"top", "bottom"})
    text += std::string("\n[boundary.") + wall + "]\ntype = \"user\"\nghost = \"ReflectingWall\"\n";
  text.erase(text.find("[boundary.wall]"), text.find("[boundary.upstream]") - text.find("[boundary.wall]"));
  write_channel(folder);
  return text;
}

TEST(UserEquations, BreakADamWithWallsOfTheirOwn) {
  Folder folder;
  const std::string text = dam_break(folder);
  const Outcome result = run(folder, text);
  EXPECT_EQ(result.report.status, "done");
  EXPECT_LT(result.report.errors.at(0).l1, 4e-3);  // of a domain of measure 0.3
  EXPECT_LT(std::abs(result.report.conservation.at(0).defect), 1e-13);
  EXPECT_TRUE(fs::exists(folder / "out/picture_depth.png"));
  std::ifstream probe(folder / "out/probe_axis.csv");
  std::string columns;
  std::getline(probe, columns);
  EXPECT_NE(columns.find("depth,momentum_x,momentum_y,froude,velocity_x"), std::string::npos) << columns;
}

TEST(UserEquations, RestartBitForBitAndKeepTheirHeaderInTheCheckpoint) {
  Folder folder;
  const std::string text = dam_break(folder) + "\n[output.checkpoint]\ninterval = 0.05\n";
  const Outcome whole = run(folder, text, {"time.end=0.1"});
  run(folder, text, {"time.end=0.05"});
  const fs::path half = folder / "half.h5";
  fs::rename(folder / "out/checkpoint_final.h5", half);
  EXPECT_EQ(run(folder, text, {"time.end=0.1"}, {.device = "cpu", .restart = half}).coefficients, whole.coefficients);

  // What is needed to show the checkpoint is in it; the header's text in it is not compiled.
  fs::remove(folder / "shallow_water.hpp");
  const std::string resolved = files::read_checkpoint(half).resolved_case;
  const case_file::Settings record = case_file::read_case_text(resolved, folder / "case.toml");
  EXPECT_NE(record.equations.user->text.find("struct ReflectingWall"), std::string::npos);
  EXPECT_EQ(record.resolved, case_file::read_case_text(record.resolved, folder / "case.toml").resolved);
  EXPECT_THROW(solver::require_header(record), InputError);
}

/// The first block of code in a language on a page.
std::string code_block(const fs::path& page, const std::string& language) {
  std::ifstream stream(page);
  std::stringstream text;
  text << stream.rdbuf();
  const std::string all = text.str(), mark = "```" + language + "\n";
  const std::size_t begin = all.find(mark) + mark.size();
  return all.substr(begin, all.find("```", begin) - begin);
}

TEST(UserEquations, OfTheDocumentationRun) {
  Folder folder;
  write_square(folder, 8);
  const fs::path page = fs::path(GALERNA_SOURCE_DIR) / "docs/your-own-equations.md";
  std::ofstream(folder / "burgers.hpp") << code_block(page, "cpp");
  const auto report = run(folder, code_block(page, "toml")).report;
  EXPECT_EQ(report.status, "done");
  EXPECT_NEAR(report.conservation.at(0).end, 1, 1e-3);
  EXPECT_TRUE(fs::exists(folder / "out/picture_c.png"));
}

TEST(UserEquations, AddTheirSourceToThatOfTheCase) {
  Folder folder;
  write_square(folder, 4);
  const auto report = run(folder, decay_case(folder, decay_header) + decay_states).report;
  for (const auto& error : report.errors) EXPECT_LT(error.linf, 1e-9) << error.variable;
}

TEST(UserEquations, ThatFailSayWhere) {
  Folder folder;
  write_square(folder, 4);
  std::string text = decay_case(folder, decay_header) + decay_states;
  text.replace(text.find("a = \"a\""), 7, "a = \"sqrt(0.25 - t)\"");
  const auto report = run(folder, text).report;
  EXPECT_EQ(report.status, "failed");
  EXPECT_NE(report.failure->what.find("not a number in a in element"), std::string::npos) << report.failure->what;
  EXPECT_NE(report.failure->what.find("source.a = \"sqrt(0.25 - t)\" is not a number at ("), std::string::npos)
      << report.failure->what;
}

/// A gas of a user's: all that a case may ask of the built-in one.
const char* gas_header = R"cpp(
#include "kernels/physics/euler.hpp"
  namespace galerna::kernels {
  template <int dimension, class Parameters>
  struct MyGas : Euler<dimension, Parameters> {
    static constexpr double gamma = Parameters::gamma;
  };
  }  // namespace galerna::kernels
)cpp";

/// Gas that bursts out of a circle in a periodic square, limited in characteristic variables and kept positive.
std::string burst(const std::string& equations) {
  return std::string(periodic_square) + "[equations]\n" + equations +
         "[initial]\ndensity = \"jump\"\nvelocity_x = 0\nvelocity_y = 0\npressure = \"jump\"\n"
         "[functions]\njump = \"where((x - 0.5)^2 + (y - 0.4)^2 < 0.09, 1, 0.05)\"\n"
         "[discretization]\norder = 2\nriemann = \"hllc\"\n"
         "[shock]\nlimiter = \"hierarchical\"\nvariables = \"characteristic\"\npositivity = true\n"
         "[time]\nscheme = \"ssprk33\"\ncfl = 0.3\nend = 0.02\n[output]\nsolution = false\n";
}

TEST(UserEquations, OfAGasComputeWhatTheBuiltInOnesDo) {
  Folder folder;
  write_square(folder, 8);
  std::ofstream(folder / "gas.hpp") << gas_header;
  const auto own =
      run(folder, burst("type = \"user\"\nheader = \"gas.hpp\"\nname = \"MyGas\"\nvariables = [\"density\", "
                        "\"momentum_x\", \"momentum_y\", \"energy\"]\nprimitives = [\"density\", \"velocity_x\", "
                        "\"velocity_y\", \"pressure\"]\n[equations.parameters]\ngamma = 1.4\n"));
  const auto built_in = run(folder, burst("type = \"euler\"\n"));
  EXPECT_EQ(own.report.status, "done");
  EXPECT_EQ(own.coefficients, built_in.coefficients);
}

/// The message with which a run of the decay case ends, on the CPU's compiler.
std::string refusal(const std::string& header, const std::string& variables = "\"a\", \"b\"",
                    const std::vector<std::string>& set = {}) {
  Folder folder;
  write_square(folder, 2);
  std::string states = "[initial]\n";
  for (const char* name : {"a", "b", "c"})
    if (variables.find(name) != std::string::npos) states += std::string(name) + " = 0\n";
  try {
    run(folder, decay_case(folder, header, variables) + states, set);
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), ExitCode::wrong_input);
    return error.what();
  }
  return "was accepted";
}

TEST(UserEquations, ThatDoNotCompileNameTheLineInTheHeader) {
  const std::string text = refusal(replaced(decay_header, "return V(1e-12f);", "return V(speed);"));
  expect_in(text, "decay.hpp:14:");
  expect_in(text, "speed");
  expect_in(text, "all that the compiler said: ");
  expect_in(text, ".log");
  EXPECT_EQ(text.find("program.cpp"), std::string::npos) << text;
}

TEST(UserEquations, WithAnotherNumberOfVariablesAreRefusedWithBothNumbers) {
  const std::string text = refusal(decay_header, "\"a\", \"b\", \"c\"");
  expect_in(text, "case.toml:");
  expect_in(text, "the case lists 3 variables (a, b, c), but Decay has 2");
}

TEST(UserEquations, ThatLackAFunctionAreTold) {
  expect_in(refusal(replaced(decay_header, " flux(", " fluxes(")), "Decay needs flux(u, a)");
  expect_in(refusal(replaced(decay_header, "largest_wave_speed", "speed")), "Decay needs largest_wave_speed(u)");
  expect_in(refusal(replaced(decay_header, " source(", " sources(")), "Decay needs source(u, position, time)");
  expect_in(refusal(decay_header, "\"a\", \"b\"", {"equations.source=false"}), "say source = true");
  expect_in(refusal(decay_header, "\"a\", \"b\"", {"discretization.riemann=hllc"}), "flux Hllc is for gases");
  expect_in(refusal(decay_header, "\"a\", \"b\"", {"shock.positivity=true", "time.step=", "time.cfl=0.1"}),
            "Decay needs pressure(u)");
  expect_in(refusal(decay_header, "\"a\", \"b\"", {"shock.limiter=barth-jespersen", "shock.variables=primitive"}),
            "Decay has not what limiting in these variables needs: primitive_values(u)");
  expect_in(
      refusal(decay_header, "\"a\", \"b\"", {"equations.primitives=[\"a\", \"w\"]", "initial.w=0", "initial.b=0"}),
      "mixes w with b");
  const std::string filter =
      refusal(decay_header, "\"a\", \"b\"", {"shock.method=filter", "time.step=", "time.cfl=0.1"});
  expect_in(filter, "case.toml:");
  expect_in(
      filter,
      ": error: Decay needs entropy_ratio(u, reference), since the case says shock.method = \"filter\": add it to "
      "the header");
}

TEST(UserEquations, TakeFluxesThatKnowNothingOfTheVariables) {
  // As docs/recipes/add-a-flux.md adds one; here it stands in the header, since the shipped ones are of gases but one.
  const std::string central = R"cpp(
    namespace galerna::kernels {
    struct Central {
      template <class Equations, class V>
      static Array<V, Equations::variables> flux(const Array<V, Equations::variables>& left,
                                                 const Array<V, Equations::variables>& right,
                                                 const Array<V, Equations::dimension>& normal) {
        const auto fl = Equations::flux(left, normal), fr = Equations::flux(right, normal);
        Array<V, Equations::variables> f;
        for (int v = 0; v < Equations::variables; ++v) f[v] = number<V>(0.5) * (fl[v] + fr[v]);
        return f;
      }
    };
    }  // namespace galerna::kernels
  )cpp";
  Folder folder;
  mesh::write_gmsh(mesh::make_rectangle(4, 4), folder / "square.msh");
  const fs::path header = cases / "advection-diffusion/advection_diffusion.hpp";
  std::stringstream shipped_text;
  shipped_text << std::ifstream(header).rdbuf();
  std::ofstream(folder / "with_central.hpp") << shipped_text.str() << central;
  const case_file::Settings read =
      settings(folder, replaced(advection(2), header.string(), (folder / "with_central.hpp").string()) +
                           "[time]\ncfl = 1\nend = 1\n");
  const mesh::Mesh mesh = solver::make_mesh(read);
  dg::Spec spec = solver::make_spec(read, mesh, device::Precision::double_precision);
  // ∫ u R(u) of linear advection: nothing is lost with the central flux, some is with upwind ones.
  const auto production = [&] {
    const auto cpu = device::open_device("cpu");
    dg::Discretization discretization(*cpu, mesh, spec, {}, {{1, 1}});
    kernels::Control control{};
    control.active = 1;
    control.dt = 1;
    discretization.write_control(control);
    std::vector<double> c(static_cast<std::size_t>(mesh.element_count()) * 6);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = std::sin(static_cast<double>(i * i));
    const auto state = discretization.allocate_state(), result = discretization.allocate_state();
    discretization.write_state(*state, c);
    discretization.stage({state.get(), {state.get()}, {result.get()}, {{0}}, {1}, 0, 1, true});
    cpu->synchronize();
    const std::vector<double> rhs = discretization.read_state(*result);
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < c.size(); ++i) sum += c[i] * rhs[i], size += std::abs(c[i] * rhs[i]);
    return sum / size;
  };
  EXPECT_LT(production(), -0.1);
  spec.flux = {spec.equations.header, "Central"};
  EXPECT_NEAR(production(), 0, 1e-13);
}

TEST(UserEquations, WithAGhostThatGivesNoStateAreRefused) {
  Folder folder;
  write_square(folder, 2);
  std::string text = decay_case(folder, std::string(decay_header) + "struct Nothing {};\n") + decay_states;
  text.erase(text.find("periodic"), text.find("[equations]") - text.find("periodic"));
  for (const char* side : {"left", "right", "top", "bottom"})
    text += std::string("[boundary.") + side + "]\ntype = \"user\"\nghost = \"Nothing\"\n";
  try {
    run(folder, text);
    FAIL();
  } catch (const InputError& error) {
    expect_in(error.what(), "Nothing needs ghost<Equations>(inside, at)");
  }
}

std::vector<device::ProgramSource> cuda_programs(const Folder& folder, const std::string& text) {
  return solver::make_programs(settings(folder, text), {device::Kind::cuda, device::cuda_lanes, true},
                               device::Precision::double_precision);
}

TEST(UserEquations, OnTheGpuAgreeWithTheCpu) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  Folder folder;
  write_square(folder, 8);
  const std::string steps = "[time]\nstep = 1e-3\nend = 0.02\n";
  for (const std::string& text :
       {advection(1) + steps, advection(3) + steps, decay_case(folder, decay_header) + decay_states, dam_break(folder)})
    EXPECT_LT(
        relative_difference(run(folder, text).coefficients, run(folder, text, {}, {.device = "cuda"}).coefficients),
        1e-11);
}

TEST(UserEquations, CompileForGpus) {
  if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  Folder folder;
  write_square(folder, 2);
  mesh::write_gmsh(mesh::make_rectangle(2, 2, {0, 0}, {11, 11}, mesh::CellStyle::triangles), folder / "box.msh");
  std::vector<std::string> texts = {advection(1) + "[time]\nstep = 1\nend = 1\n",
                                    advection(3) + "[time]\nstep = 1\nend = 1\n", water_vortex(2), water_vortex(4),
                                    decay_case(folder, decay_header) + decay_states};
  for (const std::string& text : texts)
    for (const device::ProgramSource& program : cuda_programs(folder, text)) tests::expect_compiles(program, "sm_90");
  const std::string dam = dam_break(folder);
  for (const device::ProgramSource& program : cuda_programs(folder, dam)) tests::expect_compiles(program, "sm_80");
}

TEST(UserEquations, ThatDoNotCompileForGpusNameTheLineInTheHeader) {
  if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  Folder folder;
  write_square(folder, 2);
  const auto message = [&](const std::string& header, const std::string& variables, const std::string& states) {
    const case_file::Settings s = settings(folder, decay_case(folder, header, variables) + states);
    try {
      solver::with_user_errors(s, [&] {
        for (const auto& program : solver::make_programs(s, {device::Kind::cuda, device::cuda_lanes, true},
                                                         device::Precision::double_precision))
          device::compile(program, "sm_90", {}, device::Effort::check);
      });
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("was accepted");
  };
  expect_in(message(replaced(decay_header, "return V(1e-12f);", "return V(speed);"), "\"a\", \"b\"", decay_states),
            "decay.hpp:14: error: identifier \"speed\" is undefined");
  expect_in(message(decay_header, "\"a\"", "[initial]\na = 0\n"), "the case lists 1 variable (a), but Decay has 2");
}

TEST(CompilerErrors, AreReadInEveryCompilersForm) {
  const auto errors = solver::compiler_errors(
      "In file included from program.cpp:3:\n"
      "/a b/w.hpp:12:5: error: 'x' was not declared\n"
      "/a/w.hpp:3:10: fatal error: no.hpp: No such file\n"
      "/a/w.hpp(7): error: identifier \"x\" is undefined\n"
      "/a/w.hpp(8): catastrophic error: cannot open source file \"no.hpp\"\n"
      "w.hpp(9): warning #177-D: unused\n");
  ASSERT_EQ(errors.size(), 4u);
  EXPECT_EQ(errors[0].place.file, "/a b/w.hpp");
  EXPECT_EQ(errors[0].place.column, 5);
  EXPECT_EQ(errors[2].place.line, 7);
  EXPECT_EQ(errors[2].text, "identifier \"x\" is undefined");
}

/// GCC's form, Clang's and NVRTC's.
TEST(CompilerErrors, OfAssertionsAreTheirText) {
  for (const char* text : {"static assertion failed: D needs \"filter\"",
                           "static_assert failed due to requirement 'Has<D>' \"D needs \\\"filter\\\"\"",
                           "static assertion failed with \"D needs \"filter\"\""}) {
    const device::CompileError failed("", "program.cpp:3:1: error: " + std::string(text) + "\n", "x.log");
    case_file::EquationSettings::User user;
    user.place = {"case.toml", 7, 1};
    EXPECT_EQ(std::string(solver::user_error(failed, user).what()),
              "case.toml:7:1: error: D needs \"filter\"\nall that the compiler said: x.log");
  }
}

}  // namespace
}  // namespace galerna::tests
