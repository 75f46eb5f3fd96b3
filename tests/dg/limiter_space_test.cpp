// The limiters on straight solids, called lane by lane: what they leave alone, what they cut, and that means stay.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <type_traits>

#include "dg/geometry/geometry.hpp"
#include "dg/geometry/metric.hpp"
#include "dg/geometry/vertex_neighbours.hpp"
#include "dg/sides/side_codes.hpp"
#include "dg/solids.hpp"
#include "kernels/limiter/barth_jespersen.hpp"
#include "kernels/limiter/detect.hpp"
#include "kernels/limiter/hierarchical.hpp"
#include "kernels/limiter/limit.hpp"
#include "kernels/states.hpp"

namespace galerna::tests {
namespace {

using Euler3 = Gas<3>;
using State3 = Euler3::State<double>;
using Field = std::function<State3(const mesh::Point&)>;

/// Tables that programs have as constants (dg/programs/simplex_programs.cpp), of one shape at a time.
const dg::Operators* tables;
std::vector<std::vector<basis::Matrix>> vertex_derivatives;
basis::Matrix side_means;

/// \tparam volume_points_, side_points_ of the rules of degree 2p, all sides together
template <int degree_, int modes_, int sides_, int volume_points_, int side_points_>
struct OperatorsOf {
  static constexpr int degree = degree_, modes = modes_, sides = sides_, volume_points = volume_points_,
                       side_points = side_points_;
  static double volume_basis(int q, int j) { return tables->volume_basis(q, j); }
  static double side_basis(int side, int q, int j) { return tables->side_basis[static_cast<std::size_t>(side)](q, j); }
};

/// The same of prisms and pyramids. \tparam all_side_points_ of both kinds of sides together
template <int degree_, int modes_, int volume_points_, int all_side_points_>
struct UnlikeOperatorsOf {
  static constexpr int degree = degree_, modes = modes_, sides = 5, volume_points = volume_points_,
                       all_side_points = all_side_points_;
  static int first_side_point(int side) { return tables->first_side_point(side); }
  static int side_at(int point) {
    int side = 0;
    while (first_side_point(side + 1) <= point) ++side;
    return side;
  }
  static double volume_basis(int q, int j) { return tables->volume_basis(q, j); }
  static double side_basis(int side, int q, int j) { return tables->side_basis[static_cast<std::size_t>(side)](q, j); }
};

struct LimitsOf {
  static double vertex_derivative(int k, int s, int vertex, int j) {
    return vertex_derivatives[static_cast<std::size_t>(k - 1)][static_cast<std::size_t>(s)](vertex, j);
  }
  static double side_mean(int side, int j) { return side_means(side, j); }
};

/// Of all sides one after the other.
struct LoopTablesOf {
  static double volume_basis(int q, int j) { return tables->volume_basis(q, j); }
  static double side_basis(int point, int j) {
    int side = 0;
    while (tables->first_side_point(side + 1) <= point) ++side;
    return tables->side_basis[static_cast<std::size_t>(side)](point - tables->first_side_point(side), j);
  }
};

/// \tparam Limiter_ of slopes; void: positivity alone
template <class Operators_, class Limiter_, bool vertex, bool positive, bool affine_ = true,
          class Variables = kernels::ConservativeVariables>
struct LimitedCase {
  using Real = double;
  using Value = double;
  using Equations = Euler3;
  using Operators = Operators_;
  using Limits = LimitsOf;
  using LoopTables = LoopTablesOf;
  using LimitedVariables = Variables;
  static constexpr int width = 1, unroll_points = 1;
  using Limiter = Limiter_;
  static constexpr bool boundary_bounds = false, vertex_neighbours = vertex, keeps_positive = positive,
                        watches_points = false, affine = affine_;
  static constexpr double bounds_ease = 0.1, sensor_floor = 1e-6;
};

/// A box of solids and a state on it, [element][variable][mode].
class LimitedBox {
 public:
  LimitedBox(Shape shape, int degree, double jitter, bool periodic, mesh::Index cells = 4)
      : mesh_(box_of(shape, cells, jitter, periodic)), operators_(dg::make_operators(shape, degree)) {
    tables = &operators_;
    codes_ = dg::neighbour_codes(mesh_, 0);
    metric_ = dg::make_metric(mesh_, 0, operators_);
    if (shape != Shape::tetrahedron) return;
    vertex_derivatives = operators_.vertex_derivatives();
    side_means = operators_.side_means();
    gradients_ = dg::make_geometry(mesh_).gradients;
    around_ = dg::make_vertex_neighbours(mesh_, false);
  }

  void project(const Field& field) {
    const auto modes = static_cast<std::size_t>(operators_.modes);
    c_.assign(elements() * 5 * modes, 0.0);
    const basis::Quadrature rule = basis::quadrature(operators_.shape, 2 * operators_.degree + 4);
    const basis::Matrix corners = basis::lagrange_values(operators_.shape, 1, rule.points),
                        at = basis::basis_values(operators_.shape, operators_.degree, rule.points);
    for (std::size_t e = 0; e < elements(); ++e)
      for (int q = 0; q < rule.size(); ++q) {
        const State3 u = field(place(e, corners, q));
        for (int v = 0; v < 5; ++v)
          for (int j = 0; j < operators_.modes; ++j)
            c_[(e * 5 + static_cast<std::size_t>(v)) * modes + static_cast<std::size_t>(j)] +=
                rule.weights[static_cast<std::size_t>(q)] * at(q, j) * u[v];
      }
  }

  /// Limits the state. \return how many elements it cut, and how many it scaled.
  template <class Config>
  std::array<double, 2> limit() {
    kernels::Control control{};
    control.active = 1;
    std::vector<double> counts(2 * elements());
    derivatives_.assign(elements() * 5 * 16, 0.0);
    std::vector<double> troubled(elements(), 1.0);
    EXPECT_EQ(Config::Operators::volume_points, operators_.volume.size());
    EXPECT_EQ(kernels::all_side_points<typename Config::Operators>(), operators_.first_side_point(operators_.sides()));
    kernels::LimitArguments a{};
    a.state = c_.data();
    a.gradients = gradients_.data();
    a.neighbours = codes_.data();
    a.around = around_.around.data();
    a.slots = around_.slots;
    a.derivatives = derivatives_.data();
    a.troubled = troubled.data();
    a.counts = counts.data();
    a.blocks = a.elements = static_cast<std::int64_t>(elements());
    a.control = &control;
    a.means = metric_.means.data();
    if constexpr (std::is_same_v<typename Config::Limiter, kernels::Hierarchical>) {
      for (std::int64_t e = 0; e < a.blocks; ++e) kernels::detect<Config>(a, {e, 0});
      if (everywhere) troubled.assign(elements(), 1.0);
    }
    for (std::int64_t e = 0; e < a.blocks; ++e)
      if constexpr (std::is_void_v<typename Config::Limiter>)
        kernels::limit_positivity<Config>(a, {e, 0});
      else
        kernels::limit<Config>(a, {e, 0});
    std::array<double, 2> result{};
    for (std::size_t k = 0; k < counts.size(); ++k) result[k / elements()] += counts[k];
    return result;
  }

  /// Of every variable, its integral over the box.
  State3 integrals() const {
    State3 sum{};
    const auto modes = static_cast<std::size_t>(operators_.modes);
    for (std::size_t e = 0; e < elements(); ++e)
      for (std::size_t v = 0; v < 5; ++v)
        for (std::size_t j = 0; j < modes; ++j)
          sum[static_cast<int>(v)] += metric_.means[e * modes + j] * c_[(e * 5 + v) * modes + j];
    return sum;
  }

  /// Least density and least pressure at all points at which the residual looks.
  std::array<double, 2> least() const {
    std::array<double, 2> result = {1e300, 1e300};
    std::vector<basis::Matrix> points = operators_.side_basis;
    points.push_back(operators_.volume_basis);
    for (std::size_t e = 0; e < elements(); ++e)
      for (const basis::Matrix& at : points)
        for (Eigen::Index q = 0; q < at.rows(); ++q) {
          const State3 u = value(e, at, q);
          result = {std::min(result[0], u[0]), std::min(result[1], Euler3::pressure(u))};
        }
    return result;
  }

  /// The largest excess of the density over [low, high] at points of sides.
  double overshoot(double low, double high) const {
    double result = 0;
    for (std::size_t e = 0; e < elements(); ++e)
      for (const basis::Matrix& at : operators_.side_basis)
        for (Eigen::Index q = 0; q < at.rows(); ++q) {
          const double density = value(e, at, q)[0];
          result = std::max({result, density - high, low - density});
        }
    return result;
  }

  /// L2 norm over the box of the density's difference from the field's.
  double error(const Field& field) const {
    double sum = 0;
    const basis::Quadrature rule = basis::quadrature(operators_.shape, 2 * operators_.degree + 4);
    const basis::Matrix corners = basis::lagrange_values(operators_.shape, 1, rule.points),
                        at = basis::basis_values(operators_.shape, operators_.degree, rule.points);
    for (std::size_t e = 0; e < elements(); ++e)
      for (int q = 0; q < rule.size(); ++q) {
        const double difference = value(e, at, q)[0] - field(place(e, corners, q))[0];
        sum += rule.weights[static_cast<std::size_t>(q)] * difference * difference;
      }
    return std::sqrt(sum / static_cast<double>(elements()));
  }

  /// The elements that no boundary touches.
  std::vector<std::size_t> inner() const {
    std::vector<bool> on_boundary(mesh_.nodes.size(), false);
    for (mesh::Index f = 0; f < mesh_.boundary_faces; ++f) {
      const mesh::Side side = mesh_.faces[static_cast<std::size_t>(f)].left;
      for (int corner : side_corners(operators_.shape, side.side))
        on_boundary[static_cast<std::size_t>(mesh_.corners(side.element)[static_cast<std::size_t>(corner)])] = true;
    }
    std::vector<std::size_t> result;
    for (std::size_t e = 0; e < elements(); ++e) {
      bool touches = false;
      for (mesh::Index node : mesh_.corners(static_cast<mesh::Index>(e)))
        touches = touches || on_boundary[static_cast<std::size_t>(node)];
      if (!touches) result.push_back(e);
    }
    return result;
  }

  /// The largest change of a coefficient of the chosen elements against other coefficients.
  double change(const std::vector<double>& before, const std::vector<std::size_t>& chosen) const {
    const auto numbers = 5 * static_cast<std::size_t>(operators_.modes);
    double result = 0;
    for (std::size_t e : chosen)
      for (std::size_t k = e * numbers; k < (e + 1) * numbers; ++k)
        result = std::max(result, std::abs(c_[k] - before[k]));
    return result;
  }

  const std::vector<double>& coefficients() const { return c_; }
  const std::vector<double>& derivatives() const { return derivatives_; }
  std::size_t elements() const { return static_cast<std::size_t>(mesh_.element_count()); }

  bool everywhere = false;  ///< whether the hierarchical limiter takes all elements for troubled

 private:
  mesh::Point place(std::size_t e, const basis::Matrix& corners, int q) const {
    mesh::Point x{};
    for (int i = 0; i < corner_count(operators_.shape); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        x[k] += corners(q, i) * mesh_.nodes[static_cast<std::size_t>(
                                    mesh_.corners(static_cast<mesh::Index>(e))[static_cast<std::size_t>(i)])][k];
    return x;
  }
  State3 value(std::size_t e, const basis::Matrix& at, Eigen::Index q) const {
    State3 u{};
    const auto modes = static_cast<std::size_t>(operators_.modes);
    for (std::size_t v = 0; v < 5; ++v)
      for (std::size_t j = 0; j < modes; ++j)
        u[static_cast<int>(v)] += at(q, static_cast<Eigen::Index>(j)) * c_[(e * 5 + v) * modes + j];
    return u;
  }

  mesh::Mesh mesh_;
  dg::Operators operators_;
  std::vector<std::int32_t> codes_;
  dg::Metric metric_;
  std::vector<double> gradients_, c_, derivatives_;
  dg::VertexNeighbours around_;
};

// Points of the default rules.
using Tetrahedra1 = OperatorsOf<1, 4, 4, 4, 3>;
using Tetrahedra2 = OperatorsOf<2, 10, 4, 14, 6>;
using Tetrahedra3 = OperatorsOf<3, 20, 4, 24, 12>;
using Hexahedra2 = OperatorsOf<2, 27, 6, 27, 9>;
using Prisms2 = UnlikeOperatorsOf<2, 18, 18, 39>;

template <class Operators, class Variables = kernels::ConservativeVariables>
using Hierarchical = LimitedCase<Operators, kernels::Hierarchical, true, true, true, Variables>;
using ByVertices = LimitedCase<Tetrahedra1, kernels::BarthJespersen, true, false>;
using ByFaces = LimitedCase<Tetrahedra1, kernels::BarthJespersen, false, false>;

State3 linear(const mesh::Point& x) {
  return {{1 + 0.1 * x[0] - 0.2 * x[2], 0.2 - 0.05 * x[1], 0.1 * x[0], 0.3 * x[2] + 0.1 * x[1], 3 + 0.2 * x[1]}};
}

/// Changes of a Mach 3 shock that lies across the box.
State3 shock(const mesh::Point& x) {
  const bool behind = x[0] + 0.3 * x[1] + 0.2 * x[2] < 0.8;
  Euler3::Primitive<double> w;
  w.density = behind ? 3.857 : 1;
  w.velocity = {{behind ? 2.629 : 0, 0, 0}};
  w.pressure = behind ? 10.333 : 1;
  return Euler3::conservative(w);
}

template <class Config>
void expect_linear_stays(int degree) {
  LimitedBox box(Shape::tetrahedron, degree, 0.1, false);
  box.everywhere = true;
  box.project(linear);
  const std::vector<double> before = box.coefficients();
  box.limit<Config>();
  const auto inner = box.inner();
  EXPECT_GT(inner.size(), 20u);
  EXPECT_LT(box.change(before, inner), 1e-12) << degree;
}

TEST(QuickLimiterInSpace, LeavesLinearFieldsAlone) {
  expect_linear_stays<ByVertices>(1);
  expect_linear_stays<Hierarchical<Tetrahedra1>>(1);
  expect_linear_stays<Hierarchical<Tetrahedra2>>(2);
  expect_linear_stays<Hierarchical<Tetrahedra3>>(3);
}

template <class Config>
void expect_cuts(int degree, double overshoot) {
  LimitedBox box(Shape::tetrahedron, degree, 0.1, true, 5);
  box.everywhere = true;  // the sensor lets the limiter in by degrees
  box.project(shock);
  const double before = box.overshoot(1, 3.857);
  const State3 integrals = box.integrals();
  EXPECT_GT(before, 0.3);
  EXPECT_GT(box.limit<Config>()[0], 0);
  EXPECT_LT(box.overshoot(1, 3.857), overshoot * before) << degree;
  for (int v = 0; v < 5; ++v) EXPECT_NEAR(box.integrals()[v], integrals[v], 1e-13 * (1 + std::abs(integrals[v])));
}

/// Of higher degrees each derivative is bounded, not the sum of them all.
TEST(QuickLimiterInSpace, CutsWhatOvershootsAtAShockAndKeepsIntegrals) {
  expect_cuts<ByFaces>(1, 1e-9);
  expect_cuts<ByVertices>(1, 0.02);
  expect_cuts<Hierarchical<Tetrahedra1>>(1, 0.1);
  expect_cuts<Hierarchical<Tetrahedra2, kernels::PrimitiveVariables>>(2, 0.3);
  expect_cuts<Hierarchical<Tetrahedra3, kernels::CharacteristicVariables>>(3, 0.5);
}

/// Second derivatives of a cubic polynomial are linear: their means are those that neighbours are shown.
TEST(QuickLimiterInSpace, StoresMeansOfDerivatives) {
  LimitedBox box(Shape::tetrahedron, 3, 0.1, false, 2);
  box.project([](const mesh::Point& p) {
    const double x = p[0], y = p[1], z = p[2];
    const double u = x * x * x + 2 * x * x * y - x * x * z + 0.5 * x * y * y + 3 * x * y * z + z * z * z - y * y * z;
    return State3{{u, 0, 0, 0, 1}};
  });
  box.limit<Hierarchical<Tetrahedra3>>();
  LimitedBox means(Shape::tetrahedron, 1, 0.1, false, 2);
  const std::function<double(const mesh::Point&)> second[6] = {
      [](const mesh::Point& p) { return 6 * p[0] + 4 * p[1] - 2 * p[2]; },  // xx
      [](const mesh::Point& p) { return 4 * p[0] + p[1] + 3 * p[2]; },      // xy
      [](const mesh::Point& p) { return -2 * p[0] + 3 * p[1]; },            // xz
      [](const mesh::Point& p) { return p[0] - 2 * p[2]; },                 // yy
      [](const mesh::Point& p) { return 3 * p[0] - 2 * p[1]; },             // yz
      [](const mesh::Point& p) { return 6 * p[2]; }};                       // zz
  for (std::size_t r = 0; r < 6; ++r) {
    means.project([&](const mesh::Point& p) { return State3{{second[r](p), 0, 0, 0, 0}}; });
    for (std::size_t e = 0; e < means.elements(); ++e)
      EXPECT_NEAR(box.derivatives()[e * 5 * 9 + 3 + r], std::sqrt(6.0) * means.coefficients()[e * 20], 1e-11) << r;
  }
}

/// The sensor lets smooth flow alone: after the limiter the projection is as good as before, with the order p + 1.
template <class Operators>
void expect_order(int degree) {
  const Field wave = [](const mesh::Point& x) {
    return State3{{1 + 0.3 * std::sin(2 * M_PI * (x[0] + x[1])) * std::cos(2 * M_PI * x[2]), 0.3, 0.1, 0.2, 3}};
  };
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    LimitedBox box(Shape::tetrahedron, degree, 0, true, k == 0 ? 5 : 10);
    box.project(wave);
    box.limit<Hierarchical<Operators>>();
    errors[k] = box.error(wave);
  }
  EXPECT_GE(std::log2(errors[0] / errors[1]), degree + 0.8) << errors[0] << " " << errors[1];
}

TEST(QuickLimiterInSpace, KeepsTheOrderOfSmoothFields) {
  expect_order<Tetrahedra1>(1);
  expect_order<Tetrahedra2>(2);
}

/// Slopes that the means can just not afford: a near-vacuum beside a dense gas.
template <class Operators, bool affine>
void expect_positive(Shape shape, int degree, double jitter) {
  LimitedBox box(shape, degree, jitter, true, 3);
  box.project([](const mesh::Point& x) {
    const bool dense = x[0] + 0.1 * x[1] < 0.5;
    Euler3::Primitive<double> w;
    w.density = dense ? 1 : 1e-3;
    w.velocity = {{dense ? 0.0 : 5.0, 0, 1}};
    w.pressure = dense ? 1 : 1e-4;
    return Euler3::conservative(w);
  });
  EXPECT_LT(box.least()[0], 0);
  const State3 integrals = box.integrals();
  EXPECT_GT((box.limit<LimitedCase<Operators, void, false, true, affine>>()[1]), 0);
  EXPECT_GT(box.least()[0], 0);
  EXPECT_GT(box.least()[1], 0);
  for (int v = 0; v < 5; ++v) EXPECT_NEAR(box.integrals()[v], integrals[v], 1e-13 * (1 + std::abs(integrals[v])));
}

TEST(QuickPositivityInSpace, OfDensityAndPressureKeepsIntegrals) {
  expect_positive<Tetrahedra3, true>(Shape::tetrahedron, 3, 0.1);
  expect_positive<Hexahedra2, true>(Shape::hexahedron, 2, 0);
  expect_positive<Hexahedra2, false>(Shape::hexahedron, 2, 0.1);
  expect_positive<Prisms2, false>(Shape::prism, 2, 0.1);
}

TEST(QuickVertexNeighbours, InSpaceAreAllElementsAroundAVertex) {
  const mesh::Mesh mesh = box_of(Shape::tetrahedron, 3, 0, true);
  const dg::VertexNeighbours around = dg::make_vertex_neighbours(mesh, false);
  EXPECT_EQ(around.slots, 24);  // six tetrahedra a cube, in the same way everywhere
  EXPECT_EQ(dg::vertex_slots(mesh, false), 24);
  const mesh::Mesh cube = box_of(Shape::tetrahedron, 1, 0, false);
  EXPECT_EQ(dg::make_vertex_neighbours(cube, false).slots, 6);
  EXPECT_EQ(dg::make_vertex_neighbours(cube, true).slots, 12);
  EXPECT_EQ(dg::vertex_slots(cube, true), 12);
}

}  // namespace
}  // namespace galerna::tests
