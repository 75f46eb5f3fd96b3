#include "solver/outputs/series_outputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <utility>

#include "analysis/probes.hpp"
#include "base/phases.hpp"
#include "base/toml_key.hpp"
#include "files/csv.hpp"
#include "files/file_names.hpp"
#include "files/vtu.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/geometry.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/outputs/snapshot.hpp"
#include "solver/outputs/walls.hpp"
#include "solver/polytopic/polytopic_moment.hpp"

namespace galerna::solver {

void write_state(const case_file::OutputSettings& settings, const analysis::Solution& solution, const std::string& name,
                 const std::vector<mesh::Index>& elements, files::VtuOptions options) {
  if (settings.solution_precision == "double") options.precision = files::VtuOptions::Precision::double_precision;
  options.elements = elements;
  options.fields = settings.solution_fields;
  files::write_vtu(solution, settings.directory / (name + ".vtu"), options);
}

namespace {

class SolutionOutput : public Output {
 public:
  using Output::Output;

  std::vector<Problem> problems() const override {
    OutputProblems problems(settings_);
    const std::vector<std::string> fields = case_fields(settings_).all_names();
    for (const auto& field : output().fields)
      if (std::count(fields.begin(), fields.end(), field.name) > 1)
        problems.report(field.place,
                        fmt::format("output.fields.{}: there is a field of that name", toml_key(field.name)));
    for (const auto& field : output().fields)
      if (is_of_space(field.formula))
        problems.report(field.place,
                        fmt::format("output.fields.{}: ddz(…) is for meshes in space", toml_key(field.name)));
    problems.require_fields("output.solution.fields", output().solution_fields, fields, output().solution_fields_place);
    return problems.take();
  }

  const case_file::Schedule* schedule() const override {
    return output().solution ? &output().solution_schedule : nullptr;
  }

  void open(std::optional<double> restart_time) override {
    if (output().solution && in_time())
      series_ = std::make_unique<files::PvdSeries>(output().directory / "solution.pvd", restart_time);
  }

  bool is_written_beside() const override { return output().solution; }

  OutputQueue::Job write(Moment& now, Observer& observer, bool last) override {
    if (last && output().solution) observer.working("writing the solution");
    std::shared_ptr<const CapturedSolution> captured;
    if (output().solution) captured = now.capture();
    std::optional<analysis::Solution> mean;
    if (last) mean = now.mean();
    return [this, captured, mean = std::move(mean), cell_data = now.cell_data(), last] {
      std::optional<Phase> phase;  // of a run that waits for it
      if (last) phase.emplace("writing the solution");
      if (captured) write_moment(captured->solution(), cell_data);
      if (mean) write_state(output(), *mean, "average");
    };
  }

 private:
  void write_moment(const analysis::Solution& solution, const files::VtuOptions& cell_data) const {
    const std::string name = series_ ? fmt::format("solution_{:08}", solution.step) : "solution";
    write_state(output(), solution, name, {}, cell_data);
    if (series_) series_->add(solution.time, name + ".vtu");
  }

  std::unique_ptr<files::PvdSeries> series_;
};

class MonitorOutput : public Output {
 public:
  using Output::Output;

  std::vector<Problem> problems() const override {
    OutputProblems problems(settings_);
    for (const auto& integral : output().integrals) {
      const std::string key = "output.integral." + toml_key(integral.name);
      if (integral.boundary)
        problems.require(key, "boundary", *integral.boundary, mesh::boundary_names(mesh_), integral.place);
      if (integral.region) problems.require(key, "region", *integral.region, mesh_.region_names, integral.place);
      if (is_of_space(integral.formula))
        problems.report(integral.place, key + ": ddz(…) and normal_z are for meshes in space");
    }
    return problems.take();
  }

  const case_file::Schedule* schedule() const override { return &output().monitor_schedule; }

  void open(std::optional<double> restart_time) override {
    const bool flow = !settings_.polytopic;
    monitor_ = std::make_unique<files::CsvMonitor>(output().directory / "monitor.csv",
                                                   flow ? flow_columns(settings_) : polytopic_columns(settings_, mesh_),
                                                   restart_time);
  }

  void skip(Moment& now) override { last_ = now.treated(); }

  OutputQueue::Job write(Moment& now, Observer&, bool) override {
    std::vector<double> row = now.monitor_row();
    if (const std::optional<Moment::Treated> treated = now.treated()) row.push_back(share_since_last_row(*treated));
    monitor_->append(row);
    return {};
  }

 private:
  /// NaN in a run's first row, of which no stage is counted.
  double share_since_last_row(const Moment::Treated& now) {
    if (!now.adds_up) return now.elements / now.of;
    const Moment::Treated before = std::exchange(last_, now).value_or(now);
    if (now.of == before.of) return std::numeric_limits<double>::quiet_NaN();
    // Another degree counts anew.
    return (now.elements - (now.elements < before.elements ? 0 : before.elements)) / (now.of - before.of);
  }

  std::unique_ptr<files::CsvMonitor> monitor_;
  std::optional<Moment::Treated> last_;
};

std::vector<mesh::Point> points_of(const case_file::OutputSettings::Probe& probe) {
  if (!probe.end) return {probe.point};
  return analysis::line_points(probe.point, *probe.end, probe.count);
}

/// With more digits than messages about elements have: a point may lie outside by a little.
std::string to_text(const mesh::Point& place, int dimension) {
  return fmt::format("({:.12g})", fmt::join(place.begin(), place.begin() + dimension, ", "));
}

class ProbesOutput : public Output {
 public:
  using Output::Output;

  std::vector<Problem> problems() const override {
    OutputProblems problems(settings_);
    if (output().probes.empty()) return {};
    const std::vector<std::string> fields = case_fields(settings_).all_names();
    const analysis::PointLocator locator(mesh_);
    for (const auto& probe : output().probes) {
      const std::string key = "output.probe." + toml_key(probe.name);
      problems.require_fields(key + ".fields", probe.fields, fields, probe.places.of("fields"));
      const std::vector<mesh::Point> points = points_of(probe);
      std::vector<mesh::Point> outside;
      for (const mesh::Point& point : points)
        if (!locator.find(point)) outside.push_back(point);
      if (outside.empty()) continue;
      const auto [lower, upper] = mesh::bounding_box(mesh_);
      const int d = mesh_.dimension;
      problems.report(
          probe.places.of("point"),
          points.size() == 1
              ? fmt::format("{}: the point {} lies in no element of the mesh, whose box is {} … {}", key,
                            to_text(outside[0], d), to_text(lower, d), to_text(upper, d))
              : fmt::format("{}: {} of {} points of the line lie in no element of the mesh, whose box is {} … {}; the "
                            "first is {}",
                            key, outside.size(), points.size(), to_text(lower, d), to_text(upper, d),
                            to_text(outside[0], d)));
    }
    return problems.take();
  }

  std::vector<OutputFiles> files() const override {
    std::vector<OutputFiles> all;
    for (const auto& [name, safe] : safe_names()) all.push_back({"probe", name, {file_of(safe)}});
    return all;
  }

  const case_file::Schedule* schedule() const override { return &output().monitor_schedule; }

  void open(std::optional<double> restart_time) override {
    if (output().probes.empty()) return;
    const analysis::PointLocator locator(mesh_);
    const std::vector<std::string> listed = case_fields(settings_).listed_names();
    const auto safe = safe_names();
    std::vector<analysis::LocatedPoint> all;
    for (const case_file::OutputSettings::Probe& probe : output().probes) {
      ProbeFile& opened = probes_.emplace_back();
      for (const mesh::Point& point : points_of(probe)) opened.points.push_back(locator.locate(point, probe.name));
      all.insert(all.end(), opened.points.begin(), opened.points.end());
      opened.fields = probe.fields.empty() ? listed : probe.fields;
      std::vector<std::string> columns = {"time", "x", "y", "z"};
      columns.insert(columns.end(), opened.fields.begin(), opened.fields.end());
      opened.file =
          std::make_unique<files::CsvMonitor>(output().directory / file_of(safe.at(probe.name)), columns, restart_time);
    }
    elements_ = analysis::positions_of(mesh_, all);
  }

  OutputQueue::Job write(Moment& now, Observer&, bool) override {
    if (probes_.empty()) return {};
    const analysis::Solution solution = now.part(elements_);
    for (ProbeFile& opened : probes_) {
      if (!opened.probe) opened.probe.emplace(solution, opened.points, opened.fields);
      const std::vector<std::vector<double>> values = opened.probe->evaluate(solution);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const mesh::Point& point = opened.points[i].place;
        std::vector<double> row = {solution.time, point[0], point[1], point[2]};
        row.insert(row.end(), values[i].begin(), values[i].end());
        opened.file->append(row);
      }
    }
    return {};
  }

 private:
  struct ProbeFile {
    std::vector<analysis::LocatedPoint> points;
    std::vector<std::string> fields;
    std::unique_ptr<files::CsvMonitor> file;
    std::optional<analysis::Probe> probe;  ///< once the first rows are due
  };

  static std::string file_of(const std::string& safe) { return fmt::format("probe_{}.csv", safe); }

  std::map<std::string, std::string> safe_names() const {
    std::vector<std::string> names;
    for (const auto& probe : output().probes) names.push_back(probe.name);
    return files::file_names(names);
  }

  std::vector<ProbeFile> probes_;
  std::vector<std::vector<mesh::Index>> elements_;  ///< [block] positions of those that hold points
};

}  // namespace

std::unique_ptr<Output> make_solution_output(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  return std::make_unique<SolutionOutput>(settings, mesh);
}

std::unique_ptr<Output> make_monitor_output(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  return std::make_unique<MonitorOutput>(settings, mesh);
}

std::unique_ptr<Output> make_probes_output(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  return std::make_unique<ProbesOutput>(settings, mesh);
}

}  // namespace galerna::solver
