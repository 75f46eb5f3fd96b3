// The tile kernel of GPUs with matrix units, run on the CPU thread by thread.
#include "dg/gpu_emulator.hpp"
//
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "dg/curved_meshes.hpp"
#include "dg/element_reference.hpp"
#include "dg/element_set.hpp"
#include "dg/fixtures.hpp"
#include "dg/geometry/geometry.hpp"
#include "dg/reference.hpp"
#include "dg/sides/side_codes.hpp"
#include "dg/sides/tile_connectivity.hpp"
#include "dg/structures.hpp"
#include "dg/turned_basis.hpp"
#include "kernels/physics/euler.hpp"
#include "kernels/tile/residual.hpp"
#include "mesh/side_order.hpp"

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

/// Straight triangles as the kernel sees them.
struct Triangles {
  std::vector<std::int32_t> codes;  ///< [element][side] dg::neighbour_codes, or −1 − ghost
  std::vector<double> gradients;    ///< [element][4]
  std::vector<State2> ghosts;       ///< [ghost][point]
};

/// Of a mesh of nothing else; one state beyond all boundaries.
Triangles triangles_of(const mesh::Mesh& mesh, int side_points) {
  Triangles result = {dg::neighbour_codes(mesh, 0), dg::make_geometry(mesh).gradients, {}};
  std::int32_t ghosts = 0;
  for (std::int32_t& code : result.codes)
    if (code < 0) code = -1 - ghosts++;
  result.ghosts.assign(static_cast<std::size_t>(ghosts * side_points), beyond);
  return result;
}

/// Everything that the kernel's arguments point to.
template <class Config>
class TileProblem {
 public:
  using Operators = typename Config::Operators;
  static constexpr int modes = Operators::modes, lanes = Config::width, variables = Config::Equations::variables;

  explicit TileProblem(const Triangles& triangles)
      : elements_(static_cast<std::int64_t>(triangles.codes.size()) / 3),
        padded_((elements_ + 127) / 128 * 128),
        numbers_(dg::find_structure("tiles-32").products(dg::make_operators(Shape::triangle, Operators::degree))),
        tiles_(dg::make_tiles(triangles.codes, padded_, Config::tile_elements, 3)),
        state_(static_cast<std::size_t>(padded_ * modes * variables)),
        result_(state_.size()),
        gradients_(static_cast<std::size_t>(padded_ * 4)) {
    for (std::int64_t e = 0; e < padded_; ++e)
      for (int k = 0; k < 4; ++k)
        gradients_[static_cast<std::size_t>((e / lanes * 4 + k) * lanes + e % lanes)] =
            triangles.gradients[static_cast<std::size_t>(std::min(e, elements_ - 1) * 4 + k)];
    for (const State2& ghost : triangles.ghosts)
      for (int v = 0; v < variables; ++v) ghosts_.push_back(ghost[v]);
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
    a.tiles = {numbers_.data(), tiles_.neighbours.data(), tiles_.codes.data(),
               tiles_.count,    tiles_.outside,           tiles_.columns};
    gridDim.x = 2;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
      EmulatedBlock(4 * Config::tile_elements, [&] { kernels::tile_residual<Config, 1, 1>(a); }).run();
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

  std::int64_t elements_, padded_;
  std::vector<double> numbers_;
  dg::Tiles tiles_;
  std::vector<double> state_, result_, gradients_, ghosts_;
};

void expect_equal(const std::vector<double>& expected, const std::vector<double>& found) {
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    const double d = std::abs(expected[i] - found[i]);
    difference = std::max(difference, std::isnan(d) ? INFINITY : d);
  }
  EXPECT_GT(largest, 0.1);
  EXPECT_LT(difference, 4e-13 * largest);
}

template <class Config>
void expect_reference() {
  const mesh::Mesh mesh = irregular_square(15, 9);
  const auto c = filled_modes(mesh, Config::Operators::modes);
  const ReferenceResidual reference(mesh, Config::Operators::degree,
                                    [](int, const State2&, const mesh::Point&, const Normal<2>&) { return beyond; });
  expect_equal(reference(c), TileProblem<Config>(triangles_of(mesh, Config::Operators::side_points)).residual(c));
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
  const auto all = TileProblem<Four>(triangles_of(mesh, 4)).residual(c);
  const auto some =
      TileProblem<Some>(triangles_of(mesh, 4)).residual(first_variables(c, Four::Operators::modes, count));
  EXPECT_EQ(some, first_variables(all, Four::Operators::modes, count));
}

/// A mixture of triangles and quadrilaterals with a solution.
class Mixture {
 public:
  explicit Mixture(int degree)
      : mesh_(curved_mixture(12, 1)),
        reference_(mesh_, degree, [](int, const State2&, const mesh::Point&, const Normal<2>&) { return beyond; }),
        c_(reference_.project([](const mesh::Point& x) {
          return State2{{1 + 0.2 * std::sin(3 * x[0]), 0.3 * x[1], 0.1 * std::cos(x[0] * x[1]), 2 + 0.1 * x[0]}};
        })) {
    for (std::size_t b = 0; b < mesh_.blocks.size(); ++b) {
      first_.push_back(first_[b] +
                       static_cast<std::size_t>(mesh_.blocks[b].size() * 4 * reference_.operators()[b].modes));
      if (mesh_.blocks[b].shape == Shape::triangle) triangles_ = b;
    }
  }

  /// Of coefficients of the mixture, those of the triangles.
  std::vector<double> part(const std::vector<double>& all) const {
    return {all.begin() + static_cast<std::ptrdiff_t>(first_[triangles_]),
            all.begin() + static_cast<std::ptrdiff_t>(first_[triangles_ + 1])};
  }
  std::vector<double> coefficients() const { return part(c_); }
  std::vector<double> residual() const { return part(reference_(c_)); }

  Triangles triangles() const {
    Triangles result = {dg::neighbour_codes(mesh_, static_cast<int>(triangles_)), gradients(), {}};
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      const auto& [left, right] = std::tie(mesh_.faces[f].left, mesh_.faces[f].right);
      const bool inside = f >= static_cast<std::size_t>(mesh_.boundary_faces);
      add_ghost(result, left, inside ? &right : nullptr);
      if (inside) add_ghost(result, right, &left);
    }
    return result;
  }

 private:
  std::vector<double> gradients() const {
    const dg::Metric& metric = reference_.metrics()[triangles_];
    std::vector<double> result;
    for (mesh::Index e = 0; e < metric.elements; ++e) {
      const auto at = static_cast<std::size_t>(e * metric.volume_points);
      for (std::size_t k = 0; k < 4; ++k) result.push_back(metric.contravariant[4 * at + k] * metric.inverse[at]);
    }
    return result;
  }

  /// A ghost for a side of a triangle where the triangles end. \param neighbour null on the boundary.
  void add_ghost(Triangles& triangles, const mesh::Side& side, const mesh::Side* neighbour) const {
    const auto [block, position] = mesh_.locate(side.element);
    if (static_cast<std::size_t>(block) != triangles_) return;
    std::int32_t& code = triangles.codes[static_cast<std::size_t>(position * 3 + side.side)];
    if (code >= 0) return;
    const std::size_t points = reference_.operators()[triangles_].side.points.size();
    code = -1 - static_cast<std::int32_t>(triangles.ghosts.size() / points);
    for (std::size_t q = 0; q < points; ++q)
      triangles.ghosts.push_back(neighbour ? trace(*neighbour, static_cast<int>(q)) : beyond);
  }

  /// At point q, as traces are counted.
  State2 trace(const mesh::Side& side, int q) const {
    const auto [block, position] = mesh_.locate(side.element);
    const auto b = static_cast<std::size_t>(block);
    const dg::Operators& operators = reference_.operators()[b];
    const basis::Matrix values = dg::side_basis(operators, side.side, mesh::is_reversed(mesh_, side));
    State2 sum{};
    for (int v = 0; v < 4; ++v)
      for (int j = 0; j < operators.modes; ++j)
        sum[v] += values(q, j) * c_[first_[b] + static_cast<std::size_t>((position * 4 + v) * operators.modes + j)];
    return sum;
  }

  mesh::Mesh mesh_;
  ElementReference reference_;
  std::vector<double> c_;
  std::size_t triangles_ = 0;             ///< their block
  std::vector<std::size_t> first_ = {0};  ///< of each block, in c
};

template <class Config>
void expect_reference_beside_quadrilaterals() {
  const Mixture mixture(Config::Operators::degree);
  expect_equal(mixture.residual(), TileProblem<Config>(mixture.triangles()).residual(mixture.coefficients()));
}

TEST(QuickTileResidual, BesideQuadrilaterals) {
  expect_reference_beside_quadrilaterals<TileCase<3, 12, 64>>();
  expect_reference_beside_quadrilaterals<TileCase<4, 16, 32>>();
}

TEST(QuickTileResidual, TakesAnyNumberOfVariables) {
  expect_same_as_four_variables<1>();
  expect_same_as_four_variables<2>();
  expect_same_as_four_variables<3>();
}

TEST(QuickTileResidual, Degree2) {
  expect_reference<TileCase<2, 6, 32>>();
}
TEST(QuickTileResidual, Degree3) {
  expect_reference<TileCase<3, 12, 64>>();
}
TEST(QuickTileResidual, Degree4) {
  expect_reference<TileCase<4, 16, 32>>();
}
TEST(QuickTileResidual, Degree5) {
  expect_reference<TileCase<5, 25, 32>>();
}
TEST(QuickTileResidual, Degree6InLargeTiles) {
  expect_reference<TileCase<6, 33, 64>>();
}

}  // namespace
}  // namespace galerna::tests
