#include "mesh/gmsh_elements.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <stdexcept>
#include <string_view>

namespace galerna::mesh {
namespace {

/// [shape][order − 1]
constexpr std::array<std::array<int, highest_gmsh_order>, 8> types = {{
    {15, 0, 0, 0, 0, 0},          // point
    {1, 8, 26, 27, 28, 62},       // line
    {2, 9, 21, 23, 25, 42},       // triangle
    {3, 10, 36, 37, 38, 47},      // quadrilateral
    {4, 11, 29, 30, 31, 71},      // tetrahedron
    {7, 14, 118, 119, 120, 121},  // pyramid
    {6, 13, 90, 91, 106, 107},    // prism
    {5, 12, 92, 93, 94, 95},      // hexahedron
}};

struct Refused {
  std::string_view name;
  int order;  ///< 0: not a standard element
  bool serendipity;
};

const std::map<int, Refused>& refused() {
  static const std::map<int, Refused> table = {
      {16, {"8-node quadrilateral", 2, true}},
      {17, {"20-node hexahedron", 2, true}},
      {18, {"15-node prism", 2, true}},
      {19, {"13-node pyramid", 2, true}},
      {20, {"9-node triangle", 3, true}},
      {22, {"12-node triangle", 4, true}},
      {24, {"15-node incomplete triangle", 5, true}},
      {32, {"22-node tetrahedron", 4, true}},
      {33, {"28-node tetrahedron", 5, true}},
      {34, {"polygon", 0, false}},
      {35, {"polyhedron", 0, false}},
      {39, {"12-node quadrilateral", 3, true}},
      {40, {"16-node incomplete quadrilateral", 4, true}},
      {41, {"20-node quadrilateral", 5, true}},
      {43, {"36-node triangle", 7, false}},
      {44, {"45-node triangle", 8, false}},
      {45, {"55-node triangle", 9, false}},
      {46, {"66-node triangle", 10, false}},
      {48, {"64-node quadrilateral", 7, false}},
      {49, {"81-node quadrilateral", 8, false}},
      {50, {"100-node quadrilateral", 9, false}},
      {51, {"121-node quadrilateral", 10, false}},
      {63, {"8-node line", 7, false}},
      {64, {"9-node line", 8, false}},
      {65, {"10-node line", 9, false}},
      {66, {"11-node line", 10, false}},
      {72, {"120-node tetrahedron", 7, false}},
      {73, {"165-node tetrahedron", 8, false}},
      {74, {"220-node tetrahedron", 9, false}},
      {75, {"286-node tetrahedron", 10, false}},
      {96, {"512-node hexahedron", 7, false}},
      {97, {"729-node hexahedron", 8, false}},
      {98, {"1000-node hexahedron", 9, false}},
      {108, {"288-node prism", 7, false}},
      {109, {"405-node prism", 8, false}},
      {110, {"550-node prism", 9, false}},
      {122, {"204-node pyramid", 7, false}},
      {123, {"285-node pyramid", 8, false}},
      {124, {"385-node pyramid", 9, false}},
  };
  return table;
}

}  // namespace

std::optional<GmshElement> gmsh_element(int type) {
  if (type == 0) return {};
  for (const Shape shape : all_shapes)
    for (int order = 1; order <= highest_gmsh_order; ++order)
      if (types[static_cast<std::size_t>(shape)][static_cast<std::size_t>(order - 1)] == type)
        return GmshElement{shape, order};
  return {};
}

int gmsh_type(Shape shape, int order) {
  if (order < 1 || order > highest_gmsh_order) throw std::out_of_range("no Gmsh element type of this order");
  return types[static_cast<std::size_t>(shape)][static_cast<std::size_t>(order - 1)];
}

std::string refuse_gmsh_type(int type) {
  const auto found = refused().find(type);
  if (found == refused().end())
    return fmt::format(
        "unknown element type {}: allowed are points, lines, triangles, quadrilaterals, tetrahedra, pyramids, "
        "prisms and hexahedra of geometry order 1 to {}",
        type, highest_gmsh_order);
  const auto& [name, order, serendipity] = found->second;
  if (order == 0) return fmt::format("element type {} ({}) is not supported: mesh with standard shapes", type, name);
  if (serendipity)
    return fmt::format(
        "element type {} ({}) is a serendipity element, which is not supported: mesh with complete elements "
        "(in Gmsh: Mesh.SecondOrderIncomplete = 0)",
        type, name);
  return fmt::format(
      "element type {} ({}) is of geometry order {}, the highest supported is {}: mesh with a lower order "
      "(in Gmsh: Mesh.ElementOrder = {})",
      type, name, order, highest_gmsh_order, highest_gmsh_order);
}

}  // namespace galerna::mesh
