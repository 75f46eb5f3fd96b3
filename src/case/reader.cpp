#include "case/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "base/file_kind.hpp"
#include "base/toml_key.hpp"
#include "case/curve_reader.hpp"
#include "case/definitions.hpp"
#include "case/lift.hpp"
#include "case/mesh_file.hpp"
#include "case/override.hpp"
#include "case/parse_toml.hpp"
#include "case/polytopic_keys.hpp"
#include "case/read_equations.hpp"
#include "case/read_output.hpp"
#include "case/read_polytopic.hpp"
#include "case/read_shock.hpp"
#include "case/read_state.hpp"
#include "case/read_time.hpp"
#include "case/read_user_equations.hpp"
#include "case/registry.hpp"
#include "case/section.hpp"
#include "case/surface_reader.hpp"

namespace galerna::case_file {

namespace fs = std::filesystem;

namespace {

/// Reads the tables of one case into Settings. Problems gather in reading_.
class CaseReader {
 public:
  CaseReader(const toml::table& root, const fs::path& file, std::vector<std::string> overrides) : root_(root) {
    reading_.file = file.string();
    reading_.overrides = std::move(overrides);
    settings_.file = file;
  }

  /// Of a case that has a mesh only.
  Settings read_mesh_alone() {
    Section top(reading_, &root_, "", "");
    top.check_unknown({"constants", "functions", "mesh"});
    read_definitions(reading_, root_);
    read_mesh();
    if (!reading_.problems.empty()) throw InputError(reading_.problems);
    return std::move(settings_);
  }

  Settings read() {
    if (is_polytopic(root_)) {
      read_definitions(reading_, root_);
      read_polytopic(reading_, root_, settings_);
      if (!reading_.problems.empty()) throw InputError(reading_.problems);
      return std::move(settings_);
    }
    Section top(reading_, &root_, "", "");
    top.check_unknown({"constants", "functions", "mesh", "equations", "discretization", "shock", "time", "initial",
                       "boundary", "exact", "source", "solver", "output"});
    settings_.title = top.text("title").value_or(settings_.file.stem().string());
    read_definitions(reading_, root_);
    read_mesh();
    read_equations();
    read_discretization();
    read_shock();
    read_time();
    read_states();
    read_boundaries();
    settings_.output = read_output(reading_, root_, settings_.equations);
    Section mesh = section("mesh");
    read_snap(mesh, settings_);
    check_local_steps(reading_, root_, settings_);
    check_averages(reading_, root_, settings_);
    check_steady_forces(reading_, root_, settings_);
    if (!reading_.problems.empty()) throw InputError(reading_.problems);
    return std::move(settings_);
  }

 private:
  Section section(const std::string& name) {
    return Section(reading_, table_at(reading_, root_, name, name), name, name);
  }

  Section required(const std::string& name, const std::vector<std::string>& tables = {}) {
    return required_section(reading_, root_, name, keys_of(name), tables);
  }

  void read_mesh() {
    Section s = required("mesh", {"curve", "cad", "elasticity"});
    read_mesh_file(s, settings_.file.parent_path(), settings_.mesh);
    if (const toml::array* pairs = s.array("periodic"))
      for (const toml::node& node : *pairs) read_pair(s, node);
    read_shapes(reading_, root_["mesh"].as_table(), settings_.file.parent_path(), settings_.mesh);
    if (const auto order = s.integer("geometry_order")) settings_.mesh.geometry_order = static_cast<int>(*order);
  }

  void read_pair(Section& s, const toml::node& node) {
    const toml::table* table = node.as_table();
    MeshSettings::PeriodicPair pair;
    pair.place = reading_.place("mesh.periodic", node.source());
    const toml::array* shift = table ? (*table)["translation"].as_array() : nullptr;
    const auto from = table ? (*table)["from"].value<std::string>() : std::nullopt;
    const auto to = table ? (*table)["to"].value<std::string>() : std::nullopt;
    if (!table || !from || !to || !shift || table->size() != 3 || shift->size() < 2 || shift->size() > 3)
      return s.report("periodic", "an entry of periodic must be {from = \"a\", to = \"b\", translation = [dx, dy]}");
    pair.from = *from;
    pair.to = *to;
    if (pair.from == pair.to)
      return s.report("periodic",
                      fmt::format("from and to are one boundary, \"{}\": name the one that its nodes move onto "
                                  "as to",
                                  pair.to));
    for (std::size_t d = 0; d < shift->size(); ++d) {
      const std::size_t before = s.problem_count();
      const auto value = s.number_in("periodic", shift->get(d));
      if (!value && s.problem_count() == before) s.report("periodic", "translation must be a list of numbers");
      if (!value) return;
      pair.translation[d] = *value;
    }
    settings_.mesh.periodic.push_back(pair);
  }

  void read_equations() {
    Section s = required("equations", {"parameters"});
    settings_.equations = case_file::read_equations(reading_, s, root_, settings_.file.parent_path());
  }

  void read_discretization() {
    Section s = required("discretization");
    s.require("order");
    order_ = s.integer("order");
    settings_.discretization.order = static_cast<int>(order_.value_or(1));
    if (!root_["mesh"].as_table() || !root_["mesh"].as_table()->contains("geometry_order"))
      settings_.mesh.geometry_order = std::clamp(settings_.discretization.order, 2, 4);
    read_flux(s);
    settings_.discretization.volume_quadrature = static_cast<int>(s.integer("volume_quadrature").value_or(-1));
    settings_.discretization.face_quadrature = static_cast<int>(s.integer("face_quadrature").value_or(-1));
    settings_.discretization.penalty = s.number("penalty");
    if (settings_.equations.dimension == 3) check_quadrature_of_solids(s);
  }

  /// Kernels write out loops over points. More of them than these take compilers minutes, or more than they can do.
  void check_quadrature_of_solids(Section& s) {
    constexpr int most = 14;
    const int volume = settings_.discretization.volume_quadrature, face = settings_.discretization.face_quadrature;
    if (std::max(volume, face) > most)
      s.report(volume > most ? "volume_quadrature" : "face_quadrature",
               fmt::format("kernels for 3D can be compiled with quadrature of degree {} at most", most));
  }

  void read_flux(Section& s) {
    settings_.discretization.riemann = s.text("riemann").value_or("llf");
    const FluxEntry* flux = find_entry(fluxes(), settings_.discretization.riemann);
    // Of a user's header the compiler knows whether it is one of gases.
    if (!flux || flux->any_system || settings_.equations.gas || settings_.equations.user) return;
    std::vector<std::string> fitting;
    for (const FluxEntry& other : fluxes())
      if (other.any_system) fitting.push_back(other.name);
    s.report("riemann",
             fmt::format("{} is a flux of gases; {} take {}", flux->name, their_name(), list_names(fitting)));
  }

  void read_shock() {
    Section s = section("shock");
    s.check_unknown();
    if (s.present()) settings_.shock = case_file::read_shock(s, settings_);
  }

  void read_time() {
    Section s = required("time");
    const bool bounded = settings_.shock && settings_.shock->positivity && settings_.equations.gas;
    Section solver = section("solver");
    const int order = static_cast<int>(order_.value_or(highest_degree + 1));
    settings_.time = case_file::read_time(s, solver, reading_, order, bounded);
    Section shocks = section("shock");
    if (settings_.time.newton) fit_to_newton(shocks, settings_.shock);
    if (settings_.shock) choose_method(*settings_.shock, settings_);
    if (bounded && settings_.time.has_step_of_positivity()) check_quadrature_of_positivity();
  }

  /// The bound on the step is proved for rules that are exact for degree 2p at least: the mean of an element whose
  /// points of a coarser rule are all positive need not stay so (docs/theory.md, Positivity).
  void check_quadrature_of_positivity() {
    Section s = section("discretization");
    const DiscretizationSettings& d = settings_.discretization;
    const int least = 2 * d.order;
    for (const auto& [key, degree] :
         {std::pair{"volume_quadrature", d.volume_quadrature}, std::pair{"face_quadrature", d.face_quadrature}})
      if (s.has(key) && degree < least)
        s.report(key, fmt::format("without time.cfl the step is the largest that keeps means positive, which is known "
                                  "for quadrature of degree {} and more only: leave {} out, or give time.cfl",
                                  least, key));
  }

  /// A section that is a state; nothing where it is absent or wrong. \param what needs the state, for messages.
  std::optional<StateSettings> read_state_section(const std::string& name, const std::string& what) {
    Section s(reading_, table_at(reading_, root_, name, name), state_keys(settings_.equations, name), name);
    s.check_unknown();
    if (!s.present()) return {};
    return read_state(reading_, s, settings_.equations, what);
  }

  void read_states() {
    if (!root_.contains("initial")) reading_.report({reading_.file}, "section [initial] is missing");
    if (const auto state = read_state_section("initial", "the initial state")) settings_.initial = *state;
    settings_.exact = read_state_section("exact", "the exact state");
    settings_.source = read_source(reading_, root_, settings_.equations);
  }

  void read_boundaries() {
    const toml::table* all = table_at(reading_, root_, "boundary", "boundary");
    if (!all) return;
    for (const auto& [key, node] : *all) {
      const std::string name(key.str());
      const toml::table* table = table_at(reading_, *all, name, "boundary." + name);
      if (!table) continue;
      Section s(reading_, table, boundary_keys(), "boundary." + name);
      s.check_unknown();
      s.require("type");
      BoundarySettings boundary;
      boundary.name = name;
      boundary.place = s.place();
      if (const auto type = s.text("type")) read_boundary(s, *type, boundary);
      settings_.boundaries.push_back(boundary);
    }
    check_lift(reading_, settings_.boundaries);
  }

  /// Of the equations, in messages.
  std::string their_name() const { return in_words(settings_.equations, "the equations of "); }

  /// Equations other than those of gases have states in their own names, and none of the values that conditions of
  /// gases take.
  std::vector<Key> boundary_keys() const {
    static const std::set<std::string> general = {"type", "ghost", "circle", "curved", "sphere", "cylinder", "plate"};
    std::vector<Key> keys;
    const bool gas = settings_.equations.gas;
    for (const Key& key : keys_of("boundary.NAME"))
      if (gas || general.count(key.name)) keys.push_back(key);
    if (gas) return keys;
    for (const Key& key : state_keys(settings_.equations, "boundary.NAME")) keys.push_back(key);
    return keys;
  }

  void read_boundary(Section& s, const std::string& type, BoundarySettings& boundary) {
    const BoundaryEntry& entry = *find_entry(boundary_types(), type);
    boundary.type = type;
    check_system(s, entry);
    if (entry.viscous && !find_entry(equation_types(), settings_.equations.type)->viscous)
      s.report("type",
               fmt::format("{} needs viscosity: set equations.type = \"navier-stokes\", or use slip-wall", type));
    std::vector<std::string> used = {"type", "sphere", "cylinder", "plate"};
    boundary.plate = s.boolean("plate").value_or(false);
    boundary.has_shape = s.has("circle") || s.has("sphere") || s.has("cylinder");
    boundary.surface = read_surface(s, settings_.equations.dimension);
    if (entry.state) {
      boundary.state = read_state(reading_, s, settings_.equations, type);
      for (const Key& key : state_keys(settings_.equations, "")) used.push_back(key.name);
    }
    if (type == "user") {
      used.emplace_back("ghost");
      boundary.ghost = read_ghost(reading_, s, settings_.equations);
    }
    const std::vector<std::string> values = entry.values_in(settings_.equations.dimension);
    for (const std::string& value : values) {
      used.push_back(value);
      if (!s.has(value))
        reading_.report(s.place(),
                        fmt::format("[{}] lacks {}: {} needs {}", s.path(), value, type, list_names(values, "and")));
      if (const auto formula = s.formula(value)) boundary.values[value] = *formula;
    }
    if (type == "slip-wall") {
      used.insert(used.end(), {"circle", "curved"});
      boundary.circle = read_circle(s, settings_.equations.dimension);
      boundary.curved = s.boolean("curved").value_or(false);
      if (boundary.circle && boundary.curved)
        s.report("curved", "circle and curved exclude each other: the circle already says it");
    }
    if (!entry.lifting_type.empty()) {
      used.emplace_back("lift_centre");
      if (const auto centre = s.numbers("lift_centre", 2, 2)) boundary.lift_centre = {(*centre)[0], (*centre)[1]};
    }
    for (const Key& key : boundary_keys())
      if (s.has(key.name) && std::find(used.begin(), used.end(), key.name) == used.end())
        s.report(key.name, fmt::format("{} has no meaning for {}", key.name, type));
  }

  /// Does the condition know what the variables of the equations are?
  void check_system(Section& s, const BoundaryEntry& entry) {
    const bool user = settings_.equations.user.has_value();
    if (entry.name == "user" && !user)
      s.report("type", "user takes a ghost state from the header of equations.type = \"user\"");
    const bool vector = has_vector(*find_entry(equation_types(), settings_.equations.type));
    const auto fits = [&](const BoundaryEntry& e) {
      return (e.any_system && (user || e.name != "user")) || (e.mirrors && vector);
    };
    if (settings_.equations.gas || fits(entry) || entry.name == "user") return;
    std::vector<std::string> fitting;
    for (const BoundaryEntry& other : boundary_types())
      if (fits(other)) fitting.push_back(other.name);
    s.report("type",
             fmt::format("{} is a condition of gases; {} take {}", entry.name, their_name(), list_names(fitting)));
  }

  const toml::table& root_;
  Reading reading_;
  Settings settings_;
  std::optional<long> order_;  ///< nothing if it is wrong
};

/// Is the key one of steps in time, in a case of Newton's method?
bool is_of_steps(const toml::table& root, const Key& key) {
  if (root["time"]["scheme"].value_or(std::string()) != "newton") return false;
  if (key.section == "solver") return key.name == "newton_steps" && root["time"].as_table()->contains("max_steps");
  if (key.section == "shock") return key.name == "positivity";
  return key.section == "time" && (key.name == "steady_norm" || key.name == "local" || key.name == "recover");
}

/// Would the reader refuse the key in this case, because something else is not switched on?
bool without_meaning(const toml::table& root, const Key& key) {
  if (is_of_steps(root, key)) return true;
  const auto value = [&](const char* name) { return root[key.section][name].value_or(std::string()); };
  const std::string equations = root["equations"]["type"].value_or(std::string());
  if (key.section == "equations") return !has_meaning(key.name, equations);
  if (key.section == "time") return key.name == "steady_window" && !root["time"].as_table()->contains("steady_forces");
  if (key.section != "shock") return false;
  const EquationEntry* entry = find_entry(equation_types(), equations);
  if (key.name == "positivity") return entry && !entry->gas;
  const std::string limiter = value("limiter");
  if (key.name == "variables") return limiter.empty() || limiter == "none";
  const LimiterEntry* limits = find_entry(limiters(), limiter);
  return key.name == "neighbours" && !(limits && limits->chooses);
}

/// The case with the defaults of the sections that it has, as TOML.
std::string resolve(toml::table root) {
  for (const Key& key : is_polytopic(root) ? polytopic_keys() : keys()) {
    if (key.section.find('.') != std::string::npos || key.section.empty() || key.fallback.empty()) continue;
    toml::table* table = root.get_as<toml::table>(key.section);
    if (!table || table->contains(key.name) || without_meaning(root, key)) continue;
    try {
      const bool quoted = key.type == KeyType::text || key.type == KeyType::path;
      const toml::table parsed = toml::parse("value = " + (quoted ? "\"" + key.fallback + "\"" : key.fallback));
      table->insert(key.name, *parsed.get("value"));
    } catch (const toml::parse_error&) {
      // The default is a rule ("2 p"), not a value.
    }
  }
  std::ostringstream text;
  text << root << "\n";
  return text.str();
}

}  // namespace

Settings read_case_text(std::string_view text, const fs::path& file, const std::vector<std::string>& overrides) {
  toml::table root;
  try {
    root = parse_toml(text, file.string());
  } catch (const InputError& error) {
    const bool at_begin = error.problems().front().place.line <= 1;
    const std::string other = at_begin ? other_kind(file, FileKind::case_file) : "";
    if (other.empty()) throw;
    throw InputError({file.string()}, "this is not a case file, but " + other);
  }
  std::vector<std::string> paths;
  for (const std::string& override_text : overrides) paths.push_back(apply_override(root, override_text));
  Settings settings = CaseReader(root, file, paths).read();
  // The record of a run holds all of the case, the text of its header, too.
  if (settings.equations.user)
    root["equations"].as_table()->insert_or_assign("header_text", settings.equations.user->text);
  settings.resolved = resolve(root);
  return settings;
}

constexpr std::size_t most_bytes = 16'000'000;  // many times what a case has; a pipe may have no end

Settings read_case(const fs::path& file, const std::vector<std::string>& overrides) {
  std::error_code error;
  if (fs::is_directory(file, error))
    throw InputError({file.string()}, "is a directory; give the case file in it (case.toml)");
  if (!fs::exists(file, error)) throw InputError({file.string()}, "no such case file");
  if (!fs::is_regular_file(file, error) && !fs::is_fifo(file, error))  // others may have no end
    throw InputError({file.string()}, "the case is not a file: give a case file (.toml)");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError({file.string()}, "cannot be read; check its permissions");
  std::string text, piece(65536, '\0');
  while (text.size() <= most_bytes && (stream.read(piece.data(), std::ssize(piece)), stream.gcount() > 0))
    text.append(piece, 0, static_cast<std::size_t>(stream.gcount()));
  if (stream.bad()) throw InputError({file.string()}, "cannot be read; check its permissions");
  if (text.size() > most_bytes)
    throw InputError({file.string()}, fmt::format("is larger than {} MB, and no case file: give a case file (.toml)",
                                                  most_bytes / 1'000'000));
  return read_case_text(text, file, overrides);
}

MeshSettings read_mesh_settings(const fs::path& mesh, const std::vector<std::string>& overrides) {
  toml::table root{{"mesh", toml::table{{"file", fs::absolute(mesh).string()}}}};
  std::vector<std::string> paths;
  for (const std::string& override_text : overrides) paths.push_back(apply_override(root, override_text));
  return CaseReader(root, mesh, paths).read_mesh_alone().mesh;
}

std::vector<Problem> check_boundaries(const Settings& settings, const std::vector<std::string>& mesh_boundaries,
                                      const std::vector<std::string>& periodic) {
  std::vector<Problem> problems;
  std::vector<std::string> names;
  for (const BoundarySettings& boundary : settings.boundaries) names.push_back(boundary.name);
  const auto contains = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (const std::string& name : mesh_boundaries)
    if (!name.empty() && !contains(names, name))
      problems.push_back({{settings.file.string()},
                          fmt::format("boundary \"{}\" of the mesh has no condition: add a section [boundary.{}]", name,
                                      toml_key(name))});
  for (const BoundarySettings& boundary : settings.boundaries) {
    if (contains(mesh_boundaries, boundary.name)) continue;
    if (contains(periodic, boundary.name)) {
      problems.push_back(
          {boundary.place, fmt::format("boundary \"{}\" is periodic and takes no condition", boundary.name)});
      continue;
    }
    const std::string near = nearest_name(boundary.name, mesh_boundaries);
    problems.push_back({boundary.place, fmt::format("the mesh has no boundary \"{}\"{}; it has {}", boundary.name,
                                                    near.empty() ? "" : "; did you mean \"" + near + "\"?",
                                                    mesh_boundaries.empty() ? "none" : list_names(mesh_boundaries))});
  }
  return problems;
}

}  // namespace galerna::case_file
