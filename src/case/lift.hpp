/// \file
/// What far fields with lift_centre ask of the rest of the case.
#pragma once

#include <vector>

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// Reports far fields that carry the vortex of a lift where no boundary is a wall that the lift could act on.
void check_lift(Reading& reading, const std::vector<BoundarySettings>& boundaries);

}  // namespace galerna::case_file
