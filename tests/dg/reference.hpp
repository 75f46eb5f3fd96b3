/// \file
/// A plain right-hand side to hold the kernels against: one loop over elements and one over faces, everything evaluated
/// afresh from the mesh and the basis, written to be read and not to be fast.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <vector>

#include "basis/basis.hpp"
#include "kernels/riemann/llf.hpp"
#include "kernels/states.hpp"
#include "mesh/mesh.hpp"

namespace galerna::tests {

using State2 = kernels::Array<double, 4>;

/// Ghost state for (boundary, state inside, position, outward normal).
using Ghost = std::function<State2(int, const State2&, const mesh::Point&, const Normal<2>&)>;

/// dc/dt of the weak form on straight triangles with the local Lax–Friedrichs flux; coefficients
/// [element][variable][mode].
class ReferenceResidual {
 public:
  ReferenceResidual(const mesh::Mesh& mesh, int degree, Ghost ghost)
      : mesh_(mesh), degree_(degree), modes_(basis::mode_count(Shape::triangle, degree)), ghost_(std::move(ghost)) {}

  std::vector<double> operator()(const std::vector<double>& c) const {
    std::vector<double> rhs(c.size(), 0.0);
    for (mesh::Index e = 0; e < mesh_.element_count(); ++e) add_volume(e, c, rhs);
    for (const mesh::Face& face : mesh_.faces) add_face(face, c, rhs);
    return rhs;
  }

 private:
  Eigen::Vector2d corner(mesh::Index element, int i) const {
    const mesh::Point& p = mesh_.nodes[static_cast<std::size_t>(mesh_.corners(element)[static_cast<std::size_t>(i)])];
    return {p[0], p[1]};
  }

  Eigen::Matrix2d jacobian(mesh::Index e) const {
    Eigen::Matrix2d j;
    j.col(0) = corner(e, 1) - corner(e, 0);
    j.col(1) = corner(e, 2) - corner(e, 0);
    return j;
  }

  std::size_t index(mesh::Index e, int v, int j) const { return static_cast<std::size_t>((e * 4 + v) * modes_ + j); }

  State2 value(const std::vector<double>& c, mesh::Index e, const basis::Matrix& basis, int q) const {
    State2 u{};
    for (int v = 0; v < 4; ++v)
      for (int j = 0; j < modes_; ++j) u[v] += basis(q, j) * c[index(e, v, j)];
    return u;
  }

  void add_volume(mesh::Index e, const std::vector<double>& c, std::vector<double>& rhs) const {
    const auto rule = basis::quadrature(Shape::triangle, 2 * degree_);
    const auto basis = basis::basis_values(Shape::triangle, degree_, rule.points);
    const auto dr = basis::basis_derivatives(Shape::triangle, degree_, rule.points, 0);
    const auto ds = basis::basis_derivatives(Shape::triangle, degree_, rule.points, 1);
    const Eigen::Matrix2d inverse = jacobian(e).inverse();
    for (int q = 0; q < rule.size(); ++q) {
      const State2 u = value(c, e, basis, q);
      const State2 f = Gas<2>::flux(u, Normal<2>{{1, 0}}), g = Gas<2>::flux(u, Normal<2>{{0, 1}});
      for (int j = 0; j < modes_; ++j) {
        const Eigen::Vector2d gradient = inverse.transpose() * Eigen::Vector2d(dr(q, j), ds(q, j));
        for (int v = 0; v < 4; ++v)
          rhs[index(e, v, j)] += rule.weights[static_cast<std::size_t>(q)] * (f[v] * gradient[0] + g[v] * gradient[1]);
      }
    }
  }

  /// Basis at a point of the element given in physical coordinates.
  basis::Matrix basis_at(mesh::Index e, const Eigen::Vector2d& x) const {
    const Eigen::Vector2d xi = jacobian(e).inverse() * (x - corner(e, 0));
    return basis::basis_values(Shape::triangle, degree_, {{xi[0], xi[1], 0.0}});
  }

  void add_face(const mesh::Face& face, const std::vector<double>& c, std::vector<double>& rhs) const {
    const auto rule = basis::gauss_legendre(degree_ + 1);
    const auto ends = side_corners(Shape::triangle, face.left.side);
    const Eigen::Vector2d a = corner(face.left.element, ends[0]), b = corner(face.left.element, ends[1]);
    const double length = (b - a).norm();
    Normal<2> n{{(b - a)[1] / length, -(b - a)[0] / length}};
    const Eigen::Vector2d opposite = corner(face.left.element, face.left.side);
    if (n[0] * (opposite - a)[0] + n[1] * (opposite - a)[1] > 0) n = {{-n[0], -n[1]}};
    Eigen::Vector2d shift = Eigen::Vector2d::Zero();  // to the periodic image of the face
    if (face.right.element >= 0) {
      const auto right_ends = side_corners(Shape::triangle, face.right.side);
      shift = corner(face.right.element, right_ends[0]) - a;
    }
    for (int q = 0; q < rule.size(); ++q) {
      const auto k = static_cast<std::size_t>(q);
      const Eigen::Vector2d x = a + 0.5 * (1 + rule.points[k][0]) * (b - a);
      const double weight = 0.5 * rule.weights[k] * length;
      const basis::Matrix left = basis_at(face.left.element, x);
      const State2 inside = value(c, face.left.element, left, 0);
      basis::Matrix right;
      State2 outside;
      if (face.right.element >= 0) {
        right = basis_at(face.right.element, x + shift);
        outside = value(c, face.right.element, right, 0);
      } else {
        outside = ghost_(face.boundary, inside, {x[0], x[1], 0.0}, n);
      }
      const State2 flux = kernels::LocalLaxFriedrichs::flux<Gas<2>>(inside, outside, n);
      const double left_scale = weight / std::abs(jacobian(face.left.element).determinant());
      for (int v = 0; v < 4; ++v)
        for (int j = 0; j < modes_; ++j) {
          rhs[index(face.left.element, v, j)] -= left_scale * left(0, j) * flux[v];
          if (face.right.element >= 0) {
            const double right_scale = weight / std::abs(jacobian(face.right.element).determinant());
            rhs[index(face.right.element, v, j)] += right_scale * right(0, j) * flux[v];
          }
        }
    }
  }

  const mesh::Mesh& mesh_;
  int degree_, modes_;
  Ghost ghost_;
};

}  // namespace galerna::tests
