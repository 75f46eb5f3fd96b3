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

constexpr dg::Target gpu{device::Kind::cuda, 32, true};

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
    const auto core = dg::simplex_core_program(spec, operators, dg::find_structure("threads"), gpu, {{1, 1}});
    EXPECT_EQ(has(core, "embedded_error"), wanted);
    EXPECT_EQ(has(core, "embedded_commit"), wanted);
    EXPECT_TRUE(has(core, "next_step"));
  }
}

TEST(QuickProgramText, OneSetBeginsTheStepForAll) {
  const auto programs = dg::make_programs(curved_mixture(3, 2), bare_euler(1), gpu, {{1, 1}});
  ASSERT_EQ(programs.size(), 3u) << "two sets, formulas";
  for (const char* entry : {"begin_step", "end_step", "next_step"}) {
    EXPECT_TRUE(has(programs[0], entry));
    EXPECT_FALSE(has(programs[1], entry));
  }
}

}  // namespace
}  // namespace galerna::tests
