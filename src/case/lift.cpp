#include "case/lift.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/toml_key.hpp"
#include "case/registry.hpp"

namespace galerna::case_file {

void check_lift(Reading& reading, const std::vector<BoundarySettings>& boundaries) {
  const auto is_wall = [](const BoundarySettings& boundary) {
    const BoundaryEntry* entry = find_entry(boundary_types(), boundary.type);
    return entry && entry->wall;
  };
  if (std::any_of(boundaries.begin(), boundaries.end(), is_wall)) return;
  for (const BoundarySettings& boundary : boundaries)
    if (boundary.lift_centre)
      reading.report(boundary.place, fmt::format("[boundary.{}] has lift_centre, but no boundary is a wall that the "
                                                 "lift could act on: leave it out",
                                                 toml_key(boundary.name)));
}

}  // namespace galerna::case_file
