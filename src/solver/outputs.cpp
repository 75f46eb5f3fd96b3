#include "solver/outputs.hpp"

#include <fmt/format.h>

#include <limits>

#include "drawing/picture.hpp"
#include "files/atomic_file.hpp"
#include "solver/output_times.hpp"
#include "solver/sections.hpp"
#include "solver/walls.hpp"

namespace galerna::solver {
namespace {

std::vector<std::string> monitor_columns(const case_file::Settings& all, const std::vector<std::string>& variables) {
  const case_file::OutputSettings& settings = all.output;
  const std::string axes = all.equations.dimension == 3 ? "xyz" : "xy";
  const std::vector<std::string> walls = wall_names(all);
  std::vector<std::string> columns = {"step", "time", "dt", "change"};
  for (const char* what : {"residual", "integral", "boundary_flux"})
    for (const std::string& variable : variables) columns.push_back(fmt::format("{}_{}", what, variable));
  for (const std::string& wall : walls)
    for (const char axis : axes) columns.push_back(fmt::format("force_{}_{}", wall, axis));
  for (const std::string& name : coefficient_names(all)) columns.push_back(name);
  for (const case_file::OutputSettings::Integral& integral : settings.integrals) columns.push_back(integral.name);
  return columns;
}

drawing::PictureOptions picture_options(const case_file::Settings& settings,
                                        const case_file::OutputSettings::Picture& picture, const mesh::Mesh& mesh) {
  drawing::PictureOptions options;
  options.field = picture.field;
  options.range = picture.range;
  if (const auto& lines = picture.isolines)
    options.isolines = {(*lines)[0], (*lines)[1], static_cast<int>((*lines)[2])};
  if (const auto& window = picture.window)
    options.window = drawing::Window{(*window)[0], (*window)[1], (*window)[2], (*window)[3]};
  options.mesh_lines = picture.mesh;
  options.streamlines = picture.streamlines;
  options.width = picture.width;
  options.title = settings.title;
  options.scene = scene_of(picture, mesh);
  return options;
}

std::vector<mesh::Point> points_of(const case_file::OutputSettings::Probe& probe) {
  if (!probe.end) return {probe.point};
  return analysis::line_points(probe.point, *probe.end, probe.count);
}

}  // namespace

std::optional<drawing::Scene> scene_of(const case_file::OutputSettings::Picture& picture, const mesh::Mesh& mesh) {
  if (picture.normal) return drawing::cut_scene(picture.point, *picture.normal);
  if (!picture.view) return {};
  std::vector<Plane> planes;
  for (const case_file::OutputSettings::Plane& plane : picture.planes)
    planes.push_back(drawing::plane_through(plane.point, plane.normal));
  return drawing::view_scene(mesh, picture.boundaries, planes, *picture.view, picture.up);
}

Outputs::Outputs(const FlowState& flow, Observer& observer, std::optional<double> restart_time)
    : flow_(flow), case_(flow.settings()), settings_(case_.output), observer_(observer), restart_time_(restart_time) {
  files::create_directory(settings_.directory);
  const auto file = [&](const std::string& name) { return settings_.directory / name; };
  if (settings_.solution) series_ = std::make_unique<files::PvdSeries>(file("solution.pvd"), restart_time);
  const std::vector<std::string> columns = monitor_columns(case_, flow.discretization().spec().variables);
  monitor_ = std::make_unique<files::CsvMonitor>(file("monitor.csv"), columns, restart_time);
}

double Outputs::next_time(double time) const {
  double next = std::numeric_limits<double>::infinity();
  for (const case_file::Schedule* schedule : schedules())
    if (schedule->interval) next = std::min(next, multiple_after(*schedule->interval, time));
  return next;
}

long Outputs::next_step(long step) const {
  long next = std::numeric_limits<long>::max();
  for (const case_file::Schedule* schedule : schedules())
    if (schedule->steps) next = std::min(next, (step / *schedule->steps + 1) * *schedule->steps);
  return next;
}

std::vector<const case_file::Schedule*> Outputs::schedules() const {
  std::vector<const case_file::Schedule*> all = {&settings_.checkpoint_schedule, &settings_.monitor_schedule};
  if (settings_.solution) all.push_back(&settings_.solution_schedule);
  return all;
}

bool Outputs::due(const case_file::Schedule& schedule, double time, long step) const {
  return (schedule.interval && on_multiple(*schedule.interval, time)) ||
         (schedule.steps && step % *schedule.steps == 0);
}

void Outputs::write_due(Snapshot& now, RunHistory& history, bool last) {
  const double time = now.control().time;
  const long step = static_cast<long>(now.control().steps);
  if (time == now.control().average_start) history.means().sample_forces(now);
  // A restarted run finds the files of its first moment already written.
  if (restart_time_ && time <= *restart_time_ && !last) return;
  const bool first = step == 0;
  if (last && settings_.solution) observer_.working("writing the solution");
  if (settings_.solution && (last || first || due(settings_.solution_schedule, time, step)))
    write_solution(now.solution());
  if (first || last || due(settings_.monitor_schedule, time, step)) {
    history.means().sample_forces(now);
    write_monitor(now);
    if (!settings_.probes.empty()) write_probes();
  }
  if (last)
    write_last(now, history);
  else if (!first && due(settings_.checkpoint_schedule, time, step))
    write_checkpoint(history.checkpoint(now), fmt::format("{:08}", step));
}

void Outputs::write_last(Snapshot& now, const RunHistory& history) {
  observer_.working("writing the checkpoint");
  write_checkpoint(history.checkpoint(now), "final");
  write_pictures(now.solution());
  write_figures(now.solution());
  write_walls(case_, now.solution(), now.walls());
  write_sections(case_, now.solution(), now.walls());
  if (const std::optional<analysis::Solution> mean = flow_.mean()) write_state(*mean, "average");
}

void Outputs::write_solution(const analysis::Solution& solution) {
  const std::string name = fmt::format("solution_{:08}", solution.step);
  write_state(solution, name);
  series_->add(solution.time, name + ".vtu");
}

void Outputs::write_state(const analysis::Solution& solution, const std::string& name,
                          const std::vector<mesh::Index>& elements) {
  files::VtuOptions options;
  if (settings_.solution_precision == "double") options.precision = files::VtuOptions::Precision::double_precision;
  options.elements = elements;
  options.fields = settings_.solution_fields;
  files::write_vtu(solution, settings_.directory / (name + ".vtu"), options);
}

void Outputs::write_checkpoint(const files::Checkpoint& checkpoint, const std::string& name) {
  files::write_checkpoint(checkpoint, settings_.directory / ("checkpoint_" + name + ".h5"));
}

void Outputs::write_pictures(const analysis::Solution& solution) {
  for (const case_file::OutputSettings::Picture& picture : settings_.pictures) {
    const std::string file = fmt::format("picture_{}.{}", picture.name, picture.format);
    observer_.working("drawing " + file);
    drawing::write_picture(solution, settings_.directory / file, picture_options(case_, picture, *solution.mesh));
  }
}

void Outputs::write_figures(const analysis::Solution& solution) {
  for (const case_file::OutputSettings::Figure& figure : settings_.figures) {
    const std::string file = fmt::format("figure_{}.{}", figure.name, figure.format);
    observer_.working("drawing " + file);
    drawing::Figure drawn{{}, figure.columns, figure.width};
    for (const std::string& name : figure.pictures)
      for (const case_file::OutputSettings::Picture& picture : settings_.pictures)
        if (picture.name == name) drawn.pictures.push_back(picture_options(case_, picture, *solution.mesh));
    drawing::write_figure(solution, settings_.directory / file, drawn);
  }
}

void Outputs::write_monitor(Snapshot& now) {
  const kernels::Control& control = now.control();
  dg::FlowOperator& discretization = flow_.discretization();
  std::vector<double> row = {static_cast<double>(control.steps), control.time, control.dt, control.change};
  const auto add = [&row](const auto& numbers) { row.insert(row.end(), std::begin(numbers), std::end(numbers)); };
  row.insert(row.end(), control.residual, control.residual + discretization.spec().variables.size());
  add(discretization.integrals(flow_.stepper().state()));
  add(now.boundary_totals().sum());
  for (const analysis::Wall& wall : now.walls()) {
    const std::array<double, 3> force = analysis::wall_force(wall).total();
    row.insert(row.end(), force.begin(), force.begin() + case_.equations.dimension);
  }
  add(wall_coefficients(case_, now.walls()));
  add(flow_.formula_integrals());
  monitor_->append(row);
}

void Outputs::locate_probes() {
  const analysis::PointLocator locator(flow_.mesh());
  std::vector<analysis::LocatedPoint> all;
  for (const case_file::OutputSettings::Probe& probe : settings_.probes) {
    std::vector<analysis::LocatedPoint>& points = probed_points_.emplace_back();
    for (const mesh::Point& point : points_of(probe)) points.push_back(locator.locate(point, probe.name));
    all.insert(all.end(), points.begin(), points.end());
  }
  probed_elements_ = analysis::positions_of(flow_.mesh(), all);
}

/// \param solution where the probes are
void Outputs::open_probes(const analysis::Solution& solution) {
  for (std::size_t k = 0; k < probed_points_.size(); ++k) {
    const case_file::OutputSettings::Probe& probe = settings_.probes[k];
    std::vector<std::string> columns = {"time", "x", "y", "z"};
    const std::vector<std::string> fields = probe.fields.empty() ? solution.fields.listed_names() : probe.fields;
    columns.insert(columns.end(), fields.begin(), fields.end());
    probes_.push_back(
        {analysis::Probe(solution, probed_points_[k], fields),
         files::CsvMonitor(settings_.directory / fmt::format("probe_{}.csv", probe.name), columns, restart_time_)});
  }
}

void Outputs::write_probes() {
  if (probes_.empty()) locate_probes();
  const analysis::Solution solution = flow_.part(probed_elements_);
  if (probes_.empty()) open_probes(solution);
  for (auto& [probe, file] : probes_) {
    const std::vector<std::vector<double>> values = probe.evaluate(solution);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const mesh::Point& point = probe.points()[i].place;
      std::vector<double> row = {solution.time, point[0], point[1], point[2]};
      row.insert(row.end(), values[i].begin(), values[i].end());
      file.append(row);
    }
  }
}

}  // namespace galerna::solver
