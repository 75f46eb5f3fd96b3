#include "dg/operators.hpp"

namespace galerna::dg {

Operators make_operators(Shape shape, int degree, int volume_quadrature, int face_quadrature) {
  Operators o;
  o.shape = shape;
  o.degree = degree;
  o.modes = basis::mode_count(shape, degree);
  o.volume = basis::quadrature(shape, volume_quadrature < 0 ? 2 * degree : volume_quadrature);
  o.volume_basis = basis::basis_values(shape, degree, o.volume.points);
  for (int d = 0; d < dimension(shape); ++d) {
    basis::Matrix derivative = basis::basis_derivatives(shape, degree, o.volume.points, d);
    for (int q = 0; q < o.volume.size(); ++q) derivative.row(q) *= o.volume.weights[static_cast<std::size_t>(q)];
    o.weighted_derivatives.push_back(std::move(derivative));
  }

  o.side = basis::quadrature(side_shape(shape, 0), face_quadrature < 0 ? 2 * degree + 1 : face_quadrature);
  for (double& weight : o.side.weights) weight /= reference_measure(o.side.shape);
  for (int side = 0; side < side_count(shape); ++side)
    o.side_basis.push_back(basis::basis_values(shape, degree, basis::side_points(shape, side, o.side.points)));
  // |side| = d |K| |∇λ| and |det J| = d! |K| on a simplex, hence |side| / |det J| = |∇λ| / (d − 1)!.
  o.side_scale = dimension(shape) == 3 ? 0.5 : 1.0;

  o.formula = basis::quadrature(shape, 2 * degree + 4);
  o.formula_basis = basis::basis_values(shape, degree, o.formula.points);
  return o;
}

}  // namespace galerna::dg
