/// \file
/// Boundaries in space as surfaces, with the fields of the flow beside them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "analysis/solution.hpp"
#include "basis/basis.hpp"

namespace galerna::files {

/// Cells of VTK over points, which are the boundary faces' own: a lattice of order max(1, p, geometry order) on each.
struct BoundarySurface {
  std::vector<std::string> names;
  std::vector<mesh::Point> places, normals;                          ///< [point] unit normals, out of the fluid
  std::vector<double> values;                                        ///< [point][name]
  std::vector<std::pair<std::string, std::vector<double>>> further;  ///< [point] by name
  std::vector<std::pair<std::string, std::vector<mesh::Point>>> vectors;
  std::vector<mesh::Side> sides;         ///< the faces
  std::vector<std::size_t> first_point;  ///< [face], and behind the last one: points of the faces before
  std::vector<basis::Point> reference;   ///< [point] in the reference shape of the face
  std::vector<std::int64_t> connectivity, offsets, element;  ///< as in VTU; number in the mesh file
  std::vector<std::uint8_t> types;

  /// The points of a face, in its reference shape.
  std::vector<basis::Point> reference_of(std::size_t face) const;
};

/// \param fields names; empty: the listed ones \throws InputError for boundaries and fields that are not there
BoundarySurface sample_boundary(const analysis::Solution& solution, const std::string& boundary,
                                const std::vector<std::string>& fields = {});

/// With the normals as the vector `normal`. \throws SystemError when the file cannot be written.
void write_boundary_vtu(const BoundarySurface& surface, double time, const std::filesystem::path& file);

}  // namespace galerna::files
