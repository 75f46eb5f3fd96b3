// Computations held against tables of an independent program (data/README.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algebra/direct.hpp"
#include "base/index.hpp"
#include "mesh/agglomeration.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"
#include "polytopic/discretization.hpp"
#include "polytopic/problems.hpp"
#include "polytopic/reference_rows.hpp"

namespace galerna::tests {
namespace {

/// The mesh that an agglomeration belongs to: square4-coarse.agg goes with square4.msh.
mesh::Mesh mesh_of(const std::string& agglomeration) {
  mesh::Mesh mesh = mesh::read_gmsh(std::string(GALERNA_TEST_DIR) + "/data/" +
                                    agglomeration.substr(0, agglomeration.find('-')) + ".msh");
  mesh::prepare(mesh);
  return mesh;
}

/// The largest distance of two corners of a polytope's simplices, over all polytopes.
double largest_diameter(const polytopic::Mesh& mesh) {
  const std::size_t d = at(mesh.dimension);
  double square = 0;
  for (std::int64_t polytope = 0; polytope < mesh.polytopes; ++polytope) {
    const std::size_t begin = at(mesh.first_simplices[at(polytope)]) * (d + 1) * d;
    const std::size_t end = at(mesh.first_simplices[at(polytope) + 1]) * (d + 1) * d;
    for (std::size_t a = begin; a < end; a += d)
      for (std::size_t b = a + d; b < end; b += d) {
        double distance = 0;
        for (std::size_t k = 0; k < d; ++k) distance += std::pow(mesh.simplices[a + k] - mesh.simplices[b + k], 2);
        square = std::max(square, distance);
      }
  }
  return std::sqrt(square);
}

polytopic::Spec spec_of(const ReferenceRow& row, const mesh::Mesh& mesh) {
  const std::string group = row.text.at("group");
  const double factor = row.number("C");
  polytopic::Spec spec = group == "adr2d" || group == "hp2d"
                             ? advection(mesh, row.text.at("penalty"), factor)
                             : poisson(mesh.dimension, mesh, row.text.at("penalty"), factor);
  return spec;
}

void expect_row(const ReferenceRow& row) {
  SCOPED_TRACE(row.name());
  const mesh::Mesh mesh = mesh_of(row.text.at("mesh"));
  const mesh::Agglomeration agglomeration =
      mesh::read_agglomeration(std::string(GALERNA_TEST_DIR) + "/data/" + row.text.at("mesh") + ".agg", mesh);
  const polytopic::Mesh polytopes = polytopic::make_mesh(mesh, agglomeration);
  const bool hp = row.text.at("group") == "hp2d";
  std::vector<int> degrees(static_cast<std::size_t>(polytopes.polytopes));
  for (std::size_t k = 0; k < degrees.size(); ++k)
    degrees[k] = hp ? 1 + static_cast<int>(k) % 4 : static_cast<int>(row.integer("p"));
  const int largest = *std::max_element(degrees.begin(), degrees.end());
  polytopic::Spec spec = spec_of(row, mesh);
  const int points = largest + (mesh.dimension == 2 ? 6 : 7);
  spec.volume_quadrature = spec.facet_quadrature = 2 * points - 1;
  const auto device = device::open_device("cpu");
  polytopic::Discretization discretization(*device, polytopes, spec, degrees);
  EXPECT_EQ(polytopes.interface_count(), row.integer("interfaces"));
  EXPECT_EQ(polytopes.inner_facet_count(), row.integer("inner_facets"));
  EXPECT_EQ(discretization.unknowns(), row.integer("dofs"));
  EXPECT_EQ(discretization.value_count(), row.integer("nnz"));
  EXPECT_GE(common_digits(largest_diameter(polytopes), row.number("h")), 11);
  discretization.compute_penalties();
  const std::vector<double> sigma = discretization.penalties();
  const auto [least, most] = std::minmax_element(sigma.begin(), sigma.end());
  EXPECT_GE(common_digits(*least, row.number("sigma_min")), 12) << *least;
  EXPECT_GE(common_digits(*most, row.number("sigma_max")), 12) << *most;
  discretization.assemble();
  const std::vector<double> load = discretization.right_hand_side();
  const std::vector<double> solution = algebra::DirectSolver(discretization.matrix()).solve(load);
  const polytopic::SquaredErrors errors = discretization.errors(solution);
  const auto digits = [&](const char* column, double less) { return std::min(10.0, row.number(column) - less); };
  EXPECT_GE(common_digits(std::sqrt(errors.l2), row.number("L2")), digits("digits_L2", 1.5)) << std::sqrt(errors.l2);
  EXPECT_GE(common_digits(std::sqrt(errors.h1), row.number("H1semi")), digits("digits_DG", 2.5));
  EXPECT_GE(common_digits(std::sqrt(errors.dg), row.number("DG")), digits("digits_DG", 1.5)) << std::sqrt(errors.dg);
  // In space the tables' own rule of p + 4 points a direction limits it, as it does the error.
  EXPECT_GE(common_digits(errors.integral, row.number("integral_uh")),
            mesh.dimension == 2 ? 10 : digits("digits_L2", 1.5));
  const double energy = std::inner_product(load.begin(), load.end(), solution.begin(), 0.0);
  EXPECT_GE(common_digits(energy, row.number("energy")), digits("digits_energy", 1.5)) << energy;
}

/// Rows of a group whose mesh is not larger than this.
void expect_rows(const std::string& group, const std::string& space, long most_simplices, long highest_degree) {
  int count = 0;
  for (const ReferenceRow& row : reference_rows())
    if (row.text.at("group") == group && row.text.at("space") == space && row.integer("simplices") <= most_simplices &&
        (row.text.at("p") == "1-4" ? 4 : row.integer("p")) <= highest_degree) {
      expect_row(row);
      ++count;
    }
  EXPECT_GT(count, 0);
}

TEST(QuickReference, PoissonOfDegreeTwo) {
  for (const ReferenceRow& row : reference_rows())
    if (row.text.at("group") == "poisson2d" && row.text.at("mesh") == "square1" &&
        row.text.at("penalty") == "certified" && row.integer("p") == 2)
      return expect_row(row);
  FAIL() << "no such row";
}

TEST(Reference, PoissonInThePlane) {
  expect_rows("poisson2d", "total", 700, 4);
}

TEST(Reference, PoissonOnManyTrianglesAPolygon) {
  expect_rows("agglomeration", "total", 2300, 2);
}

TEST(Reference, PoissonInSpace) {
  expect_rows("poisson3d", "total", 300, 3);
}

TEST(Reference, AdvectionDiffusionReaction) {
  expect_rows("adr2d", "total", 700, 4);
}

TEST(Reference, DegreesOfTheirOwn) {
  expect_rows("hp2d", "total", 700, 4);
}

}  // namespace
}  // namespace galerna::tests
