/// \file
/// Sections of walls in space that a case asks for: [output.section.NAME].
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/wall_section.hpp"
#include "case/settings.hpp"

namespace galerna::solver {

/// Where the section runs, without values; empty where its plane misses the wall.
std::vector<analysis::SectionPoint> cut_wall(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                             const case_file::OutputSettings::Section& section);

/// Section -> "section_NAME", what its files begin with.
std::map<std::string, std::string> section_files(const case_file::Settings& settings);

/// section_NAME.csv of every section, and the pressure coefficient along it as a plot, section_NAME.png or .svg.
void write_sections(const case_file::Settings& settings, const analysis::Solution& solution,
                    const std::vector<analysis::Wall>& walls);

}  // namespace galerna::solver
