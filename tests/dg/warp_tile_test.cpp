// The warp tiles of GPUs with matrix units, run on the CPU thread by thread.
#include "dg/gpu_emulator.hpp"
//
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dg/fixtures.hpp"
#include "dg/space_reference.hpp"
#include "dg/structures.hpp"
#include "kernels/tile/warp_residual.hpp"
#include "mesh/box.hpp"
#include "mesh/prepare.hpp"

namespace galerna::tests {
namespace {

template <int p, int volume_points_, int side_points_, int warps, bool local = false, class Number = double>
struct WarpTileCase {
  using Real = Number;
  using Value = Number;
  static constexpr int width = 32, tile_elements = 8 * warps;
  static constexpr bool local_steps = local, affine = true;
  using Equations = Euler3;
  using Flux = kernels::LocalLaxFriedrichs;
  struct Operators {
    static constexpr int degree = p, modes = (p + 1) * (p + 2) * (p + 3) / 6, volume_points = volume_points_, sides = 4,
                         side_points = side_points_;
    /// Of the reference tetrahedron with the corners (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1); side i is opposite
    /// corner i. Times the side's measure.
    static constexpr double side_normal(int side, int d) { return side == 0 ? 0.5 : side == d + 1 ? -0.5 : 0; }
  };
};

constexpr State3 wind = {{1, 0.3, -0.4, 0.2, 2.2}};

/// Everything that the kernel's arguments point to, of a mesh surrounded by the wind.
template <class Config>
class WarpTileProblem {
 public:
  using Operators = typename Config::Operators;
  using Real = typename Config::Real;
  static constexpr int modes = Operators::modes, lanes = Config::width, points = Operators::side_points;

  explicit WarpTileProblem(const mesh::Mesh& mesh)
      : mesh_(mesh),
        operators_(dg::make_operators(Shape::tetrahedron, Operators::degree)),
        numbers_(dg::find_structure("warp-tiles").products(operators_)),
        elements_(mesh.element_count()),
        padded_((elements_ + 127) / 128 * 128),
        first_ghost_(padded_ * 4),
        gradients_(static_cast<std::size_t>(padded_ * 9)),
        state_(static_cast<std::size_t>(padded_ * modes * 5)),
        other_(state_.size()),
        third_(state_.size()),
        result_(state_.size()),
        beyond_(static_cast<std::size_t>(padded_ * 4)),
        traces_(static_cast<std::size_t>(kernels::trace_offset<Config>(first_ghost_ + mesh.boundary_faces, 0))),
        next_(traces_.size(), NAN),
        limits_(static_cast<std::size_t>(padded_)) {
    EXPECT_EQ(operators_.volume.size(), Operators::volume_points);
    EXPECT_EQ(operators_.side.size(), Operators::side_points);
    Random random;
    for (mesh::Index e = 0; e < elements_; ++e)
      for (int v = 0; v < 5; ++v)
        for (int j = 0; j < modes; ++j)
          c_.push_back((j == 0 ? wind[v] / std::sqrt(6.0) : 0) + random.uniform(-0.02, 0.02) / (j + 1));
    for (std::int64_t e = 0; e < padded_; ++e) fill(e);
    for (std::size_t k = 0; k < other_.size(); ++k) {
      other_[k] = static_cast<Real>(std::sin(0.3 * static_cast<double>(k)));
      third_[k] = static_cast<Real>(std::cos(0.7 * static_cast<double>(k)));
    }
    for (std::size_t e = 0; e < limits_.size(); ++e)
      limits_[e] = static_cast<Real>(0.2 + 0.01 * std::cos(static_cast<double>(e)));
    connect();
  }

  void run() {
    kernels::Control control{};
    control.active = 1;
    control.dt = 0.25;
    control.cfl = 1.5;
    kernels::ElementArguments a{};
    a.state = state_.data();
    a.faces[0].traces = traces_.data();
    a.faces[0].next_traces = next_.data();
    a.set.contravariant = gradients_.data();
    a.set.beyond = beyond_.data();
    a.set.elements = elements_;
    a.control = &control;
    a.operators = numbers_.data();
    a.update.inputs[0] = state_.data();
    a.update.inputs[1] = other_.data();
    a.update.inputs[2] = third_.data();
    a.update.outputs[0] = other_.data();
    a.update.outputs[1] = result_.data();
    a.update.coefficients[0][1] = 3;
    a.update.rhs[0] = -0.5;
    a.update.coefficients[1][0] = 1;
    a.update.coefficients[1][2] = -0.25;
    a.update.rhs[1] = 2;
    a.update.element_limits = limits_.data();
    gridDim.x = 2;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) {
      EmulatedBlock block(4 * Config::tile_elements, [&] { kernels::warp_residual<Config, 3, 2>(a); });
      block.run();
      EXPECT_FALSE(block.left_copies());
    }
  }

  /// Largest differences of both outputs and of the traces of the second from plain sums, in shares of the largest
  /// number among these.
  std::array<double, 3> differences() const {
    const SpaceReference reference(mesh_, Operators::degree);
    const std::vector<double> change = reference.residual(c_, wind);
    std::array<double, 3> most{}, apart{};
    const auto compare = [&](std::size_t what, double expected, double found) {
      most[what] = std::max(most[what], std::abs(expected));
      apart[what] = std::max(apart[what], std::isnan(found) ? INFINITY : std::abs(found - expected));
    };
    for (std::int64_t e = 0; e < elements_; ++e) {
      const double dt = Config::local_steps ? 1.5 * static_cast<double>(limits_[static_cast<std::size_t>(e)]) : 0.25;
      basis::Matrix next(modes, 5);
      for (int v = 0; v < 5; ++v)
        for (int j = 0; j < modes; ++j) {
          const std::size_t k = reference.offset(e, v) + static_cast<std::size_t>(j);
          next(j, v) = c_[k] + 2 * dt * change[k];
          next(j, v) -= 0.25 * static_cast<double>(third_[at(e, v, j)]);
          compare(0, next(j, v), static_cast<double>(result_[at(e, v, j)]));
          compare(1, 3 * std::sin(0.3 * static_cast<double>(at(e, v, j))) - 0.5 * dt * change[k],
                  static_cast<double>(other_[at(e, v, j)]));
        }
      for (int side = 0; side < 4; ++side) {
        const basis::Matrix values = operators_.side_basis[static_cast<std::size_t>(side)] * next;
        for (int q = 0; q < points; ++q)
          for (int v = 0; v < 5; ++v)
            compare(2, values(q, v),
                    static_cast<double>(next_[trace_at(slot(e, side), q) + static_cast<std::size_t>(v)]));
      }
    }
    for (std::size_t k = 0; k < 3; ++k) apart[k] /= most[k];
    return apart;
  }

 private:
  static std::size_t at(std::int64_t e, int v, int j) {
    return static_cast<std::size_t>(((e / lanes * modes + j) * lanes + e % lanes) * 5 + v);
  }
  static std::size_t trace_at(std::int64_t slot, int q) {
    return static_cast<std::size_t>(kernels::trace_offset<Config>(slot, q));
  }
  static std::int64_t slot(std::int64_t e, int side) { return (e / lanes * 4 + side) * lanes + e % lanes; }

  void fill(std::int64_t e) {
    const std::int64_t source = std::min(e, elements_ - 1);
    const basis::Matrix c = Eigen::Map<const basis::Matrix>(c_.data() + source * 5 * modes, 5, modes);
    for (int v = 0; v < 5; ++v)
      for (int j = 0; j < modes; ++j) state_[at(e, v, j)] = static_cast<Real>(c(v, j));
    const auto nodes = mesh_.element_nodes(source);
    Eigen::Matrix3d map;
    for (int d = 0; d < 3; ++d)
      for (int k = 0; k < 3; ++k)
        map(k, d) =
            mesh_.nodes[static_cast<std::size_t>(nodes[static_cast<std::size_t>(d + 1)])][static_cast<std::size_t>(k)] -
            mesh_.nodes[static_cast<std::size_t>(nodes[0])][static_cast<std::size_t>(k)];
    const Eigen::Matrix3d inverse = map.inverse();  // row d is ∇ξ_d
    for (int d = 0; d < 3; ++d)
      for (int k = 0; k < 3; ++k)
        gradients_[static_cast<std::size_t>((e / lanes * 9 + 3 * d + k) * lanes + e % lanes)] =
            static_cast<Real>(inverse(d, k));
    for (int side = 0; side < 4; ++side) {
      const basis::Matrix values = operators_.side_basis[static_cast<std::size_t>(side)] * c.transpose();
      for (int q = 0; q < points; ++q)
        for (int v = 0; v < 5; ++v)
          traces_[trace_at(slot(e, side), q) + static_cast<std::size_t>(v)] = static_cast<Real>(values(q, v));
    }
  }

  void connect() {
    const auto join = [&](const mesh::Side& side, std::int64_t beyond) {
      beyond_[static_cast<std::size_t>(slot(side.element, side.side))] =
          static_cast<std::int32_t>(beyond << kernels::orientation_bits(3));
    };
    for (mesh::Index f = 0; f < static_cast<mesh::Index>(mesh_.faces.size()); ++f) {
      const mesh::Face& face = mesh_.faces[static_cast<std::size_t>(f)];
      if (f >= mesh_.boundary_faces) {
        join(face.left, slot(face.right.element, face.right.side));
        join(face.right, slot(face.left.element, face.left.side));
        continue;
      }
      join(face.left, first_ghost_ + f);
      for (int q = 0; q < points; ++q)
        for (int v = 0; v < 5; ++v)
          traces_[trace_at(first_ghost_ + f, q) + static_cast<std::size_t>(v)] = static_cast<Real>(wind[v]);
    }
  }

  const mesh::Mesh& mesh_;
  dg::Operators operators_;
  std::vector<double> numbers_, c_;
  std::int64_t elements_, padded_, first_ghost_;
  std::vector<Real> gradients_, state_, other_, third_, result_;
  std::vector<std::int32_t> beyond_;
  std::vector<Real> traces_, next_, limits_;
};

template <class Config>
void expect_plain_sums_in_space() {
  mesh::Mesh mesh = mesh::make_box({3, 3, 3}, {1, 0.8, 1.1}, 0.1);  // 162 elements: a part of the last block is padding
  mesh::prepare(mesh);
  WarpTileProblem<Config> problem(mesh);
  problem.run();
  for (double difference : problem.differences())
    EXPECT_LT(difference, 100 * std::numeric_limits<typename Config::Real>::epsilon());
}

TEST(QuickWarpTileResidual, OfDegree2) {
  expect_plain_sums_in_space<WarpTileCase<2, 14, 6, 3>>();
}
TEST(QuickWarpTileResidual, OfDegree3) {
  expect_plain_sums_in_space<WarpTileCase<3, 24, 12, 4>>();
}
TEST(QuickWarpTileResidual, OfDegree3WithLocalSteps) {
  expect_plain_sums_in_space<WarpTileCase<3, 24, 12, 3, true>>();
}
TEST(QuickWarpTileResidual, OfDegree4) {
  expect_plain_sums_in_space<WarpTileCase<4, 46, 16, 2>>();
}
/// An odd number of points on a side.
TEST(QuickWarpTileResidual, OfDegree5) {
  expect_plain_sums_in_space<WarpTileCase<5, 81, 25, 2>>();
}

/// Numbers in memory are `float`, products of double precision.
TEST(QuickWarpTileResidual, InSinglePrecision) {
  expect_plain_sums_in_space<WarpTileCase<2, 14, 6, 3, false, float>>();
  expect_plain_sums_in_space<WarpTileCase<3, 24, 12, 4, false, float>>();
  expect_plain_sums_in_space<WarpTileCase<4, 46, 16, 2, true, float>>();
}
TEST(WarpTileResidual, InSinglePrecisionOfDegree5) {
  expect_plain_sums_in_space<WarpTileCase<5, 81, 25, 2, false, float>>();
}

TEST(QuickWarpTileSizes, LeaveNoSideOutThatIsNeeded) {
  const auto sizes = [](int modes, int side_points) {
    return kernels::WarpTileSizes::of({modes, 46, 4, side_points, 5, 3}, false, 8);
  };
  EXPECT_EQ(sizes(20, 12).staged_sides(), 4);
  EXPECT_EQ(sizes(35, 16).staged_sides(), 2);
  EXPECT_EQ(sizes(35, 16).sides_ahead(), 1);
  EXPECT_EQ(sizes(35, 6).staged_sides(), 4);  // eight points may be on three
  EXPECT_EQ(sizes(56, 25).sides_ahead(), 0);  // … on both that are there
  EXPECT_EQ(sizes(56, 25).trace_point_count(), 104);
  for (int side_points : {12, 16, 25}) {
    EXPECT_TRUE(sizes(56, side_points).fit());
    EXPECT_GE(sizes(35, side_points).stage_numbers(), sizes(35, side_points).staged_inputs() * sizes(35, 12).table());
  }
  EXPECT_FALSE(sizes(84, 36).fit());
}

/// Pieces of 16 bytes begin at their multiples.
TEST(QuickWarpTileSizes, KeepPiecesTogether) {
  for (int number_bytes : {4, 8})
    for (const auto& [modes, side_points] : {std::pair{10, 6}, {20, 12}, {35, 16}, {56, 25}}) {
      const auto sizes = kernels::WarpTileSizes::of({modes, 46, 4, side_points, 5, 3}, false, number_bytes);
      for (int place : {sizes.mode_row(), sizes.stage(), sizes.staged_element(), sizes.metric(), sizes.slots(),
                        sizes.warp_numbers()})
        EXPECT_EQ(place * number_bytes % 16, 0) << modes;
    }
}

}  // namespace
}  // namespace galerna::tests
