// The viscous tile kernel of GPUs with matrix units, run on the CPU thread by thread.
#include "dg/gpu_emulator.hpp"
//
#include <gtest/gtest.h>

#include <cmath>

#include "dg/fixtures.hpp"
#include "dg/geometry/geometry.hpp"
#include "dg/reference.hpp"
#include "dg/structures.hpp"
#include "kernels/physics/navier_stokes.hpp"
#include "kernels/tile/viscous_residual.hpp"

namespace galerna::tests {
namespace {

struct Syrup {
  static constexpr double gamma = 1.4, prandtl = 0.72, mu = 0.05;
  static constexpr double sutherland = 1, reference_temperature = 1, sutherland_temperature = 0.4;
};
using Fluid = kernels::EquationSystem<kernels::NavierStokes<2, Syrup>, 2, true>;

template <int p, int volume_points_, bool local = false>
struct ViscousTileCase {
  using Real = double;
  using Value = double;
  static constexpr int width = 32, tile_elements = 32;
  static constexpr bool local_steps = local;
  using Equations = Fluid;
  using Flux = kernels::LocalLaxFriedrichs;
  struct Operators {
    static constexpr int degree = p, modes = (p + 1) * (p + 2) / 2, volume_points = volume_points_, sides = 3,
                         side_points = p + 1;
    /// Of the reference triangle with the corners (0, 0), (1, 0), (0, 1); side i is opposite corner i.
    static constexpr double side_normal(int side, int d) { return side == 0 ? 1 : side == d + 1 ? -1 : 0; }
  };
};

/// Everything that the kernel's arguments point to. Traces of elements are those of the state; ghosts and viscous
/// traces are any.
template <class Config>
class ViscousTileProblem {
 public:
  using Operators = typename Config::Operators;
  static constexpr int modes = Operators::modes, lanes = Config::width, points = Operators::side_points;

  explicit ViscousTileProblem(const mesh::Mesh& mesh)
      : mesh_(mesh),
        operators_(dg::make_operators(Shape::triangle, Operators::degree)),
        numbers_(dg::find_structure("viscous-tiles").products(operators_)),
        elements_(mesh.element_count()),
        padded_((elements_ + 127) / 128 * 128),
        first_ghost_(padded_ * 3),
        gradients_(dg::make_geometry(mesh).gradients),
        blocked_gradients_(static_cast<std::size_t>(padded_ * 4)),
        c_(filled_modes(mesh, modes)),
        state_(static_cast<std::size_t>(padded_ * modes * 4)),
        result_(state_.size()),
        beyond_(static_cast<std::size_t>(padded_ * 3)),
        traces_(static_cast<std::size_t>(kernels::trace_offset<Config>(first_ghost_ + 2 * mesh.boundary_faces, 0))),
        viscous_(traces_.size()),
        next_(traces_.size()),
        limits_(static_cast<std::size_t>(padded_)) {
    for (std::int64_t e = 0; e < padded_; ++e) fill(e);
    connect();
    for (std::size_t e = 0; e < limits_.size(); ++e) limits_[e] = 0.2 + 0.01 * std::cos(static_cast<double>(e));
    for (std::size_t k = 0; k < viscous_.size(); ++k) viscous_[k] = 0.1 * std::sin(0.7 * static_cast<double>(k));
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
    a.faces[0].viscous_traces = viscous_.data();
    a.set.contravariant = blocked_gradients_.data();
    a.set.beyond = beyond_.data();
    a.set.elements = elements_;
    a.faces[0].first_ghost = first_ghost_;
    a.faces[0].faces = mesh_.boundary_faces;
    a.control = &control;
    a.operators = numbers_.data();
    a.update.inputs[0] = state_.data();
    a.update.outputs[0] = result_.data();
    a.update.coefficients[0][0] = 1;
    a.update.rhs[0] = 2;
    a.update.element_limits = limits_.data();
    gridDim.x = 2;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) {
      EmulatedBlock block(4 * Config::tile_elements, [&] { kernels::viscous_tile_residual<Config, 1, 1>(a); });
      block.run();
      EXPECT_FALSE(block.left_copies());
    }
  }

  /// Largest difference of the result from u + 2 dt R(u) by plain sums, and of its traces from those of the result, in
  /// shares of the largest among these.
  std::pair<double, double> differences() const {
    double largest = 0, largest_trace = 0, of_result = 0, of_traces = 0;
    for (std::int64_t e = 0; e < elements_; ++e) {
      const double dt = Config::local_steps ? 1.5 * limits_[static_cast<std::size_t>(e)] : 0.25;
      const basis::Matrix change = 2 * dt * residual(e), expected = coefficients(c_, e) + change;
      EXPECT_GT(change.cwiseAbs().maxCoeff(), 1e-3);
      largest = std::max(largest, expected.cwiseAbs().maxCoeff());
      for (int v = 0; v < 4; ++v)
        for (int j = 0; j < modes; ++j) of_result = std::max(of_result, distance(expected(v, j), result_[at(e, v, j)]));
      for (int side = 0; side < 3; ++side) {
        const basis::Matrix values = operators_.side_basis[static_cast<std::size_t>(side)] * expected.transpose();
        largest_trace = std::max(largest_trace, values.cwiseAbs().maxCoeff());
        for (int q = 0; q < points; ++q)
          for (int v = 0; v < 4; ++v)
            of_traces = std::max(
                of_traces, distance(values(q, v), next_[trace_at(slot(e, side), q) + static_cast<std::size_t>(v)]));
      }
    }
    return {of_result / largest, of_traces / largest_trace};
  }

 private:
  /// Infinite from what is not a number, which no maximum would show.
  static double distance(double a, double b) { return std::isnan(a - b) ? INFINITY : std::abs(a - b); }
  static std::size_t at(std::int64_t e, int v, int j) {
    return static_cast<std::size_t>(((e / lanes * modes + j) * lanes + e % lanes) * 4 + v);
  }
  static std::size_t trace_at(std::int64_t slot, int q) {
    return static_cast<std::size_t>(kernels::trace_offset<Config>(slot, q));
  }
  static std::int64_t slot(std::int64_t e, int side) { return (e / lanes * 3 + side) * lanes + e % lanes; }
  State2 state_at(const std::vector<double>& array, std::int64_t slot, int q) const {
    State2 u;
    for (int v = 0; v < 4; ++v) u[v] = array[trace_at(slot, q) + static_cast<std::size_t>(v)];
    return u;
  }

  /// [variable][mode]
  basis::Matrix coefficients(const std::vector<double>& c, std::int64_t e) const {
    return Eigen::Map<const basis::Matrix>(c.data() + e * 4 * modes, 4, modes);
  }

  void fill(std::int64_t e) {
    const std::int64_t source = std::min(e, elements_ - 1);
    const basis::Matrix c = coefficients(c_, source);
    for (int v = 0; v < 4; ++v)
      for (int j = 0; j < modes; ++j) state_[at(e, v, j)] = c(v, j);
    for (int k = 0; k < 4; ++k)
      blocked_gradients_[static_cast<std::size_t>((e / lanes * 4 + k) * lanes + e % lanes)] =
          gradients_[static_cast<std::size_t>(source * 4 + k)];
    for (int side = 0; side < 3; ++side) {
      const basis::Matrix values = operators_.side_basis[static_cast<std::size_t>(side)] * c.transpose();
      for (int q = 0; q < points; ++q)
        for (int v = 0; v < 4; ++v) traces_[trace_at(slot(e, side), q) + static_cast<std::size_t>(v)] = values(q, v);
    }
  }

  void connect() {
    const auto join = [&](const mesh::Side& side, std::int64_t beyond) {
      beyond_[static_cast<std::size_t>(slot(side.element, side.side))] = static_cast<std::int32_t>(2 * beyond);
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
        for (int v = 0; v < 4; ++v) {
          const double value = v == 0 || v == 3 ? 2 + v : 0.2 * v;
          traces_[trace_at(first_ghost_ + f, q) + static_cast<std::size_t>(v)] = value + 0.1 * q;
          traces_[trace_at(first_ghost_ + mesh_.boundary_faces + f, q) + static_cast<std::size_t>(v)] =
              value - 0.05 * q;
        }
    }
  }

  /// [variable][mode]
  basis::Matrix residual(std::int64_t e) const {
    using Vector = kernels::Array<double, 2>;
    const double* g = gradients_.data() + e * 4;
    const Vector xi[2] = {{{g[0], g[1]}}, {{g[2], g[3]}}};
    const basis::Matrix c = coefficients(c_, e);
    basis::Matrix r = basis::Matrix::Zero(4, modes), z[2];
    for (int k = 0; k < 2; ++k) {
      z[k] = basis::Matrix::Zero(4, modes);
      for (int d = 0; d < 2; ++d)
        z[k] += xi[d][k] * (c * operators_.weighted_derivatives[static_cast<std::size_t>(d)].transpose() *
                            operators_.volume_basis);
    }
    for (int side = 0; side < 3; ++side)
      for (int q = 0; q < points; ++q) {
        const std::int64_t own = slot(e, side), beyond = beyond_[static_cast<std::size_t>(own)] / 2;
        Vector n = {{0, 0}};
        for (int k = 0; k < 2; ++k)
          for (int d = 0; d < 2; ++d) n[k] += Operators::side_normal(side, d) * xi[d][k];
        const double length = std::hypot(n[0], n[1]);
        const State2 inside = state_at(traces_, own, q), outside = state_at(traces_, beyond, q),
                     opposite = beyond < first_ghost_ ? outside : state_at(traces_, beyond + mesh_.boundary_faces, q);
        const State2 viscous = state_at(viscous_, own, q), other = state_at(viscous_, beyond, q);
        const State2 flux =
            kernels::LocalLaxFriedrichs::flux<Fluid>(inside, outside, Vector{{n[0] / length, n[1] / length}});
        const double weight = operators_.side.weights[static_cast<std::size_t>(q)];
        const auto phi = operators_.side_basis[static_cast<std::size_t>(side)].row(q);
        for (int v = 0; v < 4; ++v) {
          r.row(v) -= weight * length * (flux[v] - 0.5 * (viscous[v] - other[v])) * phi;
          for (int k = 0; k < 2; ++k) z[k].row(v) += weight * n[k] * 0.5 * (opposite[v] - inside[v]) * phi;
        }
      }
    for (int q = 0; q < operators_.volume.size(); ++q) {
      State2 u;
      Fluid::Gradients<double> slopes;
      for (int v = 0; v < 4; ++v) {
        u[v] = operators_.volume_basis.row(q).dot(c.row(v));
        for (int k = 0; k < 2; ++k) slopes[k][v] = operators_.volume_basis.row(q).dot(z[k].row(v));
      }
      const auto w = Fluid::primitive(u);
      for (int d = 0; d < 2; ++d) {
        const State2 flux = Fluid::flux(u, w, xi[d]), viscous = Fluid::viscous_flux(u, w, slopes, xi[d]);
        for (int v = 0; v < 4; ++v)
          r.row(v) += (flux[v] - viscous[v]) * operators_.weighted_derivatives[static_cast<std::size_t>(d)].row(q);
      }
    }
    return r;
  }

  const mesh::Mesh& mesh_;
  dg::Operators operators_;
  std::vector<double> numbers_;
  std::int64_t elements_, padded_, first_ghost_;
  std::vector<double> gradients_, blocked_gradients_, c_, state_, result_;
  std::vector<std::int32_t> beyond_;
  std::vector<double> traces_, viscous_, next_, limits_;
};

template <class Config>
void expect_plain_sums() {
  const mesh::Mesh mesh = irregular_square(15, 9);
  ViscousTileProblem<Config> problem(mesh);
  problem.run();
  const auto [of_result, of_traces] = problem.differences();
  EXPECT_LT(of_result, 5e-15);
  EXPECT_LT(of_traces, 5e-15);
}

TEST(QuickViscousTileResidual, OfDegree1) {
  expect_plain_sums<ViscousTileCase<1, 3>>();
}
TEST(QuickViscousTileResidual, OfDegree2) {
  expect_plain_sums<ViscousTileCase<2, 6>>();
}
TEST(QuickViscousTileResidual, OfDegree3) {
  expect_plain_sums<ViscousTileCase<3, 12>>();
}
TEST(QuickViscousTileResidual, OfDegree4) {
  expect_plain_sums<ViscousTileCase<4, 16>>();
}
TEST(QuickViscousTileResidual, OfDegree4WithLocalSteps) {
  expect_plain_sums<ViscousTileCase<4, 16, true>>();
}
TEST(QuickViscousTileResidual, OfDegree5) {
  expect_plain_sums<ViscousTileCase<5, 25>>();
}

}  // namespace
}  // namespace galerna::tests
