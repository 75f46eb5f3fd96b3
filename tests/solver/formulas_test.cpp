// Every function and operator of the formula language, as the CUDA compiler and the CPU's see it.
#include <gtest/gtest.h>

#include <filesystem>

#include "case/formula_node.hpp"
#include "compiles.hpp"
#include "device/program.hpp"
#include "solver/case_programs.hpp"
#include "solver/problem.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// A call of every function, and every operator; positive on the unit square.
std::string everything() {
  std::string text =
      "10 + where(x < 0.5 && y <= 0.5 || !(x > y) && x >= 0.1, x^2 - y/3, 0 - x*y) + where(x == y, 0, 1)";
  text += " + where(t != 0, 1, 2)";
  for (const std::string& name : case_file::function_names()) {
    if (name == "where") continue;
    text += " + 0.1*" + name + (case_file::find_function(name)->arguments == 1 ? "(0.5 + 0.1*x)" : "(1 + x, 2 + y)");
  }
  return text;
}

std::string case_text(const std::string& more = "") {
  const std::string state = "density = \"" + everything() + "\"\nvelocity_x = 0\nvelocity_y = 0\npressure = 1\n";
  return std::string(periodic_square) +
         "[equations]\ntype = \"euler\"\n[discretization]\norder = 2\n[time]\ncfl = 0.5\n" +
         "max_steps = 1\n[initial]\n" + state + "[exact]\n" + state + "[output]\nsolution = false\n" + more;
}

TEST(Formulas, CompileForGpus) {
  if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  Folder folder;
  write_square(folder, 4);
  const device::Target target{device::Kind::cuda, device::cuda_lanes};
  const auto programs =
      solver::make_programs(settings(folder, case_text()), target, device::Precision::double_precision);
  const auto single = solver::make_programs(settings(folder, case_text()), target, device::Precision::single_precision);
  tests::expect_compiles(programs.at(1), "sm_80");
  tests::expect_compiles(single.at(1), "sm_90");
}

TEST(Formulas, GiveOnTheCpuWhatTheInterpreterGives) {
  Folder folder;
  write_square(folder, 4);
  Silent silent;
  const case_file::Settings with_everything = settings(folder, case_text());
  solver::Simulation simulation(with_everything, {.device = "cpu"}, silent);
  // The mean of the projection is the mean of the formula; by the rule of the projection, evaluated here.
  const analysis::Solution solution = simulation.flow().solution();
  const dg::Operators& operators = simulation.flow().discretization().sets().front().operators;
  const basis::Quadrature rule = basis::quadrature(operators.shape, 2 * operators.degree + 4);
  for (mesh::Index e = 0; e < solution.mesh->element_count(); ++e) {
    double mean = 0, measure = 0;
    const auto corners = solution.mesh->corners(e);
    for (int q = 0; q < rule.size(); ++q) {
      const auto& xi = rule.points[static_cast<std::size_t>(q)];
      const double weight = rule.weights[static_cast<std::size_t>(q)];
      const double share[] = {1 - xi[0] - xi[1], xi[0], xi[1]};
      double x[2] = {0, 0};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t d = 0; d < 2; ++d)
          x[d] += share[i] * solution.mesh->nodes[static_cast<std::size_t>(corners[i])][d];
      mean += weight * with_everything.initial.formulas[0](x[0], x[1], 0, 0);
      measure += weight;
    }
    std::vector<double> room;
    const double projected = solution.modes(0, e, room)[0] * operators.volume_basis(0, 0);
    EXPECT_NEAR(projected, mean / measure, 1e-12 * mean);
  }
}

}  // namespace
}  // namespace galerna::tests
