/// \file
/// A case's mesh with its walls on their true shapes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "curving/curve_walls.hpp"
#include "mesh/gmsh_writer.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

enum class MeshStage { read, refine, prepare };

/// What elasticity did.
struct CurvingText {
  std::string text;           ///< for people; "" where it did nothing
  std::size_t held_back = 0;  ///< wall nodes that do not lie on their shape
};

struct CurvedMesh {
  mesh::Mesh mesh;  ///< before mesh::prepare()
  CurvingText curving;
  std::vector<curving::HeldNode> held;  ///< nodes of the mesh that were held back; none where it was read
};

/// What is written next to the mesh: how far nodes that were held back are from their shape.
mesh::GmshNotes notes_of(const CurvedMesh& curved, std::string comment);

/// Reads and refines the mesh, and curves the walls of [mesh.curve.NAME]: in space, and where [mesh.elasticity] is
/// there, by elasticity (curving/curve_walls.hpp), else element by element (mesh/curve.hpp). \throws InputError
CurvedMesh make_curved_mesh(const case_file::MeshSettings& settings, const std::function<void(MeshStage)>& enter);

}  // namespace galerna::solver
