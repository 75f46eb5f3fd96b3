/// \file
/// The faces of a CAD file as the true shape of a boundary.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cad/model.hpp"
#include "mesh/surface.hpp"

namespace galerna::cad {

/// \param faces by name or by number from 1, as `galerna info` prints them; empty: all
/// \throws std::invalid_argument where the model has no such face
std::shared_ptr<const mesh::Surface> make_surface(std::shared_ptr<const Model> model,
                                                  const std::vector<std::string>& faces);

/// The edges of a CAD file that lie in planes z = const as the true shape of a boundary in the plane; their z does not
/// count. \throws std::invalid_argument where there is none
std::shared_ptr<const mesh::Surface> make_plane_surface(std::shared_ptr<const Model> model);

}  // namespace galerna::cad
