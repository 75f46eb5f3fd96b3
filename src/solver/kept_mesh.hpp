/// \file
/// Curved meshes of earlier runs, kept next to the straight meshes that they were made from.
#pragma once

#include <filesystem>
#include <functional>

#include "case/settings.hpp"
#include "solver/curved_mesh.hpp"

namespace galerna::solver {

/// Where the curved mesh of these settings is kept: wing.curved-HASH.msh next to wing.msh. HASH is that of the mesh
/// file, the CAD file, the settings of the mesh and this program.
std::filesystem::path kept_mesh_file(const case_file::MeshSettings& settings);

/// The same as make_curved_mesh(). What elasticity curved is read from the file that an earlier run kept, or is written
/// to it and then read, so that all runs have the same bits. Where the folder cannot be written, nothing is kept.
CurvedMesh find_or_make_curved_mesh(const case_file::MeshSettings& settings,
                                    const std::function<void(MeshStage)>& enter);

}  // namespace galerna::solver
