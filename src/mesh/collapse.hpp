/// \file
/// Elements that are written with a corner more than once, and the shapes that they really are.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// A corner that is there more than once, and how often; nothing where all differ.
std::optional<std::pair<Index, int>> repeated_corner(std::span<const Index> corners);

/// The shape whose sides are those of the element once equal corners are one: a hexahedron with two parallel edges of
/// no length is a prism. Nothing where there is no such shape.
std::optional<Shape> collapsed_shape(Shape shape, std::span<const Index> corners);

/// What to do about such an element, for messages: "write it as a prism"
std::string collapse_remedy(Shape shape, std::span<const Index> corners);

}  // namespace galerna::mesh
