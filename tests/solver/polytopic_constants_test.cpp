// Cases of degree 0 on polytopes, where nothing diffuses: errors, outputs, solvers.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/polytopic_cases.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

const std::string transport = std::string(R"toml(
[functions]
u = "sin(x + 2*y)"
[mesh]
file = "square.msh"
[equations]
type = "advection-diffusion-reaction"
velocity = [1, 0.5]
reaction = 1
source = "2*cos(x + 2*y) + u"
[discretization]
order = 0
[exact]
value = "u"
)toml") + four_sides;

class QuickPolytopicConstants : public PolytopicRuns {
 protected:
  QuickPolytopicConstants() : PolytopicRuns(transport) {}
};

TEST_F(QuickPolytopicConstants, AreWrittenAndMeasured) {
  const files::PolytopicReport iterated = *run().polytopic;
  const files::PolytopicReport direct = *run({"solver.type=\"direct\""}).polytopic;
  EXPECT_EQ(iterated.matrix.dofs, 32);
  EXPECT_NEAR(iterated.energy, direct.energy, 1e-9);
  EXPECT_LT(direct.conservation.relative_element_defect, 1e-13);
  // No better than the best constants, h/√18 |∇u| on such triangles, and not much worse.
  EXPECT_GT(direct.errors->l2, 0.05);
  EXPECT_LT(direct.errors->l2, 0.3);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/solution.png"));
  EXPECT_NE(text_of(folder_ / "out/solution.vtu").find("Name=\"order\""), std::string::npos);
}

/// A constant is in the space, in time, too, and stays what it is.
TEST_F(QuickPolytopicConstants, KeepAConstantInTime) {
  const files::PolytopicReport report =
      *run({"functions.u=\"3\"", "equations.source=3", "time.type=\"slabs\"", "time.end=1", "time.slabs=3",
            "initial.value=\"u\"", "output.picture=false"})
           .polytopic;
  EXPECT_LT(report.errors->l2, 1e-9);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/checkpoint_final.h5"));
}

}  // namespace
}  // namespace galerna::tests
