// Lines of elements through boundary layers, and elimination along them.
#include "steady/lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "dg/computation.hpp"
#include "mesh/generate.hpp"

namespace galerna::tests {
namespace {

/// 6 × 5 elements, each 10 times as long as thick.
mesh::Mesh layer(mesh::CellStyle style) {
  mesh::Mesh mesh = mesh::make_rectangle(6, 5, {0, 0}, {12, 1}, style);
  mesh::prepare(mesh, {});
  return mesh;
}

std::size_t elements_of(const steady::Lines& lines) {
  return std::accumulate(lines.begin(), lines.end(), std::size_t{0},
                         [](std::size_t sum, const auto& line) { return sum + line.size(); });
}

TEST(Lines, GoAcrossTheThinDirection) {
  const mesh::Mesh mesh = layer(mesh::CellStyle::quadrilaterals);
  const steady::Lines lines = steady::lines_of(mesh);
  ASSERT_EQ(lines.size(), 6u);
  for (const auto& line : lines) EXPECT_EQ(line.size(), 5u);
  EXPECT_EQ(elements_of(lines), static_cast<std::size_t>(mesh.element_count()));
}

TEST(Lines, OfTrianglesGoThroughBothHalvesOfAnElement) {
  const mesh::Mesh mesh = layer(mesh::CellStyle::triangles);
  const steady::Lines lines = steady::lines_of(mesh);
  EXPECT_EQ(elements_of(lines), static_cast<std::size_t>(mesh.element_count()));
  EXPECT_LE(lines.size(), 12u);
}

TEST(Lines, AreElementsWhereNothingIsStretched) {
  const mesh::Mesh mesh = irregular_square();
  EXPECT_EQ(steady::lines_of(mesh).size(), static_cast<std::size_t>(mesh.element_count()));
}

/// What the preconditioner makes of A x is x, where A has no other blocks than those of lines; up to the single
/// precision of what it keeps.
TEST(Lines, EliminationSolvesTheirSystems) {
  const mesh::Mesh mesh = layer(mesh::CellStyle::quadrilaterals);
  dg::Spec spec = bare_euler(1);
  kernels::Array<double, 4> stream{};
  stream[0] = 1, stream[1] = 0.5, stream[3] = 2.2;
  surround(spec, mesh, stream);
  Computation computation(mesh, spec);
  steady::StateVectors vectors(*computation, {1, 1, 1, 1});
  const steady::Lines lines = steady::lines_of(mesh);
  steady::Jacobian jacobian(computation->device(), vectors, mesh, steady::couplings_of(lines, mesh.element_count()));
  Random random;
  device::Device& device = computation->device();
  const algebra::BlockPattern& pattern = jacobian.pattern();
  algebra::BlockMatrix<double> matrix{pattern, std::vector<double>(static_cast<std::size_t>(pattern.value_count()))};
  for (double& value : matrix.values) value = random.uniform(-0.2, 0.2);
  device.write(*jacobian.matrix().values, matrix.values.data(), matrix.values.size() * sizeof(double));
  const double shift = 3;
  steady::LinePreconditioner preconditioner(vectors, device, jacobian, lines);
  preconditioner.factor(shift);
  std::vector<double> x(static_cast<std::size_t>(vectors.size())), b(x.size());
  for (double& value : x) value = random.uniform(-1, 1);
  algebra::multiply<double>(matrix, x, b);
  for (std::size_t i = 0; i < x.size(); ++i) b[i] += shift * x[i];
  const auto right = algebra::upload<double>(device, b, "b"), solution = algebra::upload<double>(device, x, "x");
  algebra::Kernels kernels(device);
  kernels.add(1, preconditioner.apply(right->address()), 0, solution->address(), vectors.size(),
              device::Precision::double_precision);
  const std::vector<double> solved = algebra::download<double>(device, *solution);
  double error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, std::abs(solved[i] - x[i]));
  EXPECT_LT(error, 1e-5);
}

}  // namespace
}  // namespace galerna::tests
