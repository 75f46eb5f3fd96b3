/// \file
/// A plain right-hand side of the Navier–Stokes equations by BR2 on any mesh in the plane, as docs/theory.md has it,
/// written to be read and not to be fast: everything is worked out from the nodes of the mesh and the basis, equations
/// and boundary conditions included; liftings come from a mass matrix that is solved with.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <vector>

#include "basis/basis.hpp"
#include "dg/viscous_reference_flow.hpp"
#include "mesh/mesh.hpp"

namespace galerna::tests {

/// Coefficients are [block][element][variable][mode], the numbers of modes those of the blocks' shapes.
class ViscousReference {
 public:
  /// \param conditions [boundary] \param penalty η; 0: the number of an element's sides
  ViscousReference(const mesh::Mesh& mesh, int degree, std::vector<Condition> conditions, double penalty = 0)
      : mesh_(mesh), degree_(degree), conditions_(std::move(conditions)), penalty_(penalty) {
    for (const mesh::ElementBlock& block : mesh.blocks) geometry_order_ = std::max(geometry_order_, block.order);
    for (mesh::Index e = 0; e < mesh.element_count(); ++e) elements_.push_back(make_element(e));
  }

  /// dc/dt
  std::vector<double> operator()(const std::vector<double>& c) const {
    std::vector<Solution> solutions = split(c);
    for (const mesh::Face& face : mesh_.faces) lift_jumps(face, solutions);
    for (std::size_t e = 0; e < elements_.size(); ++e) add_volume(elements_[e], solutions[e]);
    for (const mesh::Face& face : mesh_.faces) add_face(face, solutions);
    std::vector<double> rhs;
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      const Modes change = divided_by_mass(elements_[e], solutions[e].residual);
      for (int v = 0; v < 4; ++v) rhs.insert(rhs.end(), change.row(v).begin(), change.row(v).end());
    }
    return rhs;
  }

 private:
  using Modes = Eigen::Matrix<double, 4, Eigen::Dynamic>;  ///< [variable][mode]

  /// A point of integration, in an element or on a side of one.
  struct Place {
    Eigen::Vector2d x;
    double jacobian;          ///< |det ∂x/∂ξ|
    double weight;            ///< of the rule on the reference shape
    Eigen::VectorXd phi;      ///< [mode]
    Eigen::MatrixX2d slopes;  ///< [mode][direction] ∂φ_j/∂x
    Eigen::Vector2d normal;   ///< on sides: outward, times ds
  };
  struct Element {
    std::vector<Place> inside;
    std::vector<std::vector<Place>> sides;
    Eigen::MatrixXd mass;       ///< ∫ ψ_i ψ_j dx of the basis ψ_j = φ_j/√|J|
    Eigen::VectorXd integrals;  ///< [mode] ∫ φ_j dx
  };
  struct Solution {
    Modes modes, residual;
    std::vector<std::array<Modes, 2>> lifted;  ///< [side][direction] of r_e in the basis ψ
  };

  static Eigen::VectorXd psi(const Place& at) { return at.phi / std::sqrt(at.jacobian); }

  // Geometry

  /// The reference point in the element, and its outward normal if it lies on a side.
  Place make_place(mesh::Index e, const Eigen::Vector2d& xi, double weight, const Eigen::Vector2d& normal) const {
    const Shape shape = mesh_.shape(e);
    const int order = mesh_.blocks[static_cast<std::size_t>(mesh_.locate(e).block)].order;
    const std::vector<basis::Point> at = {{xi[0], xi[1], 0}};
    const basis::Matrix values = basis::lagrange_values(shape, order, at);
    Place place{Eigen::Vector2d::Zero(), 0, weight, basis::basis_values(shape, degree_, at).row(0), {}, {}};
    Eigen::Matrix2d map = Eigen::Matrix2d::Zero();  // ∂x_k/∂ξ_d
    const auto nodes = mesh_.element_nodes(e);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const mesh::Point& p = mesh_.nodes[static_cast<std::size_t>(nodes[n])];
      const auto column = static_cast<Eigen::Index>(n);
      place.x += values(0, column) * Eigen::Vector2d(p[0], p[1]);
      for (int d = 0; d < 2; ++d)
        map.col(d) += basis::lagrange_derivatives(shape, order, at, d)(0, column) * Eigen::Vector2d(p[0], p[1]);
    }
    Eigen::MatrixX2d reference_slopes(place.phi.size(), 2);
    for (int d = 0; d < 2; ++d)
      reference_slopes.col(d) = basis::basis_derivatives(shape, degree_, at, d).row(0).transpose();
    place.jacobian = std::abs(map.determinant());
    place.slopes = reference_slopes * map.inverse();
    place.normal = place.jacobian * map.inverse().transpose() * normal;
    return place;
  }

  Element make_element(mesh::Index e) const {
    const Shape shape = mesh_.shape(e);
    const int order = mesh_.blocks[static_cast<std::size_t>(mesh_.locate(e).block)].order;
    Element element;
    element.inside = places_inside(e, std::max(2 * degree_, degree_ + order - 1));
    const auto on_side = basis::quadrature(Shape::line, std::max(2 * degree_ + 1, degree_ + geometry_order_ - 1));
    for (int side = 0; side < side_count(shape); ++side) {
      const auto ends = side_corners(shape, side);
      const Eigen::Vector2d a = corner(shape, ends[0]), b = corner(shape, ends[1]);
      Eigen::Vector2d normal(b[1] - a[1], a[0] - b[0]);  // times the side's length on the reference shape
      if (normal.dot(a - centre(shape)) < 0) normal = -normal;
      std::vector<Place> places;
      for (int q = 0; q < on_side.size(); ++q) {
        const auto k = static_cast<std::size_t>(q);
        const double share = 0.5 * (1 + on_side.points[k][0]);
        places.push_back(make_place(e, a + share * (b - a), 0.5 * on_side.weights[k], normal));
      }
      element.sides.push_back(std::move(places));
    }
    const Eigen::Index modes = element.inside[0].phi.size();
    element.mass = Eigen::MatrixXd::Zero(modes, modes);
    for (const Place& at : element.inside) element.mass += at.weight * at.jacobian * psi(at) * psi(at).transpose();
    element.integrals = Eigen::VectorXd::Zero(modes);
    for (const Place& at : places_inside(e, degree_ + 2 * order)) element.integrals += at.weight * at.jacobian * at.phi;
    return element;
  }

  std::vector<Place> places_inside(mesh::Index e, int exactness) const {
    const auto rule = basis::quadrature(mesh_.shape(e), exactness);
    std::vector<Place> places;
    for (std::size_t q = 0; q < rule.points.size(); ++q)
      places.push_back(make_place(e, {rule.points[q][0], rule.points[q][1]}, rule.weights[q], Eigen::Vector2d::Zero()));
    return places;
  }

  static Eigen::Vector2d corner(Shape shape, int i) {
    const auto x = reference_corner(shape, i);
    return {x[0], x[1]};
  }
  static Eigen::Vector2d centre(Shape shape) {
    Eigen::Vector2d sum = Eigen::Vector2d::Zero();
    for (int i = 0; i < corner_count(shape); ++i) sum += corner(shape, i) / corner_count(shape);
    return sum;
  }

  /// Whether the points of the right side run from its last to its first where those of the left one run onwards.
  bool runs_against(const mesh::Face& face) const {
    const auto first = [&](const mesh::Side& side) {
      const auto ends = side_corners(mesh_.shape(side.element), side.side);
      const mesh::Index node = mesh_.corners(side.element)[static_cast<std::size_t>(ends[0])];
      return mesh_.image[static_cast<std::size_t>(node)];
    };
    return first(face.left) != first(face.right);
  }

  // Solution

  std::vector<Solution> split(const std::vector<double>& c) const {
    std::vector<Solution> solutions;
    auto next = c.begin();
    for (const Element& element : elements_) {
      const Eigen::Index modes = element.mass.cols();
      Solution s{Modes(4, modes),
                 Modes::Zero(4, modes),
                 {element.sides.size(), {Modes::Zero(4, modes), Modes::Zero(4, modes)}}};
      for (int v = 0; v < 4; ++v)
        for (Eigen::Index j = 0; j < modes; ++j) s.modes(v, j) = *next++;
      solutions.push_back(std::move(s));
    }
    return solutions;
  }

  static FlowSlopes gradient(const Solution& s, const Place& at) { return s.modes * at.slopes; }

  static FlowSlopes lifted(const Solution& s, int side, const Place& at) {
    FlowSlopes r;
    for (int d = 0; d < 2; ++d)
      r.col(d) = s.lifted[static_cast<std::size_t>(side)][static_cast<std::size_t>(d)] * psi(at);
    return r;
  }

  /// One side of a face, at one of its points.
  struct Trace {
    const mesh::Side& side;
    const Place& at;
    FlowState u;
  };
  Trace trace(const mesh::Side& side, std::size_t q, const std::vector<Solution>& solutions) const {
    const auto e = static_cast<std::size_t>(side.element);
    const Place& at = elements_[e].sides[static_cast<std::size_t>(side.side)][q];
    return {side, at, solutions[e].modes * at.phi};
  }

  /// f(left trace, right trace) at all points of a face between two elements, f(left trace, condition) on the boundary.
  template <class Between, class Boundary>
  void for_each_point(const mesh::Face& face, const std::vector<Solution>& solutions, const Between& between,
                      const Boundary& boundary) const {
    const std::size_t points =
        elements_[static_cast<std::size_t>(face.left.element)].sides[static_cast<std::size_t>(face.left.side)].size();
    const bool inner = face.right.element >= 0, against = inner && runs_against(face);
    for (std::size_t q = 0; q < points; ++q) {
      const Trace left = trace(face.left, q, solutions);
      if (inner)
        between(left, trace(face.right, against ? points - 1 - q : q, solutions));
      else
        boundary(left, conditions_[static_cast<std::size_t>(face.boundary)]);
    }
  }

  // Liftings: ∫_K ψ r_e dx = ∫_e ψ ½ (u⁺ − u⁻) n ds, on the boundary with u_b − u⁻.

  void lift_jumps(const mesh::Face& face, std::vector<Solution>& solutions) const {
    const auto add = [&](const Trace& own, const FlowState& half_jump) {
      for (std::size_t d = 0; d < 2; ++d)
        of(own, solutions).lifted[static_cast<std::size_t>(own.side.side)][d] +=
            own.at.weight * own.at.normal[static_cast<Eigen::Index>(d)] * half_jump * psi(own.at).transpose();
    };
    for_each_point(
        face, solutions,
        [&](const Trace& left, const Trace& right) {
          add(left, 0.5 * (right.u - left.u));
          add(right, 0.5 * (left.u - right.u));
        },
        [&](const Trace& left, const Condition& condition) {
          add(left, condition.viscous_state(left.u, left.at.x, left.at.normal.normalized()) - left.u);
        });
    solve_for_lifting(face.left, solutions);
    if (face.right.element >= 0) solve_for_lifting(face.right, solutions);
  }

  void solve_for_lifting(const mesh::Side& side, std::vector<Solution>& solutions) const {
    const auto e = static_cast<std::size_t>(side.element);
    for (Modes& r : solutions[e].lifted[static_cast<std::size_t>(side.side)])
      r = elements_[e].mass.ldlt().solve(r.transpose()).transpose();
  }

  static Solution& of(const Trace& trace, std::vector<Solution>& solutions) {
    return solutions[static_cast<std::size_t>(trace.side.element)];
  }

  // The weak form

  static void add_volume(const Element& element, Solution& s) {
    for (const Place& at : element.inside) {
      const FlowState u = s.modes * at.phi;
      FlowSlopes z = gradient(s, at);
      for (std::size_t side = 0; side < element.sides.size(); ++side) z += lifted(s, static_cast<int>(side), at);
      const FlowSlopes flux = inviscid_flux(u) - viscous_flux(u, z);
      s.residual += at.weight * at.jacobian * flux * at.slopes.transpose();
    }
  }

  /// ∇u + η r_e on the side that the trace lies on.
  FlowSlopes side_gradient(const Trace& own, const std::vector<Solution>& solutions) const {
    const auto e = static_cast<std::size_t>(own.side.element);
    const double eta = penalty_ > 0 ? penalty_ : static_cast<double>(elements_[e].sides.size());
    return gradient(solutions[e], own.at) + eta * lifted(solutions[e], own.side.side, own.at);
  }

  void add_face(const mesh::Face& face, std::vector<Solution>& solutions) const {
    const auto subtract = [&](const Trace& own, const FlowState& flux, double sign) {
      of(own, solutions).residual -= sign * own.at.weight * flux * own.at.phi.transpose();
    };
    for_each_point(
        face, solutions,
        [&](const Trace& left, const Trace& right) {
          const Eigen::Vector2d n = left.at.normal.normalized();
          const FlowState viscous = 0.5 *
                                    (viscous_flux(left.u, side_gradient(left, solutions)) +
                                     viscous_flux(right.u, side_gradient(right, solutions))) *
                                    n;
          const FlowState flux = left.at.normal.norm() * (lax_friedrichs_flux(left.u, right.u, n) - viscous);
          subtract(left, flux, 1);
          subtract(right, flux, -1);
        },
        [&](const Trace& left, const Condition& condition) {
          const Eigen::Vector2d n = left.at.normal.normalized();
          const FlowState beyond = condition.ghost(left.u, left.at.x, n);
          const FlowState viscous =
              condition.viscous_flux(condition.viscous_state(left.u, left.at.x, n), side_gradient(left, solutions), n);
          subtract(left, left.at.normal.norm() * (lax_friedrichs_flux(left.u, beyond, n) - viscous), 1);
        });
  }

  /// The weight-adjusted inverse ∫ φ_i φ_j/|J| dξ of the mass matrix, then a constant that gives the integral its exact
  /// change.
  static Modes divided_by_mass(const Element& element, const Modes& residual) {
    Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(residual.cols(), residual.cols());
    for (const Place& at : element.inside) inverse += at.weight / at.jacobian * at.phi * at.phi.transpose();
    Modes change = residual * inverse;
    change.col(0) += (residual.col(0) / element.inside[0].phi[0] - change * element.integrals) / element.integrals[0];
    return change;
  }

  const mesh::Mesh& mesh_;
  int degree_, geometry_order_ = 1;
  std::vector<Condition> conditions_;
  double penalty_;
  std::vector<Element> elements_;
};

}  // namespace galerna::tests
