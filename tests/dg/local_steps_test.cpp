// Local time steps: every element advances by cfl times the stable step of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compiles.hpp"
#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/mesh_programs.hpp"

namespace galerna::tests {
namespace {

const State2 beyond = {{1, 0.5, -0.25, 2}};

dg::Spec euler(const mesh::Mesh& mesh, int degree, bool local) {
  dg::Spec spec = bare_euler(degree);
  spec.local_steps = local;
  surround(spec, mesh, beyond);
  return spec;
}

/// A stage u_1 = dt R(u_0), dt = cfl times the limits of u_0; \return u_1, and the smallest limit.
std::pair<std::vector<double>, double> local_stage(const mesh::Mesh& mesh, const dg::Spec& spec,
                                                   const std::string& device, const std::vector<double>& c,
                                                   double cfl) {
  Computation computation(mesh, spec, device);
  const double smallest = computation.stable_step(c);
  kernels::Control control{};
  control.active = 1;
  control.cfl = cfl;
  control.dt = cfl * smallest;
  computation->write_control(control);
  return {computation.residual(c), smallest};
}

/// Numbers of the mesh's elements, one behind the other.
std::vector<std::size_t> numbers(const mesh::Mesh& mesh, int degree) {
  std::vector<std::size_t> result;
  for (const mesh::ElementBlock& block : mesh.blocks)
    result.insert(result.end(), static_cast<std::size_t>(block.size()),
                  4 * static_cast<std::size_t>(basis::mode_count(block.shape, degree)));
  return result;
}

/// The step of each element: the factor between its part of `stage` and of `residual`, which are otherwise alike.
std::vector<double> steps(const std::vector<std::size_t>& numbers, const std::vector<double>& stage,
                          const std::vector<double>& residual) {
  std::vector<double> result;
  std::size_t at = 0;
  for (std::size_t count : numbers) {
    double product = 0, square = 0, rest = 0;
    for (std::size_t i = at; i < at + count; ++i)
      product += stage[i] * residual[i], square += residual[i] * residual[i];
    const double step = product / square;
    for (std::size_t i = at; i < at + count; ++i) rest = std::max(rest, std::abs(stage[i] - step * residual[i]));
    EXPECT_LT(rest, 1e-12 * step * std::sqrt(square));
    result.push_back(step);
    at += count;
  }
  return result;
}

void expect_own_steps(const std::string& device) {
  for (const bool mixed : {false, true})
    for (int degree = 0; degree <= 3; ++degree) {
      const mesh::Mesh mesh = mixed ? curved_mixture(5, 2, 0.15) : irregular_square();
      std::vector<double> c;
      for (const mesh::ElementBlock& block : mesh.blocks) {
        const int modes = basis::mode_count(block.shape, degree);
        for (mesh::Index e = 0; e < block.size(); ++e)
          for (int v = 0; v < 4; ++v)
            for (int j = 0; j < modes; ++j)
              c.push_back((v == 0 || v == 3 ? (v + 2) * (j == 0) : 0) + 0.02 * std::sin(static_cast<double>(c.size())));
      }
      const double cfl = 0.25;
      const auto residual = Computation(mesh, euler(mesh, degree, false), device).residual(c);
      const auto [stage, smallest] = local_stage(mesh, euler(mesh, degree, true), device, c, cfl);
      const std::vector<double> own = steps(numbers(mesh, degree), stage, residual);
      EXPECT_NEAR(*std::min_element(own.begin(), own.end()), cfl * smallest, 1e-12 * smallest);
      EXPECT_GT(*std::max_element(own.begin(), own.end()), 1.5 * cfl * smallest);
    }
}

TEST(LocalSteps, AreThoseOfTheElements) {
  expect_own_steps("cpu");
}

TEST(LocalSteps, OnTheGpuAreThoseOfTheElements) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  expect_own_steps("cuda");
}

/// At degree 0, where one point tells everything: cfl · h/λ, h the diameter of the inscribed circle, λ = |v| + c.
TEST(LocalSteps, FollowTheFormula) {
  const mesh::Mesh mesh = irregular_square();
  const auto c = filled_modes(mesh, 1);
  const auto residual = Computation(mesh, euler(mesh, 0, false)).residual(c);
  const auto [stage, smallest] = local_stage(mesh, euler(mesh, 0, true), "cpu", c, 0.5);
  const std::vector<double> own = steps(numbers(mesh, 0), stage, residual);
  for (mesh::Index e = 0; e < mesh.element_count(); ++e) {
    const double* mean = c.data() + 4 * e;  // times √2, the constant mode being √2
    const double density = mean[0], square = (mean[1] * mean[1] + mean[2] * mean[2]) / (density * density);
    const double pressure = 0.4 * (mean[3] - 0.5 * density * square);
    const auto corners = mesh.corners(e);
    double perimeter = 0, area = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto &a = mesh.nodes[static_cast<std::size_t>(corners[i])],
                 &b = mesh.nodes[static_cast<std::size_t>(corners[(i + 1) % 3])];
      perimeter += std::hypot(b[0] - a[0], b[1] - a[1]);
      area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    const double limit = 4 * std::abs(area) / perimeter / (std::sqrt(square) + std::sqrt(1.4 * pressure / density));
    EXPECT_NEAR(own[static_cast<std::size_t>(e)], 0.5 * limit, 1e-12);
  }
}

TEST(LocalSteps, CompileForGpus) {
  if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  const mesh::Mesh triangles = irregular_square(), mixture = curved_mixture(3, 2);
  for (const mesh::Mesh* mesh : {&triangles, &mixture})
    for (const int degree : {1, 3}) {
      // Matrix units are there, but local steps leave them alone.
      const device::Target target{device::Kind::cuda, 32, true};
      for (const auto& program : dg::make_programs(*mesh, euler(*mesh, degree, true), target, {{1, 1}, {3, 2}}))
        tests::expect_compiles(program, "sm_90");
    }
}

}  // namespace
}  // namespace galerna::tests
