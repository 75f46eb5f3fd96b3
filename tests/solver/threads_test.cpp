// A run on any number of threads gives the same bits.
#include <gtest/gtest.h>

#include <cstdlib>

#include "files/history_file.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

class Threads : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Threads, GiveTheSameBitsWhateverTheirNumber) {
  Folder folder;
  write_square(folder, 12);
  const std::string text = std::string(periodic_square) + density_wave +
                           "[discretization]\norder = 2\n[time]\ncfl = 0.8\nend = 0.05\n[shock]\nlimiter = \"none\"\n"
                           "[output.integral.roughness]\nformula = \"schlieren^2\"\n";
  std::vector<Outcome> outcomes;
  std::vector<double> integrals, of_formula;
  for (const char* count : {"1", "2", "3", "8"}) {
    setenv("OMP_NUM_THREADS", count, 1);
    outcomes.push_back(run(folder, text, GetParam()));
    integrals.push_back(files::read_history(folder / "out/monitor.csv", "integral_energy").values.back());
    of_formula.push_back(files::read_history(folder / "out/monitor.csv", "roughness").values.back());
  }
  unsetenv("OMP_NUM_THREADS");
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.report.status, "done");
    EXPECT_EQ(outcome.coefficients, outcomes[0].coefficients);
    EXPECT_EQ(outcome.report.errors[0].l2, outcomes[0].report.errors[0].l2);
    EXPECT_EQ(outcome.report.conservation[3].end, outcomes[0].report.conservation[3].end);
  }
  EXPECT_EQ(of_formula, std::vector<double>(of_formula.size(), of_formula[0]));
  EXPECT_GT(of_formula[0], 0.1);
  // Those of the monitor are taken on the device, those of the report on the host.
  EXPECT_EQ(integrals, std::vector<double>(integrals.size(), integrals[0]));
  EXPECT_NEAR(integrals[0] / outcomes[0].report.conservation[3].end, 1, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Threads,
    ::testing::Values(std::vector<std::string>{}, std::vector<std::string>{"shock.limiter=hierarchical"},
                      std::vector<std::string>{"equations.type=navier-stokes", "equations.mu=0.01"}),
    [](const auto& test) {
      return std::string(test.index == 0 ? "Triangles" : test.index == 1 ? "Limiter" : "Viscous");
    });

}  // namespace
}  // namespace galerna::tests
