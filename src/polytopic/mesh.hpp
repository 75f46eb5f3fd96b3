/// \file
/// A mesh of polytopes, each a union of simplices: what the kernels of interior-penalty methods read, on the host.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/agglomeration.hpp"
#include "mesh/mesh.hpp"

namespace galerna::polytopic {

/// Polytopes are numbered as the agglomeration has them. A facet is a side of a simplex on a polytope's surface; those
/// between the same two polytopes make an interface. Interfaces are sorted by their lower, then their higher polytope;
/// facets lie interface after interface, then those on the boundary by polytope.
struct Mesh {
  int dimension = 2;
  std::int64_t polytopes = 0;

  std::vector<std::int64_t> first_simplices;  ///< [polytope + 1]
  std::vector<mesh::Index> elements;          ///< [simplex] in the mesh that it comes from
  std::vector<double> simplices;              ///< [simplex][corner][d]
  std::vector<double> simplex_measures;       ///< [simplex]

  std::vector<double> boxes;     ///< [polytope][2][d]: centre and half of the edges of the bounding box
  std::vector<double> measures;  ///< [polytope][2]: |κ|, |∂κ|

  std::vector<double> facets;                  ///< [facet][d + 1][d]: corners, unit normal out of the first side
  std::vector<double> facet_measures;          ///< [facet]: |F|
  std::vector<double> facet_simplices;         ///< [facet][2]: |T| on the first and second side (0 on boundaries)
  std::vector<std::int32_t> facet_polytopes;   ///< [facet][2]: polytopes; second −1 − b on boundary b
  std::vector<std::int64_t> first_facets;      ///< [interface + 1]
  std::vector<std::int32_t> interfaces;        ///< [interface][2]: lower, higher polytope
  std::vector<std::int64_t> first_own_facets;  ///< [polytope + 1]
  std::vector<std::int32_t> own_facets;        ///< [own facet] 2 · facet + side

  std::int64_t simplex_count() const { return static_cast<std::int64_t>(elements.size()); }
  std::int64_t interface_count() const { return static_cast<std::int64_t>(interfaces.size() / 2); }
  std::int64_t facet_count() const { return static_cast<std::int64_t>(facet_polytopes.size() / 2); }
  std::int64_t inner_facet_count() const { return first_facets.back(); }
};

/// \param mesh prepared, of straight triangles or tetrahedra without periodic sides
/// \throws InputError for other meshes
Mesh make_mesh(const mesh::Mesh& mesh, const mesh::Agglomeration& agglomeration);

/// The centroid of a polytope.
std::array<double, 3> centroid(const Mesh& mesh, std::int64_t polytope);

}  // namespace galerna::polytopic
