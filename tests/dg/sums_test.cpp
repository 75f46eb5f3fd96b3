// Sums over the elements of all sets: the error of a step and integrals. None is counted twice, and how elements are
// numbered shows in no bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/geometry/metric.hpp"
#include "mesh/faces.hpp"

namespace galerna::tests {
namespace {

/// The same with the elements of every block in the reverse order.
mesh::Mesh turned(mesh::Mesh mesh) {
  mesh::Index first = 0;
  for (mesh::ElementBlock& block : mesh.blocks) {
    const mesh::Index count = block.size(), size = block.nodes_per_element();
    for (mesh::Index e = 0; e < count / 2; ++e)
      std::swap_ranges(block.nodes.begin() + e * size, block.nodes.begin() + (e + 1) * size,
                       block.nodes.begin() + (count - 1 - e) * size);
    std::reverse(block.source.begin(), block.source.end());
    for (mesh::Boundary& boundary : mesh.boundaries)
      for (mesh::Side& side : boundary.sides)
        if (side.element >= first && side.element < first + count) side.element = 2 * first + count - 1 - side.element;
    first += count;
  }
  mesh::build_faces(mesh, 1e-9);
  return mesh;
}

/// Coefficients [variable][mode] by the place of elements in the file.
std::vector<double> by_source(const dg::Discretization& d, const mesh::Mesh& mesh, double (*number)(double)) {
  std::vector<double> result;
  const auto n = static_cast<double>(d.degrees_of_freedom());
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
    for (const mesh::Index source : mesh.blocks[b].source)
      for (std::int64_t k = 0; k < d.states().values(d.sets()[b]); ++k)
        result.push_back(number(static_cast<double>(source * d.states().values(d.sets()[b]) + k) / n));
  return result;
}

/// A gas with disturbances: what a function gives, 0.1 times, beside the first modes of a state.
std::vector<double> gas(const dg::Discretization& d, const mesh::Mesh& mesh, double (*number)(double)) {
  const double means[] = {1, 0.3, -0.4, 2.2};
  std::vector<double> c = by_source(d, mesh, number);
  double* at = c.data();
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
    for (mesh::Index e = 0; e < mesh.blocks[b].size(); ++e)
      for (double mean : means)
        for (int j = 0; j < d.sets()[b].operators.modes; ++j, ++at)
          *at = 0.1 * *at + (j == 0 ? mean / d.sets()[b].operators.volume_basis(0, 0) : 0);
  return c;
}

/// ½ (|u^n|² + |u^{n+1}|²) + |F(u^n)|²/(d λ²)
State2 squared_scales(const State2& before, const State2& after) {
  State2 result;
  const double speed = Gas<2>::largest_wave_speed(before);
  for (int v = 0; v < 4; ++v)
    result[v] =
        (before[v] * before[v] + after[v] * after[v] + std::pow(Gas<2>::flux(before, Normal<2>{{1, 0}})[v] / speed, 2) +
         std::pow(Gas<2>::flux(before, Normal<2>{{0, 1}})[v] / speed, 2)) /
        2;
  return result;
}

/// docs/theory.md, Error control.
double weighted_norm(const dg::Discretization& d, const mesh::Mesh& mesh, const std::vector<double>& u,
                     const std::vector<double>& candidate, const std::vector<double>& error, double tolerance) {
  State2 errors{}, scales{};
  std::size_t first = 0;
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const auto modes = static_cast<std::size_t>(d.sets()[b].operators.modes);
    const double constant = d.sets()[b].operators.volume_basis(0, 0);
    for (mesh::Index e = 0; e < mesh.blocks[b].size(); ++e, first += 4 * modes) {
      State2 before, after;
      for (int v = 0; v < 4; ++v) {
        const std::size_t own = first + static_cast<std::size_t>(v) * modes;
        before[v] = constant * u[own], after[v] = constant * candidate[own];
        for (std::size_t j = 0; j < modes; ++j) errors[v] += std::pow(error[own + j], 2);
      }
      const State2 of_element = squared_scales(before, after);
      for (int v = 0; v < 4; ++v) scales[v] += of_element[v] / static_cast<double>(mesh.element_count());
    }
  }
  const double sum = errors[0] / scales[0] + (errors[1] + errors[2]) / (scales[1] + scales[2]) + errors[3] / scales[3];
  return std::sqrt(sum / static_cast<double>(u.size())) / tolerance;
}

double error_of_a_step(const mesh::Mesh& mesh, dg::Spec spec) {
  spec.error_control = true;
  Computation computation(mesh, spec);
  const auto u = gas(*computation, mesh, [](double x) { return std::sin(500 * x); }),
             candidate = gas(*computation, mesh, [](double x) { return std::sin(500 * x) + 0.1 * std::cos(1500 * x); }),
             // The last elements, which padding repeats, have large errors.
      error = by_source(*computation, mesh, [](double x) { return 0.01 * (1 + x); });
  const auto candidate_state = computation->allocate_state(), error_state = computation->allocate_state();
  computation->write_state(computation.state(), u);
  computation->write_state(*candidate_state, candidate);
  computation->write_state(*error_state, error);
  kernels::Control control = computation->read_control();
  control.tolerance = 0.25;
  control.stop_time = 2;
  control.embedded_order = 3;
  control.previous_error = 1;
  computation->write_control(control);
  computation->embedded_error(computation.state(), *candidate_state, *error_state);
  computation->end_step(4, false, true);
  const double found = computation->read_control().error;
  EXPECT_NEAR(found / weighted_norm(*computation, mesh, u, candidate, error, 0.25), 1, 1e-13);
  return found;
}

/// Compared with Σ c_j ∫ φ_j dx.
std::vector<double> integrals_of(const mesh::Mesh& mesh, dg::Spec spec) {
  spec.error_control = true;  // the kernels are those of the tests above
  Computation computation(mesh, spec);
  const auto c = by_source(*computation, mesh, [](double x) { return std::sin(500 * x); });
  computation->write_state(computation.state(), c);
  const std::vector<double> integrals = computation->integrals(computation.state());
  std::vector<ExactSum> sums(integrals.size());
  const double* at = c.data();
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const dg::Operators& operators = computation->sets()[b].operators;
    const auto modes = static_cast<std::size_t>(operators.modes);
    const std::vector<double> means = dg::make_metric(mesh, static_cast<int>(b), operators).means;
    for (std::size_t e = 0; e < means.size(); e += modes)
      for (ExactSum& sum : sums)
        for (std::size_t j = 0; j < modes; ++j) sum.add(*at++ * means[e + j]);
  }
  for (std::size_t v = 0; v < sums.size(); ++v) EXPECT_NEAR(integrals[v], sums[v].value(), 1e-14);
  return integrals;
}

dg::Spec spec_of_mixture(const mesh::Mesh& mesh) {
  dg::Spec spec = bare_euler(2);
  surround(spec, mesh, State2{{1, 0.5, -0.25, 2}});
  return spec;
}

TEST(QuickVectors, AreComponentsSideBySide) {
  EXPECT_EQ(dg::vectors_among({"density", "momentum_x", "momentum_y", "momentum_z", "energy"}),
            (std::vector<int>{0, 1, 1, 1, 4}));
  EXPECT_EQ(dg::vectors_among({"u_y", "v_x", "w_y", "a_x", "a_y", "b_z", "x"}),
            (std::vector<int>{0, 1, 2, 3, 3, 5, 6}));
}

TEST(EmbeddedError, OfTrianglesCountsEachOnceInAnyOrder) {
  const mesh::Mesh mesh = irregular_square(3, 3);
  EXPECT_EQ(error_of_a_step(mesh, bare_euler(2)), error_of_a_step(turned(mesh), bare_euler(2)));
}

TEST(EmbeddedError, OfAMixtureCountsEachOnceInAnyOrder) {
  const mesh::Mesh mesh = curved_mixture(5, 1);
  EXPECT_EQ(error_of_a_step(mesh, spec_of_mixture(mesh)), error_of_a_step(turned(mesh), spec_of_mixture(mesh)));
}

TEST(Integrals, OfTrianglesAreThoseOfTheirElementsInAnyOrder) {
  const mesh::Mesh mesh = irregular_square(3, 3);
  EXPECT_EQ(integrals_of(mesh, bare_euler(2)), integrals_of(turned(mesh), bare_euler(2)));
}

TEST(Integrals, OfAMixtureAreThoseOfItsElementsInAnyOrder) {
  const mesh::Mesh mesh = curved_mixture(5, 1);
  EXPECT_EQ(integrals_of(mesh, spec_of_mixture(mesh)), integrals_of(turned(mesh), spec_of_mixture(mesh)));
}

/// Of the solution and its gradient, inside and along the boundary.
std::vector<double> formula_integrals_of(const mesh::Mesh& mesh, dg::Spec spec) {
  spec.error_control = true;  // as above
  const auto square = [](const std::string& name) {
    return "template <class V, class U> V " + name +
           "(const V&, const V&, const V&, const V&, const U& u) { return u[0] * u[1] + u[4] * u[9]; }";
  };
  spec.integrals = {{square, true, {}, {}}, {square, true, {}, mesh.boundaries.front().name}};
  Computation computation(mesh, spec);
  computation->write_state(computation.state(),
                           by_source(*computation, mesh, [](double x) { return std::sin(500 * x); }));
  const std::vector<double> integrals = computation->formula_integrals(computation.state(), 0);
  for (double integral : integrals) EXPECT_GT(std::abs(integral), 0.1);
  return integrals;
}

TEST(FormulaIntegrals, OfTrianglesAreTheSameInAnyOrder) {
  const mesh::Mesh mesh = irregular_square(3, 3);
  dg::Spec spec = bare_euler(2);
  surround(spec, mesh, State2{{1, 0.5, -0.25, 2}});
  EXPECT_EQ(formula_integrals_of(mesh, spec), formula_integrals_of(turned(mesh), spec));
}

TEST(FormulaIntegrals, OfAMixtureAreTheSameInAnyOrder) {
  const mesh::Mesh mesh = curved_mixture(5, 1);
  EXPECT_EQ(formula_integrals_of(mesh, spec_of_mixture(mesh)),
            formula_integrals_of(turned(mesh), spec_of_mixture(mesh)));
}

/// The state that formulas give and how far it is from others.
struct Formulated {
  std::vector<double> coefficients;  ///< [element in the file][variable][mode]
  std::vector<dg::ErrorNorms> norms;
};

Formulated formulated(const mesh::Mesh& mesh, dg::Spec spec) {
  spec.error_control = true;  // as above
  spec.initial = dg::StateFunctions{false, std::vector<dg::FunctionText>(4, text("sin(V(3) * x) + cos(V(5) * y)"))};
  spec.exact = dg::StateFunctions{false, std::vector<dg::FunctionText>(4, text("exp(x * y)"))};
  Computation computation(mesh, spec);
  computation->project_initial(computation.state(), 0);
  Formulated result{{}, computation->errors(computation.state(), 0)};
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const dg::ElementSet& set = computation->sets()[b];
    const std::vector<mesh::Index>& source = mesh.blocks[b].source;
    std::vector<mesh::Index> positions(source.size());
    for (std::size_t e = 0; e < source.size(); ++e) positions[e] = static_cast<mesh::Index>(e);
    std::sort(positions.begin(), positions.end(), [&](mesh::Index e, mesh::Index f) {
      return source[static_cast<std::size_t>(e)] < source[static_cast<std::size_t>(f)];
    });
    const auto c = computation->states().read(computation.state(), set, positions);
    result.coefficients.insert(result.coefficients.end(), c.begin(), c.end());
  }
  return result;
}

void expect_the_same_in_any_order(const mesh::Mesh& mesh, const dg::Spec& spec) {
  const Formulated one = formulated(mesh, spec), other = formulated(turned(mesh), spec);
  EXPECT_EQ(one.coefficients, other.coefficients);
  for (std::size_t v = 0; v < 4; ++v) {
    EXPECT_GT(one.norms[v].l1, 0.1);
    EXPECT_EQ(one.norms[v].l1, other.norms[v].l1);
    EXPECT_EQ(one.norms[v].l2, other.norms[v].l2);
    EXPECT_EQ(one.norms[v].linf, other.norms[v].linf);
  }
}

TEST(FormulasOfElements, AreTheSameInAnyOrder) {
  const mesh::Mesh triangles = irregular_square(3, 3), mixture = curved_mixture(5, 1);
  expect_the_same_in_any_order(triangles, bare_euler(2));
  expect_the_same_in_any_order(mixture, spec_of_mixture(mixture));
}

TEST(States, AreReadElementByElement) {
  const mesh::Mesh mesh = curved_mixture(5, 1);
  dg::Spec spec = spec_of_mixture(mesh);
  spec.error_control = true;  // as above
  Computation computation(mesh, spec);
  const auto c = by_source(*computation, mesh, [](double x) { return std::sin(500 * x); });
  computation->write_state(computation.state(), c);
  const dg::StateArrays& states = computation->states();
  const dg::ElementSet& set = computation->sets()[1];
  const std::vector<double> all = states.read(computation.state(), set);
  std::vector<double> some;
  const std::vector<mesh::Index> positions = {1, 2, set.blocks.items - 1};
  for (const mesh::Index position : positions)
    some.insert(some.end(), all.begin() + position * states.values(set),
                all.begin() + (position + 1) * states.values(set));
  EXPECT_EQ(states.read(computation.state(), set, positions), some);
}

}  // namespace
}  // namespace galerna::tests
