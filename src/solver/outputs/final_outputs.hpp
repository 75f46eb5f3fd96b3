/// \file
/// Outputs that are written at the end of a run: pictures, figures, walls, sections of walls, lengths of reverse flow.
#pragma once

#include <memory>
#include <optional>

#include "drawing/space_raster.hpp"
#include "solver/outputs/output.hpp"

namespace galerna::solver {

/// What a picture of the case shows of space; nothing in the plane.
std::optional<drawing::Scene> scene_of(const case_file::OutputSettings::Picture& picture, const mesh::Mesh& mesh);

/// picture_NAME.png or .svg
std::unique_ptr<Output> make_pictures_output(const case_file::Settings& settings, const mesh::Mesh& mesh);
/// figure_NAME.png or .svg
std::unique_ptr<Output> make_figures_output(const case_file::Settings& settings, const mesh::Mesh& mesh);
/// wall_NAME.csv, in space wall_NAME.vtu, too
std::unique_ptr<Output> make_walls_output(const case_file::Settings& settings, const mesh::Mesh& mesh);
/// section_NAME.csv and its plot
std::unique_ptr<Output> make_sections_output(const case_file::Settings& settings, const mesh::Mesh& mesh);
/// Lengths of reverse flow, which stand in the report (report_bubbles() in solver/outputs/walls.hpp).
std::unique_ptr<Output> make_bubbles_output(const case_file::Settings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
