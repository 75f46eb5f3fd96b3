// The tile kernel of GPUs with matrix units, run on the CPU thread by thread.
#include "dg/gpu_emulator.hpp"
//
#include <gtest/gtest.h>

#include <cmath>

#include "dg/fixtures.hpp"
#include "dg/geometry.hpp"
#include "dg/reference.hpp"
#include "dg/tiles.hpp"
#include "kernels/physics/euler.hpp"
#include "kernels/tile/residual.hpp"

namespace galerna::kernels {
VariablePair shared[16384];
}

namespace galerna::tests {
namespace {

template <int p, int volume_points_, int tile>
struct TileCase {
  using Real = double;
  using Value = double;
  static constexpr int width = 32, tile_elements = tile;
  using Equations = Gas<2>;
  using Flux = kernels::LocalLaxFriedrichs;
  struct Operators {
    static constexpr int degree = p, modes = (p + 1) * (p + 2) / 2, volume_points = volume_points_, sides = 3,
                         side_points = p + 1;
  };
};

const State2 beyond = {{1, 0.5, -0.25, 2}};

/// Everything that the kernel's arguments point to; one state beyond all boundaries.
template <class Case>
class TileProblem {
 public:
  using Operators = typename Case::Operators;
  static constexpr int modes = Operators::modes, lanes = Case::width;

  explicit TileProblem(const mesh::Mesh& mesh)
      : elements_(mesh.element_count()),
        padded_((elements_ + 127) / 128 * 128),
        numbers_(dg::tile_operators(dg::make_operators(Shape::triangle, Operators::degree))),
        tiles_(dg::make_tiles(codes(mesh), padded_, Case::tile_elements, 3)),
        state_(static_cast<std::size_t>(padded_ * modes * 4)),
        result_(state_.size()),
        gradients_(static_cast<std::size_t>(padded_ * 4)) {
    const std::vector<double> gradients = dg::make_geometry(mesh).gradients;
    for (std::int64_t e = 0; e < padded_; ++e)
      for (int k = 0; k < 4; ++k)
        gradients_[static_cast<std::size_t>((e / lanes * 4 + k) * lanes + e % lanes)] =
            gradients[static_cast<std::size_t>(std::min(e, elements_ - 1) * 4 + k)];
    for (int q = 0; q < Operators::side_points; ++q)
      for (int v = 0; v < 4; ++v)
        for (int lane = 0; lane < lanes; ++lane) ghosts_.push_back(beyond[v]);
  }

  /// R(c), canonical order; thread blocks one after the other, each for several tiles.
  std::vector<double> residual(const std::vector<double>& c) {
    for (std::int64_t e = 0; e < padded_; ++e)
      for (int v = 0; v < 4; ++v)
        for (int j = 0; j < modes; ++j)
          state_[at(e, v, j)] = c[static_cast<std::size_t>((std::min(e, elements_ - 1) * 4 + v) * modes + j)];
    kernels::Control control{};
    control.active = 1;
    control.dt = 1;
    kernels::ResidualArguments a{};
    a.state = state_.data();
    a.gradients = gradients_.data();
    a.traces = ghosts_.data();
    a.control = &control;
    a.update.inputs[0] = state_.data();
    a.update.outputs[0] = result_.data();
    a.update.rhs[0] = 1;
    a.tiles = {numbers_.data(), tiles_.neighbours.data(), tiles_.codes.data(), tiles_.count,
               tiles_.outside,  tiles_.columns};
    gridDim.x = 2;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
      EmulatedBlock(4 * Case::tile_elements, [&] { kernels::tile_residual<Case, 1, 1>(a); }).run();
    std::vector<double> rhs(c.size());
    for (std::int64_t e = 0; e < elements_; ++e)
      for (int v = 0; v < 4; ++v)
        for (int j = 0; j < modes; ++j) rhs[static_cast<std::size_t>((e * 4 + v) * modes + j)] = result_[at(e, v, j)];
    return rhs;
  }

 private:
  static std::size_t at(std::int64_t e, int v, int j) {
    return static_cast<std::size_t>(((e / lanes * modes + j) * lanes + e % lanes) * 4 + v);
  }
  static std::vector<std::int32_t> codes(const mesh::Mesh& mesh) {
    std::vector<std::int32_t> result(static_cast<std::size_t>(mesh.element_count() * 3), -1);
    for (const mesh::Face& face : mesh.faces) {
      if (face.right.element < 0) continue;
      result[static_cast<std::size_t>(face.left.element * 3 + face.left.side)] =
          static_cast<std::int32_t>(face.right.element * 4 + face.right.side);
      result[static_cast<std::size_t>(face.right.element * 3 + face.right.side)] =
          static_cast<std::int32_t>(face.left.element * 4 + face.left.side);
    }
    return result;
  }

  std::int64_t elements_, padded_;
  std::vector<double> numbers_;
  dg::Tiles tiles_;
  std::vector<double> state_, result_, gradients_, ghosts_;
};

template <class Case>
void expect_reference() {
  const mesh::Mesh mesh = irregular_square(15, 9);
  const auto c = filled_modes(mesh, Case::Operators::modes);
  const ReferenceResidual reference(mesh, Case::Operators::degree,
                                    [](int, const State2&, const mesh::Point&, const Normal<2>&) { return beyond; });
  const auto expected = reference(c), found = TileProblem<Case>(mesh).residual(c);
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    difference = std::max(difference, std::abs(expected[i] - found[i]));
  }
  EXPECT_GT(largest, 0.1);
  EXPECT_LT(difference, 4e-13 * largest);
}

TEST(TileResidual, Degree2) { expect_reference<TileCase<2, 6, 32>>(); }
TEST(TileResidual, Degree3) { expect_reference<TileCase<3, 12, 64>>(); }
TEST(TileResidual, Degree4) { expect_reference<TileCase<4, 16, 32>>(); }
TEST(TileResidual, Degree5) { expect_reference<TileCase<5, 25, 32>>(); }
TEST(TileResidual, Degree6InLargeTiles) { expect_reference<TileCase<6, 33, 64>>(); }

}  // namespace
}  // namespace galerna::tests
