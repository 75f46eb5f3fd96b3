#include "analysis/wall_friction.hpp"

#include <algorithm>
#include <cmath>

namespace galerna::analysis {
namespace {

/// The modes that are nearest to values at the points of the rule, in the norm of its weights: [mode][point].
basis::Matrix nearest_modes(const basis::Quadrature& rule, int degree) {
  const basis::Matrix basis = basis::basis_values(rule.shape, degree, rule.points);
  const Eigen::VectorXd weights = Eigen::Map<const Eigen::VectorXd>(rule.weights.data(), rule.size());
  const basis::Matrix tested = basis.transpose() * weights.asDiagonal();
  const Eigen::MatrixXd mass = tested * basis;
  return mass.ldlt().solve(Eigen::MatrixXd(tested));
}

}  // namespace

double WallFriction::Value::along(const std::array<double, 3>& n) const {
  const double across = force[0] * n[0] + force[1] * n[1] + force[2] * n[2];
  return std::hypot(force[0] - across * n[0], force[1] - across * n[1], force[2] - across * n[2]);
}

WallFriction::WallFriction(const mesh::Mesh& mesh, const Wall& wall, int degree) : mesh_(mesh) {
  for (const WallSide& side : wall.sides) sides_[{side.side.element, side.side.side}] = &side;
  for (const auto& [shape, rule] : wall.rules) {
    const int of_fit = std::min(degree, rule.degree / 2);
    fits_[shape] = {of_fit, nearest_modes(rule, of_fit), {}, {}};
  }
}

std::vector<WallFriction::Value> WallFriction::at(const mesh::Side& side, const std::vector<basis::Point>& points) {
  const Shape shape = side_shape(mesh_.shape(side.element), side.side);
  Fit& fit = fits_.at(shape);
  if (fit.points != points) {
    fit.points = points;
    fit.values = basis::basis_values(shape, fit.degree, points) * fit.modes;
  }
  const std::vector<WallPoint>& known = sides_.at({side.element, side.side})->points;
  std::vector<Value> result(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t q = 0; q < known.size(); ++q) {
      const double factor = fit.values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(q));
      for (std::size_t d = 0; d < 3; ++d) result[i].force[d] += factor * known[q].friction[d];
      result[i].heat += factor * known[q].heat;
    }
  return result;
}

}  // namespace galerna::analysis
