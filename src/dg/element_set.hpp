/// \file
/// A set of elements of one shape and one geometry order on a device: one block of the mesh.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dg/blocks.hpp"
#include "dg/operators.hpp"
#include "dg/simplex_programs.hpp"
#include "dg/spec.hpp"
#include "dg/structures.hpp"
#include "kernels/element/arguments.hpp"
#include "mesh/mesh.hpp"

namespace galerna::dg {

/// How the elements of a set are mapped from their reference shape.
enum class ElementMap {
  affine,     ///< metric terms are constant in each element
  bilinear,   ///< quadrilaterals with straight sides
  trilinear,  ///< hexahedra with straight edges where the kernels take their maps (Structure::by_lines)
  curved
};

/// Sets lie one behind the other, in the order of the mesh's blocks, in states, traces and reductions.
struct ElementSet {
  Operators operators;
  Blocks blocks;
  int order = 1;      ///< of the geometry
  bool alone = true;  ///< whether the mesh holds no others
  ElementMap map = ElementMap::affine;
  const Structure* structure = nullptr;         ///< what computes its residual
  std::string why;                              ///< it was chosen, for people
  device::Range residual_range, monitor_range;  ///< of launches
  std::string label;                            ///< behind the names of its kernels: empty where there is only one set
  mesh::Index first_element = 0;                ///< in the mesh
  std::int64_t first_block = 0;                 ///< blocks of the sets before
  std::int64_t first_group = 0;                 ///< groups of the monitor (MonitorArguments), of the sets before
  std::size_t state_offset = 0;                 ///< bytes of a state before the set's
  std::vector<double> diameters;                ///< [element] Metric::diameters
  double measure = 0;                           ///< of all elements together

  std::unique_ptr<device::Memory> diameters_array, neighbours;
  std::unique_ptr<device::Memory> nodes;           ///< coordinates of the elements' nodes, if there is a source
  std::unique_ptr<device::Memory> element_limits;  ///< MonitorArguments::element_limits; null without local steps
  // Of straight simplices with kernels of their own (kernels/residual.hpp):
  std::unique_ptr<device::Memory> gradients, determinants, side_basis;
  // Of the element kernels (kernels/element):
  std::unique_ptr<device::Memory> products;  ///< Structure::products
  Blocks edge_blocks;                        ///< of triangles beside other elements: the sides beyond which they end
  std::unique_ptr<device::Memory> edges;     ///< EdgeArguments::sides
  std::unique_ptr<device::Memory> contravariant, inverse, normals, means, side_gradients, tile_metric, corrections;

  bool stands_by_itself() const { return structure->stands_by_itself(alone); }
  TraceKernel trace_kernel() const { return structure->trace_kernel(alone); }
};

/// The map of the block's elements; affine where that of every element is linear, up to rounding.
ElementMap map_of(const mesh::Mesh& mesh, const mesh::ElementBlock& block);

/// Sets without anything on a device yet.
std::vector<ElementSet> make_element_sets(const mesh::Mesh& mesh, const Spec& spec, const Target& target);

/// Whether values at quadrature points are computed line by line (kernels/element/tensor.hpp): quadrilaterals with
/// (p + 1)² points.
bool is_tensor(const Operators& operators);

/// Uploads the coordinates of a block's nodes, [node][k] in each element.
void upload_nodes(ElementSet& set, device::Device& device, device::Precision precision, const mesh::Mesh& mesh,
                  const mesh::ElementBlock& block);

}  // namespace galerna::dg
