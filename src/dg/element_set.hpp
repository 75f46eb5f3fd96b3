/// \file
/// A set of elements of one shape and one geometry order on a device: one block of the mesh.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dg/blocks.hpp"
#include "dg/metric.hpp"
#include "dg/operators.hpp"
#include "dg/spec.hpp"
#include "kernels/general/arguments.hpp"
#include "mesh/mesh.hpp"

namespace galerna::dg {

/// Sets lie one behind the other, in the order of the mesh's blocks, in states, traces and reductions.
struct ElementSet {
  Operators operators;
  Blocks blocks;
  bool affine = true;             ///< metric terms are constant in each element
  std::string label;              ///< behind the names of its kernels: empty where there is only one set
  mesh::Index first_element = 0;  ///< in the mesh
  std::int64_t first_block = 0;   ///< blocks of the sets before
  std::int64_t first_group = 0;   ///< groups of the monitor (MonitorArguments), of the sets before
  std::int64_t first_slot = 0;    ///< traces of the sets before
  std::size_t state_offset = 0;   ///< bytes of a state before the set's
  std::vector<double> diameters;  ///< [element] Metric::diameters
  double measure = 0;             ///< of all elements together

  std::unique_ptr<device::Program> program;
  std::unique_ptr<device::Memory> diameters_array, neighbours;
  std::unique_ptr<device::Memory> element_limits;  ///< MonitorArguments::element_limits; null without local steps
  // Of straight triangles with kernels of their own (kernels/residual.hpp):
  std::unique_ptr<device::Memory> gradients, determinants, side_basis;
  // Of the general kernels (kernels/general):
  std::unique_ptr<device::Memory> contravariant, inverse, normals, means, side_gradients;

  std::int64_t slots() const { return blocks.padded() * operators.sides(); }
};

/// Whether the map of every element of the block is linear, up to rounding.
bool is_affine(const mesh::Mesh& mesh, const mesh::ElementBlock& block);

/// Whether the mesh and the spec are those for which straight triangles have kernels of their own.
bool has_triangle_kernels(const mesh::Mesh& mesh, const Spec& spec);

/// Sets without anything on a device yet. \param tile elements in a tile, see tile_elements().
std::vector<ElementSet> make_element_sets(const mesh::Mesh& mesh, const Spec& spec, device::Kind kind, int lanes,
                                          int tile);

/// Uploads what the general kernels need of a set's geometry.
void upload_metric(ElementSet& set, device::Device& device, const Spec& spec, const Metric& metric);

}  // namespace galerna::dg
