#include "case/read_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/toml_key.hpp"
#include "base/vectors.hpp"
#include "case/header_names.hpp"
#include "case/output_names.hpp"
#include "case/read_equations.hpp"

namespace galerna::case_file {
namespace {

class OutputReader {
 public:
  OutputReader(Reading& reading, const toml::table& root, const EquationSettings& equations)
      : reading_(reading), root_(root), equations_(equations), polytopic_(equations.type == polytopic_equations) {}

  OutputSettings read() {
    const toml::table* table = table_at(reading_, root_, "output", "output");
    Section s(reading_, table, "output", "output");
    // A key `solution` that is a table is the section [output.solution].
    const toml::node* solution = table ? table->get("solution") : nullptr;
    std::vector<std::string> tables = {"checkpoint", "monitor", "probe", "picture", "figure", "fields", "integral"};
    if (!polytopic_) tables.insert(tables.end(), {"averages", "forces", "entropy", "bubble", "section"});
    s.check_unknown(tables);
    output_.directory = s.text("directory").value_or("output");
    if (output_.directory.empty())
      s.report("directory", "output.directory is empty: give the folder for files, \".\" for this one");
    if (solution && !solution->is_table()) output_.solution = s.boolean("solution").value_or(true);
    const auto subsection = [&](const std::string& name) {
      const toml::node* node = table ? table->get(name) : nullptr;
      const bool is_flag = name == "solution" && node && !node->is_table();
      Section sub(reading_, table && !is_flag ? table_at(reading_, *table, name, "output." + name) : nullptr,
                  "output." + name, "output." + name);
      sub.check_unknown();
      return sub;
    };
    Section files = subsection("solution"), checkpoints = subsection("checkpoint"), monitor = subsection("monitor");
    output_.solution_schedule = read_schedule(files);
    output_.solution_precision = files.text("precision").value_or("single");
    output_.solution_fields = files.names("fields").value_or(std::vector<std::string>{});
    output_.solution_fields_place = files.place("fields");
    output_.checkpoint_schedule = read_schedule(checkpoints);
    output_.monitor_schedule = read_schedule(monitor);
    if (!polytopic_) {
      Section averages = subsection("averages");
      if (averages.present()) output_.average_start = averages.number("start").value_or(0);
      Section forces = subsection("forces");
      if (forces.present()) read_forces(forces);
      Section entropy = subsection("entropy");
      if (entropy.present()) read_entropy(entropy);
    }
    read_formulas(table);
    if (!equations_.gas && !polytopic_)
      for (const char* name : {"forces", "entropy", "bubble", "section"})
        if (s.has(name))
          s.report(name, fmt::format("[output.{}] is for gases, not for {}", name, in_words(equations_)));
    for_each_named(table, "probe", [&](Section& probe, const std::string& name) { read_probe(probe, name); });
    if (!polytopic_)
      for_each_named(table, "bubble", [&](Section& line, const std::string& name) { read_bubble(line, name); });
    const toml::node* pictures = table ? table->get("picture") : nullptr;
    // On polytopes a key `picture` that is no table says whether there is the usual one.
    if (!polytopic_ || (pictures && pictures->is_table()))
      for_each_named(table, "picture", [&](Section& picture, const std::string& name) { read_picture(picture, name); });
    for_each_named(table, "figure", [&](Section& figure, const std::string& name) { read_figure(figure, name); });
    if (!polytopic_)
      for_each_named(table, "section", [&](Section& section, const std::string& name) { read_section(section, name); });
    return std::move(output_);
  }

 private:
  Schedule read_schedule(Section& s) {
    Schedule schedule;
    schedule.interval = s.number("interval");
    schedule.steps = s.integer("steps");
    return schedule;
  }

  template <class F>
  void for_each_named(const toml::table* all_outputs, const std::string& kind, const F& read) {
    const toml::table* all = all_outputs ? table_at(reading_, *all_outputs, kind, "output." + kind) : nullptr;
    if (!all) return;
    for (const auto& [key, node] : *all) {
      const std::string name(key.str()), path = "output." + kind + "." + name;
      const toml::table* table = table_at(reading_, *all, name, path);
      if (!table) continue;
      Section s(reading_, table, "output." + kind + ".NAME", path);
      s.check_unknown();
      read(s, name);
    }
  }

  void read_forces(Section& s) {
    OutputSettings::Forces forces;
    for (const char* name : {"density", "velocity", "pressure"}) s.require(name);
    forces.density = s.number("density").value_or(1);
    forces.velocity = s.number("velocity").value_or(1);
    forces.length = s.number("length").value_or(0);  // 0: of the walls (solver/reference_values.hpp)
    forces.pressure = s.number("pressure").value_or(0);
    forces.angle_of_attack = s.number("angle_of_attack").value_or(0);
    const bool space = equations_.dimension == 3;
    if (const auto centre = s.numbers("moment_centre", 2, 3)) forces.moment_centre = to_point(*centre);
    if (const auto stream = s.numbers("stream", 3, 3)) forces.stream = to_point(*stream);
    if (const auto up = s.numbers("up", 3, 3)) forces.up = to_point(*up);
    forces.area = s.number("area").value_or(0);
    for (const char* name : {"area", "stream", "up"})
      if (!space && s.has(name)) s.report(name, fmt::format("{} is for flows in space", name));
    if (space && s.has("angle_of_attack"))
      s.report("angle_of_attack", "angle_of_attack is for flows in the plane: give stream = [x, y, z], and up");
    if (cross(forces.stream, forces.up) == Point{}) s.report("up", "stream and up must point in different directions");
    output_.forces = forces;
  }

  /// Fields and integrals: formulas that may use more names than those of other sections.
  void read_formulas(const toml::table* outputs) {
    const Formula::Names of_case = reading_.names;
    reading_.names = output_names(of_case, equations_);
    if (outputs) read_fields(*outputs);
    const auto ready_made = polytopic_ ? std::vector<OutputSettings::Field>()
                                       : ready_made_fields(reading_.names, equations_, output_.fields);
    for (const OutputSettings::Field& field : ready_made) add_field(reading_.names, field.name, field.formula);
    output_.fields.insert(output_.fields.end(), ready_made.begin(), ready_made.end());
    for_each_named(outputs, "integral", [&](Section& s, const std::string& name) { read_integral(s, name); });
    reading_.names = of_case;
  }

  /// [output.fields]; a field may use others.
  void read_fields(const toml::table& outputs) {
    const toml::table* table = table_at(reading_, outputs, "fields", "output.fields");
    if (!table) return;
    std::vector<Key> keys;
    for (const auto& [key, node] : *table)
      keys.push_back({std::string(key.str()), KeyType::formula, "", "", "", {}, "output.fields"});
    Section s(reading_, table, keys, "output.fields");
    const std::set<std::string> taken = {"x", "y", "z", "t", "time"};
    std::vector<std::string> waiting;
    for (const Key& key : keys) {
      if (taken.contains(key.name))
        s.report(key.name,
                 fmt::format("formulas and files of probes have {} already: give the field another name", key.name));
      else if (!is_identifier(key.name))
        s.report(key.name, fmt::format("'{}' is no name: use letters, digits and _", key.name));
      waiting.push_back(key.name);
    }
    // What can be read is known to the others, until nothing is left or nothing moves.
    while (std::erase_if(waiting, [&](const std::string& name) { return read_field(s, name); }) > 0) {
    }
    const std::size_t before = reading_.problems.size();
    for (const std::string& name : waiting) s.formula(name);
    for (std::size_t k = before; k < reading_.problems.size(); ++k)
      for (const std::string& name : waiting)
        if (std::string& text = reading_.problems[k].text; text.starts_with("unknown name '" + name + "'"))
          text =
              fmt::format("unknown name '{}': the field of this name cannot be read, or needs this one itself", name);
    std::sort(output_.fields.begin(), output_.fields.end(),
              [](const OutputSettings::Field& a, const OutputSettings::Field& b) { return a.name < b.name; });
  }

  /// Whether it could be read; if not, nothing is reported.
  bool read_field(Section& s, const std::string& name) {
    const std::size_t problems = reading_.problems.size();
    const auto formula = s.formula(name);
    if (!formula) {
      reading_.problems.resize(problems);
      return false;
    }
    output_.fields.push_back({name, *formula, true, s.place(name)});
    add_field(reading_.names, name, *formula);
    return true;
  }

  void read_integral(Section& s, const std::string& name) {
    OutputSettings::Integral integral;
    integral.name = name;
    integral.place = s.place();
    integral.region = s.text("region");
    integral.boundary = s.text("boundary");
    if (integral.region && integral.boundary)
      s.report("boundary", "an integral is taken over a region or a boundary, not over both");
    check_column(s, name);
    s.require("formula");
    reading_.names.normal = integral.boundary.has_value();
    const auto formula = s.formula("formula");
    reading_.names.normal = false;
    if (!formula) return;
    integral.formula = *formula;
    output_.integrals.push_back(integral);
  }

  /// Whether columns of monitor.csv for walls, on polytopes for boundaries, may have the name.
  bool is_of_walls(const std::string& name) const {
    if (polytopic_)
      return name == "largest_element_defect" || name.starts_with("diffusive_") || name.starts_with("advective_");
    const bool coefficient = name.starts_with("cd_") || name.starts_with("cl_") || name.starts_with("cm_");
    return name.starts_with("force_") || (output_.forces && coefficient);
  }

  /// The integral's column of monitor.csv must not have the name of another.
  void check_column(Section& s, const std::string& name) {
    std::vector<std::string> taken = {"step", "time"};
    if (polytopic_)
      taken.insert(taken.end(), {"iterations", "residual", "source", "consumed", "stored"});
    else
      taken.insert(taken.end(), {"dt", "change"});
    for (const char* what : {"residual", "integral", "boundary_flux"})
      for (const std::string& variable : equations_.variables) taken.push_back(fmt::format("{}_{}", what, variable));
    if (!is_identifier(name))
      reading_.report(s.place(), fmt::format("'{}' is no name: use letters, digits and _", name));
    else if (std::find(taken.begin(), taken.end(), name) != taken.end() || is_of_walls(name))
      reading_.report(s.place(),
                      fmt::format("monitor.csv has a column {} of its own: give the integral another name", name));
  }

  void read_entropy(Section& s) {
    for (const char* name : {"density", "pressure"}) s.require(name);
    output_.entropy = {s.number("density").value_or(1), s.number("pressure").value_or(1)};
  }

  static Point to_point(const std::vector<double>& values) {
    Point point{};
    std::copy(values.begin(), values.end(), point.begin());
    return point;
  }

  void read_probe(Section& s, const std::string& name) {
    OutputSettings::Probe probe;
    probe.name = name;
    s.require("point");
    const bool space = equations_.dimension == 3 && !polytopic_;
    if (const auto point = s.numbers("point", space ? 3 : 2, 3)) probe.point = to_point(*point);
    if (const auto end = s.numbers("end", space ? 3 : 2, 3)) probe.end = to_point(*end);
    if (equations_.dimension != 3 && !polytopic_) {
      if (probe.point[2] != 0) s.report("point", "point has a third coordinate, but the flow is 2D: leave it out");
      if (probe.end && (*probe.end)[2] != 0)
        s.report("end", "end has a third coordinate, but the flow is 2D: leave it out");
    }
    probe.count = static_cast<int>(s.integer("points").value_or(2));
    probe.fields = s.names("fields").value_or(std::vector<std::string>{});
    probe.places = s.places();
    if (s.has("points") && !s.has("end")) s.report("points", "points needs end, the end of the line");
    output_.probes.push_back(probe);
  }

  void read_bubble(Section& s, const std::string& name) {
    OutputSettings::Probe line;
    line.name = name;
    for (const char* key : {"point", "end"}) s.require(key);
    if (const auto point = s.numbers("point", 2, 3)) line.point = to_point(*point);
    if (const auto end = s.numbers("end", 2, 3)) line.end = to_point(*end);
    line.count = static_cast<int>(s.integer("points").value_or(200));
    line.places = s.places();
    output_.bubbles.push_back(line);
  }

  void read_picture(Section& s, const std::string& name) {
    OutputSettings::Picture picture;
    picture.name = name;
    picture.field = s.text("field").value_or(equations_.variables.empty() ? "" : equations_.variables[0]);
    picture.places = s.places();
    picture.format = s.text("format").value_or("png");
    if (const auto range = s.numbers("range", 2, 2)) picture.range = {(*range)[0], (*range)[1]};
    if (const auto window = s.numbers("window", 4, 4))
      picture.window = {(*window)[0], (*window)[1], (*window)[2], (*window)[3]};
    picture.mesh = s.boolean("mesh").value_or(false);
    if (!polytopic_) picture.streamlines = static_cast<int>(s.integer("streamlines").value_or(0));
    picture.width = static_cast<int>(s.integer("width").value_or(1200));
    if (const toml::table* lines = s.table("isolines")) {
      const std::size_t before = s.problem_count();
      const auto least = s.number_in("isolines", lines->get("min")), most = s.number_in("isolines", lines->get("max")),
                 count = s.number_in("isolines", lines->get("count"));
      const bool whole = count && *count >= 1 && *count == std::floor(*count);
      if (least && most && whole && *most >= *least && lines->size() == 3)
        picture.isolines = {*least, *most, *count};
      else if (s.problem_count() == before)
        s.report("isolines", "isolines must be {min = a, max = b, count = n} with a ≤ b and an integer n ≥ 1");
    }
    read_scene(s, picture);
    output_.pictures.push_back(picture);
  }

  void read_figure(Section& s, const std::string& name) {
    OutputSettings::Figure figure;
    figure.name = name;
    figure.places = s.places();
    s.require("pictures");
    figure.pictures = s.names("pictures").value_or(std::vector<std::string>{});
    figure.columns = static_cast<int>(s.integer("columns").value_or(figure.columns));
    figure.format = s.text("format").value_or(figure.format);
    figure.width = static_cast<int>(s.integer("width").value_or(figure.width));
    if (s.has("pictures") && figure.pictures.empty()) s.report("pictures", "a figure has at least one picture");
    if (figure.width / figure.columns < 200)
      s.report("width", fmt::format("{} columns need a width of {} pixels", figure.columns, 200 * figure.columns));
    std::vector<std::string> known;
    for (const OutputSettings::Picture& picture : output_.pictures) known.push_back(picture.name);
    for (const std::string& picture : figure.pictures) {
      if (std::find(known.begin(), known.end(), picture) != known.end()) continue;
      const std::string near = nearest_name(picture, known);
      s.report("pictures", fmt::format("there is no [output.picture.{}]{}", toml_key(picture),
                                       near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
    }
    output_.figures.push_back(figure);
  }

  /// What a picture of space shows.
  void read_scene(Section& s, OutputSettings::Picture& picture) {
    const auto vector = [&](const char* key) -> std::optional<Point> {
      const auto values = s.numbers(key, 3, 3);
      return values ? std::optional(to_point(*values)) : std::nullopt;
    };
    picture.normal = vector("normal");
    picture.view = vector("view");
    picture.point = vector("point").value_or(picture.point);
    picture.up = vector("up").value_or(picture.up);
    picture.boundaries = s.names("boundaries").value_or(std::vector<std::string>{});
    if (const toml::array* planes = s.array("planes"))
      for (const toml::node& node : *planes) read_plane(s, node, picture);
    const std::vector<const char*> of_space = {"normal", "view", "point", "up", "boundaries", "planes"};
    const bool any = std::any_of(of_space.begin(), of_space.end(), [&](const char* key) { return s.has(key); });
    if (polytopic_ && !any) return;  // the mesh alone knows whether something is missing
    if (!polytopic_ && equations_.dimension != 3) {
      for (const char* key : of_space)
        if (s.has(key))
          s.report(key, fmt::format("{} is for flows in space{}", key,
                                    equations_.user ? ": set equations.dimension = 3, if this is one" : ""));
      return;
    }
    const std::string& name = picture.name;
    if (picture.normal.has_value() == picture.view.has_value())
      reading_.report(s.place(),
                      fmt::format("output.picture.{} needs either normal, of the plane that cuts the flow, or view, "
                                  "the direction in which one looks at boundaries and planes",
                                  toml_key(name)));
    else if (picture.view && picture.boundaries.empty() && !s.has("planes"))
      s.report(
          "view",
          "view needs boundaries = [\"NAME\", …] or planes = [{ point = […], normal = […] }, …], what is looked at");
    if (picture.normal)
      for (const char* key : {"boundaries", "planes"})
        if (s.has(key))
          s.report(key, fmt::format("{} are looked at from a direction: give view in place of normal", key));
    if (picture.streamlines > 0) s.report("streamlines", "streamlines are for flows in the plane");
    const Point zero{};
    if (picture.normal == zero) s.report("normal", "the normal of a plane must not be zero");
    if (picture.view && cross(*picture.view, picture.up) == zero)
      s.report("view", "view and up must point in different directions");
  }

  /// {point = [x, y, z], normal = [x, y, z]}
  void read_plane(Section& s, const toml::node& node, OutputSettings::Picture& picture) {
    const toml::table* table = node.as_table();
    const std::size_t before = s.problem_count();
    const auto vector = [&](const char* key) -> std::optional<Point> {
      const toml::array* values = table ? (*table)[key].as_array() : nullptr;
      Point result{};
      if (!values || values->size() != 3) return {};
      for (std::size_t k = 0; k < 3; ++k) {
        const auto value = s.number_in("planes", values->get(k));
        if (!value) return {};
        result[k] = *value;
      }
      return result;
    };
    const auto point = vector("point"), normal = vector("normal");
    if (point && normal && table->size() == 2 && *normal != Point{})
      picture.planes.push_back({*point, *normal});
    else if (s.problem_count() == before)
      s.report("planes",
               "an entry of planes must be {point = [x, y, z], normal = [x, y, z]} with a normal that is not zero");
  }

  void read_section(Section& s, const std::string& name) {
    if (!equations_.gas) return;
    const std::string key = "output.section." + name;
    OutputSettings::Section section;
    section.name = name;
    section.place = s.place("wall");
    for (const char* needed : {"wall", "normal"}) s.require(needed);
    section.wall = s.text("wall").value_or("");
    if (const auto point = s.numbers("point", 3, 3)) section.point = to_point(*point);
    const auto normal = s.numbers("normal", 3, 3);
    if (normal) section.normal = to_point(*normal);
    if (section.normal == Point{}) s.report("normal", "the normal of a plane must not be zero");
    const auto leading = s.numbers("leading_edge", 3, 3), trailing = s.numbers("trailing_edge", 3, 3);
    if (s.has("leading_edge") != s.has("trailing_edge"))
      s.report(s.has("leading_edge") ? "leading_edge" : "trailing_edge",
               "leading_edge and trailing_edge are given together, or none of them");
    else if (leading && trailing)
      section.edges = {to_point(*leading), to_point(*trailing)};
    if (section.edges && (*section.edges)[0] == (*section.edges)[1])
      s.report("trailing_edge", "the chord from leading_edge to trailing_edge must not be zero");
    section.points = static_cast<int>(s.integer("points").value_or(0));
    section.format = s.text("format").value_or("png");
    section.width = static_cast<int>(s.integer("width").value_or(1200));
    if (equations_.dimension != 3) {
      reading_.report(s.place(), key + " is for flows in space: in the plane wall_NAME.csv is the section");
      return;
    }
    if (!output_.forces)
      reading_.report(s.place(), key + " needs [output.forces], which says what pressure coefficients are formed with");
    else if (normal && !section.edges && cross(output_.forces->stream, section.normal) == Point{})
      s.report("normal",
               "the stream runs across this plane: say along what x/c is measured by leading_edge = "
               "[x, y, z] and trailing_edge");
    output_.sections.push_back(section);
  }

  Reading& reading_;
  const toml::table& root_;
  const EquationSettings& equations_;
  bool polytopic_;
  OutputSettings output_;
};

}  // namespace

OutputSettings read_output(Reading& reading, const toml::table& root, const EquationSettings& equations) {
  return OutputReader(reading, root, equations).read();
}

}  // namespace galerna::case_file
