// Iterative solution: as many iterations on every mesh, and the solution of the direct one.
#include "polytopic/multigrid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "algebra/direct.hpp"
#include "mesh/generate.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"
#include "polytopic/constants.hpp"
#include "polytopic/problems.hpp"
#include "polytopic/reference_rows.hpp"

namespace galerna::tests {
namespace {

constexpr algebra::KrylovOptions to_the_last_digits{.tolerance = 1e-12};

/// A problem of one degree on a mesh, assembled.
struct Problem {
  Problem(mesh::Mesh of, mesh::Agglomeration into, const polytopic::Spec& given, int degree)
      : mesh(std::move(of)),
        agglomeration(std::move(into)),
        polytopes(polytopic::make_mesh(mesh, agglomeration)),
        spec(given),
        degrees(static_cast<std::size_t>(polytopes.polytopes), degree),
        discretization(*device, polytopes, spec, degrees),
        solver(*device, mesh, agglomeration, polytopes, spec, degrees),
        solution(static_cast<std::size_t>(discretization.unknowns()), 0) {
    discretization.compute_penalties();
    discretization.assemble();
    load = discretization.right_hand_side();
  }
  algebra::KrylovReport solve(const algebra::KrylovOptions& options = {}) {
    solver.set_up(discretization, 0, 0);
    std::fill(solution.begin(), solution.end(), 0);
    return solver.solve(load, solution, options);
  }

  std::unique_ptr<device::Device> device = device::open_device("cpu");
  mesh::Mesh mesh;
  mesh::Agglomeration agglomeration;
  polytopic::Mesh polytopes;
  polytopic::Spec spec;
  std::vector<int> degrees;
  polytopic::Discretization discretization;
  polytopic::MultigridSolver solver;
  std::vector<double> load, solution;
};

Problem problem_of(const ReferenceRow& row) {
  const std::string name = row.text.at("mesh"), folder = std::string(GALERNA_TEST_DIR) + "/data/";
  mesh::Mesh mesh = mesh::read_gmsh(folder + name.substr(0, name.find('-')) + ".msh");
  mesh::prepare(mesh);
  mesh::Agglomeration agglomeration = mesh::read_agglomeration(folder + name + ".agg", mesh);
  const int degree = static_cast<int>(row.integer("p"));
  polytopic::Spec spec = row.text.at("group") == "adr2d"
                             ? advection(mesh, row.text.at("penalty"), row.number("C"))
                             : poisson(mesh.dimension, mesh, row.text.at("penalty"), row.number("C"));
  spec.volume_quadrature = spec.facet_quadrature = 2 * (degree + (mesh.dimension == 2 ? 6 : 7)) - 1;
  return {std::move(mesh), std::move(agglomeration), spec, degree};
}

/// Errors above 1e-6 have the first five digits of the table after iterations, too.
void expect_errors(const ReferenceRow& row, Problem& problem) {
  const polytopic::SquaredErrors errors = problem.discretization.errors(problem.solution);
  for (const auto& [squared, column] : {std::pair(errors.l2, "L2"), {errors.dg, "DG"}})
    if (row.number(column) > 1e-6) {
      EXPECT_GE(common_digits(std::sqrt(squared), row.number(column)), 5) << column;
    }
}

TEST(Multigrid, ConvergesAsFastOnAllMeshesInThePlane) {
  int rows = 0;
  for (const ReferenceRow& row : reference_rows()) {
    const std::string& group = row.text.at("group");
    if ((group != "poisson2d" && group != "agglomeration") || row.text.at("penalty") != "certified") continue;
    if (row.integer("p") > 4) continue;
    SCOPED_TRACE(row.name());
    ++rows;
    Problem problem = problem_of(row);
    const algebra::KrylovReport report = problem.solve();
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations(), 18) << report.text();
    problem.solve(to_the_last_digits);
    expect_errors(row, problem);
  }
  EXPECT_GE(rows, 28);
}

TEST(Multigrid, ConvergesInSpace) {
  for (const ReferenceRow& row : reference_rows()) {
    if (row.text.at("group") != "poisson3d" || row.text.at("penalty") != "certified") continue;
    SCOPED_TRACE(row.name());
    const algebra::KrylovReport report = problem_of(row).solve();
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations(), 18) << report.text();
  }
}

TEST(Multigrid, FindsWhatTheDirectSolutionIs) {
  for (const ReferenceRow& row : reference_rows()) {
    if (row.text.at("group") != "adr2d" || row.text.at("mesh") != "square3" || row.integer("p") > 2) continue;
    SCOPED_TRACE(row.name());
    Problem problem = problem_of(row);
    const algebra::KrylovReport report = problem.solve(to_the_last_digits);
    EXPECT_TRUE(report.converged) << report.text();
    const std::vector<double> direct = algebra::DirectSolver(problem.discretization.matrix()).solve(problem.load);
    for (std::size_t k = 0; k < direct.size(); ++k) EXPECT_NEAR(problem.solution[k], direct[k], 1e-9);
  }
}

mesh::Mesh square(mesh::Index cells) {
  mesh::Mesh mesh = mesh::make_rectangle(cells, cells, {0, 0}, {1, 1}, mesh::CellStyle::random_triangles, 0.2);
  mesh::prepare(mesh);
  return mesh;
}

TEST(Multigrid, TransfersArePolynomialsThatStayTheSame) {
  const mesh::Mesh mesh = square(6);
  const mesh::Agglomeration fine = mesh::make_agglomeration(mesh, 18),
                            coarse = mesh::coarser_levels(mesh, fine, 17).front();
  const polytopic::Mesh a = polytopic::make_mesh(mesh, fine), b = polytopic::make_mesh(mesh, coarse);
  for (const basis::BoxSpace& space : {basis::BoxSpace{2}, basis::BoxSpace{2, true}, basis::BoxSpace{2, true, true},
                                       basis::BoxSpace{2, true, true, 3}}) {
    const std::vector<int> fine_degrees(static_cast<std::size_t>(a.polytopes), 1),
        coarse_degrees(static_cast<std::size_t>(b.polytopes), 1);
    const algebra::Transfer transfer =
        polytopic::transfer_between({a, fine_degrees}, {b, coarse_degrees}, mesh::parents(fine, coarse), space);
    const auto n = static_cast<std::size_t>(basis::box_mode_count(space, 1));
    for (std::size_t child = 0; child < transfer.parents.size(); ++child) {
      const double* box = a.boxes.data() + 4 * child;
      const double* parent = b.boxes.data() + 4 * transfer.parents[child];
      const std::array<double, 4> local = {0.3, -0.8, 0.25};
      std::array<double, 4> of_parent = local;
      for (std::size_t d = 0; d < 2; ++d) of_parent[d] = (box[d] + box[2 + d] * local[d] - parent[d]) / parent[2 + d];
      const basis::BoxBasis linear(space, 1);
      const std::vector<double> values = linear.values(local), coarse_values = linear.values(of_parent);
      for (std::size_t c = 0; c < n; ++c) {
        double sum = 0;
        for (std::size_t r = 0; r < n; ++r) sum += transfer.values[(child * n + r) * n + c] * values[r];
        EXPECT_NEAR(sum, coarse_values[c], 1e-13);
      }
    }
  }
}

/// Functions that are linear in space, of a degree in time that goes with it, are corrected on coarser levels.
TEST(Multigrid, HasAllOfTimeOnCoarserLevels) {
  const basis::BoxSpace total{2, true}, tensor{2, true, true};
  EXPECT_EQ(polytopic::coarse_space(tensor, 3).time_degree, 3);
  EXPECT_EQ(polytopic::coarse_space(total, 1), total);
  EXPECT_EQ(polytopic::coarse_space({2}, 3), basis::BoxSpace{2});
  const basis::BoxSpace coarse = polytopic::coarse_space(total, 3);
  EXPECT_EQ(basis::box_mode_count(coarse, 1), 9);
  const algebra::Transfer transfer = polytopic::same_modes(total, {3, 4}, coarse);
  EXPECT_EQ(transfer.values.size(), std::size_t{9 * (20 + 35)});
  const std::array<double, 4> local = {0.3, -0.8, 0.25};
  const std::vector<double> fine_values = basis::BoxBasis(total, 4).values(local),
                            coarse_values = basis::BoxBasis(coarse, 1).values(local);
  for (std::size_t c = 0; c < 9; ++c) {
    double sum = 0;
    for (std::size_t r = 0; r < 35; ++r) sum += transfer.values[9 * (20 + r) + c] * fine_values[r];
    EXPECT_NEAR(sum, coarse_values[c], 1e-13) << c;
  }
}

/// Diffusion 1 and `jump` in the fields of a chess board of 8 × 8, whose polytopes keep to the fields.
polytopic::Spec chess_board(const mesh::Mesh& mesh, double jump) {
  polytopic::Spec spec = poisson(2, mesh, "certified", 2);
  const polytopic::FunctionText diffusion =
      function(fmt::format("const V last = V(0.999), field = floor(min(x, last) * V(8)) + floor(min(y, last) * V(8));\n"
                           "  return select(field - V(2) * floor(field / V(2)) > V(0.5), V({:a}), V(1));",
                           jump));
  spec.diffusion = {diffusion, constant(0), diffusion};
  return spec;
}

TEST(Multigrid, IsNotSlowedByJumpsOfTheDiffusion) {
  mesh::Mesh mesh = mesh::make_rectangle(64, 64);
  mesh.region_names = {"black", "white"};
  for (mesh::Index e = 0; e < mesh.element_count(); ++e) {
    const mesh::Point x = mesh::centroid(mesh, e);
    mesh.blocks[0].region[static_cast<std::size_t>(e)] = (static_cast<int>(8 * x[0]) + static_cast<int>(8 * x[1])) % 2;
  }
  mesh::prepare(mesh);
  for (const int degree : {1, 2}) {
    Problem problem(mesh, mesh::make_agglomeration(mesh, 700), chess_board(mesh, 1e6), degree);
    const algebra::KrylovReport report = problem.solve();
    // Beside entries a million times as large rounding keeps the true residual a little above the tolerance.
    EXPECT_TRUE(report.converged || report.stagnated) << report.text();
    EXPECT_LT(report.residuals.back(), 2e-9) << report.text();
    EXPECT_LE(report.iterations(), 25) << report.text();
  }
}

TEST(Multigrid, IsNotSlowedByFlow) {
  const mesh::Mesh mesh = square(60);
  polytopic::Spec spec = advection(mesh, "certified", 2);
  spec.diffusion = {constant(1e-6), constant(0), constant(1e-6)};
  Problem problem(mesh, mesh::make_agglomeration(mesh, 600), spec, 1);
  const algebra::KrylovReport report = problem.solve();
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations(), 20) << report.text();
}

/// −Δu = 2π² cos(πx) cos(πy) with no flux through the boundary.
polytopic::Spec closed_box(const mesh::Mesh& mesh) {
  polytopic::Spec spec = poisson(2, mesh, "certified", 2);
  spec.exact = function("return cos(pi * x) * cos(pi * y);");
  spec.exact_gradient = {function("return -pi * sin(pi * x) * cos(pi * y);"),
                         function("return -pi * cos(pi * x) * sin(pi * y);")};
  spec.source = function("return V(2) * pi * pi * cos(pi * x) * cos(pi * y);");
  for (polytopic::Spec::Boundary& boundary : spec.boundaries) boundary = {false, {}};
  return spec;
}

TEST(Constants, AreTakenOutWhereNothingHoldsThem) {
  const mesh::Mesh mesh = square(40);
  const polytopic::Spec spec = closed_box(mesh);
  EXPECT_TRUE(polytopic::constants_are_free(spec));
  Problem problem(mesh, mesh::make_agglomeration(mesh, 260), spec, 2);
  EXPECT_LT(polytopic::imbalance(problem.discretization, problem.load), 1e-6);
  polytopic::balance(problem.discretization, problem.load);
  EXPECT_LT(polytopic::imbalance(problem.discretization, problem.load), 1e-14);
  const algebra::KrylovReport report = problem.solve();
  EXPECT_TRUE(report.converged) << report.text();
  EXPECT_LE(report.iterations(), 18);
  polytopic::remove_mean(problem.discretization, problem.polytopes, problem.solution);
  const polytopic::SquaredErrors errors = problem.discretization.errors(problem.solution);
  EXPECT_LT(std::sqrt(errors.l2), 2e-3);
  EXPECT_NEAR(errors.integral, 0, 1e-12);

  algebra::BlockMatrix<double> matrix = problem.discretization.matrix();
  polytopic::fix_constant(matrix);
  std::vector<double> direct = algebra::DirectSolver(matrix).solve(problem.load);
  polytopic::remove_mean(problem.discretization, problem.polytopes, direct);
  for (std::size_t k = 0; k < direct.size(); ++k) EXPECT_NEAR(problem.solution[k], direct[k], 1e-7);
}

TEST(Constants, AreHeldByAnythingElse) {
  const mesh::Mesh mesh = square(2);
  polytopic::Spec spec = closed_box(mesh);
  spec.reaction = constant(1);
  EXPECT_FALSE(polytopic::constants_are_free(spec));
  spec = closed_box(mesh);
  spec.boundaries[2].dirichlet = true;
  EXPECT_FALSE(polytopic::constants_are_free(spec));
}

}  // namespace
}  // namespace galerna::tests
