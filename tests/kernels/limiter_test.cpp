// The limiter of docs/recipes/add-a-limiter.md as it stands there.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/states.hpp"
#include "recipes/flat.hpp"

namespace galerna::tests {
namespace {

/// Triangles of order 1, one after the other.
struct Triangles {
  using Real = double;
  using Value = double;
  static constexpr int width = 1;
  static constexpr bool boundary_bounds = false;
  using Equations = Gas<2>;
  struct Operators {
    static constexpr int modes = 3, sides = 3;
    static constexpr double volume_basis(int, int) { return M_SQRT2; }
  };
};

/// Whether the limiter cuts the slopes of an element whose neighbours have `ratio` times its density.
bool is_cut(double ratio) {
  constexpr int modes = Triangles::Operators::modes, variables = Triangles::Equations::variables;
  std::vector<double> state(2 * variables * modes, 0.5);
  state[0] = 1;
  state[variables * modes] = ratio;
  const std::int32_t beyond[] = {1 * 4, 1 * 4 + 1, -1};  // the other element twice, and the boundary
  kernels::LimitArguments a{};
  a.state = state.data();
  a.neighbours = beyond;
  kernels::Modes<Triangles> c;
  for (int v = 0; v < variables; ++v)
    for (int j = 0; j < modes; ++j) c[v][j] = state[static_cast<std::size_t>(v * modes + j)];
  const bool cut = kernels::Flat::limit<Triangles>(a, {0, 0}, 0, {}, 1, c) > 0;
  for (int v = 0; v < variables; ++v) {
    EXPECT_EQ(c[v][0], v == 0 ? 1 : 0.5) << "the mean";
    for (int j = 1; j < modes; ++j) EXPECT_EQ(c[v][j], cut ? 0 : 0.5);
  }
  return cut;
}

TEST(RecipeLimiter, CutsSlopesBesideLargeJumpsOnly) {
  EXPECT_FALSE(is_cut(1));
  EXPECT_FALSE(is_cut(1.49));
  EXPECT_TRUE(is_cut(1.51));
  EXPECT_FALSE(is_cut(0.67));
  EXPECT_TRUE(is_cut(0.66));
}

}  // namespace
}  // namespace galerna::tests
