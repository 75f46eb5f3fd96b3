#include "case/read_polytopic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "case/mesh_file.hpp"
#include "case/polytopic_keys.hpp"
#include "case/read_output.hpp"

namespace galerna::case_file {
namespace {

namespace fs = std::filesystem;

class PolytopicReader {
 public:
  PolytopicReader(Reading& reading, const toml::table& root, Settings& settings)
      : reading_(reading), root_(root), settings_(settings), result_(settings.polytopic.emplace()) {}

  void read() {
    reading_.all_keys = &polytopic_keys();
    Section top(reading_, &root_, keys_of("", polytopic_keys()), "");
    top.check_unknown({"constants", "functions", "mesh", "equations", "discretization", "time", "initial", "boundary",
                       "exact", "solver", "output"});
    settings_.title = top.text("title").value_or(settings_.file.stem().string());
    settings_.equations.type = polytopic_equations;
    settings_.equations.gas = false;
    settings_.equations.variables = {"u"};
    read_mesh();
    read_agglomerate();
    read_equations();
    read_discretization();
    read_time();
    read_boundaries();
    read_solver();
    Section exact = section("exact");
    exact.check_unknown();
    result_.exact = exact.formula("value");
    read_output();
  }

 private:
  Section section(const std::string& name) {
    return {reading_, table_at(reading_, root_, name, name), keys_of(name, polytopic_keys()), name};
  }

  Section required(const std::string& name, const std::vector<std::string>& tables = {}) {
    return required_section(reading_, root_, name, keys_of(name, polytopic_keys()), tables);
  }

  /// A file that must be there.
  fs::path file_at(Section& s, const std::string& key) {
    const auto text = s.text(key);
    if (!text) return {};
    const fs::path file = settings_.file.parent_path() / *text;
    std::error_code error;
    if (!fs::is_regular_file(file, error)) s.report(key, fmt::format("{} does not exist", file.string()));
    return file;
  }

  void read_mesh() {
    Section s = required("mesh", {"agglomerate"});
    read_mesh_file(s, settings_.file.parent_path(), settings_.mesh);
  }

  void read_agglomerate() {
    const toml::table* mesh = root_["mesh"].as_table();
    if (!mesh) return;
    Section s(reading_, table_at(reading_, *mesh, "agglomerate", "mesh.agglomerate"),
              keys_of("mesh.agglomerate", polytopic_keys()), "mesh.agglomerate");
    s.check_unknown();
    PolytopicSettings::Agglomerate& a = result_.agglomerate;
    a.place = s.place();
    a.simplices = s.integer("simplices");
    a.polytopes = s.integer("polytopes");
    a.file = file_at(s, "file");
    a.groups = s.boolean("groups").value_or(false);
    const int given = (a.simplices ? 1 : 0) + (a.polytopes ? 1 : 0) + (s.has("file") ? 1 : 0) + (a.groups ? 1 : 0);
    if (s.present() && given != 1)
      reading_.report(s.place(), fmt::format("[mesh.agglomerate] has {} of simplices, polytopes, file and groups; it "
                                             "takes one",
                                             given));
    if (s.has("file") && settings_.mesh.refine > 0)
      s.report("file", "the file has polytopes of the mesh as it is; leave mesh.refine out");
  }

  /// A formula in a list.
  std::optional<Formula> entry_of(Section& s, const std::string& key, const toml::node& node) {
    const std::size_t before = s.problem_count();
    const auto formula = s.formula_in(key, node);
    if (!formula && s.problem_count() == before)
      s.report(key, fmt::format("an entry of {} is {}, but must be a number or a formula", key, describe_type(node)));
    return formula;
  }

  /// The rows of a symmetric tensor: its upper triangle.
  void read_tensor(Section& s, const toml::array& rows) {
    const std::size_t d = rows.size();
    std::vector<std::vector<Formula>> entries(d);
    for (std::size_t k = 0; k < d; ++k) {
      const toml::array* row = rows.get(k)->as_array();
      if (d < 2 || d > 3 || !row || row->size() != d)
        return s.report("diffusion", "a tensor is given by its rows: [[xx, xy], [xy, yy]], three of three in space");
      for (const toml::node& node : *row) {
        const auto entry = entry_of(s, "diffusion", node);
        if (!entry) return;
        entries[k].push_back(*entry);
      }
    }
    for (std::size_t k = 0; k < d; ++k)
      for (std::size_t l = 0; l < d; ++l) {
        if (l < k && entries[k][l].text() != entries[l][k].text())
          s.report("diffusion",
                   fmt::format("the tensor must be symmetric: \"{}\" in row {}, column {} is \"{}\" on the "
                               "other side",
                               entries[k][l].text(), k + 1, l + 1, entries[l][k].text()));
        if (l >= k) result_.diffusion.push_back(entries[k][l]);
      }
  }

  void read_equations() {
    Section s = required("equations");
    s.require("type");
    s.text("type");
    result_.diffusion_place = s.place("diffusion");
    result_.velocity_place = s.place("velocity");
    const toml::table* table = root_["equations"].as_table();
    const toml::node* diffusion = table ? table->get("diffusion") : nullptr;
    if (diffusion && diffusion->is_array())
      read_tensor(s, *diffusion->as_array());
    else if (diffusion)
      if (const auto scalar = s.formula("diffusion")) result_.diffusion = {*scalar};
    if (s.has("velocity"))
      if (const toml::array* list = s.array("velocity")) {
        if (list->size() < 2 || list->size() > 3)
          s.report("velocity", fmt::format("velocity has {} components, but must have 2 or 3", list->size()));
        for (const toml::node& node : *list)
          if (const auto entry = entry_of(s, "velocity", node)) result_.velocity.push_back(*entry);
      }
    result_.reaction = s.formula("reaction");
    result_.source = s.formula("source");
  }

  void read_discretization() {
    Section s = required("discretization");
    s.text("type");
    result_.order_place = s.has("order_file") ? s.place("order_file") : s.place("order");
    if (s.has("order") == s.has("order_file"))
      reading_.report(s.place(), s.has("order") ? "order and order_file exclude each other"
                                                : "[discretization] lacks order (or order_file)");
    if (const auto order = s.formula("order")) result_.order = *order;
    result_.order_file = file_at(s, "order_file");
    result_.penalty = s.text("penalty").value_or("certified");
    result_.penalty_factor = s.number("penalty_factor");
    result_.penalty_place = s.place("penalty_factor");
    if (result_.penalty == "certified" && result_.penalty_factor && *result_.penalty_factor <= 1)
      s.report("penalty_factor", fmt::format("penalty_factor = {:g} is out of range: \"certified\" is coercive for "
                                             "factors larger than 1; 2 is usual",
                                             *result_.penalty_factor));
    result_.volume_quadrature = static_cast<int>(s.integer("volume_quadrature").value_or(-1));
    result_.face_quadrature = static_cast<int>(s.integer("face_quadrature").value_or(-1));
    result_.time_quadrature = static_cast<int>(s.integer("time_quadrature").value_or(-1));
  }

  void read_time() {
    Section s = section("time"), initial = section("initial");
    s.check_unknown();
    initial.check_unknown();
    result_.initial = initial.formula("value");
    if (!s.present()) {
      if (initial.present())
        reading_.report(initial.place(), "[initial] has no meaning without [time], type = \"slabs\"");
      return;
    }
    for (const char* key : {"end", "slabs"}) s.require(key);
    s.text("type");
    PolytopicSettings::Slabs slabs;
    slabs.end = s.number("end").value_or(1);
    slabs.count = s.integer("slabs").value_or(1);
    slabs.tensor = s.text("space").value_or("total") == "tensor";
    result_.slabs = slabs;
    initial.require("value");
  }

  void read_boundaries() {
    const toml::table* all = table_at(reading_, root_, "boundary", "boundary");
    if (!all) return;
    for (const auto& [key, node] : *all) {
      const std::string name(key.str());
      const toml::table* table = table_at(reading_, *all, name, "boundary." + name);
      if (!table) continue;
      Section s(reading_, table, keys_of("boundary.NAME", polytopic_keys()), "boundary." + name);
      s.check_unknown();
      s.require("type");
      const std::string type = s.text("type").value_or("dirichlet");
      PolytopicBoundary boundary;
      boundary.name = name;
      boundary.place = s.place();
      boundary.dirichlet = type == "dirichlet";
      read_data(s, type, boundary);
      result_.boundaries.push_back(boundary);
      BoundarySettings named;
      named.name = name;
      named.place = boundary.place;
      named.plate = s.boolean("plate").value_or(false);
      settings_.boundaries.push_back(named);
    }
  }

  /// \param boundary gets the formulas that its type has
  static void read_data(Section& s, const std::string& type, PolytopicBoundary& boundary) {
    static const std::map<std::string, std::set<std::string>> keys = {
        {"dirichlet", {"value"}}, {"neumann", {"flux"}}, {"robin", {"flux", "coefficient"}}, {"outflow", {}}};
    const auto own = keys.find(type);
    if (own == keys.end()) return;  // which was said
    for (const char* key : {"value", "flux", "coefficient"}) {
      if (s.has(key) && !own->second.count(key))
        s.report(key, fmt::format(
                          "{} has no meaning for {}{}", key, type,
                          own->second.empty() ? "" : fmt::format(", which takes {}", fmt::join(own->second, " and "))));
      if (!s.has(key) || !own->second.count(key)) continue;
      const auto formula = s.formula(key);
      if (formula) (key == std::string("coefficient") ? boundary.coefficient : boundary.data) = *formula;
    }
    if (type != "robin") return;
    s.require("coefficient");
    if (const Formula& h = boundary.coefficient; h.constant() && h(0, 0, 0, 0) < 0)
      s.report("coefficient", fmt::format("coefficient = {:g} is negative: n·a∇u + coefficient u = flux has solutions "
                                          "for certain only where it is not",
                                          h(0, 0, 0, 0)));
  }

  void read_solver() {
    Section s = section("solver");
    s.check_unknown();
    result_.solver = s.text("type").value_or("multigrid");
    result_.tolerance = s.number("tolerance").value_or(1e-10);
    result_.max_iterations = s.integer("max_iterations").value_or(500);
  }

  void read_output() {
    settings_.output = case_file::read_output(reading_, root_, settings_.equations);
    const toml::table* table = root_["output"].as_table();
    const toml::node* picture = table ? table->get("picture") : nullptr;
    Section s = section("output");
    result_.picture = !picture || !picture->is_table();
    if (result_.picture) result_.picture = s.boolean("picture").value_or(true);
    result_.matrix = s.boolean("matrix").value_or(false);
    Schedule& monitor = settings_.output.monitor_schedule;
    if (!monitor.interval && !monitor.steps) monitor.steps = 1;
    if (!table) return;
    for (const char* name : {"solution", "checkpoint", "monitor"})
      if (const toml::table* schedule = (*table)[name].as_table()) check_schedule(*schedule, name);
  }

  /// Outputs are written where slabs end.
  void check_schedule(const toml::table& table, const std::string& name) {
    const std::string path = "output." + name;
    Section s(reading_, &table, path, path);
    if (!result_.slabs) {
      for (const char* key : {"interval", "steps"})
        if (s.has(key)) s.report(key, fmt::format("{}.{} has no meaning without [time], type = \"slabs\"", path, key));
      return;
    }
    const std::size_t before = reading_.problems.size();
    const auto interval = s.number("interval");
    reading_.problems.resize(before);  // what is wrong with the number was said
    if (!interval || *interval <= 0) return;
    const double slab = result_.slabs->end / static_cast<double>(result_.slabs->count), slabs = *interval / slab;
    if (std::abs(slabs - std::round(slabs)) > 1e-9 * slabs || slabs < 0.5)
      s.report("interval",
               fmt::format("{}.interval = {:.12g} is no multiple of the length of a slab, {:.12g}: outputs are written "
                           "where slabs end",
                           path, *interval, slab));
  }

  Reading& reading_;
  const toml::table& root_;
  Settings& settings_;
  PolytopicSettings& result_;
};

}  // namespace

bool is_polytopic(const toml::table& root) {
  return root["equations"]["type"].value_or(std::string()) == polytopic_equations;
}

void read_polytopic(Reading& reading, const toml::table& root, Settings& settings) {
  PolytopicReader(reading, root, settings).read();
}

}  // namespace galerna::case_file
