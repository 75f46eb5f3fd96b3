#include "solver/forecast_memory.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "mesh/read.hpp"
#include "solver/mixtures.hpp"
#include "solver/problem.hpp"

namespace galerna::tests {
namespace {

using device::Precision;

const device::Traits gpu{device::Kind::cuda, device::cuda_lanes, device::cuda_lanes, true};
const device::Traits cpu{device::Kind::host, 8, 16, false};

std::string square_case(int refine, const std::string& more = "") {
  return "[mesh]\nfile = \"square.msh\"\nrefine = " + std::to_string(refine) +
         "\nperiodic = [ { from = \"left\", to = \"right\", translation = [1, 0] } ]\n" + density_wave +
         "[discretization]\norder = 2\n[time]\ncfl = 0.1\nend = 0.1\n[boundary.top]\ntype = \"slip-wall\"\n"
         "[boundary.bottom]\ntype = \"slip-wall\"\n" +
         more;
}

solver::MemoryForecast forecast(const case_file::Settings& settings, const device::Traits& traits) {
  const mesh::ElementCounts coarse = mesh::count_elements(mesh::read(settings.mesh.file));
  return solver::forecast_memory(settings, coarse, Precision::double_precision, traits).value();
}

TEST(QuickForecast, OfMemoryIsThatOfTheRefinedMesh) {
  Folder folder;
  write_square(folder, 20);
  const case_file::Settings read = settings(folder, square_case(4), {});
  const mesh::Mesh mesh = solver::make_mesh(read);
  for (const device::Traits& traits : {gpu, cpu}) {
    const solver::MemoryForecast found = forecast(read, traits);
    EXPECT_EQ(mesh::sum(found.counts), mesh.element_count());
    for (const int degree : {1, 3}) {
      dg::Spec spec = solver::make_spec(read, mesh, Precision::double_precision);
      spec.degree = degree;
      const device::MemoryPlan plan = solver::plan_memory(mesh, spec, time::find_scheme(read.time.scheme),
                                                          solver::make_step_settings(read, mesh), traits);
      const auto held = static_cast<double>(plan.held());
      EXPECT_NEAR(static_cast<double>(found.device(degree, Precision::double_precision).held()), held, 0.01 * held);
      EXPECT_GE(found.device(degree, Precision::double_precision).temporary, plan.temporary);
    }
  }
}

std::string refusal(const solver::MemoryForecast& found, const case_file::Settings& read, device::Kind kind,
                    const solver::FreeMemory& free) {
  try {
    solver::require_forecast(found, read, Precision::double_precision, kind, free);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(QuickForecast, RefusesWhatDoesNotFit) {
  Folder folder;
  write_square(folder, 20);
  const case_file::Settings read = settings(folder, square_case(9), {});
  constexpr std::size_t enough = std::size_t{1} << 40;
  const solver::MemoryForecast found = forecast(read, gpu);
  const std::size_t needed = found.device(2, Precision::double_precision).peak();
  EXPECT_EQ(refusal(found, read, device::Kind::cuda, {needed, enough}), "");
  EXPECT_NE(refusal(found, read, device::Kind::cuda, {needed / 101 * 100, enough}).find("not enough device memory"),
            std::string::npos);
  EXPECT_NE(refusal(found, read, device::Kind::cuda, {needed, std::size_t{1} << 30})
                .find("the largest mesh.refine that fits is"),
            std::string::npos);
}

TEST(QuickForecast, RefusesMoreSidesThan32BitsCount) {
  Folder folder;
  write_square(folder, 20);
  const case_file::Settings read = settings(folder, square_case(10), {});  // 839 million triangles
  constexpr std::size_t enough = std::size_t{1} << 50;
  const std::string text = refusal(forecast(read, gpu), read, device::Kind::cuda, {enough, enough});
  EXPECT_NE(text.find("838860800 elements"), std::string::npos) << text;
  EXPECT_NE(text.find("32 bits"), std::string::npos) << text;
}

/// Before the mesh is refined, which takes long.
TEST(QuickForecast, NamesBoundariesWithoutCondition) {
  Folder folder;
  write_square(folder, 20);
  std::string text = square_case(5);
  text.replace(text.find("[boundary.top]"), 14, "[boundary.topp]");
  try {
    forecast(settings(folder, text, {}), cpu);
    ADD_FAILURE() << "planned";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("boundary \"top\" of the mesh has no condition"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("did you mean \"top\"?"), std::string::npos);
  }
}

TEST(QuickForecast, IsOfLargeMeshesOnly) {
  Folder folder;
  write_square(folder, 20);
  EXPECT_FALSE(solver::counts_to_forecast(settings(folder, square_case(0), {})));
  EXPECT_FALSE(solver::counts_to_forecast(settings(folder, square_case(3), {})));
  EXPECT_TRUE(solver::counts_to_forecast(settings(folder, square_case(5), {})));
}

}  // namespace
}  // namespace galerna::tests
