#include "case/curve_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace galerna::case_file {
namespace {

namespace fs = std::filesystem;

/// Reads one section into `curve`.
class CurveReader {
 public:
  CurveReader(Section& section, const fs::path& folder, CurveSettings& curve)
      : s_(section), folder_(folder), curve_(curve) {}

  void read() {
    s_.require("shape");
    const auto shape = s_.text("shape");
    if (!shape) return;
    curve_.shape = *shape;
    std::vector<std::string> used = {"shape"};
    if (*shape == "circle") used.insert(used.end(), {"centre", "radius"}), read_circle();
    if (*shape == "naca4") used.insert(used.end(), {"code", "chord", "leading_edge", "trailing_edge"}), read_section();
    if (*shape == "sphere") used.insert(used.end(), {"centre", "radius"}), read_sphere();
    if (*shape == "cylinder") used.insert(used.end(), {"point", "direction", "radius"}), read_cylinder();
    if (*shape == "cad") used.emplace_back("faces"), curve_.faces = s_.names("faces").value_or(curve_.faces);
    if (*shape == "spline") used.insert(used.end(), {"points", "file", "closed"}), read_spline();
    for (const Key& key : keys_of("mesh.curve.NAME"))
      if (s_.has(key.name) && std::find(used.begin(), used.end(), key.name) == used.end())
        s_.report(key.name, fmt::format("{} has no meaning for a {}", key.name, *shape));
  }

 private:
  void read_circle() {
    s_.require("centre");
    s_.require("radius");
    if (const auto centre = s_.numbers("centre", 2, 2)) curve_.place_of = {(*centre)[0], (*centre)[1], 0};
    curve_.size = s_.number("radius").value_or(1);
  }

  /// Three numbers of a key that must be there.
  Point read_point(const std::string& key) {
    s_.require(key);
    const auto numbers = s_.numbers(key, 3, 3);
    return numbers ? Point{(*numbers)[0], (*numbers)[1], (*numbers)[2]} : Point{};
  }

  void read_sphere() {
    curve_.place_of = read_point("centre");
    s_.require("radius");
    curve_.size = s_.number("radius").value_or(1);
  }

  void read_cylinder() {
    curve_.place_of = read_point("point");
    const std::size_t before = s_.problem_count();
    curve_.direction = read_point("direction");
    if (s_.problem_count() == before && curve_.direction == Point{})
      s_.report("direction", "the direction of a cylinder's axis must not be 0");
    s_.require("radius");
    curve_.size = s_.number("radius").value_or(1);
  }

  void read_section() {
    s_.require("code");
    curve_.code = s_.text("code").value_or("0012");
    const bool digits = curve_.code.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || curve_.code.size() != 4 || curve_.code.ends_with("00"))
      s_.report("code",
                fmt::format("code \"{}\" must be the four digits of a NACA section, such as \"0012\"", curve_.code));
    curve_.size = s_.number("chord").value_or(1);
    if (const auto edge = s_.numbers("leading_edge", 2, 2)) curve_.place_of = {(*edge)[0], (*edge)[1], 0};
    curve_.closed = s_.text("trailing_edge").value_or("blunt") == "closed";
  }

  void read_spline() {
    curve_.closed = s_.boolean("closed").value_or(false);
    if (s_.has("points") == s_.has("file"))
      return s_.report("shape", fmt::format("a spline needs either points or a file of points, but [{}] has {}",
                                            s_.path(), s_.has("file") ? "both" : "none"));
    if (const toml::array* list = s_.array("points")) read_list(*list);
    if (const auto file = s_.text("file")) read_file(*file);
  }

  void read_list(const toml::array& list) {
    for (const toml::node& node : list) {
      const toml::array* pair = node.as_array();
      const std::size_t before = s_.problem_count();
      const bool two = pair && pair->size() == 2;
      const auto x = s_.number_in("points", two ? pair->get(0) : nullptr),
                 y = s_.number_in("points", two ? pair->get(1) : nullptr);
      if (s_.problem_count() > before) return;
      if (!x || !y) return s_.report("points", "points must be a list of [x, y]");
      curve_.points.push_back({*x, *y, 0});
    }
    check_points("points", "");
  }

  /// Two numbers a line; the first line may be a name, as in the usual files of airfoils.
  void read_file(const std::string& name) {
    const fs::path path = fs::path(name).is_absolute() ? fs::path(name) : folder_ / name;
    curve_.file = path;
    std::error_code error;
    if (!fs::is_regular_file(path, error))  // others may have no end
      return s_.report("file", fmt::format("the file of points {} does not exist, or is no file", path.string()));
    std::ifstream stream(path);
    if (!stream) return s_.report("file", fmt::format("the file of points {} cannot be read", path.string()));
    int number = 0;
    for (std::string text; std::getline(stream, text);) {
      ++number;
      text = text.substr(0, text.find('#'));
      std::replace(text.begin(), text.end(), ',', ' ');
      std::istringstream line(text);
      Point x{};
      std::string rest;
      if (line >> x[0] >> x[1] && !(line >> rest)) {
        curve_.points.push_back(x);
      } else if (text.find_first_not_of(" \t\r") != std::string::npos && number > 1) {
        return s_.report("file", fmt::format("{}:{}: expected two numbers x and y", path.string(), number));
      }
    }
    order_sides();
    check_points("file", path.string() + ": ");
  }

  /// Files in Lednicer's form begin with the numbers of points on the upper and the lower side, each from the nose:
  /// they become one way from the trailing edge over the upper side, the nose and the lower side.
  void order_sides() {
    std::vector<Point>& points = curve_.points;
    const auto is_count = [](double x) { return x >= 2 && x == std::floor(x); };
    if (points.empty() || !is_count(points[0][0]) || !is_count(points[0][1]) ||
        points[0][0] + points[0][1] + 1 != static_cast<double>(points.size()))
      return;
    const auto upper = static_cast<std::ptrdiff_t>(points[0][0]);
    points.erase(points.begin());
    std::reverse(points.begin(), points.begin() + upper);
    if (points[static_cast<std::size_t>(upper) - 1] == points[static_cast<std::size_t>(upper)])
      points.erase(points.begin() + upper);  // the nose, which both sides have
  }

  void check_points(const std::string& key, const std::string& where) {
    if (curve_.points.size() < 3) return s_.report(key, where + "a spline needs three points or more");
    const auto same = std::adjacent_find(curve_.points.begin(), curve_.points.end());
    if (same == curve_.points.end()) return;
    const auto at = same - curve_.points.begin() + 1;
    s_.report(key, fmt::format("{}points {} and {} of the spline are equal", where, at, at + 1));
  }

  Section& s_;
  const fs::path& folder_;
  CurveSettings& curve_;
};

std::vector<CurveSettings> read_curves(Reading& reading, const toml::table* mesh, const fs::path& folder) {
  std::vector<CurveSettings> curves;
  const toml::table* all = mesh ? table_at(reading, *mesh, "curve", "mesh.curve") : nullptr;
  if (!all) return curves;
  for (const auto& [key, node] : *all) {
    const std::string name(key.str()), path = "mesh.curve." + name;
    const toml::table* table = table_at(reading, *all, name, path);
    if (!table) continue;
    Section section(reading, table, "mesh.curve.NAME", path);
    section.check_unknown();
    CurveSettings curve;
    curve.boundary = name;
    curve.place = section.place();
    CurveReader(section, folder, curve).read();
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::optional<CadSettings> read_cad(Reading& reading, const toml::table* mesh, const std::vector<CurveSettings>& curves,
                                    const fs::path& folder) {
  const toml::table* table = mesh ? table_at(reading, *mesh, "cad", "mesh.cad") : nullptr;
  const auto follows =
      std::find_if(curves.begin(), curves.end(), [](const CurveSettings& c) { return c.shape == "cad"; });
  if (!table) {
    if (follows != curves.end())
      reading.report(follows->place, "shape = \"cad\" needs a section [mesh.cad] with a file");
    return {};
  }
  Section section(reading, table, "mesh.cad", "mesh.cad");
  section.check_unknown();
  section.require("file");
  CadSettings cad;
  cad.place = section.place("file");
  cad.scale = section.number("scale").value_or(cad.scale);
  if (const auto file = section.text("file")) {
    cad.file = folder / *file;
    std::error_code error;
    if (!fs::is_regular_file(cad.file, error))
      section.report("file", fmt::format("CAD file {} does not exist", cad.file.string()));
  }
  if (follows == curves.end())
    reading.report(section.place(),
                   "[mesh.cad] has no meaning without a boundary that follows it: give one by "
                   "[mesh.curve.NAME] with shape = \"cad\"");
  return cad;
}

std::optional<ElasticitySettings> read_elasticity(Reading& reading, const toml::table* mesh) {
  const toml::table* table = mesh ? table_at(reading, *mesh, "elasticity", "mesh.elasticity") : nullptr;
  if (!table) return {};
  Section section(reading, table, "mesh.elasticity", "mesh.elasticity");
  section.check_unknown();
  ElasticitySettings settings;
  settings.layers = static_cast<int>(section.integer("layers").value_or(settings.layers));
  settings.poisson = section.number("poisson").value_or(settings.poisson);
  settings.split = section.boolean("split").value_or(settings.split);
  if (!mesh->contains("curve"))
    reading.report(section.place(), "[mesh.elasticity] has no meaning without a section [mesh.curve.NAME]");
  return settings;
}

}  // namespace

void read_shapes(Reading& reading, const toml::table* table, const fs::path& folder, MeshSettings& mesh) {
  mesh.curves = read_curves(reading, table, folder);
  mesh.cad = read_cad(reading, table, mesh.curves, folder);
  mesh.elasticity = read_elasticity(reading, table);
}

}  // namespace galerna::case_file
