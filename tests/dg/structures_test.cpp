// The table of structures: which row a set gets and why, and that all rows compute the same.
#include "dg/structures.hpp"
#include "dg/programs/simplex_programs.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "case_names.hpp"
#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/curved_solids.hpp"
#include "dg/plan_sets.hpp"
#include "dg/slope_limiters.hpp"
#include "dg/solids.hpp"
#include "mesh/box.hpp"

namespace galerna::tests {
namespace {

constexpr device::Target cpu{device::Kind::host, 8}, gpu{device::Kind::cuda, 32}, hopper{device::Kind::cuda, 32, true};

using Names = std::vector<std::string>;

Names chosen(const mesh::Mesh& mesh, const dg::Spec& spec, const device::Target& target) {
  Names names;
  for (const dg::SetPlan& set : dg::plan_sets(mesh, spec, target)) names.push_back(set.structure->name);
  return names;
}

std::string why(const mesh::Mesh& mesh, const dg::Spec& spec, const device::Target& target, std::size_t set = 0) {
  return dg::plan_sets(mesh, spec, target).at(set).why;
}

mesh::Mesh quadrilaterals() {
  mesh::Mesh mesh = mesh::make_rectangle(3, 3, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals, 0.1);
  mesh::prepare(mesh);
  return mesh;
}

dg::Spec viscous(int degree) {
  dg::Spec spec = bare_euler(degree);
  spec.viscous = true;
  return spec;
}

TEST(QuickStructures, OfStraightTrianglesHangOnDeviceOrderAndPrecision) {
  const mesh::Mesh mesh = irregular_square();
  dg::Spec single = bare_euler(4);
  single.precision = device::Precision::single_precision;
  EXPECT_EQ(chosen(mesh, bare_euler(3), cpu), Names{"packs"});
  EXPECT_EQ(chosen(mesh, bare_euler(3), gpu), Names{"threads"});
  EXPECT_EQ(chosen(mesh, bare_euler(2), hopper), Names{"threads"});
  EXPECT_EQ(chosen(mesh, bare_euler(3), hopper), Names{"tiles-64"});
  EXPECT_EQ(chosen(mesh, bare_euler(4), hopper), Names{"tiles-32"});
  EXPECT_EQ(chosen(mesh, single, hopper), Names{"threads"});
}

TEST(QuickStructures, OfViscousFlowAreTilesFromOrder3On) {
  const mesh::Mesh mesh = irregular_square();
  dg::Spec odd = viscous(4), single = viscous(4);
  odd.variables.resize(3);
  single.precision = device::Precision::single_precision;
  EXPECT_EQ(chosen(mesh, viscous(4), hopper), Names{"viscous-tiles"});
  EXPECT_EQ(chosen(mesh, viscous(2), hopper), Names{"element"});
  EXPECT_EQ(chosen(mesh, viscous(4), gpu), Names{"element"});
  EXPECT_EQ(chosen(mesh, odd, hopper), Names{"element"});
  EXPECT_EQ(chosen(mesh, single, hopper), Names{"element"});
  EXPECT_EQ(chosen(mesh, viscous(4), cpu), Names{"element"});
}

TEST(QuickStructures, OfMixturesAreChosenSetBySet) {
  const mesh::Mesh mesh = curved_mixture(3, 1);
  ASSERT_EQ(mesh.blocks.at(1).shape, Shape::triangle);
  EXPECT_EQ(chosen(mesh, bare_euler(2), cpu), (Names{"element", "element"}));
  EXPECT_EQ(chosen(mesh, bare_euler(2), gpu), (Names{"element", "threads"}));
  EXPECT_EQ(chosen(mesh, bare_euler(3), gpu), (Names{"element", "element"}));
  EXPECT_EQ(chosen(mesh, bare_euler(3), hopper), (Names{"element", "tiles-64"}));
  EXPECT_EQ(chosen(mesh, viscous(3), hopper), (Names{"element", "viscous-tiles"}));
  dg::Spec spec = bare_euler(3);
  spec.precision = device::Precision::single_precision;
  EXPECT_EQ(chosen(mesh, spec, hopper), (Names{"element", "element"}));
}

TEST(QuickStructures, SourcesAndLocalStepsLeaveTilesOut) {
  dg::Spec local = bare_euler(4), source = bare_euler(4);
  local.local_steps = true;
  source.source.assign(4, [](const std::string&) { return std::string(); });
  for (const dg::Spec& spec : {local, source}) EXPECT_EQ(chosen(irregular_square(), spec, hopper), Names{"threads"});
}

TEST(QuickStructures, StraightTetrahedraTakeThreadsAtOrder1AndWarpTilesFromOrder2OnWhereOperatorsFit) {
  mesh::Mesh mesh = mesh::make_box({1, 1, 1});
  mesh::prepare(mesh);
  for (int degree = 1; degree <= 6; ++degree) {
    dg::Spec spec = bare_euler(degree);
    spec.shape = Shape::tetrahedron;
    spec.variables.insert(spec.variables.begin() + 3, "momentum_z");
    const bool fits = degree >= 2 && degree <= 4;
    const char* small = degree == 1 ? "threads" : "element";
    for (const auto precision : {device::Precision::single_precision, device::Precision::double_precision}) {
      spec.precision = precision;
      EXPECT_EQ(chosen(mesh, spec, hopper), Names{fits || degree == 5 ? "warp-tiles" : small}) << degree;
    }
    EXPECT_EQ(chosen(mesh, spec, gpu), Names{small});
    EXPECT_EQ(chosen(mesh, spec, cpu), Names{"packs"});
    spec.viscous = true;
    EXPECT_EQ(chosen(mesh, spec, hopper), Names{fits ? "viscous-warp-tiles" : "element"}) << degree;
    EXPECT_EQ(chosen(mesh, spec, gpu), Names{"element"});
    spec.precision = device::Precision::single_precision;
    EXPECT_EQ(chosen(mesh, spec, hopper), Names{"element"});
  }
}

TEST(QuickStructures, PrismsAndPyramidsTakeThoseOfCurvedTetrahedra) {
  for (const auto& [shape, largest] : {std::pair{Shape::prism, 3}, {Shape::pyramid, 4}})
    for (int degree = 1; degree <= 5; ++degree) {
      const bool fits = degree >= 2 && degree <= largest;
      EXPECT_EQ(chosen(box_of(shape, 1, 0, false), bare_euler_in_space(degree), hopper),
                Names{fits ? "curved-warp-tiles" : "element"})
          << name(shape) << degree;
    }
}

TEST(QuickStructures, CurvedTetrahedraTakeWarpTilesOfTheirOwn) {
  const mesh::Mesh mesh = curved_box(1, 2);
  for (int degree = 1; degree <= 6; ++degree) {
    const bool fits = degree >= 2 && degree <= 5;
    const dg::Spec spec = bare_euler_in_space(degree);
    EXPECT_EQ(chosen(mesh, spec, hopper), Names{fits ? "curved-warp-tiles" : "element"}) << degree;
    EXPECT_EQ(chosen(mesh, spec, gpu), Names{"element"});
    dg::Spec single = spec;
    single.precision = device::Precision::single_precision;
    EXPECT_EQ(chosen(mesh, single, hopper), Names{"element"});
    dg::Spec viscous = spec;
    viscous.viscous = true;
    EXPECT_EQ(chosen(mesh, viscous, hopper), Names{fits && degree < 5 ? "curved-viscous-warp-tiles" : "element"});
    EXPECT_EQ(chosen(mesh, viscous, gpu), Names{"element"});
  }
}

TEST(QuickStructures, CurvedHexahedraAreComputedLineByLineWhereTheirPointsAreThoseOfLines) {
  const mesh::Mesh mesh = curved_box(1, 3, false, 0, Shape::hexahedron);
  for (int degree = 1; degree <= 4; ++degree) {
    dg::Spec spec = bare_euler_in_space(degree);
    EXPECT_EQ(chosen(mesh, spec, hopper), Names{degree > 1 ? "lines" : "element"}) << degree;
    spec.viscous = true;
    EXPECT_EQ(chosen(mesh, spec, cpu), Names{degree > 1 ? "viscous-lines" : "element"}) << degree;
  }
}

TEST(QuickStructures, StraightHexahedraAreComputedLineByLine) {
  const mesh::Mesh mesh = box_of(Shape::hexahedron, 1, 0, false);
  for (int degree = 0; degree <= 8; ++degree) {
    dg::Spec spec = bare_euler_in_space(degree);
    const bool fits = degree >= 1 && degree <= 7;
    EXPECT_EQ(chosen(mesh, spec, hopper), Names{fits ? "lines" : "element"}) << degree;
    EXPECT_EQ(chosen(mesh, spec, cpu), Names{fits ? "lines" : "element"}) << degree;
    // 64 KB of shared memory
    EXPECT_EQ(chosen(mesh, spec, gpu), Names{fits && degree != 5 && degree != 7 ? "lines" : "element"}) << degree;
  }
  dg::Spec spec = bare_euler_in_space(2);
  spec.volume_quadrature = 6;
  EXPECT_EQ(chosen(mesh, spec, cpu), Names{"element"});
  for (int degree = 0; degree <= 5; ++degree) {
    spec = bare_euler_in_space(degree);
    spec.viscous = true;
    const bool fits_viscous = degree >= 1 && degree <= 4;
    EXPECT_EQ(chosen(mesh, spec, hopper), Names{fits_viscous ? "viscous-lines" : "element"}) << degree;
    EXPECT_EQ(chosen(mesh, spec, cpu), Names{fits_viscous ? "viscous-lines" : "element"}) << degree;
    EXPECT_EQ(chosen(mesh, spec, gpu), Names{degree == 1 || degree == 3 ? "viscous-lines" : "element"}) << degree;
  }
}

TEST(QuickStructures, SayWhyTheyWereChosen) {
  EXPECT_EQ(why(irregular_square(), bare_euler(1), cpu), "fits, and is tried before element");
  EXPECT_EQ(why(irregular_square(), bare_euler(3), hopper), "fits, and is tried before threads, tiles-32 and element");
  EXPECT_EQ(why(quadrilaterals(), bare_euler(1), cpu), "packs needs straight triangles or tetrahedra");
  EXPECT_EQ(why(irregular_square(), viscous(1), cpu), "packs needs a flow without viscosity");
  EXPECT_EQ(
      why(curved_mixture(3, 1), bare_euler(4), gpu, 1),
      "threads needs order 2 or lower beside other elements; tiles-32 and tiles-64 need matrix units for fp64 "
      "(compute capability 9.0 or later); viscous-tiles needs viscosity; warp-tiles and "
      "viscous-warp-tiles need straight tetrahedra; curved-warp-tiles needs curved tetrahedra, prisms or pyramids; "
      "curved-viscous-warp-tiles needs curved tetrahedra");
}

TEST(QuickStructures, ARowThatIsAskedForComputesWhatItFits) {
  dg::Spec spec = bare_euler(4);
  spec.structure = "element";
  EXPECT_EQ(chosen(irregular_square(), spec, hopper), Names{"element"});
  EXPECT_EQ(why(irregular_square(), spec, hopper), "asked for");
  spec.structure = "tiles-64";
  const mesh::Mesh mixture = curved_mixture(3, 1);
  EXPECT_EQ(chosen(mixture, spec, hopper), (Names{"element", "tiles-64"}));
  EXPECT_NE(why(mixture, spec, hopper, 0).find("; tiles-64, asked for, needs straight triangles"), std::string::npos);
}

TEST(QuickStructures, UnknownNamesAreAnsweredWithThoseThatThereAre) {
  try {
    dg::find_structure("tiles-46");
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("unknown structure \"tiles-46\"; did you mean \"tiles-"), std::string::npos) << text;
    EXPECT_NE(text.find("lines or element"), std::string::npos) << text;
  }
}

TEST(QuickStructures, OnlyTheLastRowNeedsNothing) {
  for (const dg::Structure& row : dg::structures())
    EXPECT_EQ(row.needs.empty(), &row == &dg::structures().back()) << row.name;
  EXPECT_STREQ(dg::structures().back().name, "element");
}

TEST(QuickStructures, OneKernelStepsOnSmallMeshesOfThreads) {
  const dg::Structure &threads = dg::find_structure("threads"), &tiles = dg::find_structure("tiles-32");
  EXPECT_TRUE(dg::steps_by_one_kernel(threads, 2, 20'000));
  EXPECT_FALSE(dg::steps_by_one_kernel(threads, 2, 20'001));
  EXPECT_FALSE(dg::steps_by_one_kernel(threads, 3, 100));
  EXPECT_FALSE(dg::steps_by_one_kernel(tiles, 0, 100));
}

/// Everything that a step does to a state, by each row that fits a mesh of straight triangles on the CPU.
class EveryRow : public ::testing::TestWithParam<int> {
 protected:
  template <class Compute>
  void expect_agreement(dg::Spec spec, const Compute& compute, double tolerance = 1e-12) const {
    const mesh::Mesh mesh = irregular_square();
    surround(spec, mesh, State2{{1, 0.5, -0.25, 2}});
    const auto c = filled_modes(mesh, basis::mode_count(Shape::triangle, spec.degree));
    const auto by = [&](const std::string& row) {
      spec.structure = row;
      Computation computation(mesh, spec);
      EXPECT_EQ(computation->sets()[0].structure->name, row);
      return compute(computation, c);
    };
    const std::vector<double> expected = by("element");
    EXPECT_GT(largest(expected), 1e-3);
    const dg::Operators operators = dg::make_operators(Shape::triangle, spec.degree);
    const auto rows = dg::fitting_structures({operators}, spec, cpu);
    EXPECT_GT(rows.size(), 1u);
    for (const dg::Structure* row : rows) {
      EXPECT_LT(relative_difference(expected, by(row->name)), tolerance) << row->name;
    }
  }
};

std::vector<double> residual(Computation& by, const std::vector<double>& c) {
  return by.residual(c);
}

using EveryRowAtTheEnds = EveryRow;

TEST_P(EveryRowAtTheEnds, ComputesTheSameResidual) {
  expect_agreement(bare_euler(GetParam()), residual);
}

TEST_P(EveryRow, ComputesTheSameResidual) {
  expect_agreement(bare_euler(GetParam()), residual);
}

TEST_P(EveryRow, ComputesTheSameInSinglePrecision) {
  dg::Spec spec = bare_euler(GetParam());
  spec.precision = device::Precision::single_precision;
  expect_agreement(spec, residual, 1e-4);
}

TEST_P(EveryRow, TakesTheSameLocalStepsWithSources) {
  dg::Spec spec = bare_euler(GetParam());
  spec.local_steps = true;
  for (int v = 0; v < 4; ++v)
    spec.source.push_back([v](const std::string& name) {
      return "template <class V, class U> V " + name +
             "(const V& x, const V& y, const V&, const V&, const U& u) { return " + std::to_string(v) +
             " * x - y * u[0]; }";
    });
  const auto step = [](Computation& by, const std::vector<double>& c) {
    const double stable = by.stable_step(c);
    std::vector<double> result = by.residual(c);
    result.push_back(stable);
    return result;
  };
  expect_agreement(spec, step);
}

TEST_P(EveryRow, IsLimitedInTheSameWay) {
  dg::Spec spec = bare_euler(GetParam());
  spec.limiter = dg::LimiterSpec{hierarchical(), "CharacteristicVariables", true};
  const auto limited = [](Computation& by, const std::vector<double>& c) {
    by->write_state(by.state(), c);
    by->finish(by.state(), 0, false);
    std::vector<double> result = by->read_state(by.state());
    EXPECT_GT(relative_difference(result, c), 1e-4);
    const auto counts = by->limiter_counts();
    result.insert(result.end(), counts.begin(), counts.end());
    return result;
  };
  expect_agreement(spec, limited);
}

INSTANTIATE_TEST_SUITE_P(Degrees, EveryRow, ::testing::Values(1, 4), CaseName{});
INSTANTIATE_TEST_SUITE_P(Degrees, EveryRowAtTheEnds, ::testing::Values(0, 6), CaseName{});

}  // namespace
}  // namespace galerna::tests
