// The step limit of viscous terms in space: their largest eigenvalue, by power iteration on the plain loops, against
// the factor D that the monitor takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "dg/fixtures.hpp"
#include "dg/metric.hpp"
#include "dg/solids.hpp"
#include "dg/step_limit.hpp"
#include "dg/viscous_reference.hpp"
#include "numbers.hpp"

namespace galerna::tests {
namespace {

/// A periodic box of nearly 27 cubes cut into elements of the shape, so small that diffusion prevails, and pressed
/// together along z.
mesh::Mesh small_box(Shape shape, double jitter, double stretching) {
  constexpr double size = 1e-3;
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

/// The largest eigenvalue of the right-hand side at a gas at rest, density and temperature 1.
double largest_eigenvalue(const mesh::Mesh& mesh, int degree) {
  const Shape shape = mesh.blocks[0].shape;
  const ViscousReference<3> reference(mesh, degree, {});
  const int modes = basis::mode_count(shape, degree);
  const double one = std::sqrt(reference_measure(shape)), energy = 1 / (ReferenceGas::gamma - 1);
  std::vector<double> rest;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e)
    for (double value : {1.0, 0.0, 0.0, 0.0, energy})
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

struct DiffusionCase {
  Shape shape;
  int degree;
  double stretching;
};

class DiffusionLimit : public ::testing::TestWithParam<DiffusionCase> {};

/// λ h²/ν is the number that docs/theory.md gives, and D that over 2.5, the real stability interval of ssprk33.
TEST_P(DiffusionLimit, IsThatOfTheLargestEigenvalue) {
  const auto [shape, degree, stretching] = GetParam();
  const mesh::Mesh mesh = small_box(shape, 0.1, stretching);
  const double diffusivity = ReferenceGas::gamma / ReferenceGas::prandtl * ReferenceGas::mu,
               h = smallest_diameter(mesh);
  const double number = largest_eigenvalue(mesh, degree) * h * h / diffusivity;
  RecordProperty("number", std::to_string(number));
  const double allowed = 2.5 * dg::diffusion_factor(shape, degree);
  EXPECT_LE(number, allowed);
  EXPECT_GE(number, 0.4 * allowed);
}

constexpr Shape tetrahedron = Shape::tetrahedron, hexahedron = Shape::hexahedron, prism = Shape::prism,
                pyramid = Shape::pyramid;
INSTANTIATE_TEST_SUITE_P(QuickShapes, DiffusionLimit,
                         ::testing::Values(DiffusionCase{tetrahedron, 0, 1}, DiffusionCase{tetrahedron, 1, 30},
                                           DiffusionCase{hexahedron, 1, 30}, DiffusionCase{prism, 1, 30},
                                           DiffusionCase{pyramid, 0, 30}));

/// All numbers of docs/theory.md, with --gtest_also_run_disabled_tests --gtest_output=xml: a minute.
std::vector<DiffusionCase> all_cases() {
  std::vector<DiffusionCase> all;
  for (Shape shape : {tetrahedron, hexahedron, prism, pyramid})
    for (double stretching : {1.0, 30.0})
      for (int degree = 0; degree < (shape == tetrahedron ? 5 : 4); ++degree)
        all.push_back({shape, degree, stretching});
  return all;
}
INSTANTIATE_TEST_SUITE_P(DISABLED_All, DiffusionLimit, ::testing::ValuesIn(all_cases()));

}  // namespace
}  // namespace galerna::tests
