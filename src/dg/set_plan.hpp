/// \file
/// What is decided of a set of elements, one block of the mesh, from the whole mesh: apart from what a device holds of
/// the set (dg/element_set.hpp).
#pragma once

#include <cstdint>
#include <string>

#include "dg/structure.hpp"

namespace galerna::dg {

/// How the elements of a set are mapped from their reference shape.
enum class ElementMap {
  affine,     ///< metric terms are constant in each element
  bilinear,   ///< quadrilaterals with straight sides
  trilinear,  ///< hexahedra with straight edges where the kernels take their maps (Structure::by_lines)
  curved
};

struct SetPlan {
  Operators operators;
  int order = 1;              ///< of the geometry
  std::int64_t elements = 0;  ///< of the whole mesh
  bool alone = true;          ///< whether the mesh holds no others
  ElementMap map = ElementMap::affine;
  const Structure* structure = nullptr;  ///< what computes its residual
  std::string why;                       ///< it was chosen, for people
  std::string label;                     ///< behind the names of its kernels: empty where there is only one set

  Elements traits() const { return {operators, order, alone}; }
  bool stands_by_itself() const { return structure->stands_by_itself(alone); }
  TraceKernel trace_kernel() const { return structure->trace_kernel(alone); }
};

}  // namespace galerna::dg
