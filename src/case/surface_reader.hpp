/// \file
/// True shapes of boundaries in [boundary.NAME] and what mesh.snap does with them.
#pragma once

#include <optional>

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// `circle` of a boundary in the plane; nothing where it is absent or wrong (then a problem was reported).
std::optional<Circle> read_circle(Section& s, int dimension);

/// `sphere` or `cylinder` of a boundary in space; nothing where there is none or it is wrong (then a problem was
/// reported). \param dimension of the flow, 2 or 3
std::optional<Surface> read_surface(Section& s, int dimension);

/// `snap` of [mesh], and `geometry_order` where it is for surfaces, after all boundaries. \param s the section [mesh]
void read_snap(Section& s, Settings& settings);

}  // namespace galerna::case_file
