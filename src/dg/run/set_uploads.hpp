/// \file
/// What a set of elements has on a device: geometry, tables, tiles.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dg/element_set.hpp"

namespace galerna::dg {

/// Geometry and tables of the only set of a mesh, straight simplices with kernels of their own.
void upload_simplices(ElementSet& set, device::Device& device, const Spec& spec, const mesh::Mesh& mesh);

/// Those of a set for the element kernels, block number `block` of the mesh.
void upload_elements(ElementSet& set, device::Device& device, const Spec& spec, const mesh::Mesh& mesh, int block);

/// Of the element kernels.
kernels::ElementSetArrays arrays_of(const ElementSet& set);
/// ∇λ_1, …, ∇λ_d of straight simplices (kernels::ResidualArguments).
const void* gradients_of(const ElementSet& set);

/// Tiles of elements on matrix units (kernels/tile/residual.hpp).
struct TileArrays {
  kernels::TileArguments arguments{};
  std::unique_ptr<device::Memory> operators, neighbours, codes;
};

/// Also sets what memory the launches of the set's residual share. \param codes [element][side]
/// (dg/sides/side_codes.hpp)
TileArrays upload_tiles(ElementSet& set, device::Device& device, const Spec& spec,
                        const std::vector<std::int32_t>& codes);

}  // namespace galerna::dg
