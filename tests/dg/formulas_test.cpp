// Projections and error norms of elements of every shape against integrals taken here, element by element, with a mass
// matrix that is factorized.
#include "dg/run/formulas.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>

#include "dg/curved_meshes.hpp"
#include "dg/curved_solids.hpp"
#include "dg/emulated_gpu.hpp"
#include "dg/formula_sets.hpp"
#include "dg/geometry/metric.hpp"
#include "dg/solids.hpp"

namespace galerna::tests {
namespace {

using basis::Matrix;
using device::Precision;

/// A function as the kernels have it, and here.
struct Function {
  std::string text;
  std::function<double(const mesh::Point&)> value;
};

const Function wave = {"V(1) + sin(V(3) * x + V(2) * z) * cos(V(2) * y)",
                       [](const mesh::Point& x) { return 1 + std::sin(3 * x[0] + 2 * x[2]) * std::cos(2 * x[1]); }};
const Function bump = {"exp(-x * x - V(2) * y * z)",
                       [](const mesh::Point& x) { return std::exp(-x[0] * x[0] - 2 * x[1] * x[2]); }};

/// A polynomial in x, y and z of degree t.
const Function polynomial = {"pow(V(3) + V(2) * x - V(2) * y + z, t)", {}};

dg::Spec with_formulas(const mesh::Mesh& mesh, const std::vector<Function>& initial,
                       const std::vector<Function>& exact) {
  dg::Spec spec = mesh.dimension == 3 ? bare_euler_in_space(1) : bare_euler(1);
  const auto state = [&](const std::vector<Function>& functions) {
    std::vector<std::string> texts;
    for (const Function& function : functions) texts.push_back(function.text);
    return state_of(texts, spec.variables.size());
  };
  spec.initial = state(initial);
  spec.exact = state(exact);
  return spec;
}

/// Calls visit(weights · |J|, basis [point][mode], positions) for all elements.
template <class Visit>
void for_each_element(const mesh::Mesh& mesh, int degree, const Visit& visit) {
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const mesh::ElementBlock& block = mesh.blocks[b];
    const dg::Operators o = dg::make_operators(block.shape, degree, std::max(2 * degree + 4, degree + block.order + 1));
    const dg::Metric metric = dg::make_metric(mesh, static_cast<int>(b), o);
    const int points = metric.volume_points;
    for (mesh::Index e = 0; e < metric.elements; ++e) {
      Eigen::VectorXd weights(points);
      std::vector<mesh::Point> positions(static_cast<std::size_t>(points), mesh::Point{});
      for (int q = 0; q < points; ++q) {
        weights[q] =
            o.volume.weights[static_cast<std::size_t>(q)] * metric.jacobian[static_cast<std::size_t>(e * points + q)];
        for (int k = 0; k < mesh.dimension; ++k)
          positions[static_cast<std::size_t>(q)][static_cast<std::size_t>(k)] =
              metric.positions[static_cast<std::size_t>((e * points + q) * mesh.dimension + k)];
      }
      visit(weights, o.volume_basis, positions);
    }
  }
}

/// [element][variable][mode]
std::vector<double> reference_projection(const mesh::Mesh& mesh, int degree, int variables,
                                         const std::vector<Function>& functions) {
  std::vector<double> result;
  for_each_element(mesh, degree, [&](const Eigen::VectorXd& weights, const Matrix& basis, const auto& positions) {
    const Matrix weighted = weights.asDiagonal() * basis, mass = weighted.transpose() * basis;
    const Eigen::LDLT<Eigen::MatrixXd> factors(mass);
    for (int v = 0; v < variables; ++v) {
      Eigen::VectorXd u(weights.size());
      for (Eigen::Index q = 0; q < u.size(); ++q)
        u[q] = functions[static_cast<std::size_t>(v) % functions.size()].value(positions[static_cast<std::size_t>(q)]);
      const Eigen::VectorXd modes = factors.solve(Eigen::VectorXd(weighted.transpose() * u));
      result.insert(result.end(), modes.begin(), modes.end());
    }
  });
  return result;
}

mesh::Mesh straight_quadrilaterals(mesh::Index n) {
  mesh::Mesh mesh = mesh::make_rectangle(n, n, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals, 0.2);
  mesh::prepare(mesh);
  return mesh;
}

mesh::Mesh all_solids() {
  mesh::Mesh mesh = box_of_all_solids(2);
  mesh::prepare(mesh);
  return mesh;
}

void expect_reference(const mesh::Mesh& mesh, int degree, double tolerance = 1e-12,
                      Precision precision = Precision::double_precision) {
  dg::Spec spec = with_formulas(mesh, {wave, bump}, {bump, wave});
  spec.precision = precision;
  const auto expected = reference_projection(mesh, degree, spec.variable_count(), {wave, bump});
  const auto found = FormulaSets(mesh, spec, degree).projected();
  ASSERT_EQ(expected.size(), found.size());
  EXPECT_LT(relative_difference(expected, found), tolerance) << degree;
}

TEST(Projections, AreThoseOfFactorizedMassMatrices) {
  for (int order : {1, 2, 4})
    for (int degree : {0, 1, 3, 6}) expect_reference(curved_mixture(4, order), degree);
  for (int degree : {0, 2, 5}) expect_reference(all_solids(), degree);
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron, Shape::prism})
    for (int order : {2, 3}) expect_reference(curved_box(2, order, false, 0.06, shape), 3);
}

TEST(Projections, InSinglePrecisionAreRoundedAtTheEnd) {
  for (int degree : {0, 3}) expect_reference(curved_mixture(4, 3), degree, 3e-7, Precision::single_precision);
}

TEST(Projections, OnGpusAreTheSame) {
  const mesh::Mesh mesh = curved_mixture(4, 3);
  const dg::Spec spec = with_formulas(mesh, {wave, bump}, {bump, wave});
  FormulaSets here(mesh, spec, 2), there(mesh, spec, 2, std::make_unique<EmulatedGpu>());
  EXPECT_LT(relative_difference(here.projected(), there.projected()), 1e-13);
  const auto expected = here.formulas.errors(*here.state, 0), found = there.formulas.errors(*there.state, 0);
  for (std::size_t v = 0; v < expected.size(); ++v) {
    EXPECT_NEAR(found[v].l1 / expected[v].l1, 1, 1e-13);
    EXPECT_NEAR(found[v].l2 / expected[v].l2, 1, 1e-13);
    EXPECT_NEAR(found[v].linf / expected[v].linf, 1, 1e-13);
  }
}

/// Where maps are of degree 1 along every coordinate, polynomials of degree p are in the space; on elements of geometry
/// order N those of degree p / N.
TEST(Projections, MeetPolynomials) {
  const auto expect_met = [](const mesh::Mesh& mesh, int degree, int of_polynomial) {
    FormulaSets elements(mesh, with_formulas(mesh, {polynomial}, {polynomial}), degree);
    elements.projected(of_polynomial);
    for (const dg::ErrorNorms& norms : elements.formulas.errors(*elements.state, of_polynomial)) {
      EXPECT_LT(norms.linf, 1e-12 * std::pow(6, of_polynomial)) << degree;
      EXPECT_GT(norms.linf + (degree == 0 ? 1 : 0), 0) << degree;
    }
    for (const dg::ErrorNorms& norms : elements.formulas.errors(*elements.state, of_polynomial + 1))
      EXPECT_GT(norms.linf, 1) << degree;
  };
  for (int p = 0; p <= 6; ++p) {
    expect_met(curved_mixture(4, 1), p, p);
    expect_met(all_solids(), p, p);
  }
  expect_met(curved_mixture(4, 3), 6, 2);
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron, Shape::prism})
    expect_met(curved_box(1, 2, false, 0.06, shape), 4, 2);
}

/// More elements than are on the device at a time.
TEST(Projections, ComePartByPart) {
  const mesh::Mesh mesh = straight_quadrilaterals(130);
  FormulaSets elements(mesh, with_formulas(mesh, {polynomial}, {polynomial}), 1);
  const std::size_t used = elements.device->memory_used();
  elements.projected(1);
  const auto norms = elements.formulas.errors(*elements.state, 1);
  EXPECT_LT(norms[0].linf, 1e-12);
  EXPECT_GT(norms[0].linf, 0);
  EXPECT_EQ(elements.device->memory_used(), used);
}

/// What is no number stays none, and is seen by the first step.
TEST(Projections, HideNothing) {
  const mesh::Mesh mesh = curved_mixture(4, 2);
  const Function root = {"sqrt(x - number<V>(0.5))", {}}, pole = {"V(1) / (x - x)", {}};
  FormulaSets elements(mesh, with_formulas(mesh, {root, pole, wave, wave}, {wave}), 2);
  elements.projected();
  const auto norms = elements.formulas.errors(*elements.state, 0);
  for (std::size_t v = 0; v < norms.size(); ++v) EXPECT_EQ(std::isfinite(norms[v].l1), v > 1) << v;
}

TEST(ErrorNorms, AreIntegralsOverCurvedElements) {
  for (const mesh::Mesh& mesh : {curved_mixture(4, 3), curved_box(2, 2, false, 0.06, Shape::prism), all_solids()})
    for (int degree : {1, 4}) {
      FormulaSets elements(mesh, with_formulas(mesh, {wave, bump}, {bump, wave}), degree);
      const std::vector<Function> exact = {bump, wave};
      std::vector<double> c = elements.projected();
      for (std::size_t k = 0; k < c.size(); ++k) c[k] += 0.1 * std::sin(static_cast<double>(k));
      elements.states.write(*elements.state, c);
      const auto norms = elements.formulas.errors(*elements.state, 0);
      std::vector<std::array<double, 3>> expected(norms.size());
      const double* at = c.data();
      for_each_element(mesh, degree, [&](const Eigen::VectorXd& weights, const Matrix& basis, const auto& positions) {
        for (std::size_t v = 0; v < expected.size(); ++v, at += basis.cols()) {
          Eigen::VectorXd e = basis * Eigen::Map<const Eigen::VectorXd>(at, basis.cols());
          for (Eigen::Index q = 0; q < e.size(); ++q)
            e[q] -= exact[v % 2].value(positions[static_cast<std::size_t>(q)]);
          expected[v][0] += weights.dot(e.cwiseAbs());
          expected[v][1] += weights.dot(e.cwiseAbs2());
          expected[v][2] = std::max(expected[v][2], e.cwiseAbs().maxCoeff());
        }
      });
      for (std::size_t v = 0; v < norms.size(); ++v) {
        EXPECT_NEAR(norms[v].l1 / expected[v][0], 1, 1e-12);
        EXPECT_NEAR(norms[v].l2 / std::sqrt(expected[v][1]), 1, 1e-12);
        EXPECT_NEAR(norms[v].linf / expected[v][2], 1, 1e-12);
      }
    }
}

}  // namespace
}  // namespace galerna::tests
