// Degree 0, where nothing diffuses: upwinding of first order, and implicit Euler steps in time.
#include <gtest/gtest.h>

#include <cmath>

#include "algebra/direct.hpp"
#include "mesh/agglomeration.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"
#include "polytopic/discretization.hpp"
#include "polytopic/multigrid.hpp"
#include "polytopic/problems.hpp"
#include "polytopic/stored.hpp"

namespace galerna::tests {
namespace {

polytopic::Mesh simplices_of(const mesh::Mesh& mesh) {
  return polytopic::make_mesh(mesh, mesh::element_agglomeration(mesh));
}

/// Constants on each polytope.
struct Constants {
  Constants(const polytopic::Mesh& mesh, const polytopic::Spec& spec, double end = 0)
      : discretization(*device, mesh, spec, std::vector<int>(static_cast<std::size_t>(mesh.polytopes), 0)) {
    discretization.set_time(0, end);
    discretization.compute_penalties();
    discretization.assemble();
    matrix = discretization.matrix();
  }
  std::vector<double> solve() { return algebra::DirectSolver(matrix).solve(discretization.right_hand_side()); }

  std::unique_ptr<device::Device> device = device::open_device("cpu");
  polytopic::Discretization discretization;
  algebra::BlockMatrix<double> matrix;
};

TEST(QuickUpwind, HasTheFirstOrderInThePlane) {
  std::vector<double> errors;
  for (const char* name : {"square2", "square3"}) {
    const StoredPolygons polygons(name);
    Constants constants(polygons.polytopes, transport(polygons.mesh));
    errors.push_back(std::sqrt(constants.discretization.errors(constants.solve()).l2));
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), 0.85) << errors[1];
  EXPECT_LT(std::log2(errors[0] / errors[1]), 1.3) << errors[1];
}

TEST(Upwind, HasTheFirstOrderInSpace) {
  std::vector<double> errors;
  for (const int n : {4, 8}) {
    mesh::Mesh mesh = mesh::make_box({n, n, n});
    mesh::prepare(mesh);
    const polytopic::Mesh polytopes = simplices_of(mesh);
    Constants constants(polytopes, transport_in_space(mesh));
    errors.push_back(std::sqrt(constants.discretization.errors(constants.solve()).l2));
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), 0.85) << errors[1];
  EXPECT_LT(std::log2(errors[0] / errors[1]), 1.3) << errors[1];
}

/// What a finite volume takes from upstream, facet by facet.
TEST(QuickUpwind, HasTheMatrixOfFiniteVolumes) {
  const StoredPolygons polygons("square1");
  const polytopic::Mesh& m = polygons.polytopes;
  polytopic::Spec spec = transport(polygons.mesh);
  spec.velocity = {constant(1), constant(-0.5)};
  spec.divergence = {};
  spec.reaction = constant(2);
  const Constants constants(m, spec);
  std::vector<std::vector<double>> expected(static_cast<std::size_t>(m.polytopes),
                                            std::vector<double>(static_cast<std::size_t>(m.polytopes), 0));
  for (std::size_t k = 0; k < expected.size(); ++k) expected[k][k] = 2 * m.measures[2 * k];
  for (std::size_t facet = 0; facet < m.facet_measures.size(); ++facet) {
    const double* normal = m.facets.data() + facet * 6 + 4;
    const double flow = (normal[0] - normal[1] / 2) * m.facet_measures[facet];
    const std::int32_t first = m.facet_polytopes[2 * facet], second = m.facet_polytopes[2 * facet + 1];
    const std::int32_t to = flow < 0 ? first : second, from = flow < 0 ? second : first;
    if (to < 0) continue;
    expected[static_cast<std::size_t>(to)][static_cast<std::size_t>(to)] += std::abs(flow);
    if (from >= 0) expected[static_cast<std::size_t>(to)][static_cast<std::size_t>(from)] -= std::abs(flow);
  }
  const algebra::BlockPattern& pattern = constants.matrix.pattern;
  for (std::size_t row = 0; row < expected.size(); ++row)
    for (auto block = static_cast<std::size_t>(pattern.rows[row]);
         block < static_cast<std::size_t>(pattern.rows[row + 1]); ++block) {
      double& entry = expected[row][static_cast<std::size_t>(pattern.columns[block])];
      EXPECT_NEAR(constants.matrix.values[static_cast<std::size_t>(pattern.offsets[block])], entry, 1e-14) << row;
      entry = 0;
    }
  for (const std::vector<double>& row : expected)
    for (const double left : row) EXPECT_EQ(left, 0);
}

TEST(QuickUpwind, IsInBalance) {
  const StoredPolygons polygons("square1");
  Constants constants(polygons.polytopes, transport(polygons.mesh));
  std::vector<double> solution = constants.solve();
  EXPECT_LT(constants.discretization.balance(solution).relative_defect(), 1e-13);
  solution[3] += 1e-6;
  EXPECT_GT(constants.discretization.balance(solution).relative_defect(), 1e-9);
}

/// ∂_t u + b·∇u = 0 with u = sin(x + 2y − t·(1 + 2)), b = 1: constants in place and time.
TEST(QuickUpwind, HasTheFirstOrderInTime) {
  std::vector<double> errors;
  for (const int refined : {1, 2}) {
    const StoredPolygons polygons(refined == 1 ? "square2" : "square3");
    polytopic::Spec spec = transport(polygons.mesh);
    spec.space.slab = true;
    spec.velocity = {constant(1), constant(1)};
    spec.divergence = {};
    spec.reaction = {};
    spec.source = {};
    spec.exact = function("return sin(x + V(2) * y - V(3) * t);");
    spec.initial = spec.exact;
    spec.exact_gradient = {function("return cos(x + V(2) * y - V(3) * t);"),
                           function("return V(2) * cos(x + V(2) * y - V(3) * t);")};
    for (polytopic::Spec::Boundary& boundary : spec.boundaries) boundary = {true, spec.exact, {}};
    const int slabs = 8 * refined;
    const double step = 0.5 / slabs;
    Constants constants(polygons.polytopes, spec, step);
    const algebra::DirectSolver solver(constants.matrix);
    std::vector<double> solution;
    for (int slab = 0; slab < slabs; ++slab) {
      constants.discretization.set_time(slab * step, (slab + 1) * step, solution);
      constants.discretization.assemble_right_hand_side();
      solution = solver.solve(constants.discretization.right_hand_side());
      EXPECT_LT(constants.discretization.balance(solution).relative_defect(), 1e-12) << slab;
    }
    errors.push_back(std::sqrt(constants.discretization.errors(solution).l2_end));
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), 0.8) << errors[1];
  EXPECT_LT(std::log2(errors[0] / errors[1]), 1.3) << errors[1];
}

/// Constants alone, and beside higher degrees; coarser polytopes are of degree 0 where all of their parts are.
TEST(Upwind, IsSolvedByMultigrid) {
  mesh::Mesh mesh = mesh::make_rectangle(40, 40, {0, 0}, {1, 1}, mesh::CellStyle::random_triangles, 0.15);
  mesh::prepare(mesh);
  const mesh::Agglomeration elements = mesh::element_agglomeration(mesh);
  const polytopic::Mesh polytopes = polytopic::make_mesh(mesh, elements);
  const polytopic::Spec spec = transport(mesh);
  for (const int other : {0, 2}) {
    std::vector<int> degrees(static_cast<std::size_t>(polytopes.polytopes), 0);
    for (std::size_t k = 0; k < degrees.size() / 2; ++k) degrees[k] = other;
    const auto device = device::open_device("cpu");
    polytopic::Discretization discretization(*device, polytopes, spec, degrees);
    discretization.compute_penalties();
    discretization.assemble();
    polytopic::MultigridSolver multigrid(*device, mesh, elements, polytopes, spec, degrees);
    multigrid.set_up(discretization, 0, 0);
    std::vector<double> solution(static_cast<std::size_t>(discretization.unknowns()), 0);
    const algebra::KrylovReport report = multigrid.solve(discretization.right_hand_side(), solution, {1e-10});
    EXPECT_TRUE(report.converged) << other;
    EXPECT_LE(report.iterations(), 60) << other;
    const std::vector<double> direct =
        algebra::DirectSolver(discretization.matrix()).solve(discretization.right_hand_side());
    for (std::size_t k = 0; k < direct.size(); ++k) ASSERT_NEAR(solution[k], direct[k], 1e-7) << k;
    ASSERT_GE(multigrid.unknowns().size(), 2U);
    EXPECT_LT(multigrid.unknowns()[1], multigrid.unknowns()[0]);
  }
}

}  // namespace
}  // namespace galerna::tests
