/// \file
/// Arguments of the element kernels, which compute on sets of elements of any shape, straight or curved.
/// All elements of a set have one shape and one geometry order.
#pragma once

#include "kernels/arguments.hpp"

namespace galerna::kernels {

/// How many threads of a GPU share an element where each works on one variable: a power of two.
constexpr int threads_per_element(int variables) {
  int threads = 1;
  while (threads < variables) threads *= 2;
  return threads;
}

/// Threads in a thread block of kernels where threads share elements (thread_group.hpp).
constexpr int group_block = 128;

/// Bytes of shared memory for each SideParts (lifting.hpp): a kernel has two, and a thread block 48 KB.
constexpr int shared_parts_bytes = 18 * 1024;

/// Numbers of the trilinear map x = … + A_0 ξ + A_1 η + A_2 ζ + B_01 ξη + B_02 ξζ + B_12 ηζ + C ξηζ: A, B, C, and the
/// sign of its Jacobian.
constexpr int trilinear_numbers = 22;

/// Geometry and connectivity of a set. Points of sides are counted as the element itself counts them.
struct ElementSetArrays {
  const void* contravariant;  ///< affine: [block][d][k][lane] ∂ξ_d/∂x_k; bilinear: [block][6][lane] A, B, C of the map
                              ///< A ξ + B η + C ξη, with the sign of J; trilinear: [block][22][lane]; else
                              ///< [block][volume point][d][k][lane] |J| ∂ξ_d/∂x_k
  // Not where affine, bilinear or trilinear:
  const void* inverse;         ///< [block][volume point][lane] 1/|J|
  const void* normals;         ///< [block][side][side point][k][lane] outward unit normal times ds
  const void* means;           ///< [block][mode][lane] ∫ φ_j dx over the element
  const std::int32_t* beyond;  ///< [block][side][lane] slot of the trace beyond the side and how traces run
                               ///< against the element's own order of points (side_code.hpp)
  const void* nodes;           ///< [block][node][k][lane] coordinates of the elements' nodes, for sources only
  std::int64_t elements;       ///< without padding
  const void* side_gradients;  ///< with viscosity, not where affine or bilinear: [block][side][side point][d][k][lane]
                               ///< ∂ξ_d/∂x_k
  const void* corrections;     ///< of curved elements that are computed line by line (line/residual.hpp):
                               ///< [block][volume point][lane] (1 − Σ_j φ_j ∫ φ_j dx/|J|)/∫ φ_0 dx
  const void* corner_viscosity;  ///< with artificial viscosity: [block][corner][lane] (diffusion.hpp)
  const double* tile_metric;     ///< of curved elements in tiles, in place of `contravariant` and others
                                 ///< (tile/metric_rows.hpp): [eight elements][numbers()]
};

/// Traces on all faces of one shape (kernels/traces.hpp).
struct TraceArrays {
  void* traces;
  void* next_traces;     ///< for what the stage makes of the state (StageUpdate's last output); null: not wanted
  void* viscous_traces;  ///< of F_v·n, n outward
  void* face_gradients;  ///< [face block][point][d][variable][lane] ∇u with the lifting's part, inside boundary faces
  std::int64_t first_slot;   ///< of the set's own traces
  std::int64_t first_ghost;  ///< slot of the first boundary face
  std::int64_t faces;  ///< boundary faces with padding: with viscosity as many slots behind the ghosts hold 2 u_b − u⁻
};

/// element/residual.hpp
struct ElementArguments {
  const void* state;
  TraceArrays faces[2];  ///< of sides of the first and the second kind (side_points.hpp)
  ElementSetArrays set;
  const Control* control;
  StageUpdate update;
  double abscissa;           ///< of the stage
  const double* operators;   ///< tile/viscous_residual.hpp: dg/tiles.hpp; null: not wanted
  unsigned first_of_launch;  ///< as in ResidualArguments; kernels by warps end at set.elements
};

/// element/edges.hpp
struct EdgeArguments {
  const void* state;
  const std::int32_t* sides;  ///< [block of sides][lane] element of the set and side (side_code.hpp)
  const void* side_basis;     ///< of ResidualArguments
  void* traces;
  std::int64_t first_slot;  ///< of the set, or of the sides' own traces
  int in_order;             ///< whether traces lie as the sides are listed, not as those of elements
  const Control* control;
};

/// element/change.hpp
struct ElementChangeArguments {
  const void* state;
  void* previous;
  ElementSetArrays set;
  double* partials;  ///< of the set: as in ChangeArguments, rows of `blocks`
  std::int64_t blocks;
  Control* control;
  const void* element_limits;  ///< as in ChangeArguments
};

/// element/integrals.hpp
struct ElementIntegralArguments {
  const void* state;
  ElementSetArrays set;
  double* partials;  ///< of the set: as in IntegralArguments, rows of `blocks`
  std::int64_t blocks;
};

}  // namespace galerna::kernels
