#include "curving/side_table.hpp"

#include <array>

#include "base/index.hpp"

namespace galerna::curving {

using mesh::Index;
using mesh::SideKey;

SideTable::SideTable(const mesh::Mesh& mesh, const mesh::Surfaces& surfaces) : mesh_(mesh) {
  mesh::for_each_side(mesh,
                      [&](const mesh::Side&, std::span<const Index> corners) { ++records_[key(corners)].elements; });
  for (const auto& [name, surface] : surfaces) mesh::require_boundary(mesh, name, "to put onto a " + surface->name());
  for (const mesh::Boundary& boundary : mesh.boundaries)
    if (const auto found = surfaces.find(boundary.name); found != surfaces.end())
      for (const mesh::Side& side : boundary.sides)
        records_[key(mesh::corners_of(mesh, side))].surface = found->second.get();
}

SideKey SideTable::key(std::span<const Index> corners) const {
  std::array<Index, 4> images{};
  for (std::size_t c = 0; c < corners.size(); ++c) images[c] = mesh_.image[at(corners[c])];
  return mesh::side_key(std::span<const Index>(images.data(), corners.size()));
}

}  // namespace galerna::curving
