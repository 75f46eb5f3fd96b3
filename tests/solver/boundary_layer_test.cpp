// Limiters beside walls: gas slides over a floor that stops it (Stokes' first problem, u = U erf(y / 2√(νt))).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

constexpr double height = 0.4, width = 0.08, viscosity = 0.001, speed = 0.05, start = 1, end = 0.6;

const std::string sliding = R"toml(
[constants]
gamma = 1.4
viscosity = 0.001
speed = 0.05
start = 1
[functions]
u = "speed*erf(y/(2*sqrt(viscosity*(t + start))))"
[mesh]
file = "strip.msh"
periodic = [{ from = "left", to = "right", translation = [0.08, 0] }]
[equations]
type = "navier-stokes"
gamma = 1.4
prandtl = 0.73
mu = 0.001
[time]
scheme = "ssprk33"
cfl = 0.9
end = 0.6
[initial]
density = 1
velocity_x = "u"
velocity_y = 0
pressure = "1/gamma"
[exact]
density = 1
velocity_x = "u"
velocity_y = 0
pressure = "1/gamma"
[boundary.top]
type = "symmetry"
[output]
solution = false
)toml";

const std::string floor_at_rest = "[boundary.bottom]\ntype = \"no-slip-adiabatic\"\n";

struct Sliding {
  std::string name;
  int degree;
  std::string shock, floor = floor_at_rest;
};

std::ostream& operator<<(std::ostream& stream, const Sliding& how) {
  return stream << how.name;
}

class SlidingGas : public ::testing::TestWithParam<Sliding> {
 protected:
  SlidingGas() {
    mesh::write_gmsh(mesh::make_rectangle(4, 20, {0, 0}, {width, height}, mesh::CellStyle::random_triangles, 0.1),
                     folder_ / "strip.msh");
  }
  files::Report flow(const std::string& more) const {
    return run(folder_, sliding + more + "[discretization]\norder = " + std::to_string(GetParam().degree) + "\n")
        .report;
  }
  Folder folder_;
};

TEST_P(SlidingGas, KeepsItsBoundaryLayer) {
  const files::Report limited = flow(GetParam().floor + GetParam().shock), free = flow(GetParam().floor);
  const auto lost = [](const files::Report& report) {
    return report.conservation.at(1).start - report.conservation.at(1).end;
  };
  // ∫ τ dt with τ = μ U / √(π ν t)
  const double exact = width * viscosity * speed / std::sqrt(std::numbers::pi * viscosity) * 2 *
                       (std::sqrt(start + end) - std::sqrt(start));
  EXPECT_NEAR(lost(limited) / exact, 1, 0.01);
  EXPECT_NEAR(lost(limited) / lost(free), 1, 0.005);
  const bool hierarchical = GetParam().name.starts_with("Hierarchical");
  EXPECT_LT(limited.errors.at(1).l1, (hierarchical ? 1.000001 : 3) * free.errors.at(1).l1);
}

INSTANTIATE_TEST_SUITE_P(
    Limiters, SlidingGas,
    ::testing::Values(
        Sliding{"BarthJespersen", 1, "[shock]\nlimiter = \"barth-jespersen\"\nvariables = \"characteristic\"\n"},
        Sliding{"BarthJespersenConservative", 1, "[shock]\nlimiter = \"barth-jespersen\"\n"},
        Sliding{"Hierarchical1", 1, "[shock]\nlimiter = \"hierarchical\"\nvariables = \"characteristic\"\n"},
        Sliding{"Hierarchical2", 2, "[shock]\nlimiter = \"hierarchical\"\nvariables = \"characteristic\"\n"},
        Sliding{"HierarchicalPrimitive2", 2, "[shock]\nlimiter = \"hierarchical\"\nvariables = \"primitive\"\n"},
        Sliding{"Isothermal", 1, "[shock]\nlimiter = \"barth-jespersen\"\nvariables = \"primitive\"\n",
                "[boundary.bottom]\ntype = \"no-slip-isothermal\"\ntemperature = \"1/gamma\"\n"}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace galerna::tests
