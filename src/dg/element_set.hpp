/// \file
/// A set of elements of one shape and one geometry order on a device: one block of the mesh.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/exact_sum.hpp"
#include "dg/blocks.hpp"
#include "dg/set_plan.hpp"
#include "dg/spec.hpp"
#include "kernels/element/arguments.hpp"
#include "mesh/mesh.hpp"

namespace galerna::dg {

/// Sets lie one behind the other, in the order of the mesh's blocks, in states, traces and reductions.
struct ElementSet : SetPlan {
  Blocks blocks;
  std::int64_t copies = 0;  ///< room behind them in states for copies of other ranks' elements, with padding
  device::Range residual_range, monitor_range;  ///< of launches
  mesh::Index first_element = 0;                ///< in the mesh
  std::int64_t first_block = 0;                 ///< blocks of the sets before
  std::int64_t groups = 0;                      ///< of the monitor (MonitorArguments)
  std::int64_t first_group = 0;                 ///< those of the sets before
  std::size_t state_offset = 0;                 ///< bytes of a state before the set's
  std::vector<double> diameters;                ///< [element] Metric::diameters
  ExactSum measure;                             ///< of all elements together

  std::unique_ptr<device::Memory> diameters_array, neighbours;
  std::unique_ptr<device::Memory> nodes;           ///< coordinates of the elements' nodes, if there is a source
  std::unique_ptr<device::Memory> element_limits;  ///< MonitorArguments::element_limits; null without local steps
  // Of straight simplices with kernels of their own (kernels/residual.hpp):
  std::unique_ptr<device::Memory> gradients, determinants, side_basis;
  // Of the element kernels (kernels/element):
  std::unique_ptr<device::Memory> products;          ///< Structure::products
  std::unique_ptr<device::Memory> corner_viscosity;  ///< ElementSetArrays::corner_viscosity; null: none
  Blocks edge_blocks;                     ///< of sides of simplices that leave traces (TraceKernel::edges, or cuts)
  std::unique_ptr<device::Memory> edges;  ///< EdgeArguments::sides
  std::unique_ptr<device::Memory> contravariant, inverse, normals, means, side_gradients, tile_metric, corrections;
};

/// Sets without anything on a device yet. \param plans of the mesh's blocks (plan_sets())
std::vector<ElementSet> make_element_sets(const mesh::Mesh& mesh, const std::vector<SetPlan>& plans, const Spec& spec,
                                          const device::Target& target);

/// Uploads the coordinates of a block's nodes, [node][k] in each element.
void upload_nodes(ElementSet& set, device::Device& device, device::Precision precision, const mesh::Mesh& mesh,
                  const mesh::ElementBlock& block);

}  // namespace galerna::dg
