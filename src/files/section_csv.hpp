/// \file
/// Sections of walls as CSV files.
#pragma once

#include <filesystem>
#include <vector>

#include "analysis/wall_section.hpp"

namespace galerna::files {

/// CSV: part, s, x, y, z, x_c, pressure, cp, and with friction cf, shear_x, shear_y, shear_z, heat_flux.
/// \throws SystemError when the file cannot be written.
void write_section(const std::vector<analysis::SectionPoint>& section, const analysis::Reference& reference,
                   bool friction, const std::filesystem::path& file);

}  // namespace galerna::files
