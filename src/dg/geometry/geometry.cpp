#include "dg/geometry/geometry.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace galerna::dg {

Geometry make_geometry(const mesh::Mesh& mesh) {
  return make_geometry(mesh, 0, mesh.element_count());
}

Geometry make_geometry(const mesh::Mesh& mesh, mesh::Index first, mesh::Index last) {
  Geometry g;
  const int d = mesh.dimension;
  const Shape simplex = d == 3 ? Shape::tetrahedron : Shape::triangle;
  for (const mesh::ElementBlock& block : mesh.blocks)
    if (block.shape != simplex || block.order != 1)
      throw InputError({mesh.file}, fmt::format("the mesh holds {} of geometry order {}; this equation is computed on "
                                                "straight {} (order 1): mesh the geometry with those, "
                                                "and leave [mesh.curve] out",
                                                plural_name(block.shape), block.order, plural_name(simplex)));

  const auto elements = static_cast<std::size_t>(last - first), n = static_cast<std::size_t>(d);
  g.gradients.resize(elements * n * n);
  g.determinants.resize(elements);
  g.diameters.resize(elements);
  in_parallel(last - first, 1024, [&](std::int64_t begin, std::int64_t end) {
    Eigen::MatrixXd jacobian(d, d), gradients(d, d);  // column i: x_{i+1} − x_0; row i: ∇λ_{i+1}
    Eigen::VectorXd sum(d);
    for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e) {
      const auto corners = mesh.element_nodes(first + static_cast<mesh::Index>(e));
      const mesh::Point& origin = mesh.nodes[static_cast<std::size_t>(corners[0])];
      for (int i = 0; i < d; ++i) {
        const mesh::Point& corner = mesh.nodes[static_cast<std::size_t>(corners[static_cast<std::size_t>(i) + 1])];
        for (int k = 0; k < d; ++k)
          jacobian(k, i) = corner[static_cast<std::size_t>(k)] - origin[static_cast<std::size_t>(k)];
      }
      gradients = jacobian.inverse();
      sum.setZero();
      double lengths = 0;
      for (int i = 0; i < d; ++i) {
        for (int k = 0; k < d; ++k) g.gradients[e * n * n + static_cast<std::size_t>(i * d + k)] = gradients(i, k);
        sum += gradients.row(i).transpose();
        lengths += gradients.row(i).norm();
      }
      g.determinants[e] = std::abs(jacobian.determinant());
      // Inradius = d · measure / (sum of the sides) and side_i = d · measure · |∇λ_i|.
      g.diameters[e] = 2 / (lengths + sum.norm());
    }
  });
  return g;
}

namespace {

using Vector = Eigen::Vector2d;

/// Sides of one boundary in 2D with their end nodes (as the element orders them) and outward normals.
struct WallSide {
  mesh::Index first, second;
  Vector start, end, normal;
};

WallSide wall_side(const mesh::Mesh& mesh, const mesh::Side& side) {
  const auto corners = mesh.corners(side.element);
  const auto ends =
      side_corners(mesh.blocks[static_cast<std::size_t>(mesh.locate(side.element).block)].shape, side.side);
  WallSide s;
  s.first = corners[static_cast<std::size_t>(ends[0])];
  s.second = corners[static_cast<std::size_t>(ends[1])];
  const auto position = [&](mesh::Index node) {
    const mesh::Point& p = mesh.nodes[static_cast<std::size_t>(node)];
    return Vector(p[0], p[1]);
  };
  s.start = position(s.first);
  s.end = position(s.second);
  const Vector along = s.end - s.start;
  s.normal = Vector(along[1], -along[0]).normalized();
  Vector inside = Vector::Zero();
  for (mesh::Index corner : corners) inside += position(corner) / static_cast<double>(corners.size());
  if (s.normal.dot(inside - s.start) > 0) s.normal = -s.normal;
  return s;
}

/// Normals of a smooth curve through the nodes of a boundary. At a node the normal is interpolated between those of the
/// two sides that meet there, weighted with the other's length: exact on circles. Where the sides meet at more than 40
/// degrees (a trailing edge) or the boundary ends, the side's other end decides, as on a circular arc.
class WallReconstruction {
 public:
  WallReconstruction(const mesh::Mesh& mesh, const std::vector<mesh::Side>& sides) : node_sides_(mesh.nodes.size()) {
    for (const mesh::Side& side : sides) {
      const WallSide s = wall_side(mesh, side);
      for (mesh::Index node : {s.first, s.second}) node_sides_[static_cast<std::size_t>(node)].push_back(s);
    }
  }

  /// Normal at position ξ ∈ [0, 1] of the side: with the slopes m_0, m_1 of the curve against the side at its ends, the
  /// curve is the cubic with y(0) = y(1) = 0, y'(0) = m_0, y'(1) = m_1.
  Vector normal(const WallSide& s, double xi) const {
    std::optional<double> m0 = slope(s, s.first), m1 = slope(s, s.second);
    if (!m0) m0 = m1 ? -*m1 : 0;
    if (!m1) m1 = -*m0;
    const double y = *m0 * (1 - 4 * xi + 3 * xi * xi) + *m1 * (3 * xi * xi - 2 * xi);
    const Vector along = (s.end - s.start).normalized();
    return (s.normal - y * along).normalized();
  }

 private:
  /// Slope of the curve against the side at one of its ends, in the frame (along, normal); none at corners and ends.
  std::optional<double> slope(const WallSide& s, mesh::Index node) const {
    const auto& sides = node_sides_[static_cast<std::size_t>(node)];
    if (sides.size() != 2) return {};
    const WallSide& other =
        std::minmax(sides[0].first, sides[0].second) == std::minmax(s.first, s.second) ? sides[1] : sides[0];
    if (s.normal.dot(other.normal) < std::cos(40 * M_PI / 180)) return {};
    const double own = (s.end - s.start).norm(), others = (other.end - other.start).norm();
    const Vector normal = (s.normal * others + other.normal * own).normalized();
    const Vector along = (s.end - s.start).normalized();
    return -normal.dot(along) / normal.dot(s.normal);
  }

  std::vector<std::vector<WallSide>> node_sides_;
};

Vector circle_normal(const WallShape::Circle& circle, const Vector& position, const Vector& face_normal) {
  const Vector radial = (position - Vector(circle.centre[0], circle.centre[1])).normalized();
  return radial.dot(face_normal) < 0 ? Vector(-radial) : radial;
}

}  // namespace

BoundaryFaces make_boundary_faces(const mesh::Mesh& mesh, const std::vector<double>& side_coordinates,
                                  const std::vector<std::optional<WallShape>>& shapes) {
  BoundaryFaces result;
  std::vector<std::optional<WallReconstruction>> reconstructions(shapes.size());
  for (std::size_t b = 0; b < shapes.size(); ++b)
    if (shapes[b] && !shapes[b]->circle) reconstructions[b].emplace(mesh, mesh.boundaries[b].sides);

  for (mesh::Index f = 0; f < mesh.boundary_faces; ++f) {
    const mesh::Face& face = mesh.faces[static_cast<std::size_t>(f)];
    const WallSide side = wall_side(mesh, face.left);
    const auto b = static_cast<std::size_t>(face.boundary);
    result.measures.push_back((side.end - side.start).norm());
    for (double xi : side_coordinates) {
      const Vector position = (1 - xi) * side.start + xi * side.end;
      result.positions.insert(result.positions.end(), {position[0], position[1], 0.0});
      Vector normal = side.normal;
      if (shapes[b] && shapes[b]->circle)
        normal = circle_normal(*shapes[b]->circle, position, side.normal);
      else if (reconstructions[b])
        normal = reconstructions[b]->normal(side, xi);
      result.wall_normals.insert(result.wall_normals.end(), {normal[0], normal[1]});
    }
  }
  return result;
}

}  // namespace galerna::dg
