/// \file
/// The programs of a mesh.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "device/program.hpp"
#include "device/target.hpp"
#include "dg/spec.hpp"
#include "mesh/mesh.hpp"

namespace galerna::dg {

/// The texts that a Discretization of the mesh loads. \param stage_shapes (inputs, outputs) of the scheme's stages
std::vector<device::ProgramSource> make_programs(const mesh::Mesh& mesh, const Spec& spec, const device::Target& target,
                                                 const std::set<std::pair<int, int>>& stage_shapes);

}  // namespace galerna::dg
