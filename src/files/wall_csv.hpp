/// \file
/// Walls as CSV files.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "analysis/walls.hpp"

namespace galerna::files {

/// CSV: part, s, x, y, normal_x, normal_y, pressure, shear, cp, cf, density, velocity_x, velocity_y, velocity_s, mach,
/// temperature, heat_flux; cp and cf only with a reference. \throws SystemError when the file cannot be written.
void write_wall(const std::vector<analysis::WallSample>& wall, const std::optional<analysis::Reference>& reference,
                const std::filesystem::path& file);

/// The same of a wall in space, face by face in the mesh's order: x, y, z, normal_x, normal_y, normal_z, area,
/// pressure, shear_x, shear_y, shear_z, cp, density, velocity_x, velocity_y, velocity_z, mach, temperature, heat_flux.
void write_wall_in_space(const analysis::Wall& wall, const analysis::Reference& reference,
                         const std::filesystem::path& file);

}  // namespace galerna::files
