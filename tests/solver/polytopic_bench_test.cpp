// What `galerna bench` tells of a case on polytopes.
#include "solver/polytopic/polytopic_bench.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "solver/polytopic_cases.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

const std::string poisson_on_polygons = std::string(R"toml(
[functions]
u = "0"
[mesh]
file = "square.msh"
[mesh.agglomerate]
simplices = 6
[equations]
type = "advection-diffusion-reaction"
diffusion = 1
source = "1"
[discretization]
order = 1
)toml") + prescribed_sides;

class PolytopicBenchmark : public ::testing::Test {
 protected:
  PolytopicBenchmark() {
    write_square(folder_, 4);
    bench_.repetitions = 1;
    bench_.seconds = 0;
    bench_.measure_ceilings = false;
  }
  solver::PolytopicBenchResult bench() {
    return solver::bench_polytopic(settings(folder_, poisson_on_polygons), options_, bench_, observer_);
  }

  Folder folder_;
  solver::RunOptions options_{"cpu"};
  solver::BenchSettings bench_;
  Silent observer_;
};

TEST_F(PolytopicBenchmark, TellsOfAssemblyKernelsAndSolution) {
  const solver::PolytopicBenchResult result = bench();
  EXPECT_EQ(result.simplices, 32);
  EXPECT_EQ(result.dof, 3 * result.polytopes);
  EXPECT_EQ(result.nonzeros, 9 * (result.polytopes + 2 * result.interfaces));
  EXPECT_GT(result.assembly_seconds[0], 0);
  EXPECT_GT(result.assembly_processor_seconds, 0);
  EXPECT_GT(result.iterations, 0);
  double shares = 0;
  std::set<std::string> names;
  for (const solver::KernelFigures& kernel : result.kernels) {
    names.insert(kernel.name);
    shares += kernel.share;
    EXPECT_EQ(kernel.launches, 1) << kernel.name;
    EXPECT_GT(kernel.bytes, 0) << kernel.name;
  }
  EXPECT_EQ(names, (std::set<std::string>{"certified_volume_1", "penalties", "facets_1", "interface_1"}));
  EXPECT_NEAR(shares, 1, 1e-12);
  const auto json = nlohmann::json::parse(solver::to_json(result));
  EXPECT_EQ(json["dof"], result.dof);
  EXPECT_EQ(json["kernels"].size(), 4u);
  EXPECT_NE(solver::to_text(result).find("certified_volume_1"), std::string::npos);
}

TEST_F(PolytopicBenchmark, MeasuresOneWayToAssemble) {
  bench_.assembly = "atomics";
  const solver::PolytopicBenchResult result = bench();
  EXPECT_EQ(result.assembly, "atomics");
  EXPECT_EQ(result.iterations, 0);
  EXPECT_NE(solver::to_text(result).find("by atomics"), std::string::npos);
  bench_.assembly = "moments";
  expect_refused_by([&] { bench(); }, "\"moments\" is not among what this device and case have: volume-first, points");
}

TEST_F(PolytopicBenchmark, RunsOnlyWhileItHasTheFile) {
  bench_.exclusive = folder_ / "nowhere/lock";
  EXPECT_THROW(bench(), SystemError);
}

TEST_F(PolytopicBenchmark, CountsOperations) {
  const solver::PolytopicBenchResult result = bench();
  const auto kernel = std::find_if(result.kernels.begin(), result.kernels.end(),
                                   [](const solver::KernelFigures& k) { return k.name == "interface_1"; });
  ASSERT_NE(kernel, result.kernels.end());
  // A point: bases of both sides, 6·2·1 + 3·1·3 each, normal fluxes 3·3 each, 7·3 for what goes with φ and n·∇φ, and
  // two products of 3 × 3 modes; two points a facet.
  const double inner_facets = static_cast<double>(result.facets) - 16;
  EXPECT_EQ(kernel->flops, inner_facets * 2 * (2 * (12 + 9 + 9) + 21 + 4 * 9));
  EXPECT_GT(kernel->bytes, 8.0 * 2 * 9 * static_cast<double>(result.interfaces));
}

}  // namespace
}  // namespace galerna::tests
