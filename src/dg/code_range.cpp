#include "dg/code_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dg/element_set.hpp"

namespace galerna::dg {
namespace {

constexpr std::int64_t codes = std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1;

/// With the most padding that any device has.
std::int64_t padded(std::int64_t items) {
  return make_blocks(items, device::Kind::cuda, device::cuda_lanes).padded();
}

}  // namespace

CodeCounts code_counts(const mesh::Mesh& mesh, const Spec& spec) {
  CodeCounts counts;
  for (const mesh::ElementBlock& block : mesh.blocks) counts.sets.push_back({side_count(block.shape), block.size()});
  counts.boundary_faces.resize(mesh.boundaries.size());
  for (mesh::Index f = 0; f < mesh.boundary_faces; ++f)
    counts.boundary_faces[static_cast<std::size_t>(mesh.faces[static_cast<std::size_t>(f)].boundary)] += 1;
  counts.general = mesh.blocks.size() > 1;
  for (device::Kind kind : {device::Kind::host, device::Kind::cuda})
    counts.general = counts.general || !are_triangles_alone(make_element_sets(mesh, spec, {kind, device::cuda_lanes}));
  return counts;
}

void require_codes(const CodeCounts& counts, const SourcePlace& place) {
  const std::int64_t most_in_set = codes / 4, most_slots = counts.general ? codes / 2 : codes;
  std::int64_t elements = 0, largest_set = 0, slots = 0, ghosts = 0;
  for (const CodeCounts::Set& set : counts.sets) {
    elements += set.elements;
    largest_set = std::max(largest_set, padded(set.elements));
    slots += padded(set.elements) * set.sides;
  }
  for (std::int64_t faces : counts.boundary_faces) ghosts += padded(faces);
  if (largest_set <= most_in_set && slots + ghosts <= most_slots) return;
  // Of a mesh with the same shares of everything.
  const auto share = [](std::int64_t most, std::int64_t of) {
    return static_cast<double>(most) / static_cast<double>(of);
  };
  const double fits =
      static_cast<double>(elements) * std::min(share(most_in_set, largest_set), share(most_slots, slots + ghosts));
  throw InputError(place, fmt::format("the mesh has {} elements; up to about {:.0f} million of such a mesh fit, whose "
                                      "sides have numbers of 32 bits: use a coarser mesh or a smaller mesh.refine, and "
                                      "a higher discretization.order",
                                      elements, std::floor(fits / 1e6)));
}

}  // namespace galerna::dg
