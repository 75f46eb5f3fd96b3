#include "mesh/round_surface.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/vectors.hpp"
#include "mesh/geometry.hpp"

namespace galerna::mesh {

RoundSurface::RoundSurface(std::string kind, const Point& centre, const Point& axis, double radius)
    : kind_(std::move(kind)), centre_(centre), axis_(axis), radius_(radius) {
  if (!(radius > 0)) throw std::invalid_argument(fmt::format("the radius of a {} must be positive", kind_));
}

RoundSurface RoundSurface::circle(const Point& centre, double radius) {
  return {"circle", centre, {0, 0, 1}, radius};
}

RoundSurface RoundSurface::sphere(const Point& centre, double radius) {
  return {"sphere", centre, {}, radius};
}

RoundSurface RoundSurface::cylinder(const Point& point, const Point& direction, double radius) {
  if (!(norm(direction) > 0)) throw std::invalid_argument("the direction of a cylinder must not be 0");
  return {"cylinder", point, unit(direction), radius};
}

Point RoundSurface::radial(const Point& x) const {
  const Point from_centre = minus(x, centre_);
  return minus(from_centre, times(dot(from_centre, axis_), axis_));
}

std::optional<Point> RoundSurface::nearest(const Point& x) const {
  const Point across = radial(x), along = times(dot(minus(x, centre_), axis_), axis_);
  const double r = std::hypot(std::hypot(across[0], across[1]), across[2]);
  if (!(r > 0)) return {};
  Point result{};
  for (std::size_t k = 0; k < 3; ++k) result[k] = centre_[k] + along[k] + radius_ * across[k] / r;
  return result;
}

std::optional<Point> RoundSurface::normal(const Point& x) const {
  const Point across = radial(x);
  return norm(across) > 0 ? std::optional(unit(across)) : std::nullopt;
}

std::string RoundSurface::name() const {
  if (kind_ != "cylinder")
    return fmt::format("{} of radius {:g} about {}", kind_, radius_, to_text(centre_, kind_ == "circle" ? 2 : 3));
  return fmt::format("cylinder of radius {:g} round the axis through {} along {}", radius_, to_text(centre_, 3),
                     to_text(axis_, 3));
}

}  // namespace galerna::mesh
