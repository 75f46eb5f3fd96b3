// Blocks of the matrix, found on devices, against the list of neighbours.
#include <gtest/gtest.h>

#include <set>

#include "dg/emulated_gpu.hpp"
#include "mesh/agglomeration.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"
#include "polytopic/discretization.hpp"
#include "polytopic/problems.hpp"

namespace galerna::tests {
namespace {

algebra::BlockPattern plain_pattern(const polytopic::Mesh& mesh, const std::vector<int>& sizes) {
  std::vector<std::set<std::int32_t>> neighbours(sizes.size());
  for (std::size_t row = 0; row < sizes.size(); ++row) neighbours[row].insert(static_cast<std::int32_t>(row));
  for (std::size_t k = 0; k < mesh.interfaces.size(); ++k)
    neighbours[static_cast<std::size_t>(mesh.interfaces[k])].insert(mesh.interfaces[k ^ 1]);
  algebra::BlockPattern pattern{sizes, {0}, {}, {}};
  for (const auto& row : neighbours) {
    pattern.columns.insert(pattern.columns.end(), row.begin(), row.end());
    pattern.rows.push_back(static_cast<std::int64_t>(pattern.columns.size()));
  }
  algebra::set_offsets(pattern);
  return pattern;
}

void expect_plain_pattern(device::Device& device, const mesh::Mesh& mesh, std::int64_t polytopes, int highest) {
  const polytopic::Mesh made = polytopic::make_mesh(mesh, mesh::make_agglomeration(mesh, polytopes));
  std::vector<int> degrees;
  for (std::int64_t k = 0; k < made.polytopes; ++k) degrees.push_back(1 + static_cast<int>(k % highest));
  const polytopic::Discretization discretization(device, made, poisson(mesh.dimension, mesh, "capped", 10), degrees);
  const algebra::BlockPattern pattern = discretization.pattern(), plain = plain_pattern(made, discretization.sizes());
  EXPECT_EQ(pattern.sizes, plain.sizes);
  EXPECT_EQ(pattern.rows, plain.rows);
  EXPECT_EQ(pattern.columns, plain.columns);
  EXPECT_EQ(pattern.offsets, plain.offsets);
  EXPECT_EQ(discretization.value_count(), plain.value_count());
}

/// More rows than prefix sums take in one chunk; few rows; one.
void expect_plain_patterns(device::Device& device) {
  mesh::Mesh plane = mesh::make_rectangle(40, 40, {0, 0}, {1, 1}, mesh::CellStyle::random_triangles, 0.15);
  mesh::prepare(plane);
  expect_plain_pattern(device, plane, plane.element_count(), 3);
  expect_plain_pattern(device, plane, 60, 6);
  expect_plain_pattern(device, plane, 1, 1);
  mesh::Mesh box = mesh::make_box({5, 5, 5}, {1, 1, 1}, 0.1);
  mesh::prepare(box);
  expect_plain_pattern(device, box, 61, 2);
}

TEST(Pattern, IsTheListOfNeighboursOnTheHost) {
  expect_plain_patterns(*device::open_device("cpu"));
}

TEST(Pattern, IsTheListOfNeighboursOnGpus) {
  EmulatedGpu gpu;
  expect_plain_patterns(gpu);
}

TEST(Pattern, SumsManyChunksOfChunks) {
  using Sums = kernels::PrefixSumArguments;
  EXPECT_EQ(Sums::total_count(Sums::chunk), 1);
  EXPECT_EQ(Sums::total_count(Sums::chunk + 1), 2 + 1);
  EXPECT_EQ(Sums::total_count(std::int64_t{Sums::chunk} * Sums::chunk + 1), Sums::chunk + 1 + 2 + 1);
}

}  // namespace
}  // namespace galerna::tests
