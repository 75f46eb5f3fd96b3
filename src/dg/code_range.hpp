/// \file
/// How large a mesh may be: kernels name the sides of elements, and traces on them, by 32-bit integers.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "dg/spec.hpp"
#include "mesh/mesh.hpp"

namespace galerna::dg {

/// What codes count of a mesh.
struct CodeCounts {
  struct Set {
    int sides;  ///< of an element
    std::int64_t elements;
  };
  std::vector<Set> sets;
  std::vector<std::int64_t> boundary_faces;  ///< of each boundary
  bool general = false;                      ///< whether the general kernels compute (kernels/general)
};
/// \param mesh prepared (mesh/prepare.hpp).
CodeCounts code_counts(const mesh::Mesh& mesh, const Spec& spec);

/// Codes are element · 4 + side within a set and, of traces (those of all sets, then of boundary faces), the slot, in
/// the general kernels 2 · slot + orientation: all must be less than 2³¹, for any padding.
/// \throws InputError at `place` which says how many elements there are and how many of such a mesh fit.
void require_codes(const CodeCounts& counts, const SourcePlace& place);

}  // namespace galerna::dg
