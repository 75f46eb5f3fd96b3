/// \file
/// Meshes made of parts that share no node, and curved ones.
#pragma once

#include <cmath>
#include <functional>
#include <string>

#include "mesh/box.hpp"
#include "mesh/raise.hpp"

namespace galerna::mesh {

/// Both meshes in one, without a common node; their boundaries keep their names, with `mark` behind those of b.
inline Mesh beside(Mesh a, const Mesh& b, const std::string& mark = "") {
  const auto nodes = static_cast<Index>(a.nodes.size()), elements = a.element_count();
  Mesh both = a.without_elements();
  both.nodes.insert(both.nodes.end(), b.nodes.begin(), b.nodes.end());
  for (const Index image : b.image) both.image.push_back(image + nodes);
  both.blocks = a.blocks;
  both.boundaries = a.boundaries;
  for (ElementBlock block : b.blocks) {
    for (Index& node : block.nodes) node += nodes;
    for (Index& source : block.source) source += elements;
    both.blocks.push_back(block);
  }
  for (Boundary boundary : b.boundaries) {
    for (Side& side : boundary.sides) side.element += elements;
    boundary.name += mark;
    both.boundaries.push_back(boundary);
  }
  return both;
}

inline Mesh moved(Mesh mesh, const Point& by) {
  transform(mesh, [&](const Point& x) { return Point{x[0] + by[0], x[1] + by[1], x[2] + by[2]}; });
  return mesh;
}

/// The unit square between circles of radius 1 and 2 around the origin.
inline Point ring(const Point& x) {
  const double radius = 1 + x[0], angle = 1.2 * x[1];
  return {radius * std::cos(angle), radius * std::sin(angle), x[2]};
}

inline Mesh raised(const Mesh& mesh, int order, const std::function<Point(const Point&)>& map) {
  Mesh result =
      order == 1 ? mesh : raise(mesh, order, std::vector<char>(static_cast<std::size_t>(mesh.element_count()), 1)).mesh;
  transform(result, map);
  return result;
}

}  // namespace galerna::mesh
