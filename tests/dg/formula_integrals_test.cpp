// Integrals of formulas of the solution over the domain, regions and boundaries, on elements of every shape. Expected
// are closed forms: with the linear function P = a + bx + cy (+ dz) powers of P have some on squares and cubes. One
// program serves all meshes of a dimension, and all degrees.
#include "dg/run/formula_integrals.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/curved_solids.hpp"
#include "dg/emulated_gpu.hpp"
#include "dg/formula_sets.hpp"
#include "dg/solids.hpp"
#include "mesh/box.hpp"
#include "mesh/geometry.hpp"

namespace galerna::tests {
namespace {

using device::Precision;

constexpr double a = 1, b = 0.5, c = -0.25, d = 0.75;
const std::string line = "V(1) + V(0.5) * x - V(0.25) * y", line_in_space = line + " + V(0.75) * z";

/// ∫ P^n over the unit square.
double of_square(int n) {
  const auto f = [n](double x, double y) { return std::pow(a + b * x + c * y, n + 2); };
  return n < 0 ? 0 : (f(1, 1) - f(1, 0) - f(0, 1) + f(0, 0)) / (b * c * (n + 1) * (n + 2));
}

/// ∫ P^n over the unit cube.
double of_cube(int n) {
  const auto f = [n](double z) {
    const auto g = [n, z](double x, double y) { return std::pow(a + b * x + c * y + d * z, n + 3); };
    return g(1, 1) - g(1, 0) - g(0, 1) + g(0, 0);
  };
  return n < 0 ? 0 : (f(1) - f(0)) / (b * c * d * (n + 1) * (n + 2) * (n + 3));
}

/// ∫ P^n from (x0, y0) to (x1, y1), of length 1.
double of_side(int n, double x0, double y0, double x1, double y1) {
  const double from = a + b * x0 + c * y0, to = a + b * x1 + c * y1;
  return n < 0 ? 0 : (std::pow(to, n + 1) - std::pow(from, n + 1)) / ((to - from) * (n + 1));
}

dg::FunctionText of_solution(const std::string& expression) {
  return [expression](const std::string& name) {
    return "template <class V, class U> V " + name +
           "([[maybe_unused]] const V& x, [[maybe_unused]] const V& y, [[maybe_unused]] const V& z,\n"
           "    [[maybe_unused]] const V& t, [[maybe_unused]] const U& u) { return " +
           expression + "; }";
  };
}

struct Wanted {
  std::string integrand;
  std::optional<std::string> region = {}, boundary = {};
};

/// All variables begin as `initial`, or each as its own.
dg::Spec with_integrals(int dimension, const std::vector<Wanted>& integrals, const std::vector<std::string>& initial) {
  dg::Spec spec = dimension == 3 ? bare_euler_in_space(1) : bare_euler(1);
  spec.initial = state_of(initial, spec.variables.size());
  for (const Wanted& wanted : integrals)
    spec.integrals.push_back({of_solution(wanted.integrand), true, wanted.region, wanted.boundary});
  return spec;
}

struct Elements : FormulaSets {
  using FormulaSets::FormulaSets;
  dg::FormulaIntegrals integrals{launcher, mesh, spec, sets, states};

  /// Of the projection of the initial state at a time.
  std::vector<double> of_initial(double time) {
    formulas.project(*state, time);
    return integrals.values(*state, time);
  }
};

mesh::Mesh prepared(mesh::Mesh mesh) {
  mesh::prepare(mesh);
  return mesh;
}

/// Moves what is inside the unit square, and nothing on its boundary.
mesh::Point bulge(double x, double y) {
  const double s = 0.08 * std::sin(M_PI * x) * std::sin(M_PI * y);
  return {x + s, y - s, 0};
}

mesh::Mesh square(mesh::CellStyle style, double jitter = 0.2, mesh::Index n = 4) {
  return mesh::make_rectangle(n, n, {0, 0}, {1, 1}, style, jitter);
}

/// The sides on one side of the square or cube.
mesh::Boundary boundary_of(const mesh::Mesh& mesh, const std::string& name, std::size_t direction, double at) {
  mesh::Boundary boundary{name, {}};
  for (mesh::Index e = 0; e < mesh.element_count(); ++e) {
    const std::vector<mesh::Index> nodes = mesh.corners(e);
    const auto is_on_it = [&](int corner) {
      const mesh::Index node = nodes[static_cast<std::size_t>(corner)];
      return std::abs(mesh.nodes[static_cast<std::size_t>(node)][direction] - at) < 1e-9;
    };
    for (int side = 0; side < side_count(mesh.shape(e)); ++side) {
      const auto corners = side_corners(mesh.shape(e), side);
      if (std::all_of(corners.begin(), corners.end(), is_on_it)) boundary.sides.push_back({e, side});
    }
  }
  return boundary;
}

/// Triangles and quadrilaterals side by side, with the boundaries of the square.
mesh::Mesh mixed_square(int order) {
  mesh::Mesh mesh = raise(divide_some(square(mesh::CellStyle::quadrilaterals, 0.15)), order, bulge);
  mesh.boundaries = {boundary_of(mesh, "left", 0, 0), boundary_of(mesh, "right", 0, 1),
                     boundary_of(mesh, "bottom", 1, 0), boundary_of(mesh, "top", 1, 1)};
  return prepared(mesh);
}

mesh::Mesh curved_cube(Shape shape) {
  return prepared(raise_solids(mesh::make_box({2, 2, 2}, {1, 1, 1}, 0.05, shape), 2, [](const mesh::Point& x) {
    const double s = 0.06 * std::sin(M_PI * x[0]) * std::sin(M_PI * x[1]) * std::sin(M_PI * x[2]);
    return mesh::Point{x[0] + s, x[1] - s, x[2] + s};
  }));
}

void expect_close(const std::vector<double>& found, const std::vector<double>& expected, double tolerance = 1e-12) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance * std::max(1.0, std::abs(expected[i]))) << i;
}

mesh::Mesh cube_of(Shape shape) {
  return prepared(mesh::make_box({2, 2, 2}, {1, 1, 1}, 0.05, shape));
}

/// n: the power of P that the solution is.
TEST(FormulaIntegrals, OfPolynomialsInThePlaneAreExact) {
  const dg::Spec spec =
      with_integrals(2, {{"V(1)"}, {"u[0]"}, {"u[1] * u[2]"}, {"u[0] * u[4]"}, {"u[11]"}, {"t * u[6] * u[9]"}},
                     {"pow(" + line + ", t)"});
  const auto expect_exact = [&](const mesh::Mesh& mesh, int degree, int n) {
    expect_close(Elements(mesh, spec, degree).of_initial(n),
                 {1, of_square(n), of_square(2 * n), n * b * of_square(2 * n - 1), n * c * of_square(n - 1),
                  n * n * n * b * c * of_square(2 * n - 2)});
  };
  for (int p = 0; p <= 6; ++p) {
    expect_exact(prepared(square(mesh::CellStyle::random_triangles)), p, p);
    expect_exact(prepared(square(mesh::CellStyle::quadrilaterals)), p, p);
    expect_exact(mixed_square(1), p, p);
  }
  expect_exact(mixed_square(2), 6, 3);
  expect_exact(mixed_square(3), 3, 1);
}

TEST(FormulaIntegrals, OfPolynomialsInSpaceAreExact) {
  const dg::Spec spec = with_integrals(3, {{"u[0]"}, {"u[1] * u[2]"}, {"u[0] * u[5]"}, {"u[14]"}, {"u[18] * u[7]"}},
                                       {"pow(" + line_in_space + ", t)"});
  const auto expect_exact = [&](const mesh::Mesh& mesh, int degree, int n) {
    expect_close(Elements(mesh, spec, degree).of_initial(n),
                 {of_cube(n), of_cube(2 * n), n * b * of_cube(2 * n - 1), n * c * of_cube(n - 1),
                  n * n * b * d * of_cube(2 * n - 2)});
  };
  for (int p : {0, 1, 3, 5}) expect_exact(prepared(box_of_all_solids(2)), p, p);
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron, Shape::prism})
    expect_exact(curved_cube(shape), 4, 2);
}

/// West and east halves of the square, but for two rows that are in no region.
mesh::Mesh square_of_regions() {
  mesh::Mesh mesh = square(mesh::CellStyle::random_triangles, 0);
  mesh.region_names = {"west", "east"};
  mesh::prepare(mesh);
  for (mesh::Index e = 0; e < mesh.element_count(); ++e) {
    const mesh::Point x = mesh::centroid(mesh, e);
    mesh.blocks[0].region[static_cast<std::size_t>(e)] = x[1] > 0.5 ? -1 : x[0] > 0.5;
  }
  return mesh;
}

TEST(FormulaIntegrals, AreTakenOverRegions) {
  const mesh::Mesh mesh = square_of_regions();
  const std::string root = "sqrt(x - V(0.5))";  // no number in the west
  const dg::Spec spec = with_integrals(
      2,
      {{"x * u[0]", "east"}, {"V(1)", "west"}, {"V(1)"}, {"u[4] * y", "east"}, {root + " * " + root, "east"}, {root}},
      {"x"});
  std::vector<double> found = Elements(mesh, spec, 2).of_initial(0);
  EXPECT_TRUE(std::isnan(found.back()));
  found.pop_back();
  expect_close(found, {0.5 * (1 - 0.125) / 3, 0.25, 1, 0.5 * 0.125, 0.5 * 0.125});
}

TEST(FormulaIntegrals, AreTakenOverRegionsThatShareElements) {
  mesh::Mesh mesh = square_of_regions();
  mesh.shared_regions = {{0, 1}};
  for (int& region : mesh.blocks[0].region)
    if (region < 0) region = 2;  // the two rows: in both
  const dg::Spec spec = with_integrals(2, {{"V(1)", "west"}, {"V(1)", "east"}, {"V(1)"}}, {"x"});
  expect_close(Elements(mesh, spec, 2).of_initial(0), {0.75, 0.75, 1});
}

TEST(FormulaIntegrals, AreTakenAlongBoundaries) {
  std::vector<Wanted> integrals;
  const char* sides[] = {"left", "right", "bottom", "top"};
  for (const char* side : sides) integrals.push_back({"u[0] * u[1]", {}, side});
  for (const char* side : sides) integrals.push_back({"u[4] * u[12] + u[8] * u[13] + t - t", {}, side});
  integrals.push_back({"V(3) * x * x * u[13]", {}, "bottom"});
  const dg::Spec spec = with_integrals(2, integrals, {"pow(" + line + ", t)"});
  const auto expect_exact = [&](const mesh::Mesh& mesh, int degree, int n) {
    const auto left = [](int m) { return of_side(m, 0, 0, 0, 1); };
    const auto right = [](int m) { return of_side(m, 1, 0, 1, 1); };
    const auto bottom = [](int m) { return of_side(m, 0, 0, 1, 0); };
    const auto top = [](int m) { return of_side(m, 0, 1, 1, 1); };
    expect_close(Elements(mesh, spec, degree).of_initial(n),
                 {left(2 * n), right(2 * n), bottom(2 * n), top(2 * n), -n * b * left(n - 1), n * b * right(n - 1),
                  -n * c * bottom(n - 1), n * c * top(n - 1), -1});
  };
  for (int p = 0; p <= 6; ++p) {
    expect_exact(prepared(square(mesh::CellStyle::random_triangles)), p, p);
    expect_exact(prepared(square(mesh::CellStyle::quadrilaterals)), p, p);
  }
  expect_exact(mixed_square(1), 3, 3);
  expect_exact(mixed_square(3), 6, 2);
}

/// Gauss' theorem: ∮ n · (P^t, x P^t) ds = ∫ ∂P^t/∂x + x ∂P^t/∂y dx, on elements whose outer sides are curved.
TEST(FormulaIntegrals, AlongCurvedBoundariesAreThoseOfTheDivergenceInside) {
  const dg::Spec spec =
      with_integrals(2, {{"u[12] * u[0] + x * u[13] * u[1]", {}, ""}, {"u[4] + x * u[9]"}}, {"pow(" + line + ", t)"});
  for (int order : {2, 3, 4}) {
    const mesh::Mesh mesh = curved_mixture(4, order);
    const std::vector<double> found = Elements(mesh, spec, order).of_initial(1);
    EXPECT_NEAR(found[0], found[1], 1e-12);
    EXPECT_GT(std::abs(found[1]), 0.3);
  }
}

/// Faces of all shapes of the unit cube, and on curved elements the theorems of Gauss, for normals and the volume.
TEST(FormulaIntegrals, AreTakenOverFacesInSpace) {
  std::vector<Wanted> integrals;
  const char* faces[] = {"left", "right", "front", "back", "bottom", "top"};
  for (const char* face : faces) integrals.push_back({"u[0] * u[1]", {}, face});
  for (const char* face : faces) integrals.push_back({"x * u[20] + y * u[21] + V(2) * z * u[22]", {}, face});
  const dg::Spec spec = with_integrals(3, integrals, {"pow(V(1) + V(0.5) * x - V(0.25) * y, t)"});
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron, Shape::prism, Shape::pyramid})
    for (const int n : {0, 2}) {
      const double left = of_side(2 * n, 0, 0, 0, 1), right = of_side(2 * n, 1, 0, 1, 1),
                   front = of_side(2 * n, 0, 0, 1, 0), back = of_side(2 * n, 0, 1, 1, 1), bottom = of_square(2 * n);
      expect_close(Elements(cube_of(shape), spec, n).of_initial(n),
                   {left, right, front, back, bottom, bottom, 0, 1, 0, 1, 0, 2});
    }
}

TEST(FormulaIntegrals, OverCurvedFacesAreThoseOfTheDivergenceInside) {
  const dg::Spec spec = with_integrals(3,
                                       {{"u[20]", {}, ""},
                                        {"u[21]", {}, ""},
                                        {"u[22]", {}, ""},
                                        {"x * u[20]", {}, ""},
                                        {"z * u[22]", {}, ""},
                                        {"u[20] * u[0] + x * u[21] * u[1] + y * u[22] * u[2]", {}, ""},
                                        {"V(1)"},
                                        {"u[5] + x * u[11] + y * u[17]"}},
                                       {"pow(" + line_in_space + ", t)"});
  const auto expect_gauss = [&](const mesh::Mesh& mesh, int degree) {
    const std::vector<double> found = Elements(mesh, spec, degree).of_initial(1);
    const double volume = found[6];
    EXPECT_NEAR(volume, 1, 0.2);
    expect_close({found.begin(), found.begin() + 6}, {0, 0, 0, volume, volume, found[7]});
    EXPECT_GT(std::abs(found[7]), 0.3);
  };
  for (const int order : {1, 2, 3}) expect_gauss(curved_box_of_all_solids(2, order), order);
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron, Shape::prism, Shape::pyramid})
    for (const int order : {1, 2, 4}) {
      mesh::Mesh mesh = raise_solids(mesh::make_box({2, 2, 2}, {1, 1, 1}, 0.06, shape), order, wavy_in_space);
      mesh.boundaries.clear();  // all faces together
      expect_gauss(prepared(mesh), order);
    }
}

TEST(FormulaIntegrals, OfTheTaylorGreenVortexAreItsEnergyAndEnstrophy) {
  const double side = 2 * M_PI;
  const mesh::Mesh mesh = prepared(mesh::make_box({4, 4, 4}, {side, side, side}, 0, Shape::hexahedron));
  const auto slope = [](int direction, int component) {
    return "u[" + std::to_string(5 * (1 + direction) + 1 + component) + "]";
  };
  const auto square_of = [](const std::string& text) { return "(" + text + ") * (" + text + ")"; };
  const std::string enstrophy = "V(0.5) * (" + square_of(slope(1, 2) + " - " + slope(2, 1)) + " + " +
                                square_of(slope(2, 0) + " - " + slope(0, 2)) + " + " +
                                square_of(slope(0, 1) + " - " + slope(1, 0)) + ")";
  const dg::Spec spec = with_integrals(
      3, {{"V(0.5) * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3])"}, {enstrophy}, {slope(0, 0) + " + " + slope(1, 1)}},
      {"V(1)", "sin(x) * cos(y) * cos(z)", "-cos(x) * sin(y) * cos(z)", "V(0)", "V(1)"});
  const std::vector<double> found = Elements(mesh, spec, 6).of_initial(0);
  // The projection is a product along the axes: its enstrophy, put together from integrals of the projected sine and
  // cosine on a line and of their slopes, differs from the flow's by what the projection loses.
  expect_close(found, {31.0062766802887, 93.0190656232503, 0}, 1e-11);
  const double volume = M_PI * M_PI * M_PI;
  expect_close(found, {volume, 3 * volume, 0}, 1e-5);
}

const std::vector<Wanted> of_everything = {{"u[0] * u[1] + exp(x)"},
                                           {"u[4] * u[9]"},
                                           {"u[2]", "east"},
                                           {"u[0] + u[6] * y", {}, "left"},
                                           {"x * u[13]", {}, "top"}};

/// Integrals of the same coefficients, which are numbers of single precision.
std::vector<double> of_everything_on(std::unique_ptr<device::Device> device, Precision precision) {
  mesh::Mesh mesh = mixed_square(2);
  mesh.region_names = {"west", "east"};
  for (mesh::ElementBlock& block : mesh.blocks)
    for (std::size_t e = 0; e < block.region.size(); ++e) block.region[e] = e % 3 == 0;
  dg::Spec spec = with_integrals(2, of_everything, {"x"});
  spec.precision = precision;
  Elements elements(mesh, spec, 3, std::move(device));
  std::vector<double> coefficients(static_cast<std::size_t>(elements.states.degrees_of_freedom()));
  for (std::size_t k = 0; k < coefficients.size(); ++k)
    coefficients[k] = static_cast<float>(std::sin(static_cast<double>(k)) / static_cast<double>(1 + k % 7));
  elements.states.write(*elements.state, coefficients);
  return elements.integrals.values(*elements.state, 2);
}

TEST(FormulaIntegrals, OnGpusAndInSinglePrecisionAreTheSame) {
  const auto expected = of_everything_on(device::open_device("cpu"), Precision::double_precision);
  EXPECT_GT(largest(expected), 0.1);
  expect_close(of_everything_on(device::open_device("cpu"), Precision::single_precision), expected, 1e-13);
  expect_close(of_everything_on(std::make_unique<EmulatedGpu>(), Precision::double_precision), expected, 1e-13);
}

TEST(FormulaIntegrals, OverFacesOnGpusAreTheSame) {
  const mesh::Mesh mesh = curved_box_of_all_solids(2, 2);
  const dg::Spec spec = with_integrals(
      3, {{"u[0] * u[1] + exp(x)", {}, ""}, {"x * u[5] * u[20] + u[16] * z * u[22]", {}, ""}}, {line_in_space});
  const std::vector<double> expected = Elements(mesh, spec, 2).of_initial(1);
  EXPECT_GT(std::abs(expected[1]), 0.1);
  expect_close(Elements(mesh, spec, 2, std::make_unique<EmulatedGpu>()).of_initial(1), expected, 1e-13);
}

TEST(FormulaIntegrals, OfNoFormulasTakeNoMemory) {
  const mesh::Mesh mesh = mixed_square(1);
  const dg::Spec none = with_integrals(2, {}, {"x"});
  Elements elements(mesh, none, 1);
  const std::size_t used = elements.device->memory_used();
  const dg::FormulaIntegrals more(elements.launcher, mesh, none, elements.sets, elements.states);
  EXPECT_EQ(elements.device->memory_used(), used);
  EXPECT_TRUE(more.values(*elements.state, 0).empty());
}

/// Those of reports are taken part by part; an integrand is no number where the state is 0, as on padding.
TEST(FormulaIntegrals, OfReportsAreTheSameAndLeaveNothingOnTheDevice) {
  const std::vector<std::string> integrands = {"u[0]", "u[1] * u[2] / (u[0] * u[0]) + t * exp(x)"};
  const auto expect_same = [&](std::unique_ptr<device::Device> device, Precision precision, const mesh::Mesh& mesh) {
    dg::Spec spec = with_integrals(2, {{integrands[0]}, {integrands[1]}}, {"x + V(1)"});
    spec.precision = precision;
    for (const std::string& integrand : integrands) spec.report_integrands.push_back(of_solution(integrand));
    Elements elements(mesh, spec, 2, std::move(device));
    const std::vector<double> expected = elements.of_initial(2);
    const std::size_t used = elements.device->memory_used();
    const std::vector<double> found = elements.formulas.report_integrals(*elements.state, 2);
    EXPECT_EQ(elements.device->memory_used(), used);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_DOUBLE_EQ(found[i], expected[i]) << i;
    EXPECT_NEAR(found[1], 1 + 2 * (std::exp(1) - 1), 1e-6);
  };
  expect_same(device::open_device("cpu"), Precision::double_precision, mixed_square(2));
  expect_same(device::open_device("cpu"), Precision::single_precision, mixed_square(1));
  expect_same(std::make_unique<EmulatedGpu>(), Precision::double_precision, mixed_square(2));
}

TEST(FormulaIntegrals, OverNothingAreRefused) {
  const mesh::Mesh mesh = square_of_regions();
  const auto message = [&](const Wanted& wanted) -> std::string {
    try {
      Elements(mesh, with_integrals(2, {wanted}, {"x"}), 1);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({"x", "south"}).find("has no region \"south\"; its regions are west or east"), std::string::npos);
  EXPECT_NE(message({"x", {}, "lid"}).find("has no boundary \"lid\""), std::string::npos);
}

}  // namespace
}  // namespace galerna::tests
