#include "analysis/side_map.hpp"

#include <cmath>

#include "analysis/sampling.hpp"
#include "base/vectors.hpp"

namespace galerna::analysis {

using mesh::Point;

int outward_sign(Shape shape, int side) {
  const auto corners = side_corners(shape, side);
  const Point from = reference_corner(shape, corners[0]);
  const Point own =
      cross(minus(reference_corner(shape, corners[1]), from), minus(reference_corner(shape, corners.back()), from));
  return dot(own, reference_normal(shape, side)) > 0 ? 1 : -1;
}

SideMap::SideMap(const mesh::Mesh& mesh, const mesh::Side& side) {
  const auto [number, position] = mesh.locate(side.element);
  const mesh::ElementBlock& block = mesh.blocks[static_cast<std::size_t>(number)];
  shape_ = side_shape(block.shape, side.side);
  order_ = block.order;
  sign_ = outward_sign(block.shape, side.side) * orientation(mesh, block, position);
  const auto of_element = mesh.element_nodes(side.element);
  basis::Matrix places(static_cast<Eigen::Index>(of_element.size()), 3);
  for (std::size_t n = 0; n < of_element.size(); ++n)
    for (std::size_t d = 0; d < 3; ++d)
      places(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(d)) =
          mesh.nodes[static_cast<std::size_t>(of_element[n])][d];
  // The element's polynomials are those of the side on it.
  nodes_ = basis::lagrange_values(block.shape, block.order,
                                  basis::side_points(block.shape, side.side, basis::lagrange_nodes(shape_, order_))) *
           places;
}

std::vector<SideMap::Place> SideMap::at(const std::vector<basis::Point>& points) const {
  const basis::Matrix places = basis::lagrange_values(shape_, order_, points) * nodes_;
  const basis::Matrix along[] = {basis::lagrange_derivatives(shape_, order_, points, 0) * nodes_,
                                 basis::lagrange_derivatives(shape_, order_, points, 1) * nodes_};
  const auto row = [](const basis::Matrix& all, std::size_t q) {
    const auto r = static_cast<Eigen::Index>(q);
    return Point{all(r, 0), all(r, 1), all(r, 2)};
  };
  std::vector<Place> result;
  for (std::size_t q = 0; q < points.size(); ++q) {
    Place at{row(places, q), {row(along[0], q), row(along[1], q)}, {}};
    at.normal = unit(times(sign_, cross(at.tangents[0], at.tangents[1])));
    result.push_back(at);
  }
  return result;
}

}  // namespace galerna::analysis
