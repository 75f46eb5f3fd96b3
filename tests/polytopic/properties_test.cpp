// What must hold on every mesh: polynomials are reproduced, symmetric problems have symmetric matrices, pure advection
// has the norm that theory says, the same bits come whatever the number of threads.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "algebra/symmetry.hpp"
#include "case_names.hpp"
#include "mesh/agglomeration.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"
#include "numbers.hpp"
#include "polytopic/discretization.hpp"
#include "polytopic/problems.hpp"

namespace galerna::tests {
namespace {

/// Irregular triangles of the unit square, joined to polygons.
struct Polygons {
  explicit Polygons(int n = 5, mesh::Index count = 12) {
    mesh = mesh::make_rectangle(n, n, {0, 0}, {1, 1}, mesh::CellStyle::random_triangles, 0.15);
    mesh::prepare(mesh);
    polytopes = polytopic::make_mesh(mesh, mesh::make_agglomeration(mesh, count));
  }
  std::vector<int> degrees(int degree) const {
    return std::vector<int>(static_cast<std::size_t>(polytopes.polytopes), degree);
  }

  mesh::Mesh mesh;
  polytopic::Mesh polytopes;
};

/// A discretization whose matrix and right-hand side are there.
struct Assembled {
  Assembled(const Polygons& polygons, const polytopic::Spec& spec, const std::vector<int>& degrees, double end = 0)
      : discretization(*device, polygons.polytopes, spec, degrees) {
    discretization.set_time(0, end);
    discretization.compute_penalties();
    discretization.assemble();
    matrix = discretization.matrix();
    load = discretization.right_hand_side();
  }

  std::unique_ptr<device::Device> device = device::open_device("cpu");
  polytopic::Discretization discretization;
  algebra::BlockMatrix<double> matrix;
  std::vector<double> load;
};

/// a = [[2, x/2], [x/2, 1 + y]], b = (y, 1 − x), c = 1 and u = x³ − 2 x y + y² + 1, with a flux given at the top.
polytopic::Spec cubic(const mesh::Mesh& mesh, const std::string& penalty) {
  polytopic::Spec spec = with_penalty(penalty, penalty == "simplex" || penalty == "capped" ? 10 : 2);
  spec.diffusion = {constant(2), function("return x / V(2);"), function("return V(1) + y;")};
  spec.velocity = {function("return y;"), function("return V(1) - x;")};
  spec.reaction = constant(1);
  spec.exact = function("return x * x * x - V(2) * x * y + y * y + V(1);");
  spec.exact_gradient = {function("return V(3) * x * x - V(2) * y;"), function("return V(2) * (y - x);")};
  // ∇·(a∇u) = 2 u_xx + ½ u_y + x u_xy + u_y + (1 + y) u_yy
  spec.source = function(
      "const V ux = V(3) * x * x - V(2) * y, uy = V(2) * (y - x);\n"
      "  return -(V(12) * x + number<V>(1.5) * uy - V(2) * x + V(2) * (V(1) + y)) + y * ux + (V(1) - x) * uy +\n"
      "      x * x * x - V(2) * x * y + y * y + V(1);");
  const polytopic::FunctionText flux =
      function("return x / V(2) * (V(3) * x * x - V(2) * y) + (V(1) + y) * V(2) * (y - x);");
  for (const mesh::Boundary& boundary : mesh.boundaries)
    if (boundary.name == "top")
      spec.boundaries.push_back({false, flux});
    else
      spec.boundaries.push_back({true, spec.exact});
  return spec;
}

class EveryPenalty : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryPenalty, ReproducesPolynomials) {
  const Polygons polygons;
  std::vector<int> degrees = polygons.degrees(3);
  degrees[3] = 4;
  Assembled a(polygons, cubic(polygons.mesh, GetParam()), degrees);
  const std::vector<double> solution = algebra::DirectSolver(a.matrix).solve(a.load);
  const polytopic::SquaredErrors errors = a.discretization.errors(solution);
  EXPECT_LT(std::sqrt(errors.l2), 1e-11);
  EXPECT_LT(std::sqrt(errors.h1), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryPenalty, ::testing::Values("certified", "boundary", "simplex", "capped"),
                         CaseName{});

TEST(PolytopicMatrix, IsSymmetricAndPositiveDefiniteWithTheCertifiedPenalty) {
  for (const mesh::Index count : {1, 7, 50}) {
    const Polygons polygons(5, count);
    polytopic::Spec spec = poisson(2, polygons.mesh, "certified", 1.01);
    Assembled a(polygons, spec, polygons.degrees(3));
    EXPECT_LE(algebra::symmetry_defect(a.matrix), 1e-14) << count;
    EXPECT_TRUE(algebra::definiteness(a.matrix).positive) << count;
  }
}

/// vᵀAv = Σ ∫ (c − ½∇·b) v² + ½ Σ ∫ |b·n| [v]² where nothing diffuses: the DG norm, of u_h itself where u = 0.
TEST(PolytopicMatrix, HasTheNormOfAdvection) {
  const Polygons polygons;
  polytopic::Spec spec = with_penalty("certified", 2);
  spec.diffusion = {constant(0), constant(0), constant(0)};
  spec.velocity = {constant(1), constant(0.5)};
  spec.reaction = constant(0.25);
  for (std::size_t b = 0; b < polygons.mesh.boundaries.size(); ++b) spec.boundaries.push_back({true, {}});
  Assembled a(polygons, spec, polygons.degrees(2));
  std::vector<double> v(a.load.size()), product(v.size());
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = std::sin(1.0 + 3.7 * static_cast<double>(k));
  algebra::multiply<double>(a.matrix, v, product);
  const double energy = std::inner_product(v.begin(), v.end(), product.begin(), 0.0);
  const double norm = a.discretization.errors(v).dg;
  EXPECT_NEAR(energy, norm, 1e-13 * norm);
}

TEST(PolytopicMatrix, IsTheSameForAnyNumberOfThreads) {
  const Polygons polygons(9, 40);
  const polytopic::Spec spec = cubic(polygons.mesh, "certified");
  std::vector<std::vector<double>> values, loads;
  for (const char* threads : {"1", "2", "3"}) {
    setenv("OMP_NUM_THREADS", threads, 1);
    const Assembled a(polygons, spec, polygons.degrees(2));
    values.push_back(a.matrix.values);
    loads.push_back(a.load);
  }
  unsetenv("OMP_NUM_THREADS");
  for (std::size_t k = 1; k < values.size(); ++k) {
    EXPECT_EQ(values[k], values[0]);
    EXPECT_EQ(loads[k], loads[0]);
  }
}

/// What is there from the penalties is taken once.
TEST(PolytopicMatrix, IsTheSameWhenItIsAssembledAgain) {
  const Polygons polygons(9, 40);
  Assembled a(polygons, cubic(polygons.mesh, "certified"), polygons.degrees(2));
  const std::vector<double> sigma = a.discretization.penalties();
  a.discretization.assemble();
  EXPECT_EQ(a.discretization.matrix().values, a.matrix.values);
  EXPECT_EQ(a.discretization.right_hand_side(), a.load);
  a.discretization.compute_penalties();
  a.discretization.compute_penalties();
  a.discretization.assemble();
  EXPECT_EQ(a.discretization.penalties(), sigma);
  EXPECT_EQ(a.discretization.matrix().values, a.matrix.values);
  a.discretization.assemble_right_hand_side();
  EXPECT_LT(relative_difference(a.load, a.discretization.right_hand_side()), 1e-14);
  // Whatever comes between penalties and matrix.
  a.discretization.compute_penalties();
  a.discretization.assemble_right_hand_side();
  a.discretization.assemble();
  EXPECT_EQ(a.discretization.matrix().values, a.matrix.values);
  EXPECT_EQ(a.discretization.right_hand_side(), a.load);
}

/// Ways to assemble that are there to be compared with.
TEST(PolytopicMatrix, IsTheSameFromScatteredContributions) {
  const Polygons polygons;
  polytopic::Spec spec = cubic(polygons.mesh, "boundary");
  std::vector<int> degrees = polygons.degrees(3);
  degrees[3] = 4;
  const Assembled own(polygons, spec, degrees);
  for (const char* assembly : {"sorted-slots", "atomics"}) {
    spec.assembly = assembly;
    const Assembled other(polygons, spec, degrees);
    EXPECT_LT(relative_difference(own.matrix.values, other.matrix.values), 1e-12) << assembly;
    EXPECT_LT(relative_difference(own.load, other.load), 1e-12) << assembly;
  }
  spec.assembly = "moments";
  EXPECT_THROW(Assembled(polygons, spec, degrees), std::invalid_argument);
}

TEST(PolytopicMatrix, InSinglePrecisionIsThatOfDoubleRounded) {
  const Polygons polygons;
  polytopic::Spec spec = cubic(polygons.mesh, "certified");
  const Assembled exact(polygons, spec, polygons.degrees(2));
  spec.precision = device::Precision::single_precision;
  const Assembled rounded(polygons, spec, polygons.degrees(2));
  EXPECT_LT(relative_difference(exact.matrix.values, rounded.matrix.values), 1e-5);
  EXPECT_LT(relative_difference(exact.load, rounded.load), 1e-5);
}

/// ∂_t u − Δu = f with u = t² x + y² of both kinds of spaces.
TEST(PolytopicSlab, ReproducesPolynomialsOfPlaceAndTime) {
  const Polygons polygons;
  polytopic::Spec spec = poisson(2, polygons.mesh, "certified", 2);
  spec.space.slab = true;
  spec.exact = function("return t * t * x + y * y;");
  spec.initial = function("return y * y;");
  spec.exact_gradient = {function("return t * t;"), function("return V(2) * y;")};
  spec.source = function("return V(2) * t * x - V(2);");
  for (auto& boundary : spec.boundaries) boundary.data = spec.exact;
  for (const bool tensor : {false, true}) {
    spec.space.tensor = tensor;
    Assembled a(polygons, spec, polygons.degrees(tensor ? 2 : 3), 0.25);
    const std::vector<double> solution = algebra::DirectSolver(a.matrix).solve(a.load);
    EXPECT_LT(std::sqrt(a.discretization.errors(solution).dg), 1e-11) << tensor;
    a.discretization.set_time(0.25, 0.5, solution);
    a.discretization.assemble_right_hand_side();
    const std::vector<double> next = algebra::DirectSolver(a.matrix).solve(a.discretization.right_hand_side());
    const polytopic::SquaredErrors errors = a.discretization.errors(next);
    EXPECT_LT(std::sqrt(errors.dg), 1e-11) << tensor;
    EXPECT_LT(std::sqrt(errors.l2_end), 1e-11) << tensor;
  }
}

}  // namespace
}  // namespace galerna::tests
