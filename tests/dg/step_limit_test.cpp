// The step limits of viscous terms and of waves in space: their largest eigenvalues, by power iteration on the plain
// loops, against the factors D and W that the monitor takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "case_names.hpp"
#include "dg/fixtures.hpp"
#include "dg/geometry/metric.hpp"
#include "dg/geometry/step_limit.hpp"
#include "dg/solids.hpp"
#include "dg/viscous_reference.hpp"
#include "mesh/box.hpp"
#include "numbers.hpp"

namespace galerna::tests {
namespace {

/// A periodic box of nearly 27 cubes cut into elements of the shape, pressed together along z.
mesh::Mesh box_of_size(double size, Shape shape, double jitter, double stretching) {
  mesh::Mesh mesh = mesh::make_box({3, 3, 3}, {1, 1, 1}, jitter, shape);
  mesh::transform(mesh, [&](const mesh::Point& x) {
    return mesh::Point{size * x[0], size * x[1], size * x[2] / stretching};
  });
  mesh::PrepareOptions options;
  options.periodic = {{"left", "right", {size, 0, 0}, {}},
                      {"front", "back", {0, size, 0}, {}},
                      {"bottom", "top", {0, 0, size / stretching}, {}}};
  mesh::prepare(mesh, options);
  return mesh;
}

double smallest_diameter(const mesh::Mesh& mesh) {
  const auto metric = dg::make_metric(mesh, 0, dg::make_operators(mesh.blocks[0].shape, 0));
  return *std::min_element(metric.diameters.begin(), metric.diameters.end());
}

/// Of a unit of volume, at density and temperature 1.
constexpr double rest_energy = 1 / (ReferenceGas::gamma - 1);

/// The largest eigenvalue of the right-hand side at a gas at rest, density and temperature 1.
double largest_eigenvalue(const mesh::Mesh& mesh, int degree) {
  const Shape shape = mesh.blocks[0].shape;
  const ViscousReference<3> reference(mesh, degree, {});
  const int modes = basis::mode_count(shape, degree);
  const double one = std::sqrt(reference_measure(shape));
  std::vector<double> rest;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e)
    for (double value : {1.0, 0.0, 0.0, 0.0, rest_energy})
      for (int j = 0; j < modes; ++j) rest.push_back(j == 0 ? one * value : 0);
  Random random;
  std::vector<double> v;
  for (std::size_t i = 0; i < rest.size(); ++i) v.push_back(random.uniform(-1, 1));
  double eigenvalue = 0;
  for (int iteration = 0; iteration < 40; ++iteration) {
    const double scale = 1e-6 / Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size())).norm();
    std::vector<double> at = rest;
    for (std::size_t i = 0; i < v.size(); ++i) at[i] += scale * v[i];
    v = reference(at);
    eigenvalue = Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size())).norm() / 1e-6;
  }
  return eigenvalue;
}

constexpr Shape tetrahedron = Shape::tetrahedron, hexahedron = Shape::hexahedron, prism = Shape::prism,
                pyramid = Shape::pyramid;
using DiffusionCase = std::tuple<Shape, int, double>;  ///< shape, degree, stretching

class DiffusionLimit : public ::testing::TestWithParam<DiffusionCase> {};

/// λ h²/ν is at most the number that docs/theory.md gives, and D that over 2.5, the real stability interval of ssprk33.
/// Elements that are pressed together reach that number; the penalty of others, and with it λ, is smaller.
TEST_P(DiffusionLimit, IsThatOfTheLargestEigenvalue) {
  const auto [shape, degree, stretching] = GetParam();
  const mesh::Mesh mesh = box_of_size(1e-3, shape, 0.1, stretching);  // so small that diffusion prevails
  const double diffusivity = ReferenceGas::gamma / ReferenceGas::prandtl * ReferenceGas::mu,
               h = smallest_diameter(mesh);
  const double number = largest_eigenvalue(mesh, degree) * h * h / diffusivity;
  RecordProperty("number", std::to_string(number));
  const double allowed = 2.5 * dg::diffusion_factor(shape, degree);
  EXPECT_LE(number, allowed);
  EXPECT_GE(number, (stretching > 1 ? 0.4 : 0.28) * allowed);
}

INSTANTIATE_TEST_SUITE_P(QuickShapes, DiffusionLimit,
                         ::testing::Values(DiffusionCase{tetrahedron, 0, 1}, DiffusionCase{tetrahedron, 1, 30},
                                           DiffusionCase{hexahedron, 1, 30}, DiffusionCase{prism, 1, 30},
                                           DiffusionCase{pyramid, 0, 30}),
                         CaseName{});

/// All numbers of docs/theory.md, a minute: make validation, not ctest, runs them; --gtest_output=xml has the numbers.
std::vector<DiffusionCase> all_cases() {
  std::vector<DiffusionCase> all;
  for (Shape shape : {tetrahedron, hexahedron, prism, pyramid})
    for (double stretching : {1.0, 30.0})
      for (int degree = 0; degree < (shape == tetrahedron ? 5 : 4); ++degree)
        all.emplace_back(shape, degree, stretching);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Validation, DiffusionLimit, ::testing::ValuesIn(all_cases()), CaseName{});

using WaveCase = std::tuple<Shape, int, double>;  ///< as DiffusionCase

class WaveLimit : public ::testing::TestWithParam<WaveCase> {};

/// Of sound in a gas at rest, by the local Lax–Friedrichs flux: what the user guide says of rk4, 0.9 on tetrahedra and
/// 0.45 on other elements up to degree 3, half of that where they are pressed together.
TEST_P(WaveLimit, KeepsTheCflOfThePlane) {
  const auto [shape, degree, stretching] = GetParam();
  const mesh::Mesh mesh = box_of_size(1e3, shape, 0.1, stretching);  // so large that there is no viscosity
  const double sound = std::sqrt(ReferenceGas::gamma * (ReferenceGas::gamma - 1) * rest_energy);
  const double step = smallest_diameter(mesh) / ((2 * degree + 1) * dg::wave_factor(shape) * sound);
  const double number = largest_eigenvalue(mesh, degree) * step;
  RecordProperty("number", std::to_string(number));
  constexpr double real_interval = 2.785;  // of rk4
  EXPECT_LE(number, real_interval / (shape == tetrahedron ? 0.9 : 0.45) * (stretching > 1 ? 2 : 1));
  EXPECT_GE(number, real_interval / 1.6);
}

INSTANTIATE_TEST_SUITE_P(QuickShapes, WaveLimit,
                         ::testing::Values(WaveCase{tetrahedron, 1, 1}, WaveCase{hexahedron, 1, 1},
                                           WaveCase{prism, 1, 30}, WaveCase{pyramid, 1, 1}),
                         CaseName{});
INSTANTIATE_TEST_SUITE_P(Degree3, WaveLimit,
                         ::testing::Values(WaveCase{tetrahedron, 3, 1}, WaveCase{hexahedron, 3, 1},
                                           WaveCase{prism, 3, 1}, WaveCase{pyramid, 3, 1}),
                         CaseName{});

}  // namespace
}  // namespace galerna::tests
