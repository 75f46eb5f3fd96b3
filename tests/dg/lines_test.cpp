// Hexahedra line by line (kernels/line); solids_test.cpp holds them against plain loops.
#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "basis/turned_points.hpp"
#include "dg/computation.hpp"
#include "dg/curved_solids.hpp"
#include "dg/element_reference.hpp"
#include "dg/geometry/step_limit.hpp"
#include "dg/solids.hpp"
#include "kernels/line/faces.hpp"
#include "kernels/line/sizes.hpp"

namespace galerna::tests {
namespace {

constexpr kernels::Array<double, 5> stream = {{1.1, 0.5, -0.3, 0.2, 2.4}};

/// Point number `at` of n³ Gauss points.
basis::Point gauss_point(const basis::Quadrature& line, int at, int n) {
  const auto place = [&](int i) { return line.points[static_cast<std::size_t>(i)][0]; };
  return {place(at / (n * n)), place(at / n % n), place(at % n)};
}

TEST(QuickLines, EndAtThePointsOfSides) {
  for (int n : {1, 2, 3, 4}) {
    const basis::Quadrature line = basis::gauss_legendre(n), rule = basis::quadrature(Shape::quadrilateral, 2 * n - 1);
    for (int direction = 0; direction < 3; ++direction)
      for (int end = 0; end < 2; ++end) {
        const int side = kernels::side_of_end(direction, end);
        const auto points = basis::side_points(Shape::hexahedron, side, rule.points);
        for (int orientation = 0; orientation < 8; ++orientation) {
          const std::vector<int> turned = basis::turned_points(rule, orientation);
          for (int number = 0; number < n * n; ++number) {
            basis::Point place = gauss_point(line, kernels::Line(direction, number, n, n).first, n);
            place[static_cast<std::size_t>(direction)] = 2 * end - 1;
            std::size_t q = 0;
            while (std::hypot(points[q][0] - place[0], points[q][1] - place[1], points[q][2] - place[2]) > 1e-12)
              ASSERT_LT(++q, points.size());
            EXPECT_EQ(kernels::trace_point(side, orientation, number, n), turned[q])
                << n << ": side " << side << ", orientation " << orientation << ", line " << number;
          }
        }
      }
  }
}

TEST(QuickLines, GoThroughAllPointsInEachDirection) {
  constexpr int n = 3, row = 5;
  for (int direction = 0; direction < 3; ++direction) {
    std::vector<int> seen;
    for (int number = 0; number < n * n; ++number)
      for (int i = 0; i < n; ++i) seen.push_back(kernels::Line(direction, number, n, row).at(i));
    std::sort(seen.begin(), seen.end());
    for (int point = 0; point < n * n * n; ++point)
      EXPECT_EQ(seen[static_cast<std::size_t>(point)], point / n * row + point % n);
  }
}

/// What a thread block needs is there on every GPU that Galerna knows, and traces on their way fit in.
TEST(QuickLines, FitIntoSharedMemory) {
  for (int n = 2; n <= 8; ++n) {
    const kernels::LineSizes sizes = {n, 5};
    EXPECT_LE(sizes.numbers(sizes.fields()) * 8, 99 * 1024) << n;
    EXPECT_LE(sizes.threads(), 160) << n;
    EXPECT_LE(2 * sizes.elements() * sizes.trace_row(), sizes.field_numbers()) << n;
  }
}

dg::FunctionText source(const std::string& expression) {
  return [expression](const std::string& name) {
    return "template <class V, class U> V " + name + "(const V& x, const V&, const V&, const V&, const U&) { return " +
           expression + "; }\n";
  };
}

/// A uniform flow changes by its source alone, which is a combination of the modes, and each element by steps of its
/// own.
TEST(Lines, TakeSourcesAndLocalSteps) {
  const mesh::Mesh mesh = box_of(Shape::hexahedron, 2, 0.1, false);
  dg::Spec spec = bare_euler_in_space(1);
  surround(spec, mesh, stream);
  spec.local_steps = true;
  spec.source = {source("x"), source("V(0)"), source("V(0)"), source("V(0)"), source("V(1)")};
  Computation computation(mesh, spec);
  ASSERT_STREQ(computation->sets().front().structure->name, "lines");
  std::vector<double> c;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e)
    for (int v = 0; v < 5; ++v)
      for (int j = 0; j < 8; ++j) c.push_back(j == 0 ? stream[v] * std::sqrt(8.0) : 0);
  const double smallest = computation.stable_step(c);
  kernels::Control control{};
  control.active = 1;
  control.cfl = 0.5;
  computation->write_control(control);
  const std::vector<double> change = computation.residual(c);
  double least = 1;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e) {
    const auto first = static_cast<std::size_t>(e * 40);
    const double step = change[first + 32] / std::sqrt(8.0);
    double mean = 0;
    for (mesh::Index node : mesh.element_nodes(e)) mean += mesh.nodes[static_cast<std::size_t>(node)][0] / 8;
    EXPECT_NEAR(change[first], step * mean * std::sqrt(8.0), 1e-14);
    EXPECT_NEAR(change[first + 8], 0, 1e-14);
    least = std::min(least, step);
  }
  EXPECT_NEAR(least, 0.5 * smallest, 1e-14);
}

/// Threads of a thread block share the lines of 16 elements; their steps are watched by others.
void expect_plain_loops_on_an_emulated_gpu(const mesh::Mesh& mesh) {
  dg::Spec spec = bare_euler_in_space(2);
  surround(spec, mesh, stream);
  Computation gpu(mesh, spec, std::make_unique<EmulatedGpu>());
  ASSERT_STREQ(gpu->sets().front().structure->name, "lines");
  using Reference = MetricReference<3>;
  const Reference reference(mesh, 2, [](int, const auto&, const auto&, const auto&) { return stream; });
  const auto waves = reference.project([](const mesh::Point& x) {
    Reference::State u = stream;
    for (int v = 0; v < 5; ++v) u[v] += 0.05 * std::sin(3 * x[0] + v) * std::cos(2 * x[1] - x[2] + v);
    return u;
  });
  const std::vector<double> expected = reference(waves);
  EXPECT_GT(largest(expected), 0.1);
  EXPECT_LT(relative_difference(expected, gpu.residual(waves)), 1e-12);

  const auto& heights = gpu->sets().front().diameters;
  const double kinetic = 0.5 * (0.5 * 0.5 + 0.3 * 0.3 + 0.2 * 0.2) / 1.1, pressure = 0.4 * (2.4 - kinetic);
  const double fastest = std::sqrt(2 * kinetic / 1.1) + std::sqrt(1.4 * pressure / 1.1);
  const auto uniform = reference.project([](const mesh::Point&) { return stream; });
  const double factor = 5 * dg::wave_factor(Shape::hexahedron);
  EXPECT_NEAR(gpu.stable_step(uniform), *std::min_element(heights.begin(), heights.end()) / (factor * fastest), 1e-13);
}

TEST(Lines, OnAnEmulatedGpu) {
  expect_plain_loops_on_an_emulated_gpu(box_of(Shape::hexahedron, 2, 0.1, false));
}

TEST(Lines, OfCurvedElementsOnAnEmulatedGpu) {
  expect_plain_loops_on_an_emulated_gpu(curved_box(2, 3, false, 0.06, Shape::hexahedron));
}

}  // namespace
}  // namespace galerna::tests
