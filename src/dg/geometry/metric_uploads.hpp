/// \file
/// Geometry of a set of elements on a device, for the element kernels.
#pragma once

#include "dg/element_set.hpp"

namespace galerna::dg {

/// Uploads what the element kernels need of the geometry of a set, block number `block` of the mesh. What the host
/// keeps of it, diameters and measure, it puts into the set. The host holds metric terms of some of the elements at a
/// time. \param operators those of the set where it is curved, of one point in its elements else
void upload_metric(ElementSet& set, device::Device& device, const Spec& spec, const mesh::Mesh& mesh, int block,
                   const Operators& operators);

}  // namespace galerna::dg
