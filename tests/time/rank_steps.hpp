/// \file
/// Steps on a mesh, or on a rank's part of it, for tests that compare what they leave.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dg/discretization.hpp"
#include "dg/fixtures.hpp"
#include "dg/run/ranks.hpp"
#include "time/stepper.hpp"

namespace galerna::tests {

struct Way {
  std::string scheme = "ssprk33";
  time::StepSettings settings = {.cfl = 0.3};
  long steps = 16;
};

/// What a run leaves, in the order of the whole mesh: [element] its coefficients.
struct Outcome {
  std::vector<std::vector<double>> coefficients;
  std::vector<double> integrals;
  kernels::Control control{};
};

/// Coefficients of the elements of a mesh, one element behind the other.
inline std::vector<std::vector<double>> by_element(const std::vector<double>& all, const dg::Discretization& of) {
  std::vector<std::vector<double>> result;
  const double* from = all.data();
  for (const dg::ElementSet& set : of.sets())
    for (std::int64_t e = 0; e < set.blocks.items; ++e) {
      const auto count = set.operators.modes * of.spec().variable_count();
      result.emplace_back(from, from + count);
      from += count;
    }
  return result;
}

/// A smooth flow plus what differs in each element of the whole mesh.
inline std::vector<double> initial_state(const dg::Discretization& of, const std::vector<mesh::Index>* whole) {
  const int variables = of.spec().variable_count();
  std::vector<double> mean = {1, 0.3, -0.4, 2.2};
  if (variables == 5) mean.insert(mean.begin() + 3, 0.2);
  std::vector<double> state;
  std::size_t element = 0;
  for (const dg::ElementSet& set : of.sets()) {
    const double constant = set.operators.volume_basis(0, 0);
    for (std::int64_t e = 0; e < set.blocks.items; ++e, ++element) {
      const auto number = static_cast<double>(whole ? (*whole)[element] : static_cast<mesh::Index>(element));
      for (int v = 0; v < variables; ++v)
        for (int j = 0; j < set.operators.modes; ++j) {
          const double varies = std::sin(1.3 * number + 2.1 * v + 0.7 * j) / constant;
          state.push_back(j == 0 ? mean[static_cast<std::size_t>(v)] / constant + 0.05 * varies
                                 : 0.02 * varies / (j + 1));
        }
    }
  }
  return state;
}

/// \param ranks null for one rank that has all
inline Outcome advance(device::Device& device, const mesh::Mesh& mesh, const dg::Spec& spec, const Way& way,
                       const dg::Ranks* ranks) {
  const time::Scheme& scheme = time::find_scheme(way.scheme);
  dg::Discretization space(device, mesh, spec, std::vector<std::optional<dg::WallShape>>(mesh.boundaries.size()),
                           time::stage_shapes(scheme), ranks);
  time::Stepper stepper(space, scheme, way.settings);
  space.write_state(stepper.state(), initial_state(space, ranks ? &ranks->part.whole : nullptr));
  stepper.limit_initial();
  stepper.start(0, 0);
  stepper.set_stop(1e9, way.steps);
  stepper.keep();
  Outcome outcome;
  outcome.control = stepper.advance(way.steps);
  outcome.integrals = space.integrals(stepper.state());
  outcome.coefficients = by_element(space.read_state(stepper.state()), space);
  return outcome;
}

inline void expect_the_same(const Outcome& one, const Outcome& cut, const std::vector<mesh::Index>& whole) {
  EXPECT_EQ(cut.control.time, one.control.time);
  EXPECT_EQ(cut.control.dt, one.control.dt);
  EXPECT_EQ(cut.control.steps, one.control.steps);
  EXPECT_EQ(cut.control.change, one.control.change);
  EXPECT_EQ(cut.control.error, one.control.error);
  EXPECT_EQ(cut.control.bad_element, one.control.bad_element);
  EXPECT_EQ(cut.integrals, one.integrals);
  ASSERT_EQ(cut.coefficients.size(), whole.size());
  for (std::size_t e = 0; e < whole.size(); ++e)
    ASSERT_EQ(cut.coefficients[e], one.coefficients[static_cast<std::size_t>(whole[e])]) << "element " << whole[e];
}

inline dg::Spec with_walls(dg::Spec spec, const mesh::Mesh& mesh) {
  dg::BoundaryCondition wall;
  wall.kernel = {"kernels/boundary/slip_wall.hpp", "SlipWall"};
  spec.boundaries.assign(mesh.boundaries.size(), wall);
  return spec;
}

inline dg::Spec viscous(int degree) {
  dg::Spec spec = bare_euler(degree);
  spec.equations = {"kernels/physics/navier_stokes.hpp", "NavierStokes"};
  spec.parameters = {{"gamma", 1.4},
                     {"prandtl", 0.72},
                     {"mu", 0.01},
                     {"sutherland", 0},
                     {"reference_temperature", 1},
                     {"sutherland_temperature", 0.4}};
  spec.viscous = true;
  return spec;
}

/// Box of one shape, straight or curved.
inline dg::Spec in_space(dg::Spec spec) {
  spec.shape = Shape::tetrahedron;
  spec.variables = {"density", "momentum_x", "momentum_y", "momentum_z", "energy"};
  return spec;
}

}  // namespace galerna::tests
