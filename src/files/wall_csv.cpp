#include "files/wall_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "files/atomic_file.hpp"

namespace galerna::files {

using analysis::Reference;
using analysis::Wall;
using analysis::WallPoint;
using analysis::WallSample;
using analysis::WallSide;

void write_wall(const std::vector<WallSample>& wall, const std::optional<Reference>& reference,
                const std::filesystem::path& file) {
  std::string text = "part,s,x,y,normal_x,normal_y,pressure,shear,";
  if (reference) text += "cp,cf,";
  text += "density,velocity_x,velocity_y,velocity_s,mach,temperature,heat_flux\n";
  for (const WallSample& w : wall) {
    const WallPoint& at = w.at;
    text += fmt::format("{},{},{},{},{},{},{},{},", w.part, w.s, at.place[0], at.place[1], at.normal[0], at.normal[1],
                        w.pressure(), w.shear());
    if (reference)
      text += fmt::format("{},{},", reference->cp(w.pressure()), w.shear() / reference->dynamic_pressure());
    text += fmt::format("{},{},{},{},{},{},{}\n", at.density, at.velocity[0], at.velocity[1], w.velocity(), at.mach,
                        at.temperature, at.heat);
  }
  write_file(file, text);
}

void write_wall_in_space(const Wall& wall, const Reference& reference, const std::filesystem::path& file) {
  std::string text =
      "x,y,z,normal_x,normal_y,normal_z,area,pressure,shear_x,shear_y,shear_z,cp,density,velocity_x,velocity_y,"
      "velocity_"
      "z,mach,temperature,heat_flux\n";
  for (const WallSide& side : wall.sides)
    for (const WallPoint& at : side.points) {
      const auto &f = at.pressure, &n = at.normal;
      const double pressure = f[0] * n[0] + f[1] * n[1] + f[2] * n[2];
      text += fmt::format("{},{},{},{},{},", fmt::join(at.place, ","), fmt::join(at.normal, ","), at.length, pressure,
                          fmt::join(at.friction, ","));
      text += fmt::format("{},{},{},{},{},{}\n", reference.cp(pressure), at.density, fmt::join(at.velocity, ","),
                          at.mach, at.temperature, at.heat);
    }
  write_file(file, text);
}

}  // namespace galerna::files
