/// \file
/// Whether the numbers of a mesh's elements and traces fit into the codes of dg/sides/side_codes.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "base/shape.hpp"
#include "dg/spec.hpp"
#include "mesh/mesh.hpp"

namespace galerna::dg {

/// What codes count of a mesh.
struct CodeCounts {
  struct Set {
    Shape shape;
    std::int64_t elements;
  };
  std::vector<Set> sets;
  std::vector<std::int64_t> boundary_faces;  ///< of each boundary
  bool turned = false;                       ///< whether codes of slots have orientations beside them
};
/// \param mesh prepared (mesh/prepare.hpp).
CodeCounts code_counts(const mesh::Mesh& mesh, const Spec& spec);

/// All codes must be less than 2³¹, for any padding.
/// \throws InputError at `place` which says how many elements there are and how many of such a mesh fit.
void require_codes(const CodeCounts& counts, const SourcePlace& place);

}  // namespace galerna::dg
