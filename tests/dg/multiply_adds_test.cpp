// The formula for multiply–adds (dg/multiply_adds.hpp) beside what kernels do: products of matrix units on the emulated
// GPU, and operations of kernels for the CPU, run on numbers that count.
#include "dg/gpu_emulator.hpp"
//
#include <gtest/gtest.h>

#include <vector>

#include "dg/counted.hpp"
#include "dg/multiply_adds.hpp"
#include "kernels/element/residual.hpp"
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
  template <class State, class Gradients, class Vector>
  static State viscous_flux(const State& u, const Gradients&, const Vector&) {
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
template <class Number, int lanes, int mode_count = 8>
struct Blocks {
  using Real = Number;
  using Value = Number;
  static constexpr int width = lanes, tile_elements = 32;
  static constexpr bool local_steps = false;
  using Equations = Nothing;
  using Flux = LeftFlux;
  struct Operators {
    static constexpr int degree = 3, modes = mode_count, volume_points = 16, sides = 3, side_points = 8;
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
double viscous_tile_products(bool next_traces) {
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

/// Of the tile kernel without viscosity, in a tile whose elements are their own neighbours.
double tile_products() {
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

/// The kernels of elements, for numbers that count.
template <bool with_viscosity, bool constant_metric, int modes = 8>
struct ElementBlocks : Blocks<Counted, 1, modes> {
  static constexpr bool affine = constant_metric, bilinear = false, tensor = false, viscous = with_viscosity;
  static constexpr int penalty = 3;
  struct Operators : Blocks<Counted, 1, modes>::Operators {
    static constexpr bool simplex = true;
    static constexpr int derivative_entries = 0, derivative_modes = 0;  // few, and none here
    static constexpr double volume_weight(int) { return 1; }
    static constexpr double side_derivative(int, int, int, int) { return 1; }
    static constexpr double lift_to_side(int, int, int) { return 1; }
  };
};

struct TensorBlocks : ElementBlocks<false, false> {
  static constexpr bool tensor = true;
  struct Operators : ElementBlocks<false, false>::Operators {
    static constexpr int modes = 64, volume_points = 64, sides = 4, side_points = 8;
    static constexpr double line_mode(int, int) { return 1; }
    static constexpr double line_end(int, int) { return 1; }
    static constexpr double line_slope(int, int) { return 1; }
  };
};

/// One element, its own neighbour, whose arrays lie on top of each other: their numbers are none.
struct CountedArrays {
  std::vector<char> numbers = std::vector<char>(1 << 16);
  std::vector<std::int32_t> slots = {0, 1, 2, 3};
  kernels::Control control{};

  CountedArrays() {
    control.active = 1;
    control.dt = 1;
  }
  kernels::ResidualArguments simplex() {
    kernels::ResidualArguments a{};
    a.state = a.gradients = a.traces = a.update.inputs[0] = a.update.outputs[0] = numbers.data();
    a.neighbours = slots.data();
    a.control = &control;
    a.blocks = 1;
    return a;
  }
  kernels::ElementArguments element(bool next_traces) {
    kernels::ElementArguments a{};
    void* const all = numbers.data();
    a.state = a.update.inputs[0] = a.update.outputs[0] = all;
    a.faces[0] = {all, next_traces ? all : nullptr, all, all, 0, 1 << 20, 0};
    a.set.contravariant = a.set.inverse = a.set.normals = a.set.means = a.set.side_gradients = all;
    a.set.beyond = slots.data();
    a.set.elements = 1;
    a.control = &control;
    return a;
  }
};

/// As the kernels have them of the Blocks: with and without viscosity.
constexpr dg::MultiplyAdds inviscid(kernels::element_counts<FullBlocks>(), {}),
    viscous(kernels::element_counts<FullBlocks>(), {.viscous = true});

TEST(QuickMultiplyAdds, OfTilesAreTheProductsOfMatrixUnits) {
  EXPECT_EQ(tile_products(), inviscid.residual(true, false));
}

/// They lift jumps to points instead of modes, and read their own traces.
TEST(QuickMultiplyAdds, OfViscousTilesAreThoseOfMatrixUnitsButForTheWayOfLifting) {
  const double lift = 2 * 24 * 4 * (16 - 8), own_traces = 24 * 8 * 4;
  for (const bool next : {false, true})
    EXPECT_EQ(viscous_tile_products(next), viscous.residual(true, next) + lift - own_traces) << next;
}

/// Of the kernels of an element: operations, and those that the formula tells.
struct Compared {
  double done, told;
  Compared operator-(const Compared& other) const { return {done - other.done, told - other.told}; }
};

template <class Config, class Kernel>
Compared compare(const dg::ProductTraits& traits, double (*of)(const dg::MultiplyAdds&), const Kernel& kernel) {
  const double told = 2 * of(dg::MultiplyAdds(kernels::element_counts<Config>(), traits));
  const Compared result = {operations_of(kernel), told};
  // There are also normals, factors of fluxes, metric terms and the update.
  EXPECT_LE(result.told, result.done);
  EXPECT_GE(result.told, 0.7 * result.done);
  return result;
}

template <int modes>
Compared packs() {
  using Config = Blocks<Counted, 1, modes>;
  CountedArrays arrays;
  const kernels::ResidualArguments a = arrays.simplex();
  const kernels::TraceArguments traces = {a.state, arrays.numbers.data(), a.control};
  const Compared first = compare<Config>(
      {}, [](const auto& of) { return of.traces(); },
      [&] {
        kernels::pack_traces<Config>(traces, {0, 0});
      });
  EXPECT_EQ(first.done, first.told);
  return compare<Config>(
      {}, [](const auto& of) { return of.residual(false, false); },
      [&] {
        kernels::pack_residual<Config, 1, 1>(a, {0, 0});
      });
}

template <class Config>
Compared residual(const dg::ProductTraits& traits) {
  CountedArrays arrays;
  const auto last = arrays.element(false), inner = arrays.element(true);
  compare<Config>(
      traits, [](const auto& of) { return of.residual(true, false); },
      [&] {
        kernels::element_residual<Config, 1, 1>(last, {0, 0});
      });
  return compare<Config>(
      traits, [](const auto& of) { return of.residual(true, true); },
      [&] {
        kernels::element_residual<Config, 1, 1>(inner, {0, 0});
      });
}

/// What does not hang on the number of modes falls out of a difference; left are the update of a mode and, on curved
/// elements, what it adds to the mean.
void expect_equal(const Compared& difference, int modes, bool affine) {
  const double update = 3, mean = affine ? 0 : 2;
  EXPECT_EQ(difference.done, difference.told + modes * Nothing::variables * (update + mean));
}

TEST(QuickMultiplyAdds, AreThoseOfPacks) {
  expect_equal(packs<12>() - packs<8>(), 4, true);
}

template <bool viscous, bool affine>
void expect_those_of_elements() {
  const dg::ProductTraits traits = {.affine = affine, .viscous = viscous};
  expect_equal(
      residual<ElementBlocks<viscous, affine, 12>>(traits) - residual<ElementBlocks<viscous, affine, 8>>(traits), 4,
      affine);
}

TEST(QuickMultiplyAdds, AreThoseOfElements) {
  expect_those_of_elements<false, true>();
  expect_those_of_elements<false, false>();
  expect_those_of_elements<true, true>();
  expect_those_of_elements<true, false>();
}

template <class Config>
Compared viscous_fluxes(const dg::ProductTraits& traits) {
  CountedArrays arrays;
  const kernels::ElementArguments a = arrays.element(false);
  return compare<Config>(
      traits, [](const auto& of) { return of.viscous(); },
      [&] {
        kernels::element_viscous<Config>(a, {0, 0});
      });
}

TEST(QuickMultiplyAdds, AreThoseOfViscousFluxes) {
  const Compared straight = viscous_fluxes<ElementBlocks<true, true, 12>>({.viscous = true}) -
                            viscous_fluxes<ElementBlocks<true, true>>({.viscous = true});
  EXPECT_EQ(straight.done, straight.told);
  const dg::ProductTraits curved = {.affine = false, .viscous = true};
  const Compared bent =
      viscous_fluxes<ElementBlocks<true, false, 12>>(curved) - viscous_fluxes<ElementBlocks<true, false>>(curved);
  EXPECT_EQ(bent.done, bent.told);
}

TEST(QuickMultiplyAdds, AreMostOfWhatIsDoneLineByLine) {
  residual<TensorBlocks>({.by_lines = true, .affine = false});
}

}  // namespace
}  // namespace galerna::tests
