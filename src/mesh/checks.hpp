/// \file
/// What must hold of a mesh before it can be computed on. Each check throws InputError that lists the first few
/// offenders.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Throws InputError for `mesh` where `texts` is not empty: one problem a text, the first five and how many more there
/// are.
void report_problems(const Mesh& mesh, const std::vector<std::string>& texts);

/// Makes all elements positively oriented: negative ones are mirrored, and counted in Mesh::turned.
/// \returns [source] 1 for these
/// \throws InputError for elements without area or volume, twisted ones, and curved ones in two dimensions that are
/// folded (mesh/validity.hpp; the worst first).
std::vector<char> orient_elements(Mesh& mesh);

/// \param mesh with faces; its elements were positively oriented \param turned [source] 1 where they were mirrored for
/// that \param mirrored [source] 1 where they have been since
/// \throws InputError for elements that lie on the same side of the side between them: there the mesh is folded.
/// Periodic sides are left alone.
void check_folds(const Mesh& mesh, const std::vector<char>& turned, const std::vector<char>& mirrored);

/// \throws InputError for elements with the same corners.
void check_duplicates(const Mesh& mesh);

/// \throws InputError where one side has four corners and another three of them: a quadrilateral face that triangles
/// meet. \param sides those without a name: one of the two must be among them \param open all sides with no element on
/// the other side
void check_split_faces(const Mesh& mesh, const std::vector<Side>& sides, const std::vector<Side>& open);

/// \throws InputError where two elements share the corners of a side, but not where its other points lie, to 10⁻⁸ of
/// its size: there would be a gap between them. Periodic sides are left alone.
void check_curved_faces(const Mesh& mesh);

}  // namespace galerna::mesh
