/// \file
/// Flows with jumps and all boundary conditions, for the kernels and for viscous_reference.hpp.
#pragma once

#include <string>
#include <vector>

#include "dg/computation.hpp"
#include "dg/fixtures.hpp"
#include "dg/viscous_reference.hpp"

namespace galerna::tests {

/// A condition as the kernels and as the reference have it.
template <int d>
struct NamedCondition {
  const char* header;
  const char* type;
  std::vector<std::pair<std::string, dg::FunctionText>> values;
  Condition<d> reference;
};

template <int d>
std::vector<NamedCondition<d>> all_conditions() {
  using Kind = typename Condition<d>::Kind;
  using Vector = FlowVector<d>;
  const auto warmth = [](const Vector& x) { return 0.8 + 0.1 * x[1] - 0.05 * x[0]; };
  const auto sliding = [](const Vector& x) -> Vector {
    Vector v = Vector::Constant(0.1 - x[0]);
    v[0] = 0.3 + x[0], v[1] = 0.2 - x[1];
    return v;
  };
  const auto given = [](const Vector& x) {
    FlowState<d> u = FlowState<d>::Constant(0.1);
    u[0] = 1 + 0.1 * x[0], u[1] = 0.2, u[d + 1] = 2;
    return u;
  };
  const std::pair temperature{std::string("temperature"),
                              text("number<V>(0.8) + number<V>(0.1) * y - number<V>(0.05) * x")};
  std::vector<std::pair<std::string, dg::FunctionText>> along = {{"velocity_x", text("number<V>(0.3) + x")},
                                                                 {"velocity_y", text("number<V>(0.2) - y")}};
  if (d == 3) along.emplace_back("velocity_z", text("number<V>(0.1) - x"));
  auto along_and_warm = along;
  along_and_warm.push_back(temperature);
  return {
      {"no_slip_adiabatic", "NoSlipAdiabatic", {}, {Kind::adiabatic_wall, {}, {}, {}}},
      {"no_slip_isothermal", "NoSlipIsothermal", {temperature}, {Kind::isothermal_wall, {}, warmth, {}}},
      {"moving_wall_adiabatic", "MovingWallAdiabatic", along, {Kind::adiabatic_wall, sliding, {}, {}}},
      {"moving_wall_isothermal", "MovingWallIsothermal", along_and_warm, {Kind::isothermal_wall, sliding, warmth, {}}},
      {"symmetry", "Symmetry", {}, {Kind::symmetry, {}, {}, {}}},
      {"slip_wall", "SlipWall", {}, {Kind::symmetry, {}, {}, {}}},
      {"dirichlet", "Dirichlet", {}, {Kind::given_state, {}, {}, given}},
      {"supersonic_outflow", "SupersonicOutflow", {}, {Kind::outflow, {}, {}, {}}},
      {"subsonic_outflow",
       "SubsonicOutflow",
       {{"pressure", text("number<V>(0.9)")}},
       {Kind::pressure_outflow, {}, [](const Vector&) { return 0.9; }, {}}},
  };
}

template <int d>
dg::BoundaryCondition kernel_condition(const NamedCondition<d>& condition) {
  dg::BoundaryCondition result;
  result.kernel = {"kernels/boundary/" + std::string(condition.header) + ".hpp", condition.type};
  result.values = condition.values;
  if (condition.reference.state) {
    result.state = dg::StateFunctions{false, {text("V(1) + number<V>(0.1) * x"), text("number<V>(0.2)")}};
    for (int k = 1; k < d; ++k) result.state->functions.push_back(text("number<V>(0.1)"));
    result.state->functions.push_back(text("V(2)"));
  }
  result.takes_data = result.state || !result.values.empty();
  return result;
}

/// Divides the boundary of a prepared mesh among so many conditions.
inline void divide_boundary(mesh::Mesh& mesh, std::size_t count) {
  mesh.boundaries.assign(count, {});
  for (std::size_t b = 0; b < count; ++b) mesh.boundaries[b].name = "b" + std::to_string(b);
  const auto faces = static_cast<std::size_t>(mesh.boundary_faces);
  for (std::size_t f = 0; f < faces; ++f) {
    const std::size_t b = f * count / faces;
    mesh.faces[f].boundary = static_cast<int>(b);
    mesh.boundaries[b].sides.push_back(mesh.faces[f].left);
  }
}

/// A flow with jumps between all elements.
inline std::vector<double> random_flow(const mesh::Mesh& mesh, int degree) {
  Random random;
  std::vector<double> c;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e) {
    const Shape shape = mesh.shape(e);
    const int modes = basis::mode_count(shape, degree);
    const double one = std::sqrt(reference_measure(shape));  // the first mode of the constant 1
    std::vector<double> means = {1.0, 0.3, -0.4, 2.2};
    if (mesh.dimension == 3) means.insert(means.begin() + 3, 0.2);
    for (double mean : means)
      for (int j = 0; j < modes; ++j)
        c.push_back(one * (j == 0 ? mean + random.uniform(-0.1, 0.1) : random.uniform(-0.06, 0.06) / (j + 1)));
  }
  return c;
}

inline dg::Spec navier_stokes(int degree, double penalty, int dimension = 2) {
  dg::Spec spec = bare_euler(degree);
  if (dimension == 3) {
    spec.shape = Shape::tetrahedron;
    spec.variables = {"density", "momentum_x", "momentum_y", "momentum_z", "energy"};
  }
  spec.equations = {"kernels/physics/navier_stokes.hpp", "NavierStokes"};
  spec.parameters = {{"gamma", ReferenceGas::gamma},
                     {"prandtl", ReferenceGas::prandtl},
                     {"mu", ReferenceGas::mu},
                     {"sutherland", 1},
                     {"reference_temperature", ReferenceGas::reference_temperature},
                     {"sutherland_temperature", ReferenceGas::sutherland_temperature}};
  spec.viscous = true;
  if (penalty > 0) spec.penalty = penalty;
  return spec;
}

/// A mesh, a flow on it with jumps, and its right-hand side by plain loops. \param penalty η; 0: by default
template <int d>
struct ViscousProblem {
  mesh::Mesh mesh;
  dg::Spec spec;
  std::vector<double> c, expected;

  ViscousProblem(mesh::Mesh on, int degree, double penalty)
      : mesh(std::move(on)), spec(navier_stokes(degree, penalty, d)) {
    const auto conditions = all_conditions<d>();
    divide_boundary(mesh, conditions.size());
    std::vector<Condition<d>> references;
    for (const NamedCondition<d>& condition : conditions) {
      spec.boundaries.push_back(kernel_condition(condition));
      references.push_back(condition.reference);
    }
    c = random_flow(mesh, degree);
    expected = ViscousReference<d>(mesh, degree, references, penalty)(c);
  }
};

}  // namespace galerna::tests
