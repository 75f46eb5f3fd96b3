// Properties of the limiter pass on an irregular mesh, held against plain loops over the mesh.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "dg/computation.hpp"
#include "dg/slope_limiters.hpp"
#include "kernels/states.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"
#include "numbers.hpp"

namespace galerna::tests {
namespace {

struct LimiterCase {
  std::string name;
  int degree;
  dg::LimiterSpec limiter;
};

std::ostream& operator<<(std::ostream& stream, const LimiterCase& c) {
  return stream << c.name;
}

/// Coefficients [element][variable][mode] on a 6 × 5 irregular mesh of triangles, and the limiter at work on them.
class Limiter : public ::testing::TestWithParam<LimiterCase> {
 protected:
  Limiter() : mesh_(mesh::make_rectangle(6, 5, {0, 0}, {1, 0.8}, mesh::CellStyle::random_triangles, 0.2)) {
    mesh::prepare(mesh_, {});
    spec_ = bare_euler(GetParam().degree);
    dg::BoundaryCondition wall;
    wall.kernel = {"kernels/boundary/slip_wall.hpp", "SlipWall"};
    spec_.boundaries = {wall, wall, wall, wall};
    spec_.limiter = GetParam().limiter;
    operators_ = dg::make_operators(Shape::triangle, spec_.degree);
  }

  mesh::Point corner(mesh::Index e, int i) const {
    return mesh_.nodes[static_cast<std::size_t>(mesh_.corners(e)[static_cast<std::size_t>(i)])];
  }
  std::size_t index(mesh::Index e, int v, int j) const {
    return static_cast<std::size_t>((e * 4 + v) * operators_.modes + j);
  }

  /// L2 projection of a state given by x and y.
  std::vector<double> project(const std::function<GasState<2>(double, double)>& f) const {
    std::vector<double> c(static_cast<std::size_t>(mesh_.element_count() * 4 * operators_.modes), 0.0);
    const basis::Quadrature rule = basis::quadrature(operators_.shape, 2 * operators_.degree + 4);
    const basis::Matrix at = basis::basis_values(operators_.shape, operators_.degree, rule.points);
    for (mesh::Index e = 0; e < mesh_.element_count(); ++e)
      for (int q = 0; q < rule.size(); ++q) {
        const auto& xi = rule.points[static_cast<std::size_t>(q)];
        double x[2];
        for (std::size_t d = 0; d < 2; ++d)
          x[d] = corner(e, 0)[d] + xi[0] * (corner(e, 1)[d] - corner(e, 0)[d]) +
                 xi[1] * (corner(e, 2)[d] - corner(e, 0)[d]);
        const GasState<2> u = f(x[0], x[1]);
        for (int v = 0; v < 4; ++v)
          for (int j = 0; j < operators_.modes; ++j)
            c[index(e, v, j)] += rule.weights[static_cast<std::size_t>(q)] * at(q, j) * u[v];
      }
    return c;
  }

  std::vector<double> limited(const std::vector<double>& c) {
    Computation at_work(mesh_, spec_);
    at_work->write_state(at_work.state(), c);
    at_work->finish(at_work.state(), 0, false);
    counts_ = at_work->limiter_counts();
    return at_work->read_state(at_work.state());
  }

  GasState<2> value(const std::vector<double>& c, mesh::Index e, const basis::Matrix& basis, int q) const {
    GasState<2> u{};
    for (int v = 0; v < 4; ++v)
      for (int j = 0; j < operators_.modes; ++j) u[v] += basis(q, j) * c[index(e, v, j)];
    return u;
  }

  double mean(const std::vector<double>& c, mesh::Index e, int v) const { return std::sqrt(2.0) * c[index(e, v, 0)]; }

  /// A Mach 3 shock that lies across the mesh.
  static GasState<2> shock(double x, double y) {
    typename Gas<2>::Primitive<double> w;
    const bool behind = x + 0.3 * y < 0.55;
    w.density = behind ? 3.857 : 1;
    w.velocity = {{behind ? 2.629 : 0, 0}};
    w.pressure = behind ? 10.333 : 1;
    return Gas<2>::conservative(w);
  }

  mesh::Mesh mesh_;
  dg::Spec spec_;
  dg::Operators operators_;
  std::array<double, 2> counts_{};
};

TEST_P(Limiter, KeepsTheMeans) {
  const auto c = project(shock), after = limited(c);
  EXPECT_GT(counts_[0], 0);
  for (mesh::Index e = 0; e < mesh_.element_count(); ++e)
    for (int v = 0; v < 4; ++v) EXPECT_EQ(after[index(e, v, 0)], c[index(e, v, 0)]);
}

TEST_P(Limiter, LooksAtItsResultAsTheMonitorDoes) {
  spec_.limiter->positivity = true;
  // Flow that grows faster: the fastest point of an element lies on its sides.
  const std::vector<double> c = project([](double x, double y) {
    typename Gas<2>::Primitive<double> w;
    w.density = w.pressure = 1;
    w.velocity = {{3 + x, y}};
    return Gas<2>::conservative(w);
  });
  const auto step = [&](bool bounds_step, bool monitored) {
    spec_.limiter->bounds_step = bounds_step;
    Computation at_work(mesh_, spec_);
    device::Memory& state = at_work.state();
    at_work->write_state(state, c);
    const auto look = [&] {
      EXPECT_EQ(at_work->finish(state, 0, monitored), monitored);
      if (!monitored) at_work->monitor(state);
    };
    return at_work.begun(look).dt;
  };
  EXPECT_EQ(step(true, true), step(true, false));
  EXPECT_LT(step(true, false), step(false, false));
}

TEST_P(Limiter, CutsWhatOvershootsAtAShock) {
  if (GetParam().degree > 3) GTEST_SKIP() << "a jump inside one element of high degree need not show at its sides";
  const auto before = project(shock), after = limited(before);
  const auto range = [&](const std::vector<double>& c) {
    double least = 1e300, most = -1e300;
    for (mesh::Index e = 0; e < mesh_.element_count(); ++e)
      for (const basis::Matrix& table : operators_.side_basis)
        for (int q = 0; q < table.rows(); ++q) {
          least = std::min(least, value(c, e, table, q)[0]);
          most = std::max(most, value(c, e, table, q)[0]);
        }
    return std::array{least, most};
  };
  const auto [least, most] = range(after);
  const double overshoot = range(before)[1] - 3.857;
  EXPECT_GT(overshoot, 0.3);
  // Of a polynomial of higher degree each derivative is bounded, with some ease, not the sum of them all, and the
  // sensor lets the limiter in by degrees: of ten elements that overshoot one keeps two fifths of the largest
  // overshoot.
  EXPECT_LT(most - 3.857, GetParam().degree < 3 ? 0.01 : 0.45 * overshoot) << overshoot;
  EXPECT_GT(least, GetParam().degree < 3 ? 0.95 : 0.8);
}

/// Derivatives across the flow are rounding errors, and so are their bounds: what is made of those along it must not
/// hang on their ratio.
// Where speeds are numbers of 10⁵, as in SI, energies of 10¹⁰ stand beside densities of 1. In single precision rounding
// errors are largest.
TEST_P(Limiter, DependsOnNoUnits) {
  constexpr double speed = 1 << 18;
  const std::array<double, 4> units = {1, speed, speed, speed * speed};
  for (const auto precision : {device::Precision::double_precision, device::Precision::single_precision}) {
    spec_.precision = precision;
    const auto c = project(shock), after = limited(c);
    const std::array<double, 2> counts = counts_;
    auto scaled = c;
    for (std::size_t i = 0; i < c.size(); ++i) scaled[i] *= units[i / static_cast<std::size_t>(operators_.modes) % 4];
    const auto other = limited(scaled);
    EXPECT_EQ(counts_, counts);
    for (std::size_t i = 0; i < c.size(); ++i)
      ASSERT_EQ(other[i], units[i / static_cast<std::size_t>(operators_.modes) % 4] * after[i]) << i;
  }
}

TEST_P(Limiter, IsAContinuousFunctionOfTheSolution) {
  Random random;
  std::vector<double> c = project([](double x, double) { return GasState<2>{{1 + x, 0.3, 0, 3 - x * x}}; });
  for (mesh::Index e = 0; e < mesh_.element_count(); ++e)
    for (int v = 0; v < 4; v += 3) {
      const double factor = random.uniform(0.2, 1.8);
      for (int j = 1; j < operators_.modes; ++j) c[index(e, v, j)] *= factor;
    }
  const auto after = limited(c);
  EXPECT_GT(counts_[0], 10);
  const double disturbance = 1e-10;
  for (int trial = 0; trial < 3; ++trial) {
    std::vector<double> other = c;
    for (double& number : other) number += disturbance * random.uniform(-1, 1);
    EXPECT_LT(relative_difference(after, limited(other)), 1000 * disturbance);
  }
}

TEST_P(Limiter, LeavesALinearSolutionAlone) {
  // Elements at the boundary see fewer neighbours, so that their slopes may be cut: the paper's limiter does so, too.
  const auto linear = [](double x, double y) {
    return GasState<2>{{1 + 0.1 * x, 0.2 - 0.05 * y, 0.1 * x + 0.1, 2 + 0.2 * y}};
  };
  if (GetParam().limiter.variables != "ConservativeVariables") GTEST_SKIP() << "linear in other variables only";
  if (!GetParam().limiter.slopes->around_vertices)
    GTEST_SKIP() << "against means of face neighbours some linear slopes are cut on irregular triangles";
  const auto c = project(linear), after = limited(c);
  std::vector<bool> at_boundary(static_cast<std::size_t>(mesh_.element_count()), false);
  std::vector<bool> boundary_node(mesh_.nodes.size(), false);
  for (mesh::Index f = 0; f < mesh_.boundary_faces; ++f) {
    const mesh::Side side = mesh_.faces[static_cast<std::size_t>(f)].left;
    for (int end : side_corners(Shape::triangle, side.side))
      boundary_node[static_cast<std::size_t>(mesh_.corners(side.element)[static_cast<std::size_t>(end)])] = true;
  }
  int inner = 0;
  for (mesh::Index e = 0; e < mesh_.element_count(); ++e) {
    bool touches = false;
    for (mesh::Index node : mesh_.corners(e)) touches = touches || boundary_node[static_cast<std::size_t>(node)];
    if (touches) continue;
    ++inner;
    for (int v = 0; v < 4; ++v)
      for (int j = 0; j < operators_.modes; ++j) EXPECT_NEAR(after[index(e, v, j)], c[index(e, v, j)], 1e-13);
  }
  EXPECT_GT(inner, 5);
}

TEST_P(Limiter, MakesDensityAndPressurePositiveAtAllPoints) {
  if (!GetParam().limiter.positivity) GTEST_SKIP();
  // Slopes that the mean can just not afford: a near-vacuum beside a dense gas.
  auto c = project([](double x, double) {
    typename Gas<2>::Primitive<double> w;
    w.density = x < 0.5 ? 1 : 1e-3;
    w.velocity = {{x < 0.5 ? 0.0 : 5.0, 0}};
    w.pressure = x < 0.5 ? 1 : 1e-4;
    return Gas<2>::conservative(w);
  });
  const auto lowest = [&](const std::vector<double>& state) {
    double result = 1e300;
    std::vector<basis::Matrix> tables = operators_.side_basis;
    tables.push_back(operators_.volume_basis);
    for (mesh::Index e = 0; e < mesh_.element_count(); ++e)
      for (const basis::Matrix& table : tables)
        for (int q = 0; q < table.rows(); ++q) {
          const GasState<2> u = value(state, e, table, q);
          result = std::min({result, u[0], Gas<2>::pressure(u)});
        }
    return result;
  };
  EXPECT_LT(lowest(c), 0);
  EXPECT_GT(lowest(limited(c)), 0);
}

std::string name_of(const ::testing::TestParamInfo<LimiterCase>& test) {
  return test.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    QuickSettings, Limiter,
    ::testing::Values(LimiterCase{"BarthJespersen", 1, {barth_jespersen(), "ConservativeVariables", false}},
                      LimiterCase{"Hierarchical1", 1, {hierarchical(), "ConservativeVariables", false}}),
    name_of);
INSTANTIATE_TEST_SUITE_P(
    Settings, Limiter,
    ::testing::Values(LimiterCase{"BarthJespersenPositive", 1, {barth_jespersen(), "ConservativeVariables", true}},
                      LimiterCase{"BarthJespersenPrimitive", 1, {barth_jespersen(), "PrimitiveVariables", true}},
                      LimiterCase{
                          "BarthJespersenCharacteristic", 1, {barth_jespersen(true), "CharacteristicVariables", true}},
                      LimiterCase{"BarthJespersenVertex", 1, {barth_jespersen(true), "ConservativeVariables", false}},
                      LimiterCase{"Hierarchical2", 2, {hierarchical(), "ConservativeVariables", true}},
                      LimiterCase{"Hierarchical3", 3, {hierarchical(), "CharacteristicVariables", true}},
                      LimiterCase{"Hierarchical5", 5, {hierarchical(), "PrimitiveVariables", true}}),
    name_of);

TEST_P(Limiter, IsThatOfThePaper) {
  if (GetParam().name != "BarthJespersen") GTEST_SKIP();
  const auto c = project(shock), after = limited(c);
  std::vector<std::vector<mesh::Index>> neighbours(static_cast<std::size_t>(mesh_.element_count()));
  for (const mesh::Face& face : mesh_.faces)
    if (face.right.element >= 0) {
      neighbours[static_cast<std::size_t>(face.left.element)].push_back(face.right.element);
      neighbours[static_cast<std::size_t>(face.right.element)].push_back(face.left.element);
    }
  for (mesh::Index e = 0; e < mesh_.element_count(); ++e)
    for (int v = 0; v < 4; ++v) {
      double most = mean(c, e, v), least = most, alpha = 1;
      for (mesh::Index n : neighbours[static_cast<std::size_t>(e)]) {
        most = std::max(most, mean(c, n, v));
        least = std::min(least, mean(c, n, v));
      }
      for (const basis::Matrix& table : operators_.side_basis)
        for (int q = 0; q < table.rows(); ++q) {
          const double u = value(c, e, table, q)[v], own = mean(c, e, v);
          if (u > most) alpha = std::min(alpha, (most - own) / (u - own));
          if (u < least) alpha = std::min(alpha, (least - own) / (u - own));
        }
      for (int j = 1; j < 3; ++j) EXPECT_NEAR(after[index(e, v, j)], alpha * c[index(e, v, j)], 1e-12);
    }
}

}  // namespace
}  // namespace galerna::tests
