#include "solver/outputs/check_outputs.hpp"

#include <fmt/format.h>

#include <optional>

#include "files/atomic_file.hpp"
#include "files/output_folder.hpp"
#include "solver/outputs/final_outputs.hpp"
#include "solver/outputs/series_outputs.hpp"
#include "solver/polytopic/polytopic_outputs.hpp"

namespace galerna::solver {

std::vector<std::unique_ptr<Output>> make_outputs(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  using Make = std::unique_ptr<Output> (*)(const case_file::Settings&, const mesh::Mesh&);
  std::vector<Make> all = {make_solution_output, make_monitor_output, make_probes_output, make_pictures_output,
                           make_figures_output};
  if (settings.polytopic)
    all.push_back(make_polytopic_picture_output);
  else
    all.insert(all.end(), {make_walls_output, make_sections_output, make_bubbles_output});
  std::vector<std::unique_ptr<Output>> outputs;
  for (const Make make : all) outputs.push_back(make(settings, mesh));
  return outputs;
}

std::vector<Problem> check_outputs(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  std::vector<Problem> all;
  for (const auto& output : make_outputs(settings, mesh))
    for (Problem& problem : output->problems()) all.push_back(std::move(problem));
  return all;
}

std::vector<std::string> strange_counts(const case_file::Settings& settings) {
  constexpr double many_outputs = 1e9, many_steps = 1e12;
  std::vector<std::string> warnings;
  if (!settings.time.end) return warnings;
  const double end = *settings.time.end;
  const auto add = [&](const std::string& key, const std::optional<double>& interval, double many, const char* what) {
    if (interval && end / *interval > many)
      warnings.push_back(fmt::format("warning: {} = {:g} makes {:.2g} {} until time.end = {:g}", key, *interval,
                                     end / *interval, what, end));
  };
  add("time.step", settings.time.step, many_steps, "steps");
  const case_file::OutputSettings& output = settings.output;
  if (output.solution) add("output.solution.interval", output.solution_schedule.interval, many_outputs, "files");
  add("output.checkpoint.interval", output.checkpoint_schedule.interval, many_outputs, "files");
  add("output.monitor.interval", output.monitor_schedule.interval, many_outputs, "rows");
  return warnings;
}

void require_output_directory(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  std::vector<std::string> names = {"monitor.csv", "checkpoint_final.h5", "report.json", "solution.pvd", "average.vtu"};
  if (settings.time.newton) names.emplace_back("newton.csv");
  if (settings.polytopic) names.insert(names.end(), {"solution.vtu", "matrix.mtx", "right_hand_side.mtx"});
  for (const auto& output : make_outputs(settings, mesh))
    for (const OutputFiles& named : output->files()) names.insert(names.end(), named.files.begin(), named.files.end());
  files::require_writable(settings.output.directory, names);
  files::require_no_other_run(settings.output.directory);
}

}  // namespace galerna::solver
