/// \file
/// How one element becomes VTK cells: points on the equispaced lattice of some order, and cells over them.
#pragma once

#include <cstdint>
#include <vector>

#include "basis/basis.hpp"

namespace galerna::files {

/// VTK's numbers of cell types (vtkCellType.h).
enum VtkType : std::uint8_t {
  vtk_line = 3,
  vtk_triangle = 5,
  vtk_quad = 9,
  vtk_tetra = 10,
  vtk_hexahedron = 12,
  vtk_wedge = 13,
  vtk_pyramid = 14,
  vtk_lagrange_curve = 68,
  vtk_lagrange_triangle = 69,
  vtk_lagrange_quadrilateral = 70,
  vtk_lagrange_tetrahedron = 71,
  vtk_lagrange_hexahedron = 72,
  vtk_lagrange_wedge = 73
};

/// lagrange: one cell of arbitrary order for an element; subdivided: linear cells between the lattice points.
enum class VtkCells { lagrange, subdivided };

/// The cells of an element of one shape. Numbers of cell types and orders of nodes are those of VTK since file
/// version 2.2 (vtkCellType.h; the PointIndexFromIJK and BarycentricIndex functions of vtkHigherOrderQuadrilateral,
/// …Hexahedron, …Wedge, …Triangle, …Tetra).
struct CellPattern {
  struct Cell {
    std::uint8_t type;
    std::vector<int> nodes;  ///< numbers into `points`
  };
  std::vector<basis::Point> points;  ///< reference coordinates, the first index of the lattice fastest
  std::vector<Cell> cells;           ///< positively oriented where the element is
};

/// \param order of the lattice, ≥ 1. Pyramids, for which VTK has no cells of higher order, are always subdivided.
CellPattern cell_pattern(Shape shape, int order, VtkCells cells);

/// The same pattern with the first two reference coordinates exchanged: positive where the element is negatively
/// oriented.
CellPattern mirrored(CellPattern pattern);

}  // namespace galerna::files
