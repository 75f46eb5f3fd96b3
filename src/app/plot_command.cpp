#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

#include "analysis/source_order.hpp"
#include "app/commands.hpp"
#include "app/terminal.hpp"
#include "base/error.hpp"
#include "base/toml_key.hpp"
#include "case/reader.hpp"
#include "drawing/picture.hpp"
#include "files/checkpoint.hpp"
#include "mesh/hash.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/outputs/final_outputs.hpp"
#include "solver/polytopic/polytopic_outputs.hpp"
#include "solver/polytopic/polytopic_plot.hpp"
#include "solver/problem.hpp"
#include "solver/run/checkpoint_state.hpp"
#include "solver/run/run_report.hpp"

namespace galerna::app {
namespace {

struct PlotWords {
  std::string checkpoint, mesh_file, field, isolines, range, window, output, normal, point, view, up;
  std::vector<std::string> boundaries, planes;
  bool mesh = false;
  int width = 1200, streamlines = 0;
};

/// "a<separator>b<separator>c" as numbers.
std::vector<double> numbers(const std::string& text, char separator, std::size_t count, const std::string& option) {
  std::vector<double> values;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc()) break;
    values.push_back(value);
    at = next < end && *next == separator ? next + 1 : next;
    if (next < end && *next != separator) break;
  }
  if (at != end || values.size() != count)
    throw InputError({"--" + option},
                     fmt::format("must be {} numbers separated by '{}', not \"{}\"", count, separator, text));
  return values;
}

std::optional<drawing::Scene> scene_of(const PlotWords& words, const mesh::Mesh& mesh) {
  case_file::OutputSettings::Picture picture;
  const auto vector = [](const std::string& text, const char* option) {
    const auto values = numbers(text, ',', 3, option);
    return mesh::Point{values[0], values[1], values[2]};
  };
  if (!words.normal.empty()) picture.normal = vector(words.normal, "normal");
  if (!words.view.empty()) picture.view = vector(words.view, "view");
  if (!words.point.empty()) picture.point = vector(words.point, "point");
  if (!words.up.empty()) picture.up = vector(words.up, "up");
  picture.boundaries = words.boundaries;
  for (const std::string& plane : words.planes) {
    const auto values = numbers(plane, ',', 6, "plane");
    picture.planes.push_back({{values[0], values[1], values[2]}, {values[3], values[4], values[5]}});
  }
  return solver::scene_of(picture, mesh);
}

/// \throws InputError for options that choose what of a solution in space is seen
void require_no_options_of_space(const PlotWords& words) {
  const std::pair<const char*, bool> given[] = {{"--normal", !words.normal.empty()},
                                                {"--point", !words.point.empty()},
                                                {"--view", !words.view.empty()},
                                                {"--up", !words.up.empty()},
                                                {"--boundaries", !words.boundaries.empty()},
                                                {"--plane", !words.planes.empty()}};
  std::vector<Problem> problems;
  for (const auto& [option, is_given] : given)
    if (is_given) problems.push_back({{option}, "is for solutions in 3D, but this one is in 2D: leave it out"});
  if (!problems.empty()) throw InputError(problems);
}

drawing::PictureOptions options_of(const PlotWords& words, const case_file::Settings& settings,
                                   const mesh::Mesh& mesh) {
  drawing::PictureOptions options;
  options.field = words.field.empty() ? settings.equations.variables[0] : words.field;
  options.mesh_lines = words.mesh;
  options.streamlines = words.streamlines;
  options.width = words.width;
  options.title = settings.title;
  if (!words.isolines.empty()) {
    const auto values = numbers(words.isolines, ':', 3, "isolines");
    if (!(std::abs(values[2]) <= std::numeric_limits<int>::max() && values[2] == std::floor(values[2])))
      throw InputError({"--isolines"}, fmt::format("{} is no number of lines: give an integer", values[2]));
    options.isolines = {values[0], values[1], static_cast<int>(values[2])};
  }
  if (!words.range.empty()) {
    const auto values = numbers(words.range, ':', 2, "range");
    options.range = {values[0], values[1]};
  }
  if (!words.window.empty()) {
    const auto values = numbers(words.window, ',', 4, "window");
    options.window = drawing::Window{values[0], values[1], values[2], values[3]};
  }
  if (mesh.dimension == 2) require_no_options_of_space(words);
  if (mesh.dimension == 3) options.scene = scene_of(words, mesh);
  if (mesh.dimension == 3 && !options.scene)
    throw InputError({words.checkpoint},
                     "the solution is in space: give --normal x,y,z, and --point, of a plane that cuts it, or --view "
                     "x,y,z, in which direction to look at --boundaries NAME…");
  return options;
}

/// \return the exit code
int draw(const PlotWords& words, analysis::Solution solution, const drawing::PictureOptions& options) {
  solution.fields.faults = std::make_shared<analysis::FieldFaults>();
  const std::string file =
      words.output.empty()
          ? std::filesystem::path(words.checkpoint).replace_extension("." + options.field + ".png").string()
          : words.output;
  std::vector<Problem> problems;
  for (const drawing::OptionProblem& problem : drawing::picture_problems(*solution.mesh, options))
    problems.push_back({{fmt::format("--{}", problem.option)}, problem.text});
  if (!problems.empty()) throw InputError(problems);
  drawing::write_picture(solution, file, options);
  print_warnings(solver::field_warnings(*solution.fields.faults, solution.mesh->dimension));
  fmt::print("{}\n", file);
  return 0;
}

int plot(const PlotWords& words) {
  const files::Checkpoint checkpoint = files::read_checkpoint(words.checkpoint);
  const std::string mesh_file =
      words.mesh_file.empty() ? checkpoint.mesh_file : std::filesystem::absolute(words.mesh_file).string();
  std::error_code error;
  if (!std::filesystem::exists(mesh_file, error))
    throw InputError({words.checkpoint},
                     fmt::format("its mesh {} is no longer there; say where it is with --mesh-file", mesh_file));
  std::vector<std::string> set = solver::without_polytopic_files(checkpoint);
  set.push_back("mesh.file=" + toml_string(mesh_file));
  const case_file::Settings settings = case_file::read_case_text(checkpoint.resolved_case, words.checkpoint, set);
  if (settings.polytopic) {
    if (!solver::is_polytopic(checkpoint))
      throw InputError({words.checkpoint}, "the checkpoint does not say what its polytopes are");
    const solver::PolytopicMesh mesh = solver::mesh_of(checkpoint, settings);
    drawing::PictureOptions options = options_of(words, settings, mesh.mesh);
    options.outlines = solver::outlines(mesh.polytopes);
    return draw(words, solver::solution_of(checkpoint, settings, mesh), options);
  }
  const mesh::Mesh mesh = solver::make_mesh(settings);
  if (mesh::hash(mesh) != checkpoint.mesh_hash)
    throw InputError({words.checkpoint}, fmt::format("{} is not the mesh of this checkpoint", mesh_file));
  if (checkpoint.variables != settings.equations.variables)
    throw InputError({words.checkpoint}, "is damaged: it holds other variables than its case; take another checkpoint");
  solver::require_whole_flow(checkpoint, mesh, words.checkpoint);
  analysis::Solution solution;
  solution.mesh = &mesh;
  solution.degree = checkpoint.degree;
  solution.variables = checkpoint.variables;
  solution.set_coefficients(analysis::from_source_order(
      mesh, checkpoint.coefficients,
      analysis::coefficients_per_element(mesh, checkpoint.degree, checkpoint.variables.size())));
  solution.fields = solver::case_fields(settings);
  solution.fields.of_elements.clear();
  const drawing::PictureOptions options = options_of(words, settings, mesh);
  if (!solver::needed_by_shock_field(options.field).empty() && solution.fields.find(options.field) < 0)
    throw InputError({"--field"}, fmt::format("{} is known while a run goes on alone: name it in output.picture or "
                                              "output.solution.fields of the case",
                                              options.field));
  solution.time = checkpoint.time;
  solution.accurate = !settings.time.local;
  solution.step = static_cast<long>(checkpoint.step);
  return draw(words, std::move(solution), options);
}

}  // namespace

Action add_plot(CLI::App& app) {
  CLI::App* command = app.add_subcommand("plot", "Make a picture from a checkpoint");
  auto words = std::make_shared<PlotWords>();
  command->add_option("checkpoint", words->checkpoint, "the checkpoint")->required()->type_name("CHECKPOINT.h5");
  command->add_option("--field", words->field,
                      "what to show: a variable, pressure, vorticity, …; the first variable if not given");
  command->add_option("--isolines", words->isolines, "lines of equal value")->type_name("MIN:MAX:N");
  command->add_option("--range", words->range, "values of the colours; those of the field if not given")
      ->type_name("MIN:MAX");
  command->add_option("--window", words->window, "part to show")->type_name("X0,X1,Y0,Y1");
  command->add_option("--normal", words->normal, "in space: of the plane to show")->type_name("X,Y,Z");
  command->add_option("--point", words->point, "in space: of that plane")->type_name("X,Y,Z");
  command->add_option("--view", words->view, "in space: direction in which to look at boundaries and planes")
      ->type_name("X,Y,Z");
  command->add_option("--up", words->up, "in space: what points upward then")->type_name("X,Y,Z");
  command->add_option("--boundaries", words->boundaries, "in space: those to look at");
  command->add_option("--plane", words->planes, "in space: point and normal of one to look at; may be given again")
      ->type_name("X,Y,Z,NX,NY,NZ");
  command->add_flag("--mesh", words->mesh, "draw the mesh");
  command->add_option("--streamlines", words->streamlines, "draw about so many across the picture");
  command->add_option("--mesh-file", words->mesh_file, "where the mesh is now, if it was moved");
  command->add_option("--width", words->width, "width in pixels")->check(CLI::Range(200, 20000))->capture_default_str();
  command->add_option("-o,--output", words->output, "picture file (.png or .svg)");
  return [words] { return plot(*words); };
}

}  // namespace galerna::app
