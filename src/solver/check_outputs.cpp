#include "solver/check_outputs.hpp"

#include "files/atomic_file.hpp"
#include "solver/final_outputs.hpp"
#include "solver/polytopic_outputs.hpp"
#include "solver/series_outputs.hpp"

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

void require_output_directory(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  std::vector<std::string> names = {"monitor.csv", "checkpoint_final.h5", "report.json", "solution.pvd", "average.vtu"};
  if (settings.polytopic) names.insert(names.end(), {"solution.vtu", "matrix.mtx", "right_hand_side.mtx"});
  for (const auto& output : make_outputs(settings, mesh))
    for (const OutputFiles& named : output->files()) names.insert(names.end(), named.files.begin(), named.files.end());
  files::require_writable(settings.output.directory, names);
}

}  // namespace galerna::solver
