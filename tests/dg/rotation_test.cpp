// A flow between slip walls, and the same flow on the rotated mesh: all shapes, straight and curved, viscous or not.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/curved_solids.hpp"
#include "dg/viscous_problem.hpp"

namespace galerna::tests {
namespace {

/// By 37°, in 3D about (1, 2, 2)/3.
Eigen::Matrix3d rotation(int dimension) {
  Eigen::Vector3d axis(0, 0, 1);
  if (dimension == 3) axis = Eigen::Vector3d(1, 2, 2) / 3;
  return Eigen::AngleAxisd(37 * M_PI / 180, axis).toRotationMatrix();
}

mesh::Mesh rotated(mesh::Mesh mesh) {
  const Eigen::Matrix3d q = rotation(mesh.dimension);
  for (mesh::Point& x : mesh.nodes) Eigen::Map<Eigen::Vector3d>(x.data()) = q * Eigen::Map<Eigen::Vector3d>(x.data());
  return mesh;
}

/// Coefficients [element][variable][mode] of the flow with rotated momentum.
std::vector<double> rotated(const mesh::Mesh& mesh, int degree, std::vector<double> c) {
  const int d = mesh.dimension;
  const Eigen::MatrixXd q = rotation(d).topLeftCorner(d, d);
  double* momentum = c.data();
  for (mesh::Index e = 0; e < mesh.element_count(); ++e) {
    const int modes = basis::mode_count(mesh.shape(e), degree);
    Eigen::Map<basis::Matrix> own(momentum + modes, d, modes);
    own = (q * own).eval();
    momentum += (d + 2) * modes;
  }
  return c;
}

/// What twenty short steps of Euler's method make of a flow with jumps.
std::vector<double> advanced(const mesh::Mesh& mesh, const dg::Spec& spec, std::vector<double> c) {
  Computation computation(mesh, spec);
  const double dt = 0.1 * computation.stable_step(c);
  for (int step = 0; step < 20; ++step) {
    const std::vector<double> change = computation.residual(c);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] += dt * change[i];
  }
  return c;
}

struct RotatedCase {
  std::string name;
  std::function<mesh::Mesh()> mesh;
  int degree;
  bool viscous;
};

std::ostream& operator<<(std::ostream& stream, const RotatedCase& c) {
  return stream << c.name;
}

class Rotation : public testing::TestWithParam<RotatedCase> {};

TEST_P(Rotation, OfMeshAndFlowRotatesTheResult) {
  const auto& [name, make, degree, viscous] = GetParam();
  const mesh::Mesh mesh = make();
  dg::Spec spec = viscous               ? navier_stokes(degree, 0, mesh.dimension)
                  : mesh.dimension == 3 ? bare_euler_in_space(degree)
                                        : bare_euler(degree);
  dg::BoundaryCondition wall;
  wall.kernel = {"kernels/boundary/slip_wall.hpp", "SlipWall"};
  spec.boundaries.assign(mesh.boundaries.size(), wall);
  const std::vector<double> start = random_flow(mesh, degree), end = advanced(mesh, spec, start);
  EXPECT_GT(relative_difference(start, end), 1e-3);
  EXPECT_LT(
      relative_difference(rotated(mesh, degree, end), advanced(rotated(mesh), spec, rotated(mesh, degree, start))),
      1e-12);
}

std::function<mesh::Mesh()> solids(int order) {
  return [order] { return curved_box_of_all_solids(2, order); };
}
std::function<mesh::Mesh()> mixture(int order) {
  return [order] { return curved_mixture(4, order); };
}
std::function<mesh::Mesh()> hexahedra(int order) {
  return [order] { return curved_box(2, order, false, 0.06, Shape::hexahedron); };
}

INSTANTIATE_TEST_SUITE_P(QuickMeshes, Rotation,
                         testing::Values(RotatedCase{"Triangles", [] { return irregular_square(); }, 2, false},
                                         RotatedCase{"CurvedMixture", mixture(2), 1, false},
                                         RotatedCase{"CurvedSolids", solids(2), 1, false},
                                         RotatedCase{"CurvedHexahedra", hexahedra(2), 1, false}),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(HigherDegrees, Rotation,
                         testing::Values(RotatedCase{"CurvedMixture", mixture(3), 2, false},
                                         RotatedCase{"ViscousMixture", mixture(2), 2, true},
                                         RotatedCase{"CurvedSolids", solids(3), 2, false},
                                         RotatedCase{"CurvedHexahedra", hexahedra(4), 3, false}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace galerna::tests
