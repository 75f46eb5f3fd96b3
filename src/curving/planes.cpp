#include "curving/planes.hpp"

#include <algorithm>
#include <cmath>

#include "base/index.hpp"

namespace galerna::curving {

std::optional<Plane> plane_of(const mesh::Mesh& mesh, std::span<const mesh::Index> corners) {
  constexpr double flat = 1e-8;  // of the side's size
  const auto place = [&](std::size_t c) { return mesh.nodes[at(corners[c])]; };
  const Vector along = minus(place(1), place(0));
  if (corners.size() == 2) return Plane{place(0), unit({along[1], -along[0], 0})};
  const Plane plane{place(0), unit(corners.size() == 3 ? cross(along, minus(place(2), place(0)))
                                                       : cross(minus(place(2), place(0)), minus(place(3), place(1))))};
  double size = 0, off = 0;
  for (std::size_t c = 1; c < corners.size(); ++c) {
    size = std::max(size, norm(minus(place(c), place(0))));
    off = std::max(off, std::abs(plane.distance(place(c))));
  }
  return off <= flat * size ? std::optional(plane) : std::nullopt;
}

void Directions::add(const Vector& direction) {
  constexpr double new_part = 1e-5;
  if (count_ == 3) return;
  const Vector rest = remove_from(direction);
  if (norm(rest) > new_part) list_[at(count_++)] = unit(rest);
}

void Directions::forbid_all() {
  list_ = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  count_ = 3;
}

Vector Directions::remove_from(Vector v) const {
  if (count_ == 3) return {};
  for (std::size_t i = 0; i < at(count_); ++i) v = minus(v, times(dot(v, list_[i]), list_[i]));
  return v;
}

}  // namespace galerna::curving
