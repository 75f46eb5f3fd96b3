/// \file
/// A plain right-hand side of the Euler equations on straight tetrahedra, written to be read: every integral in
/// physical coordinates, points of neighbours found by their place.
#pragma once

#include <Eigen/Dense>
#include <stdexcept>
#include <vector>

#include "basis/basis.hpp"
#include "kernels/physics/euler.hpp"
#include "kernels/riemann/llf.hpp"
#include "kernels/states.hpp"
#include "mesh/mesh.hpp"

namespace galerna::tests {

using Euler3 = kernels::EquationSystem<kernels::Euler<3, Air>, 3>;
using State3 = Euler3::State<double>;
using Vector3 = Euler3::Vector<double>;

class SpaceReference {
 public:
  SpaceReference(const mesh::Mesh& mesh, int degree)
      : mesh_(mesh),
        degree_(degree),
        modes_(basis::mode_count(Shape::tetrahedron, degree)),
        volume_(basis::quadrature(Shape::tetrahedron, 2 * degree)),
        side_(basis::quadrature(Shape::triangle, 2 * degree)) {}

  /// dc/dt [element][variable][mode] of coefficients in the same order; `beyond` lies outside of all boundaries.
  std::vector<double> residual(const std::vector<double>& c, const State3& beyond) const {
    std::vector<double> r(c.size(), 0.0);
    for (mesh::Index e = 0; e < mesh_.element_count(); ++e) add_volume(c, r, e);
    for (const mesh::Face& face : mesh_.faces) add_face(c, r, face, beyond);
    return r;
  }

  /// Σ over all elements of the integral of variable v that the coefficients stand for.
  double integral(const std::vector<double>& c, int v) const {
    double sum = 0;
    for (mesh::Index e = 0; e < mesh_.element_count(); ++e)
      sum += c[offset(e, v)] * std::abs(map(e).determinant()) / std::sqrt(6.0);  // φ_0 = √6, volume 1/6
    return sum;
  }

  std::size_t offset(mesh::Index e, int v) const { return static_cast<std::size_t>((e * 5 + v) * modes_); }

 private:
  Eigen::Vector3d corner(mesh::Index e, int i) const {
    return Eigen::Map<const Eigen::Vector3d>(
        mesh_.nodes[static_cast<std::size_t>(mesh_.element_nodes(e)[static_cast<std::size_t>(i)])].data());
  }
  /// ∂x/∂ξ
  Eigen::Matrix3d map(mesh::Index e) const {
    Eigen::Matrix3d j;
    for (int d = 0; d < 3; ++d) j.col(d) = corner(e, d + 1) - corner(e, 0);
    return j;
  }
  Eigen::Vector3d place(mesh::Index e, const basis::Point& at) const {
    return corner(e, 0) + map(e) * Eigen::Map<const Eigen::Vector3d>(at.data());
  }

  State3 state(const std::vector<double>& c, mesh::Index e, const basis::Matrix& basis, int q) const {
    State3 u{};
    for (int v = 0; v < 5; ++v)
      for (int j = 0; j < modes_; ++j) u[v] += basis(q, j) * c[offset(e, v) + static_cast<std::size_t>(j)];
    return u;
  }

  void add_volume(const std::vector<double>& c, std::vector<double>& r, mesh::Index e) const {
    const basis::Matrix values = basis::basis_values(Shape::tetrahedron, degree_, volume_.points);
    basis::Matrix slopes[3];
    for (int d = 0; d < 3; ++d) slopes[d] = basis::basis_derivatives(Shape::tetrahedron, degree_, volume_.points, d);
    const Eigen::Matrix3d inverse = map(e).inverse();  // row d is ∇ξ_d
    for (int q = 0; q < volume_.size(); ++q) {
      const State3 u = state(c, e, values, q);
      for (int k = 0; k < 3; ++k) {
        Vector3 along{};
        along[k] = 1;
        const State3 flux = Euler3::flux(u, along);
        for (int v = 0; v < 5; ++v)
          for (int j = 0; j < modes_; ++j) {
            double slope = 0;
            for (int d = 0; d < 3; ++d) slope += slopes[d](q, j) * inverse(d, k);
            r[offset(e, v) + static_cast<std::size_t>(j)] +=
                volume_.weights[static_cast<std::size_t>(q)] * flux[v] * slope;
          }
      }
    }
  }

  struct SideView {
    std::vector<basis::Point> points;  ///< in the element
    std::vector<Eigen::Vector3d> places;
    basis::Matrix basis;
    Eigen::Vector3d normal;  ///< outward, times the side's area
  };
  SideView view(const mesh::Side& side) const {
    SideView view{basis::side_points(Shape::tetrahedron, side.side, side_.points), {}, {}, {}};
    for (const basis::Point& point : view.points) view.places.push_back(place(side.element, point));
    view.basis = basis::basis_values(Shape::tetrahedron, degree_, view.points);
    Eigen::Vector3d at[3];
    int count = 0;
    for (int i = 0; i < 4; ++i)
      if (i != side.side) at[count++] = corner(side.element, i);
    view.normal = 0.5 * (at[1] - at[0]).cross(at[2] - at[0]);
    if (view.normal.dot(at[0] - corner(side.element, side.side)) < 0) view.normal = -view.normal;
    return view;
  }

  /// Of the view's points the one at `at`, relative to the centres of both sides.
  static int point_at(const SideView& view, const Eigen::Vector3d& at) {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    for (const Eigen::Vector3d& place : view.places) centre += place / static_cast<double>(view.places.size());
    for (std::size_t q = 0; q < view.places.size(); ++q)
      if ((view.places[q] - centre - at).norm() < 1e-10) return static_cast<int>(q);
    throw std::logic_error("the sides of a face do not meet");
  }

  void add_face(const std::vector<double>& c, std::vector<double>& r, const mesh::Face& face,
                const State3& beyond) const {
    const SideView left = view(face.left);
    const bool inside = face.right.element >= 0;
    const SideView right = inside ? view(face.right) : SideView{};
    const double area = left.normal.norm();
    Vector3 normal{};
    for (int k = 0; k < 3; ++k) normal[k] = left.normal[k] / area;
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    for (const Eigen::Vector3d& at : left.places) centre += at / static_cast<double>(left.places.size());
    for (int q = 0; q < side_.size(); ++q) {
      const State3 u = state(c, face.left.element, left.basis, q);
      const int p = inside ? point_at(right, left.places[static_cast<std::size_t>(q)] - centre) : 0;
      const State3 w = inside ? state(c, face.right.element, right.basis, p) : beyond;
      const State3 flux = kernels::LocalLaxFriedrichs::flux<Euler3>(u, w, normal);
      const double weight = 2 * side_.weights[static_cast<std::size_t>(q)] * area;
      add_flux(r, face.left.element, left.basis, q, flux, -weight);
      if (inside) add_flux(r, face.right.element, right.basis, p, flux, weight);
    }
  }

  void add_flux(std::vector<double>& r, mesh::Index e, const basis::Matrix& basis, int q, const State3& flux,
                double weight) const {
    const double determinant = std::abs(map(e).determinant());
    for (int v = 0; v < 5; ++v)
      for (int j = 0; j < modes_; ++j)
        r[offset(e, v) + static_cast<std::size_t>(j)] += weight * basis(q, j) * flux[v] / determinant;
  }

  const mesh::Mesh& mesh_;
  int degree_, modes_;
  basis::Quadrature volume_, side_;
};

}  // namespace galerna::tests
