#include "dg/viscous_reference.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "basis/basis.hpp"

namespace galerna::tests {

template <int d>
class ViscousReference<d>::Loops {
 public:
  using Flow = ReferenceFlow<d>;
  using State = typename Flow::State;
  using Slopes = typename Flow::Slopes;
  using Vector = typename Flow::Vector;
  static constexpr int variables = d + 2;

  Loops(const mesh::Mesh& mesh, int degree, std::vector<Condition<d>> conditions, double penalty)
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
      for (int v = 0; v < variables; ++v) rhs.insert(rhs.end(), change.row(v).begin(), change.row(v).end());
    }
    return rhs;
  }

 private:
  using Modes = Eigen::Matrix<double, variables, Eigen::Dynamic>;  ///< [variable][mode]

  using ModeSlopes = Eigen::Matrix<double, Eigen::Dynamic, d>;

  /// A point of integration, in an element or on a side of one.
  struct Place {
    Vector x;
    double jacobian;      ///< |det ∂x/∂ξ|
    double weight;        ///< of the rule on the reference shape
    Eigen::VectorXd phi;  ///< [mode]
    ModeSlopes slopes;    ///< [mode][direction] ∂φ_j/∂x
    Vector normal;        ///< on sides: outward, times ds
  };
  struct Element {
    std::vector<Place> inside;
    std::vector<std::vector<Place>> sides;
    Eigen::MatrixXd mass;       ///< ∫ ψ_i ψ_j dx of the basis ψ_j = φ_j/√|J|
    Eigen::VectorXd integrals;  ///< [mode] ∫ φ_j dx
  };
  struct Solution {
    Modes modes, residual;
    std::vector<std::array<Modes, d>> lifted;  ///< [side][direction] of r_e in the basis ψ
  };

  static Eigen::VectorXd psi(const Place& at) { return at.phi / std::sqrt(at.jacobian); }

  // Geometry

  /// The reference point in the element, and its outward normal if it lies on a side.
  Place make_place(mesh::Index e, const basis::Point& xi, double weight, const Vector& normal) const {
    const Shape shape = mesh_.shape(e);
    const int order = mesh_.blocks[static_cast<std::size_t>(mesh_.locate(e).block)].order;
    const std::vector<basis::Point> at = {xi};
    const basis::Matrix values = basis::lagrange_values(shape, order, at);
    Place place{Vector::Zero(), 0, weight, basis::basis_values(shape, degree_, at).row(0), {}, {}};
    FlowTensor<d> map = FlowTensor<d>::Zero();  // ∂x_k/∂ξ_i
    const auto nodes = mesh_.element_nodes(e);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const Vector p = vector(mesh_.nodes[static_cast<std::size_t>(nodes[n])]);
      const auto column = static_cast<Eigen::Index>(n);
      place.x += values(0, column) * p;
      for (int i = 0; i < d; ++i) map.col(i) += basis::lagrange_derivatives(shape, order, at, i)(0, column) * p;
    }
    ModeSlopes reference_slopes(place.phi.size(), d);
    for (int i = 0; i < d; ++i)
      reference_slopes.col(i) = basis::basis_derivatives(shape, degree_, at, i).row(0).transpose();
    place.jacobian = std::abs(map.determinant());
    place.slopes = reference_slopes * map.inverse();
    place.normal = place.jacobian * map.inverse().transpose() * normal;
    return place;
  }

  Element make_element(mesh::Index e) const {
    const Shape shape = mesh_.shape(e);
    const int order = mesh_.blocks[static_cast<std::size_t>(mesh_.locate(e).block)].order;
    Element element;
    element.inside = places_inside(e, std::max(2 * degree_, degree_ + order - (d - 1)));
    for (int side = 0; side < side_count(shape); ++side) {
      const auto rule = basis::quadrature(side_shape(shape, side), std::max(d == 2 ? 2 * degree_ + 1 : 2 * degree_,
                                                                            degree_ + geometry_order_ - (d - 1)));
      const std::vector<basis::Point> points = basis::side_points(shape, side, rule.points);
      const Vector normal = vector(reference_normal(shape, side));  // times the side's measure
      std::vector<Place> places;
      for (std::size_t q = 0; q < points.size(); ++q)
        places.push_back(make_place(e, points[q], rule.weights[q] / reference_measure(rule.shape), normal));
      element.sides.push_back(std::move(places));
    }
    const Eigen::Index modes = element.inside[0].phi.size();
    element.mass = Eigen::MatrixXd::Zero(modes, modes);
    for (const Place& at : element.inside) element.mass += at.weight * at.jacobian * psi(at) * psi(at).transpose();
    element.integrals = Eigen::VectorXd::Zero(modes);
    for (const Place& at : places_inside(e, degree_ + d * order)) element.integrals += at.weight * at.jacobian * at.phi;
    return element;
  }

  std::vector<Place> places_inside(mesh::Index e, int exactness) const {
    const auto rule = basis::quadrature(mesh_.shape(e), exactness);
    std::vector<Place> places;
    for (std::size_t q = 0; q < rule.points.size(); ++q)
      places.push_back(make_place(e, rule.points[q], rule.weights[q], Vector::Zero()));
    return places;
  }

  static Vector vector(const std::array<double, 3>& x) { return Eigen::Map<const Vector>(x.data()); }

  /// Which of the points of a side lies where point q of the other side of the face does, relative to their centres.
  static std::size_t point_at(const std::vector<Place>& places, const std::vector<Place>& others, std::size_t q) {
    Vector shift = Vector::Zero();
    for (std::size_t k = 0; k < places.size(); ++k)
      shift += (places[k].x - others[k].x) / static_cast<double>(places.size());
    for (std::size_t k = 0; k < places.size(); ++k)
      if ((places[k].x - others[q].x - shift).norm() < 1e-10) return k;
    throw std::logic_error("the sides of a face do not meet");
  }

  // Solution

  std::vector<Solution> split(const std::vector<double>& c) const {
    std::vector<Solution> solutions;
    auto next = c.begin();
    for (const Element& element : elements_) {
      const Eigen::Index modes = element.mass.cols();
      std::array<Modes, d> none;
      none.fill(Modes::Zero(variables, modes));
      Solution s{Modes(variables, modes), Modes::Zero(variables, modes), {}};
      s.lifted.assign(element.sides.size(), none);
      for (int v = 0; v < variables; ++v)
        for (Eigen::Index j = 0; j < modes; ++j) s.modes(v, j) = *next++;
      solutions.push_back(std::move(s));
    }
    return solutions;
  }

  static Slopes gradient(const Solution& s, const Place& at) { return s.modes * at.slopes; }

  static Slopes lifted(const Solution& s, int side, const Place& at) {
    Slopes r;
    for (int i = 0; i < d; ++i)
      r.col(i) = s.lifted[static_cast<std::size_t>(side)][static_cast<std::size_t>(i)] * psi(at);
    return r;
  }

  /// One side of a face, at one of its points.
  struct Trace {
    const mesh::Side& side;
    const Place& at;
    State u;
  };
  Trace trace(const mesh::Side& side, std::size_t q, const std::vector<Solution>& solutions) const {
    const auto e = static_cast<std::size_t>(side.element);
    const Place& at = elements_[e].sides[static_cast<std::size_t>(side.side)][q];
    return {side, at, solutions[e].modes * at.phi};
  }

  const std::vector<Place>& places_on(const mesh::Side& side) const {
    return elements_[static_cast<std::size_t>(side.element)].sides[static_cast<std::size_t>(side.side)];
  }

  /// f(left trace, right trace) at all points of a face between two elements, f(left trace, condition) on the boundary.
  template <class Between, class Boundary>
  void for_each_point(const mesh::Face& face, const std::vector<Solution>& solutions, const Between& between,
                      const Boundary& boundary) const {
    const std::vector<Place>& places = places_on(face.left);
    for (std::size_t q = 0; q < places.size(); ++q) {
      const Trace left = trace(face.left, q, solutions);
      if (face.right.element >= 0)
        between(left, trace(face.right, point_at(places_on(face.right), places, q), solutions));
      else
        boundary(left, conditions_[static_cast<std::size_t>(face.boundary)]);
    }
  }

  // Liftings: ∫_K ψ r_e dx = ∫_e ψ ½ (u⁺ − u⁻) n ds, on the boundary with u_b − u⁻.

  void lift_jumps(const mesh::Face& face, std::vector<Solution>& solutions) const {
    const auto add = [&](const Trace& own, const State& half_jump) {
      for (std::size_t i = 0; i < d; ++i)
        of(own, solutions).lifted[static_cast<std::size_t>(own.side.side)][i] +=
            own.at.weight * own.at.normal[static_cast<Eigen::Index>(i)] * half_jump * psi(own.at).transpose();
    };
    for_each_point(
        face, solutions,
        [&](const Trace& left, const Trace& right) {
          add(left, 0.5 * (right.u - left.u));
          add(right, 0.5 * (left.u - right.u));
        },
        [&](const Trace& left, const Condition<d>& condition) {
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
      const State u = s.modes * at.phi;
      Slopes z = gradient(s, at);
      for (std::size_t side = 0; side < element.sides.size(); ++side) z += lifted(s, static_cast<int>(side), at);
      const Slopes flux = Flow::inviscid_flux(u) - Flow::viscous_flux(u, z);
      s.residual += at.weight * at.jacobian * flux * at.slopes.transpose();
    }
  }

  /// ∇u + η r_e on the side that the trace lies on.
  Slopes side_gradient(const Trace& own, const std::vector<Solution>& solutions) const {
    const auto e = static_cast<std::size_t>(own.side.element);
    const double eta = penalty_ > 0 ? penalty_ : static_cast<double>(elements_[e].sides.size());
    return gradient(solutions[e], own.at) + eta * lifted(solutions[e], own.side.side, own.at);
  }

  void add_face(const mesh::Face& face, std::vector<Solution>& solutions) const {
    const auto subtract = [&](const Trace& own, const State& flux, double sign) {
      of(own, solutions).residual -= sign * own.at.weight * flux * own.at.phi.transpose();
    };
    for_each_point(
        face, solutions,
        [&](const Trace& left, const Trace& right) {
          const Vector n = left.at.normal.normalized();
          const State viscous = 0.5 *
                                (Flow::viscous_flux(left.u, side_gradient(left, solutions)) +
                                 Flow::viscous_flux(right.u, side_gradient(right, solutions))) *
                                n;
          const State flux = left.at.normal.norm() * (Flow::lax_friedrichs_flux(left.u, right.u, n) - viscous);
          subtract(left, flux, 1);
          subtract(right, flux, -1);
        },
        [&](const Trace& left, const Condition<d>& condition) {
          const Vector n = left.at.normal.normalized();
          const State beyond = condition.ghost(left.u, left.at.x, n);
          const State viscous =
              condition.viscous_flux(condition.viscous_state(left.u, left.at.x, n), side_gradient(left, solutions), n);
          subtract(left, left.at.normal.norm() * (Flow::lax_friedrichs_flux(left.u, beyond, n) - viscous), 1);
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
  std::vector<Condition<d>> conditions_;
  double penalty_;
  std::vector<Element> elements_;
};

template <int d>
ViscousReference<d>::ViscousReference(const mesh::Mesh& mesh, int degree, std::vector<Condition<d>> conditions,
                                      double penalty)
    : loops_(std::make_shared<const Loops>(mesh, degree, std::move(conditions), penalty)) {}

template <int d>
std::vector<double> ViscousReference<d>::operator()(const std::vector<double>& c) const {
  return (*loops_)(c);
}

template class ViscousReference<2>;
template class ViscousReference<3>;

}  // namespace galerna::tests
