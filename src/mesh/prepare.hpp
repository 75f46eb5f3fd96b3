/// \file
/// From a mesh as it was read to one that can be computed on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"
#include "mesh/overlaps.hpp"
#include "mesh/periodic.hpp"

namespace galerna::mesh {

struct PrepareOptions {
  std::vector<PeriodicPair> periodic;  ///< in addition to the periodicity that the mesh has from its file
  double tolerance = 1e-6;             ///< of periodic positions, relative to the diagonal of the mesh
  /// Boundaries whose sides may lie upon one another (mesh/overlaps.hpp); all that have a name where none are given.
  std::optional<std::vector<std::string>> plates = {};
};

/// Checks the mesh and makes it ready:
/// - elements that are oriented negatively are mirrored (Mesh::turned says how many);
/// - tetrahedra of higher geometry order with straight edges and sides become ones of order 1, in a block of their own;
/// - periodic pairs are added to Mesh::image;
/// - the corners of every simplex are sorted by (image, x, y, z), the nodes of higher order with them, so that both
/// elements of a
///   face, periodic or not, see its points in the same order; a simplex may have a negative determinant after that;
/// - elements are renumbered along a Hilbert curve within each block, deterministically; ElementBlock::source stays
/// with them;
/// - Mesh::faces are built; periodic sides leave their boundaries (a boundary that becomes empty is removed), sides
/// that no
///   group names become the boundary "".
/// \throws InputError with the places: elements without area, folded or twisted, duplicate elements,
/// sides shared by
///         more than two elements, elements on one side of the side between them, boundary sides that lie upon one
///         another and are no plates, parts that lie over one another, periodic boundaries that do not match.
/// \returns boundary sides that lie upon one another, those of plates
std::vector<Overlap> prepare(Mesh& mesh, const PrepareOptions& options = {});

}  // namespace galerna::mesh
