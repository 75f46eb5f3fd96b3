#include "files/section_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "files/atomic_file.hpp"

namespace galerna::files {

void write_section(const std::vector<analysis::SectionPoint>& section, const analysis::Reference& reference,
                   bool friction, const std::filesystem::path& file) {
  std::string text = "part,s,x,y,z,x_c,pressure,cp";
  text += friction ? ",cf,shear_x,shear_y,shear_z,heat_flux\n" : "\n";
  const double q = reference.dynamic_pressure();
  for (const analysis::SectionPoint& p : section) {
    text += fmt::format("{},{},{},{},{},{}", p.part, p.s, fmt::join(p.at.place, ","), p.chord_share, p.pressure,
                        reference.cp(p.pressure));
    if (friction)
      text += fmt::format(",{},{},{}", p.friction.along(p.at.normal) / q, fmt::join(p.friction.force, ","),
                          p.friction.heat);
    text += "\n";
  }
  write_file(file, text);
}

}  // namespace galerna::files
