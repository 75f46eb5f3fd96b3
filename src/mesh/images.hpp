/// \file
/// Mesh::image as sets of nodes that stand for one another; each set is represented by its smallest node.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Images of a mesh of `nodes` nodes without periodicity: every node its own.
inline std::vector<Index> own_images(std::size_t nodes) {
  std::vector<Index> image(nodes);
  std::iota(image.begin(), image.end(), Index{0});
  return image;
}

/// The node that represents `node`; shortens the way for later searches.
inline Index representative(std::vector<Index>& image, Index node) {
  const auto at = [&](Index n) -> Index& { return image[static_cast<std::size_t>(n)]; };
  while (at(node) != node) node = at(node) = at(at(node));
  return node;
}

/// Makes the two nodes, and all that stand for them, images of one another.
inline void join_images(std::vector<Index>& image, Index a, Index b) {
  a = representative(image, a);
  b = representative(image, b);
  image[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
}

/// Ends the joining: every node names its representative directly.
inline void finish_images(std::vector<Index>& image) {
  for (std::size_t n = 0; n < image.size(); ++n) image[n] = representative(image, static_cast<Index>(n));
}

/// Whether any node has another as its image.
inline bool has_images(const Mesh& mesh) {
  for (std::size_t n = 0; n < mesh.image.size(); ++n)
    if (mesh.image[n] != static_cast<Index>(n)) return true;
  return false;
}

}  // namespace galerna::mesh
