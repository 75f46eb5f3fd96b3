#include "dg/geometry/metric.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dg/curved_meshes.hpp"
#include "dg/element_reference.hpp"
#include "dg/reference.hpp"
#include "kernels/riemann/hllc.hpp"
#include "mesh/box.hpp"
#include "mesh/curve.hpp"
#include "mesh/geometry.hpp"
#include "numbers.hpp"

namespace galerna::tests {
namespace {

const State2 uniform{{1.1, 0.5, -0.3, 2.4}};

Ghost ghost_of(const ElementReference::Field& field) {
  return [field](int, const State2&, const mesh::Point& x, const Normal<2>&) { return field(x); };
}

double change_of_uniform_flow(const mesh::Mesh& mesh, int degree) {
  const ElementReference::Field field = [](const mesh::Point&) { return uniform; };
  const ElementReference reference(mesh, degree, ghost_of(field));
  return largest(reference(reference.project(field)));
}

TEST(QuickMetric, KeepsUniformFlowOnCurvedMixtures) {
  for (int order = 1; order <= 6; ++order) {
    const mesh::Mesh mesh = curved_mixture(5, order), periodic = periodic_mixture(4, order);
    for (int degree = 0; degree <= 4; ++degree) {
      EXPECT_LT(change_of_uniform_flow(mesh, degree), 2e-12 * (1 + degree * degree))
          << "N " << order << " p " << degree;
      EXPECT_LT(change_of_uniform_flow(periodic, degree), 2e-12 * (1 + degree * degree));
    }
  }
}

TEST(QuickMetric, KeepsUniformFlowWhereCurvedElementsMeetStraightOnes) {
  for (const mesh::CellStyle style : {mesh::CellStyle::random_triangles, mesh::CellStyle::quadrilaterals}) {
    mesh::Mesh ring = mesh::make_rectangle(3, 5, {1, 0}, {2, M_PI / 2}, style);
    mesh::transform(ring, [](const mesh::Point& x) {
      return mesh::Point{x[0] * std::cos(x[1]), x[0] * std::sin(x[1]), 0};
    });
    mesh::Mesh curved = mesh::curve(ring, {{"left", mesh::make_circle({}, 1)}, {"right", mesh::make_circle({}, 2)}}, 3);
    mesh::prepare(curved);
    ASSERT_EQ(curved.blocks.size(), 2U);
    for (int degree = 1; degree <= 3; ++degree) EXPECT_LT(change_of_uniform_flow(curved, degree), 1e-12);
  }
}

/// Both elements of a face see the same points, with opposite normals.
TEST(QuickMetric, SidesAgreeWithTheirNeighbours) {
  const int order = 3;
  const mesh::Mesh mesh = periodic_mixture(5, order);
  const auto operators = dg::make_block_operators(mesh, 2);
  std::vector<dg::Metric> metrics;
  for (int b = 0; b < 2; ++b) metrics.push_back(dg::make_metric(mesh, b, operators[static_cast<std::size_t>(b)]));
  int reversed = 0, between_shapes = 0, periodic = 0;
  for (const mesh::Face& face : mesh.faces) {
    const auto l = mesh.locate(face.left.element), r = mesh.locate(face.right.element);
    const dg::Metric &left = metrics[static_cast<std::size_t>(l.block)],
                     &right = metrics[static_cast<std::size_t>(r.block)];
    between_shapes += l.block != r.block;
    reversed += left.orientations[static_cast<std::size_t>(l.position * left.sides + face.left.side)];
    ASSERT_EQ(left.side_points, right.side_points);
    mesh::Point shift{};
    for (int q = 0; q < left.side_points; ++q)
      for (std::size_t k = 0; k < 2; ++k) {
        const auto i =
            2 * static_cast<std::size_t>((l.position * left.sides + face.left.side) * left.side_points + q) + k;
        const auto j =
            2 * static_cast<std::size_t>((r.position * right.sides + face.right.side) * right.side_points + q) + k;
        EXPECT_NEAR(left.normals[i], -right.normals[j], 1e-14);
        if (q == 0) shift[k] = std::round(left.side_positions[i] - right.side_positions[j]);
        EXPECT_NEAR(left.side_positions[i], right.side_positions[j] + shift[k], 1e-14);
      }
    periodic += shift[0] != 0 || shift[1] != 0;
  }
  EXPECT_EQ(mesh.boundary_faces, 0);
  EXPECT_EQ(periodic, 10);
  EXPECT_GT(reversed, 5);
  EXPECT_GT(between_shapes, 5);
}

TEST(QuickMetric, KnowsAnnulusSectors) {
  mesh::Mesh ring = mesh::make_rectangle(2, 4, {1, 0}, {2, M_PI / 2}, mesh::CellStyle::quadrilaterals);
  mesh::Mesh curved = raise(ring, 4, [](double r, double angle) {
    return mesh::Point{r * std::cos(angle), r * std::sin(angle), 0};
  });
  mesh::prepare(curved);
  const auto operators = dg::make_block_operators(curved, 3);
  const dg::Metric m = dg::make_metric(curved, 0, operators[0]);
  double area = 0;
  for (mesh::Index e = 0; e < m.elements; ++e) area += m.means[static_cast<std::size_t>(e * operators[0].modes)] * 2;
  EXPECT_NEAR(area, 0.75 * M_PI, 1e-6);  // φ_0 = ½ on the square of area 4
  for (std::size_t b = 0; b < curved.boundaries.size(); ++b)
    for (const mesh::Side& side : curved.boundaries[b].sides)
      for (int q = 0; q < m.side_points && curved.boundaries[b].name == "left"; ++q) {
        const auto at = 2 * static_cast<std::size_t>((side.element * m.sides + side.side) * m.side_points + q);
        EXPECT_NEAR(m.normals[at], -m.side_positions[at] * M_PI / 8, 2e-4);
        EXPECT_NEAR(m.normals[at + 1], -m.side_positions[at + 1] * M_PI / 8, 2e-4);
      }
}

TEST(QuickMetric, DiametersOfStraightElementsAreThoseOfTheMesh) {
  const mesh::Mesh mesh = curved_mixture(4, 1, 0.15);
  const auto operators = dg::make_block_operators(mesh, 2);
  mesh::Index element = 0;
  for (int b = 0; b < 2; ++b)
    for (const double diameter : dg::make_metric(mesh, b, operators[static_cast<std::size_t>(b)]).diameters)
      EXPECT_NEAR(diameter, mesh::inscribed_diameter(mesh, element++), 1e-14);
  EXPECT_EQ(element, mesh.element_count());
}

TEST(QuickElementReference, IsThatOfStraightTrianglesOnThem) {
  mesh::Mesh mesh = mesh::make_rectangle(5, 4, {0, 0}, {1, 0.7}, mesh::CellStyle::random_triangles, 0.2);
  mesh::prepare(mesh);
  for (int degree = 0; degree <= 4; ++degree) {
    const Ghost ghost = [](int boundary, const State2& u, const mesh::Point&, const Normal<2>& n) {
      const double normal = u[1] * n[0] + u[2] * n[1];
      return boundary % 2 == 0 ? State2{{u[0], u[1] - 2 * normal * n[0], u[2] - 2 * normal * n[1], u[3]}} : uniform;
    };
    const ElementReference by_elements(mesh, degree, ghost);
    const ReferenceResidual plain(mesh, degree, ghost);
    const auto c = by_elements.project([](const mesh::Point& x) {
      return State2{{1 + 0.2 * std::sin(3 * x[0]), 0.3 * x[1], 0.1 * std::cos(x[0] * x[1]), 2 + 0.1 * x[0]}};
    });
    const auto expected = plain(c), found = by_elements(c);
    EXPECT_LT(relative_difference(expected, found), 2e-13) << degree;
  }
}

/// An isentropic vortex in a uniform stream: an exact solution.
State2 vortex(const mesh::Point& x, double t) {
  constexpr double gamma = 1.4, strength = 0.3, radius = 0.35;
  const double u = 0.5, v = 0.3, dx = (x[0] - 0.4 - u * t) / radius, dy = (x[1] - 0.45 - v * t) / radius;
  const double bell = strength * std::exp((1 - dx * dx - dy * dy) / 2);
  const double temperature = 1 - (gamma - 1) / (2 * gamma) * bell * bell;
  const double density = std::pow(temperature, 1 / (gamma - 1)), pressure = density * temperature;
  const double vx = u - bell * dy, vy = v + bell * dx;
  return {{density, density * vx, density * vy, pressure / (gamma - 1) + 0.5 * density * (vx * vx + vy * vy)}};
}

/// Error at the end of a short run with the classical Runge–Kutta method. The flux is HLLC: with local Lax–Friedrichs
/// the order for even p is nearer to p + ½, on straight elements, too.
double run(const mesh::Mesh& mesh, int degree, int steps) {
  double time = 0;
  const ElementReference reference(
      mesh, degree, [&](int, const State2&, const mesh::Point& x, const Normal<2>&) { return vortex(x, time); },
      kernels::Hllc::flux<Gas<2>, double>);
  const double end = 0.1, dt = end / steps;
  auto c = reference.project([](const mesh::Point& x) { return vortex(x, 0); });
  const auto plus = [](const std::vector<double>& a, double factor, const std::vector<double>& b) {
    std::vector<double> sum(a);
    for (std::size_t i = 0; i < a.size(); ++i) sum[i] += factor * b[i];
    return sum;
  };
  for (int n = 0; n < steps; ++n) {
    time = n * dt;
    const auto k1 = reference(c);
    time += dt / 2;
    const auto k2 = reference(plus(c, dt / 2, k1)), k3 = reference(plus(c, dt / 2, k2));
    time += dt / 2;
    const auto k4 = reference(plus(c, dt, k3));
    for (std::size_t i = 0; i < c.size(); ++i) c[i] += dt / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return reference.density_error(c, [&](const mesh::Point& x) { return vortex(x, end); });
}

TEST(QuickElementReference, ConvergesOnCurvedMixtures) {
  for (int degree = 1; degree <= 4; ++degree) {
    const int order = std::max(2, degree), cells = degree < 3 ? 10 : 5, steps = 2 * cells * (2 * degree + 1) / 3;
    const double coarse = run(curved_mixture(cells, order, 0.1), degree, steps),
                 fine = run(curved_mixture(2 * cells, order, 0.1), degree, 2 * steps);
    EXPECT_GT(std::log2(coarse / fine), degree + 0.8) << "p " << degree << ": " << coarse << ", " << fine;
  }
}

TEST(ElementReference, ConvergesOnElementsOfGeometryOrder5And6) {
  for (const auto& [degree, order] : {std::pair{2, 5}, std::pair{3, 6}}) {
    const int cells = degree < 3 ? 10 : 5, steps = 2 * cells * (2 * degree + 1) / 3;
    const double coarse = run(refined_mixture(cells, 0, order, 0.1), degree, steps),
                 fine = run(refined_mixture(cells, 1, order, 0.1), degree, 2 * steps);
    EXPECT_GT(std::log2(coarse / fine), degree + 0.8) << "p " << degree << ": " << coarse << ", " << fine;
  }
}

TEST(QuickElementReference, ConservesOnPeriodicMixtures) {
  const mesh::Mesh mesh = periodic_mixture(5, 3);
  for (int degree = 0; degree <= 3; ++degree) {
    const ElementReference reference(mesh, degree, nullptr);
    const auto rhs = reference(reference.project([](const mesh::Point& x) { return vortex(x, 0); }));
    const State2 total = reference.integrals(rhs);
    EXPECT_GT(largest(rhs), 0.1);
    for (int v = 0; v < 4; ++v) EXPECT_NEAR(total[v], 0, 1e-13);
  }
}

}  // namespace
}  // namespace galerna::tests
