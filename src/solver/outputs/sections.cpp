#include "solver/outputs/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "drawing/curve_plot.hpp"
#include "files/file_names.hpp"
#include "files/section_csv.hpp"
#include "solver/outputs/walls.hpp"

namespace galerna::solver {
namespace {

/// c_p over x/c, a curve for each piece of the section.
drawing::CurvePlot plot_of(const std::vector<analysis::SectionPoint>& section, const analysis::Reference& values) {
  drawing::CurvePlot plot;
  plot.across = "x/c";
  plot.upward = "cp";
  plot.downward = true;
  for (const analysis::SectionPoint& point : section) {
    plot.curves.resize(static_cast<std::size_t>(point.part) + 1);
    plot.curves.back().push_back({point.chord_share, values.cp(point.pressure)});
  }
  return plot;
}

}  // namespace

std::vector<analysis::SectionPoint> cut_wall(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                             const case_file::OutputSettings::Section& section) {
  analysis::SectionSetup setup;
  setup.plane = {section.point, unit(section.normal)};
  setup.stream = settings.output.forces->stream;
  if (section.edges) setup.chord = analysis::Chord{(*section.edges)[0], (*section.edges)[1]};
  setup.points = section.points > 0 ? section.points : std::max(4, settings.discretization.order + 2);
  return analysis::cut_boundary(mesh, section.wall, setup);
}

std::map<std::string, std::string> section_files(const case_file::Settings& settings) {
  std::vector<std::string> names;
  for (const auto& section : settings.output.sections) names.push_back(section.name);
  std::map<std::string, std::string> stems = files::file_names(names);
  for (auto& [name, stem] : stems) stem.insert(0, "section_");
  return stems;
}

void write_sections(const case_file::Settings& settings, const analysis::Solution& solution,
                    const std::vector<analysis::Wall>& walls) {
  if (settings.output.sections.empty()) return;
  const analysis::Reference values = *reference(settings);
  const auto stems = section_files(settings);
  for (const auto& section : settings.output.sections) {
    const auto wall = std::find_if(walls.begin(), walls.end(), [&](const auto& w) { return w.name == section.wall; });
    const bool viscous = settings.equations.viscous.has_value();
    auto points = cut_wall(settings, *solution.mesh, section);
    std::optional<analysis::WallFriction> friction;
    if (viscous) friction.emplace(*solution.mesh, *wall, solution.degree);
    analysis::set_values(points, solution, friction ? &*friction : nullptr);
    const auto file = settings.output.directory / stems.at(section.name);
    files::write_section(points, values, viscous, file.string() + ".csv");
    drawing::CurvePlot plot = plot_of(points, values);
    plot.width = section.width;
    plot.title = fmt::format("{}{}{}", settings.title, settings.title.empty() ? "" : ", ", section.name);
    if (solution.accurate) plot.title += fmt::format(", t = {:.6g}", solution.time);
    drawing::write_plot(plot, file.string() + "." + section.format);
  }
}

}  // namespace galerna::solver
