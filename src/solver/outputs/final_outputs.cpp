#include "solver/outputs/final_outputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "analysis/probes.hpp"
#include "base/toml_key.hpp"
#include "device/device.hpp"
#include "drawing/picture.hpp"
#include "files/file_names.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/geometry.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/outputs/sections.hpp"
#include "solver/outputs/walls.hpp"

namespace galerna::solver {

std::optional<drawing::Scene> scene_of(const case_file::OutputSettings::Picture& picture, const mesh::Mesh& mesh) {
  if (picture.normal) return drawing::cut_scene(picture.point, *picture.normal);
  if (!picture.view) return {};
  std::vector<Plane> planes;
  for (const case_file::OutputSettings::Plane& plane : picture.planes)
    planes.push_back(drawing::plane_through(plane.point, plane.normal));
  return drawing::view_scene(mesh, picture.boundaries, planes, *picture.view, picture.up);
}

namespace {

using Picture = case_file::OutputSettings::Picture;

/// \param outlines of Moment
drawing::PictureOptions picture_options(const case_file::Settings& settings, const Picture& picture,
                                        const mesh::Mesh& mesh, std::vector<drawing::Segment> outlines = {}) {
  drawing::PictureOptions options;
  options.outlines = std::move(outlines);
  options.field = picture.field;
  options.range = picture.range;
  if (const auto& lines = picture.isolines)
    options.isolines = {(*lines)[0], (*lines)[1], static_cast<int>(std::min((*lines)[2], 1e9))};
  if (const auto& window = picture.window)
    options.window = drawing::Window{(*window)[0], (*window)[1], (*window)[2], (*window)[3]};
  options.mesh_lines = picture.mesh;
  options.streamlines = picture.streamlines;
  options.width = picture.width;
  options.title = settings.title;
  options.scene = scene_of(picture, mesh);
  return options;
}

/// The names of things in the case and what stands for them in names of files.
template <class Thing>
std::map<std::string, std::string> safe_names(const std::vector<Thing>& things) {
  std::vector<std::string> names;
  for (const Thing& thing : things) names.push_back(thing.name);
  return files::file_names(names);
}

/// Large pictures may need more memory than there is; "" where they do not.
std::string memory_problem(const mesh::Mesh& mesh, const drawing::PictureOptions& options) {
  constexpr double small = 2.5e8;  // a machine that runs anything has it
  const double needed = drawing::drawing_bytes(drawing::layout_picture(mesh, options));
  if (needed < small) return "";
  const auto free = static_cast<double>(device::open_device("cpu")->memory_free());
  return needed < free ? ""
                       : fmt::format(
                             "to be drawn it needs {:.1f} GB of memory, and {:.1f} GB are free: choose a "
                             "smaller width",
                             needed / 1e9, free / 1e9);
}

std::vector<Problem> problems_of(const case_file::Settings& settings, const mesh::Mesh& mesh, const Picture& picture) {
  OutputProblems problems(settings);
  const std::string key = "output.picture." + toml_key(picture.name);
  problems.require(key, "field", picture.field, case_fields(settings).all_names(), picture.places.of("field"));
  bool boundaries_there = true;
  for (const std::string& name : picture.boundaries)
    boundaries_there =
        problems.require(key, "boundary", name, mesh::boundary_names(mesh), picture.places.of("boundaries")) &&
        boundaries_there;
  if (picture.isolines && settings.discretization.order == 0)
    problems.report(picture.places.of("isolines"),
                    key +
                        ".isolines: at discretization.order = 0 the solution is constant in each element and has no "
                        "isolines; raise the order to 1 or more, or leave isolines out");
  if (picture.streamlines > 0 && settings.equations.variables.size() < 3)
    problems.report(picture.places.of("streamlines"),
                    key +
                        ": streamlines run along the second and third variable, the momentum, which these equations "
                        "do not have; leave streamlines out");
  if (!boundaries_there) return problems.take();
  try {
    const drawing::PictureOptions options = picture_options(settings, picture, mesh);
    const std::vector<drawing::OptionProblem> wrong = drawing::picture_problems(mesh, options);
    for (const drawing::OptionProblem& problem : wrong)
      problems.report(picture.places.of(problem.option), key + ": " + problem.text);
    if (wrong.empty())
      if (const std::string text = memory_problem(mesh, options); !text.empty())
        problems.report(picture.places.of("width"), key + ": " + text);
  } catch (const InputError& error) {  // of its scene
    for (const Problem& problem : error.problems())
      problems.report(picture.places.of(picture.normal ? "normal" : "view"), key + ": " + problem.text);
  }
  return problems.take();
}

class PicturesOutput : public Output {
 public:
  using Output::Output;

  std::vector<Problem> problems() const override {
    std::vector<Problem> all;
    for (const Picture& picture : output().pictures)
      for (Problem& problem : problems_of(settings_, mesh_, picture)) all.push_back(std::move(problem));
    return all;
  }

  std::vector<OutputFiles> files() const override {
    const auto safe = safe_names(output().pictures);
    std::vector<OutputFiles> all;
    for (const Picture& picture : output().pictures)
      all.push_back({"picture", picture.name, {fmt::format("picture_{}.{}", safe.at(picture.name), picture.format)}});
    return all;
  }

  OutputQueue::Job write(Moment& now, Observer& observer, bool) override {
    const std::vector<OutputFiles> all = files();
    for (std::size_t i = 0; i < all.size(); ++i) {
      observer.working("drawing " + all[i].files[0]);
      drawing::write_picture(now.solution(), output().directory / all[i].files[0],
                             picture_options(settings_, output().pictures[i], mesh_, now.outlines()));
    }
    return {};
  }
};

class FiguresOutput : public Output {
 public:
  using Output::Output;

  std::vector<Problem> problems() const override {
    OutputProblems problems(settings_);
    for (const auto& figure : output().figures) try {
        bool drawn = true;  // what is wrong with its pictures is said of them
        for (const Picture* picture : pictures_of(figure))
          drawn = drawn && problems_of(settings_, mesh_, *picture).empty();
        if (drawn) drawing::layout_figure(mesh_, made(figure));
      } catch (const InputError& error) {
        for (const Problem& problem : error.problems())
          problems.report(figure.places.of("columns"),
                          fmt::format("output.figure.{}: {}", toml_key(figure.name), problem.text));
      }
    return problems.take();
  }

  std::vector<OutputFiles> files() const override {
    const auto safe = safe_names(output().figures);
    std::vector<OutputFiles> all;
    for (const auto& figure : output().figures)
      all.push_back({"figure", figure.name, {fmt::format("figure_{}.{}", safe.at(figure.name), figure.format)}});
    return all;
  }

  OutputQueue::Job write(Moment& now, Observer& observer, bool) override {
    const std::vector<OutputFiles> all = files();
    for (std::size_t i = 0; i < all.size(); ++i) {
      observer.working("drawing " + all[i].files[0]);
      drawing::write_figure(now.solution(), output().directory / all[i].files[0],
                            made(output().figures[i], now.outlines()));
    }
    return {};
  }

 private:
  std::vector<const Picture*> pictures_of(const case_file::OutputSettings::Figure& figure) const {
    std::vector<const Picture*> pictures;
    for (const std::string& name : figure.pictures)
      for (const Picture& picture : output().pictures)
        if (picture.name == name) pictures.push_back(&picture);
    return pictures;
  }

  drawing::Figure made(const case_file::OutputSettings::Figure& figure,
                       const std::vector<drawing::Segment>& outlines = {}) const {
    drawing::Figure drawn{{}, figure.columns, figure.width};
    for (const Picture* picture : pictures_of(figure))
      drawn.pictures.push_back(picture_options(settings_, *picture, mesh_, outlines));
    return drawn;
  }
};

class WallsOutput : public Output {
 public:
  using Output::Output;

  /// Walls are those that the case has: there is nothing to be wrong.
  std::vector<Problem> problems() const override { return {}; }

  std::vector<OutputFiles> files() const override {
    std::vector<OutputFiles> all;
    if (!output().forces) return all;
    for (const auto& [wall, stem] : wall_files(settings_)) {
      all.push_back({"wall", wall, {stem + ".csv"}});
      if (mesh_.dimension == 3) all.back().files.push_back(stem + ".vtu");
    }
    return all;
  }

  OutputQueue::Job write(Moment& now, Observer&, bool) override {
    write_walls(settings_, now.solution(), now.walls());
    return {};
  }
};

class SectionsOutput : public Output {
 public:
  using Output::Output;

  std::vector<Problem> problems() const override {
    OutputProblems problems(settings_);
    for (const auto& section : output().sections) {
      const std::string key = fmt::format("output.section.{}", toml_key(section.name));
      if (!problems.require(key, "wall", section.wall, wall_names(settings_), section.place)) continue;
      if (cut_wall(settings_, mesh_, section).empty())
        problems.report(section.place, fmt::format("{}: the plane through ({}) with the normal ({}) does not cut the "
                                                   "wall {}",
                                                   key, fmt::join(section.point, ", "), fmt::join(section.normal, ", "),
                                                   section.wall));
    }
    return problems.take();
  }

  std::vector<OutputFiles> files() const override {
    std::vector<OutputFiles> all;
    const auto stems = section_files(settings_);
    for (const auto& section : output().sections)
      all.push_back(
          {"section", section.name, {stems.at(section.name) + ".csv", stems.at(section.name) + "." + section.format}});
    return all;
  }

  OutputQueue::Job write(Moment& now, Observer&, bool) override {
    write_sections(settings_, now.solution(), now.walls());
    return {};
  }
};

class BubblesOutput : public Output {
 public:
  using Output::Output;

  std::vector<Problem> problems() const override {
    if (output().bubbles.empty()) return {};
    OutputProblems problems(settings_);
    const analysis::PointLocator locator(mesh_);
    for (const auto& line : output().bubbles) {
      const std::string key = "output.bubble." + toml_key(line.name);
      const mesh::Point end = line.end.value_or(line.point);
      if (end == line.point) {
        problems.report(line.places.of("end"), key + ": the line from point to end must not be of length zero");
        continue;
      }
      const std::vector<mesh::Point> points = analysis::line_points(line.point, end, line.count);
      if (std::none_of(points.begin(), points.end(), [&](const mesh::Point& p) { return locator.find(p).has_value(); }))
        problems.report(line.places.of("point"), key +
                                                     ": no point of the line lies in the mesh, along which the "
                                                     "length of reverse flow is measured");
    }
    return problems.take();
  }

  OutputQueue::Job write(Moment&, Observer&, bool) override { return {}; }
};

}  // namespace

std::unique_ptr<Output> make_pictures_output(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  return std::make_unique<PicturesOutput>(settings, mesh);
}

std::unique_ptr<Output> make_figures_output(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  return std::make_unique<FiguresOutput>(settings, mesh);
}

std::unique_ptr<Output> make_walls_output(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  return std::make_unique<WallsOutput>(settings, mesh);
}

std::unique_ptr<Output> make_sections_output(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  return std::make_unique<SectionsOutput>(settings, mesh);
}

std::unique_ptr<Output> make_bubbles_output(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  return std::make_unique<BubblesOutput>(settings, mesh);
}

}  // namespace galerna::solver
