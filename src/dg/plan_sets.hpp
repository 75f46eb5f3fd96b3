/// \file
/// Decides what computes each set of elements of a mesh.
#pragma once

#include <vector>

#include "dg/set_plan.hpp"
#include "mesh/mesh.hpp"

namespace galerna::dg {

/// The map of the block's elements; affine where that of every element is linear, up to rounding.
ElementMap map_of(const mesh::Mesh& mesh, const mesh::ElementBlock& block);

/// Plans of the mesh's blocks, in their order.
std::vector<SetPlan> plan_sets(const mesh::Mesh& mesh, const Spec& spec, const device::Target& target);

}  // namespace galerna::dg
