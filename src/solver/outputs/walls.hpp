/// \file
/// What a case says about its walls, for analysis/walls.hpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/solution.hpp"
#include "case/settings.hpp"
#include "dg/flow_operator.hpp"
#include "files/report.hpp"

namespace galerna::solver {

/// Boundaries on which forces are taken.
std::vector<std::string> wall_names(const case_file::Settings& settings);

/// All walls, with what stands in the residual there: [wall_names].
std::vector<analysis::Wall> walls_of(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                     const dg::FlowOperator& discretization, const dg::BoundaryFlow& flow);

/// [output.forces]
std::optional<analysis::Reference> reference(const case_file::Settings& settings);

/// Drag, lift and moment of each wall and of all together, for monitors: "cd_WALL", "cl_WALL", "cm_WALL", …, "cm_all".
/// Nothing without walls or reference values.
std::vector<std::string> coefficient_names(const case_file::Settings& settings);
std::vector<double> wall_coefficients(const case_file::Settings& settings, const std::vector<analysis::Wall>& walls);

/// Forces, coefficients and separation of all walls, for the report.
void report_walls(files::Report& report, const case_file::Settings& settings, const mesh::Mesh& mesh,
                  const std::vector<analysis::Wall>& walls);

/// Lengths of reverse flow, for the report.
void report_bubbles(files::Report& report, const case_file::Settings& settings, const analysis::Solution& solution);

/// Wall -> "wall_NAME", what its files begin with.
std::map<std::string, std::string> wall_files(const case_file::Settings& settings);

/// wall_NAME.csv of every wall, in the directory, where the case gives reference values; in space wall_NAME.vtu, too:
/// the surface with the fields of the flow, cp and the normal.
void write_walls(const case_file::Settings& settings, const analysis::Solution& solution,
                 const std::vector<analysis::Wall>& walls);

}  // namespace galerna::solver
