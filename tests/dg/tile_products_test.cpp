// What matrix units do in the tile kernels, counted on the emulated GPU, and what solver/bench/kernel_costs says of it.
#include "dg/gpu_emulator.hpp"
//
#include <gtest/gtest.h>

#include <vector>

#include "kernels/counted.hpp"
#include "kernels/packs/residual.hpp"
#include "kernels/packs/traces.hpp"
#include "kernels/tile/viscous_residual.hpp"

namespace galerna::tests {
namespace {

/// Equations of no meaning.
struct Nothing {
  static constexpr int dimension = 2, variables = 4;
  template <class State>
  static State primitive(const State& u) {
    return u;
  }
  template <class State, class Vector>
  static State flux(const State& u, const State&, const Vector&) {
    return u;
  }
  template <class State, class Gradients, class Vector>
  static State viscous_flux(const State& u, const State&, const Gradients&, const Vector&) {
    return u;
  }
};

struct LeftFlux {
  template <class Equations, class State, class Vector>
  static State flux(const State& left, const State&, const Vector&) {
    return left;
  }
};

/// Sizes that fill the blocks of matrix units: nothing is computed in vain.
template <class Number, int lanes>
struct Blocks {
  using Real = Number;
  using Value = Number;
  static constexpr int width = lanes, tile_elements = 32;
  static constexpr bool local_steps = false;
  using Equations = Nothing;
  using Flux = LeftFlux;
  struct Operators {
    static constexpr int degree = 3, modes = 8, volume_points = 16, sides = 3, side_points = 8;
    static constexpr double side_scale = 1;
    static constexpr double volume_basis(int, int) { return 1; }
    static constexpr double weighted_derivative(int, int, int) { return 1; }
    static constexpr double side_basis(int, int, int) { return 1; }
    static constexpr double side_weight(int) { return 1; }
    static constexpr double side_normal(int side, int d) { return side == 0 ? 1 : side == d + 1 ? -1 : 0; }
  };
};

using FullBlocks = Blocks<double, 32>;

/// Multiply–adds for an element. \param next_traces whether they are wanted
double multiply_adds(bool next_traces) {
  using Operators = FullBlocks::Operators;
  constexpr std::int64_t elements = 128;
  constexpr kernels::ViscousTileSizes sizes = {kernels::element_counts<FullBlocks>()};
  const std::vector<double> operators(static_cast<std::size_t>(sizes.operator_numbers()), 1.0),
      gradients(elements * 4, 1.0);
  std::vector<double> state(elements * Operators::modes * 4, 1.0), result(state.size()),
      traces(elements * Operators::sides * Operators::side_points * 4, 1.0), viscous(traces.size(), 1.0),
      next(traces.size());
  const std::vector<std::int32_t> beyond(elements * Operators::sides, 0);
  kernels::Control control{};
  control.active = 1;
  control.dt = 1;
  kernels::ElementArguments a{};
  a.state = state.data();
  a.faces[0].traces = traces.data();
  a.faces[0].next_traces = next_traces ? next.data() : nullptr;
  a.faces[0].viscous_traces = viscous.data();
  a.set.contravariant = gradients.data();
  a.set.beyond = beyond.data();
  a.set.elements = elements;
  a.faces[0].first_ghost = elements * Operators::sides;
  a.control = &control;
  a.operators = operators.data();
  a.update.inputs[0] = state.data();
  a.update.outputs[0] = result.data();
  gridDim.x = 1;
  blockIdx.x = 0;
  matrix_multiply_adds = 0;
  EmulatedBlock(4 * FullBlocks::tile_elements, [&] { kernels::viscous_tile_residual<FullBlocks, 1, 1>(a); }).run();
  return static_cast<double>(matrix_multiply_adds) / elements;
}

TEST(QuickTileProducts, OfViscousTilesAreThoseOfTheirMatrices) {
  constexpr kernels::ViscousTileSizes sizes = {kernels::element_counts<FullBlocks>()};
  EXPECT_EQ(multiply_adds(true), sizes.multiply_adds(true));
  EXPECT_EQ(multiply_adds(false), sizes.multiply_adds(false));
}

/// Of the tile kernel without viscosity, in a tile whose elements are their own neighbours.
double inviscid_multiply_adds() {
  using Operators = FullBlocks::Operators;
  constexpr int elements = FullBlocks::tile_elements;
  const std::vector<double> operators(kernels::TileSizes<FullBlocks>::operator_numbers, 1.0),
      gradients(elements * 4, 1.0);
  std::vector<double> state(elements * Operators::modes * 4, 1.0), result(state.size());
  std::vector<std::int32_t> neighbours;
  for (int side = 0; side < Operators::sides; ++side)
    for (int column = 0; column < elements; ++column) neighbours.push_back(column * 4 + side);
  kernels::Control control{};
  control.active = 1;
  kernels::ResidualArguments a{};
  a.state = state.data();
  a.gradients = gradients.data();
  a.control = &control;
  a.update.inputs[0] = state.data();
  a.update.outputs[0] = result.data();
  a.tiles = {operators.data(), neighbours.data(), nullptr, 1, 0, elements + 1};
  gridDim.x = 1;
  blockIdx.x = 0;
  matrix_multiply_adds = 0;
  EmulatedBlock(4 * elements, [&] { kernels::tile_residual<FullBlocks, 1, 1>(a); }).run();
  return static_cast<double>(matrix_multiply_adds) / elements;
}

/// Operations of the kernels for packs, by which those of tiles are counted.
double pack_operations() {
  using Config = Blocks<kernels::Counted, 1>;
  kernels::Counting counting;
  kernels::Counted::counting = &counting;
  std::vector<char> arrays(1 << 16);
  const std::vector<std::int32_t> slots = {0, 1, 2};
  kernels::Control control{};
  control.active = 1;
  kernels::ResidualArguments a{};
  a.state = a.gradients = a.traces = a.update.inputs[0] = arrays.data();
  a.neighbours = slots.data();
  a.control = &control;
  a.update.outputs[0] = arrays.data();
  a.blocks = 1;
  kernels::pack_traces<Config>({arrays.data(), arrays.data(), &control}, {0, 0});
  kernels::pack_residual<Config, 1, 1>(a, {0, 0});
  kernels::Counted::counting = nullptr;
  return counting.operations;
}

/// Beside the products there are normals, factors of fluxes and the update.
TEST(QuickTileProducts, OfTilesAreThoseOfPacks) {
  const double products = 2 * inviscid_multiply_adds(), all = pack_operations();
  EXPECT_GT(products, 0.9 * all);
  EXPECT_LT(products, all);
}

}  // namespace
}  // namespace galerna::tests
