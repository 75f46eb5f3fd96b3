// What stands in the texts of programs, before any compiler sees them.
#include <gtest/gtest.h>

#include <algorithm>

#include "dg/curved_meshes.hpp"
#include "dg/fixtures.hpp"
#include "dg/mesh_programs.hpp"
#include "dg/programs/simplex_programs.hpp"
#include "dg/structures.hpp"

namespace galerna::tests {
namespace {

constexpr device::Target gpu{device::Kind::cuda, 32, true};

bool has(const device::ProgramSource& program, const std::string& entry) {
  return std::count(program.entries.begin(), program.entries.end(), entry) == 1;
}

/// Numbers in the tables that begin with `words`.
std::int64_t numbers(const std::string& text, const std::string& words) {
  std::int64_t sum = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    sum += 1 + std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                          text.begin() + static_cast<std::ptrdiff_t>(text.find(';', at)), ',');
  return sum;
}

TEST(QuickProgramText, SinglePrecisionFillsConstantMemory) {
  // Curved quadrilaterals of degree 6 with more points than a tensor basis has: more numbers than 60,000 bytes hold.
  const mesh::Mesh mesh = curved_mixture(3, 2);
  dg::Spec spec = bare_euler(6);
  spec.volume_quadrature = 16;
  const auto numbers_in = [&](device::Precision precision, const std::string& memory) {
    spec.precision = precision;
    return numbers(dg::make_programs(mesh, spec, gpu, {{1, 1}})[0].text, memory + " constexpr Real");
  };
  const auto of_double = numbers_in(device::Precision::double_precision, "__constant__"),
             of_single = numbers_in(device::Precision::single_precision, "__constant__"),
             left = numbers_in(device::Precision::single_precision, "__device__");
  EXPECT_GT(numbers_in(device::Precision::double_precision, "__device__"), left);
  EXPECT_GT(of_single, of_double);
  EXPECT_LE(8 * of_double, 60'000);
  EXPECT_LE(4 * of_single, 60'000);
}

TEST(QuickProgramText, ErrorControlIsCompiledWhereStepsHaveIt) {
  dg::Spec spec = bare_euler(1);
  const dg::Operators operators = dg::make_operators(spec.shape, 1);
  for (const bool wanted : {false, true}) {
    spec.error_control = spec.candidate = wanted;
    const auto core = dg::simplex_core_programs(spec, operators, dg::find_structure("threads"), gpu, {{1, 1}}).back();
    EXPECT_EQ(has(core, "embedded_error"), wanted);
    EXPECT_EQ(has(core, "embedded_commit"), wanted);
  }
}

TEST(QuickProgramText, StepsOfAllFlowsAreControlledByOneProgram) {
  const device::Target cpu{device::Kind::host, 4};
  for (const device::Target& target : {gpu, cpu})
    EXPECT_EQ(dg::make_programs(curved_mixture(3, 2), bare_euler(1), target, {{1, 1}}).back().text,
              dg::make_programs(curved_mixture(2, 1), bare_euler(3), target, {{3, 2}}).back().text);
  const auto programs = dg::make_programs(curved_mixture(3, 2), bare_euler(1), cpu, {{1, 1}});
  ASSERT_EQ(programs.size(), 4u) << "two sets, formulas, control";
  for (const char* entry : {"begin_step", "end_step", "next_step"})
    for (const auto& program : programs) EXPECT_EQ(has(program, entry), &program == &programs.back()) << program.title;
}

TEST(QuickProgramText, LargeKernelsOfGpusAreProgramsOfTheirOwn) {
  const std::vector<std::string> large = {"residual_1_1", "residual_3_2"};
  const dg::Spec spec = bare_euler(1);
  const auto programs = dg::simplex_core_programs(spec, dg::make_operators(spec.shape, 1),
                                                  dg::find_structure("threads"), gpu, {{1, 1}, {3, 2}});
  ASSERT_EQ(programs.size(), large.size() + 1);
  for (std::size_t k = 0; k < large.size(); ++k) EXPECT_EQ(programs[k].entries, std::vector{large[k]});
  EXPECT_TRUE(has(programs.back(), "monitor"));
}

}  // namespace
}  // namespace galerna::tests
