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

template <int p, int volume_points_, int tile, class System = Gas<2>>
struct TileCase {
  using Real = double;
  using Value = double;
  static constexpr int width = 32, tile_elements = tile;
  using Equations = System;
  using Flux = kernels::LocalLaxFriedrichs;
  struct Operators {
    static constexpr int degree = p, modes = (p + 1) * (p + 2) / 2, volume_points = volume_points_, sides = 3,
                         side_points = p + 1;
  };
};

const State2 beyond = {{1, 0.5, -0.25, 2}};

/// So many quantities, each advected by itself: an odd number of variables must come to the same as an even one.
template <int count>
struct Advected {
  static constexpr int dimension = 2, variables = count;
  using State = kernels::Array<double, count>;
  using Vector = kernels::Array<double, 2>;

  static State primitive(const State& u) { return u; }
  static State flux(const State& u, const State&, const Vector& a) {
    State f;
    for (int v = 0; v < count; ++v) f[v] = (0.75 * a[0] - 0.5 * a[1]) * u[v] * u[v];
    return f;
  }
  static double wave_speed(const State&, const State&, const Vector&) { return 1; }
};

/// Everything that the kernel's arguments point to; one state beyond all boundaries.
template <class Case>
class TileProblem {
 public:
  using Operators = typename Case::Operators;
  static constexpr int modes = Operators::modes, lanes = Case::width, variables = Case::Equations::variables;

  explicit TileProblem(const mesh::Mesh& mesh)
      : elements_(mesh.element_count()),
        padded_((elements_ + 127) / 128 * 128),
        numbers_(dg::tile_operators(dg::make_operators(Shape::triangle, Operators::degree))),
        tiles_(dg::make_tiles(codes(mesh), padded_, Case::tile_elements, 3)),
        state_(static_cast<std::size_t>(padded_ * modes * variables)),
        result_(state_.size()),
        gradients_(static_cast<std::size_t>(padded_ * 4)) {
    const std::vector<double> gradients = dg::make_geometry(mesh).gradients;
    for (std::int64_t e = 0; e < padded_; ++e)
      for (int k = 0; k < 4; ++k)
        gradients_[static_cast<std::size_t>((e / lanes * 4 + k) * lanes + e % lanes)] =
            gradients[static_cast<std::size_t>(std::min(e, elements_ - 1) * 4 + k)];
    ghosts_.resize(static_cast<std::size_t>(kernels::trace_offset<Case>(mesh.boundary_faces, 0)));
    for (mesh::Index face = 0; face < mesh.boundary_faces; ++face)
      for (int q = 0; q < Operators::side_points; ++q)
        for (int v = 0; v < variables; ++v)
          ghosts_[static_cast<std::size_t>(kernels::trace_offset<Case>(face, q) + v)] = beyond[v];
  }

  /// R(c), canonical order; thread blocks one after the other, each for several tiles.
  std::vector<double> residual(const std::vector<double>& c) {
    for (std::int64_t e = 0; e < padded_; ++e)
      for (int v = 0; v < variables; ++v)
        for (int j = 0; j < modes; ++j)
          state_[at(e, v, j)] = c[static_cast<std::size_t>((std::min(e, elements_ - 1) * variables + v) * modes + j)];
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
      for (int v = 0; v < variables; ++v)
        for (int j = 0; j < modes; ++j)
          rhs[static_cast<std::size_t>((e * variables + v) * modes + j)] = result_[at(e, v, j)];
    return rhs;
  }

 private:
  static std::size_t at(std::int64_t e, int v, int j) {
    return static_cast<std::size_t>(((e / lanes * modes + j) * lanes + e % lanes) * variables + v);
  }
  static std::vector<std::int32_t> codes(const mesh::Mesh& mesh) {
    std::vector<std::int32_t> result(static_cast<std::size_t>(mesh.element_count() * 3));
    std::int32_t ghosts = 0;
    for (const mesh::Face& face : mesh.faces) {
      if (face.right.element < 0) {
        result[static_cast<std::size_t>(face.left.element * 3 + face.left.side)] = -1 - ghosts++;
        continue;
      }
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

/// The first `count` of four variables, [element][variable][mode].
std::vector<double> first_variables(const std::vector<double>& c, int modes, int count) {
  std::vector<double> result;
  for (std::size_t e = 0; e < c.size(); e += static_cast<std::size_t>(4 * modes))
    result.insert(result.end(), c.begin() + static_cast<std::ptrdiff_t>(e),
                  c.begin() + static_cast<std::ptrdiff_t>(e) + count * modes);
  return result;
}

template <int count>
void expect_same_as_four_variables() {
  using Four = TileCase<3, 12, 32, Advected<4>>;
  using Some = TileCase<3, 12, 32, Advected<count>>;
  const mesh::Mesh mesh = irregular_square(15, 9);
  const auto c = filled_modes(mesh, Four::Operators::modes);
  const auto all = TileProblem<Four>(mesh).residual(c);
  const auto some = TileProblem<Some>(mesh).residual(first_variables(c, Four::Operators::modes, count));
  EXPECT_EQ(some, first_variables(all, Four::Operators::modes, count));
}

TEST(TileResidual, TakesAnyNumberOfVariables) {
  expect_same_as_four_variables<1>();
  expect_same_as_four_variables<2>();
  expect_same_as_four_variables<3>();
}

TEST(TileResidual, Degree2) { expect_reference<TileCase<2, 6, 32>>(); }
TEST(TileResidual, Degree3) { expect_reference<TileCase<3, 12, 64>>(); }
TEST(TileResidual, Degree4) { expect_reference<TileCase<4, 16, 32>>(); }
TEST(TileResidual, Degree5) { expect_reference<TileCase<5, 25, 32>>(); }
TEST(TileResidual, Degree6InLargeTiles) { expect_reference<TileCase<6, 33, 64>>(); }

}  // namespace
}  // namespace galerna::tests
