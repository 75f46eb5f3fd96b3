#include "dg/sides/code_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "dg/blocks.hpp"
#include "dg/plan_sets.hpp"
#include "dg/sides/side_codes.hpp"
#include "kernels/side_code.hpp"

namespace galerna::dg {
namespace {

using kernels::orientation_bits;
using kernels::side_bits;

/// With the most padding that any device has.
std::int64_t padded(std::int64_t items) {
  return make_blocks(items, device::Kind::cuda, device::cuda_lanes).padded();
}

}  // namespace

CodeCounts code_counts(const mesh::Mesh& mesh, const Spec& spec) {
  CodeCounts counts;
  for (const mesh::ElementBlock& block : mesh.blocks) counts.sets.push_back({block.shape, block.size()});
  counts.boundary_faces.resize(mesh.boundaries.size());
  for (mesh::Index f = 0; f < mesh.boundary_faces; ++f)
    counts.boundary_faces[static_cast<std::size_t>(mesh.faces[static_cast<std::size_t>(f)].boundary)] += 1;
  for (device::Kind kind : {device::Kind::host, device::Kind::cuda})
    for (const SetPlan& set : plan_sets(mesh, spec, {kind, device::cuda_lanes}))
      counts.turned = counts.turned || set.structure->beyond == Beyond::turned_slot;
  return counts;
}

void require_codes(const CodeCounts& counts, const SourcePlace& place) {
  std::int64_t elements = 0, ghosts = 0;
  for (std::int64_t faces : counts.boundary_faces) ghosts += padded(faces);
  double fits = 1;  // of a mesh with the same shares of everything
  const auto need = [&](std::int64_t numbers, int bits) {
    if (numbers > code_limit >> bits)
      fits = std::min(fits, static_cast<double>(code_limit >> bits) / static_cast<double>(numbers));
  };
  std::map<Shape, std::int64_t> slots;  // of faces of a shape
  for (const auto& [shape, count] : counts.sets) {
    elements += count;
    need(padded(count), side_bits(side_count(shape)));
    for (int side = 0; side < side_count(shape); ++side) slots[side_shape(shape, side)] += padded(count);
  }
  for (const auto& [shape, count] : slots)
    need(count + ghosts, counts.turned ? orientation_bits(dimension(shape) + 1) : 0);
  if (fits == 1) return;
  throw InputError(place, fmt::format("the mesh has {} elements; up to about {:.0f} million of such a mesh fit, whose "
                                      "sides have numbers of 32 bits: use a coarser mesh or a smaller mesh.refine, and "
                                      "a higher discretization.order",
                                      elements, std::floor(static_cast<double>(elements) * fits / 1e6)));
}

}  // namespace galerna::dg
