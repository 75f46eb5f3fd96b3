#include "analysis/source_order.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "solutions.hpp"

namespace galerna::analysis {
namespace {

TEST(SourceOrder, DoesNotDependOnTheNumbering) {
  const mesh::Mesh mesh = tests::mixed(4, 2);  // elements come from the file in reverse
  std::vector<double> values;
  const std::vector<int> strides = {2, 3};
  for (int i = 0; i < 4; ++i) values.insert(values.end(), {10.0 * i, 10.0 * i + 1});
  for (int i = 4; i < 12; ++i) values.insert(values.end(), {10.0 * i, 10.0 * i + 1, 10.0 * i + 2});
  const std::vector<double> source = to_source_order(mesh, values, strides);
  EXPECT_EQ(source[0], 110);
  EXPECT_EQ(source[2], 112);
  EXPECT_EQ(source[3], 100);
  EXPECT_EQ(source.back(), 1);
  EXPECT_EQ(from_source_order(mesh, source, strides), values);
  EXPECT_THROW(to_source_order(mesh, values, {3, 3}), std::invalid_argument);

  // The same elements in another order.
  mesh::Mesh other = tests::triangles(3, 2);
  const std::vector<double> in_file = to_source_order(other, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {1});
  std::swap(other.blocks[0].source[0], other.blocks[0].source[5]);
  EXPECT_EQ(from_source_order(other, in_file, {1}), (std::vector<double>{5, 1, 2, 3, 4, 0, 6, 7, 8, 9, 10, 11}));
}

/// All pieces of some size, with coefficients as they are, and unpacked one by one or many at once.
TEST(SourceOrder, IsTheSameInPieces) {
  for (const mesh::Mesh& mesh : {tests::mixed(4, 2), tests::triangles(97, 31)}) {
    Solution solution = tests::project(mesh, 2, [](double x, double y, double) { return x * y + x; });
    const std::vector<int> counts = coefficients_per_element(mesh, 2, 1);
    const std::vector<double> all = to_source_order(mesh, solution.coefficients(), counts);
    for (const int unpacks : {0, 1, 2}) {
      for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
        Piece& piece = solution.pieces[b];
        if (unpacks == 2)
          piece.unpack_many = [one = piece.unpack, count = counts[b]](std::span<const mesh::Index> some, double* to) {
            for (const mesh::Index position : some) one(position, std::exchange(to, to + count));
          };
        if (unpacks == 1) {
          piece.unpack = [values = piece.coefficients, count = counts[b]](mesh::Index position, double* to) {
            std::copy_n(values.begin() + position * count, count, to);
          };
          piece.coefficients.clear();
        }
      }
      EXPECT_EQ(to_source_order(mesh, solution.coefficients(), counts), all);
      const SourceOrdered ordered(solution);
      ASSERT_EQ(ordered.size(), all.size());
      for (const std::size_t size : {std::size_t{7}, std::size_t{4096 * 6}, all.size()})
        for (std::size_t begin = 0; begin < all.size(); begin += size) {
          std::vector<double> piece(std::min(size, all.size() - begin));
          ordered.fill(begin, begin + piece.size(), piece.data());
          ASSERT_TRUE(std::equal(piece.begin(), piece.end(), all.begin() + static_cast<std::ptrdiff_t>(begin)));
        }
    }
    const SourcePlaces places(mesh, counts);
    std::vector<double> room;
    for (int b = 0; b < static_cast<int>(mesh.blocks.size()); ++b)
      for (mesh::Index e = 0; e < mesh.blocks[static_cast<std::size_t>(b)].size(); ++e)
        EXPECT_EQ(all[places.first(static_cast<std::size_t>(b), e)], *solution.modes(b, e, room));
  }
}

TEST(ProjectDegree, KeepsPolynomials) {
  for (Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron, Shape::prism}) {
    const mesh::Mesh mesh = tests::one_element(shape);
    const auto linear = [](double x, double y, double z) { return 1 + x - y + 2 * z; };
    const auto quadratic = [](double x, double y, double z) { return 2 * x * y - z; };
    const Solution low = tests::project(mesh, 2, {linear, quadratic}),
                   high = tests::project(mesh, 4, {linear, quadratic});
    const auto raised = project_degree(low.coefficients(), shape, 2, 4),
               lowered = project_degree(high.coefficients(), shape, 4, 2);
    ASSERT_EQ(raised.size(), high.coefficients().size());
    ASSERT_EQ(lowered.size(), low.coefficients().size());
    for (std::size_t i = 0; i < raised.size(); ++i)
      EXPECT_NEAR(raised[i], high.pieces[0].coefficients[i], 1e-11) << name(shape);
    for (std::size_t i = 0; i < lowered.size(); ++i)
      EXPECT_NEAR(lowered[i], low.pieces[0].coefficients[i], 1e-11) << name(shape);
    EXPECT_EQ(project_degree(low.coefficients(), shape, 2, 2), low.coefficients());
  }
  EXPECT_EQ(project_degree({1, 2, 3, 4, 5, 6}, Shape::triangle, 1, 0), (std::vector<double>{1, 4}));
  EXPECT_THROW(project_degree({1, 2, 3, 4}, Shape::triangle, 1, 0), std::invalid_argument);
}

}  // namespace
}  // namespace galerna::analysis
