/// \file
/// The CAD file of a case, held against its mesh.
#pragma once

#include <memory>

#include "cad/model.hpp"
#include "case/settings.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Null where no boundary follows CAD. \throws InputError where the file cannot be read, and where a boundary that
/// follows it lies outside of its bounding box: with both boxes and, where one fits, the scale; SystemError without
/// OpenCASCADE
std::shared_ptr<const cad::Model> load_cad(const case_file::MeshSettings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
