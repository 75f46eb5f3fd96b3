/// \file
/// What a discretization will allocate on a device, known before anything is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dg/element_set.hpp"
#include "dg/program.hpp"
#include "dg/spec.hpp"
#include "mesh/mesh.hpp"

namespace galerna::dg {

/// An array on the device, or small ones of one purpose together, by what they are for.
struct PlannedArray {
  std::string name;
  std::size_t bytes = 0;
};

struct MemoryPlan {
  std::vector<PlannedArray> arrays;  ///< held from set-up to the end; to the byte what Device::memory_used() counts
  std::size_t temporary = 0;         ///< held beside them while the case's formulas are evaluated

  std::size_t held() const;
  std::size_t peak() const { return held() + temporary; }
};

/// Elements of one shape and geometry order that the general kernels compute on.
struct SetSizes {
  Shape shape;
  int order;
  std::int64_t elements;
  ElementMap map;
  bool reads_neighbours = false;
  std::int64_t edges = 0;  ///< if it reads neighbours: sides beyond which it ends
  int tile = 0;            ///< ElementSet::tile
  int outside = 0;         ///< if it has tiles: Tiles::outside
};

/// What a plan needs to know of a mesh.
struct MeshSizes {
  std::int64_t elements = 0;
  std::vector<std::int64_t> boundary_faces;  ///< of each boundary
  int vertex_slots = 0;                      ///< most elements around a vertex; 0 where no limiter asks for them
  std::map<int, int> tile_outside;           ///< elements in a tile: Tiles::outside; empty where no tiles are used
  std::vector<SetSizes> sets = {};           ///< empty where straight triangles have kernels of their own
};
/// \param mesh prepared (mesh/prepare.hpp).
MeshSizes mesh_sizes(const mesh::Mesh& mesh, const Spec& spec, const Target& target);

/// Whether the spec's limiter looks at all elements around the vertices.
bool looks_around_vertices(const Spec& spec);

/// Means of derivatives that the hierarchical limiter stores for each element, all variables.
int limiter_derivatives(const Spec& spec);

/// Bytes of a state array (kernels/state.hpp).
std::size_t state_bytes(const Spec& spec, const MeshSizes& sizes, const Target& target);

/// Boundary faces with the padding that lets each boundary start a new block.
std::size_t face_lanes(const MeshSizes& sizes, const Target& target);

/// Rows of `partials`: what change.hpp and the error norms of formulas.hpp write for each block.
int partial_rows(const Spec& spec);

/// Elements of a set whose formulas are evaluated together by the general kernels.
constexpr std::int64_t formula_elements = 4096;
/// The rule by which the general kernels' formulas are integrated, in the place of the volume rule.
Operators formula_operators(Shape shape, int degree, int geometry_order);

/// Blocks whose corner coordinates are on the device at a time while formulas are evaluated.
std::int64_t formula_blocks(const Blocks& elements);

/// The arrays of a Discretization; states are not among them, their owner knows how many there are.
MemoryPlan memory_plan(const Spec& spec, const MeshSizes& sizes, const Target& target);

/// Adds what tiles of so many elements take that read so many traces from outside (Tiles::outside).
void add_tiles(MemoryPlan& plan, const Operators& operators, const Blocks& blocks, int tile, int outside);

/// Adds what the spec's limiter takes.
void add_limiter(MemoryPlan& plan, const Spec& spec, const MeshSizes& sizes, const Target& target);

/// memory_plan() for the general kernels.
MemoryPlan general_memory_plan(const Spec& spec, const MeshSizes& sizes, const Target& target);

}  // namespace galerna::dg
