#include "case/read_user_equations.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "case/formula_node.hpp"
#include "case/header_names.hpp"
#include "kernels/arguments.hpp"

namespace galerna::case_file {

namespace fs = std::filesystem;

namespace {

/// Reads equations.type = "user" into settings.
class UserEquationsReader {
 public:
  UserEquationsReader(Reading& reading, Section& s, EquationSettings& equations)
      : reading_(reading), s_(s), equations_(equations), user_(equations.user.emplace(EquationSettings::User{})) {}

  void read(const toml::table* table, const fs::path& folder) {
    user_.place = s_.place();
    for (const char* key : {"header", "name", "variables"}) s_.require(key);
    read_header(folder);
    user_.name = s_.text("name").value_or("");
    if (!user_.name.empty() && !user_.text.empty()) check_struct(reading_, s_, "name", user_.name, equations_);
    equations_.source = s_.boolean("source").value_or(false);
    equations_.viscous_flux = s_.boolean("viscous").value_or(false);
    if (!s_.has("viscous") && names_of_header(user_.text).words.count("viscous_flux"))
      reading_.report(s_.place(),
                      fmt::format("{} has viscous_flux: say whether it is to be computed, viscous = true or false",
                                  user_.header.filename().string()));
    equations_.dimension = static_cast<int>(s_.integer("dimension").value_or(2));
    equations_.variables = read_names("variables");
    equations_.primitives = read_names("primitives");
    if (!s_.has("dimension")) require_plane();
    const std::size_t variables = equations_.variables.size(), primitives = equations_.primitives.size();
    if (primitives > 0 && primitives != variables)
      s_.report("primitives", fmt::format("{} primitives, but {} variables; give as many of one as of the other",
                                          primitives, variables));
    if (table) read_parameters(*table);
  }

  /// Is the struct `name`, the value of `key`, in the header?
  static void check_struct(Reading& reading, Section& s, const std::string& key, const std::string& name,
                           const EquationSettings& equations) {
    const HeaderNames names = names_of_header(equations.user->text);
    if (is_identifier(name) && names.words.count(name)) return;
    const std::string near = nearest_name(name, names.types);
    reading.report(s.place(key),
                   fmt::format("{} has no struct \"{}\"{}; it has {}", equations.user->header.filename().string(), name,
                               near.empty() ? "" : "; did you mean \"" + near + "\"?", list_names(names.types)));
  }

 private:
  /// Of a case in space that is taken for one in the plane nearly everything would be wrong.
  void require_plane() {
    for (const auto& [key, names] :
         {std::pair{"variables", equations_.variables}, std::pair{"primitives", equations_.primitives}})
      for (const std::string& name : names) {
        if (!name.ends_with("_z")) continue;
        s_.report(key, fmt::format("{} is a third component, but the equations are in the plane: set "
                                   "equations.dimension = 3",
                                   name));
        throw InputError(reading_.problems);
      }
  }

  void read_header(const fs::path& folder) {
    const auto file = s_.text("header");
    const auto record = s_.text("header_text");
    if (!file) return;
    user_.header = fs::path(*file).is_absolute() ? fs::path(*file) : folder / *file;
    std::error_code error;
    user_.found = fs::is_regular_file(user_.header, error);
    if (!user_.found && !record)
      return s_.report("header", fmt::format("header {} does not exist", user_.header.string()));
    std::ifstream stream(user_.header, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    user_.text = user_.found ? text.str() : *record;
    if (user_.text.empty()) s_.report("header", fmt::format("header {} is empty", user_.header.string()));
  }

  std::vector<std::string> read_names(const std::string& key) {
    const auto given = s_.names(key);
    if (!given) return {};
    std::set<std::string> seen;
    for (const std::string& name : *given)
      if (const std::string trouble = trouble_with(name); !trouble.empty() || !seen.insert(name).second)
        s_.report(key, fmt::format("{}: '{}' {}", key, name, trouble.empty() ? "is given twice" : trouble));
    if (given->empty() || given->size() > kernels::most_variables)
      s_.report(key,
                fmt::format("{} has {} names, but must have 1 to {}", key, given->size(), kernels::most_variables));
    return *given;
  }

  /// Variables are names in formulas, keys of sections and columns of files.
  std::string trouble_with(const std::string& name) const {
    static const std::set<std::string> taken = {"x", "y", "z", "t", "pi", "and", "or", "not", "type", "ghost", "time"};
    if (!is_identifier(name)) return "is no name: use letters, digits and _";
    if (taken.count(name) || find_function(name)) return "has a meaning of its own";
    if (reading_.names.constants.count(name)) return "is already a constant";
    if (reading_.names.functions.count(name)) return "is already a function";
    return "";
  }

  void read_parameters(const toml::table& table) {
    const toml::table* parameters = table_at(reading_, table, "parameters", "equations.parameters");
    const HeaderNames names = names_of_header(user_.text);
    if (parameters) {
      std::vector<Key> keys;
      for (const auto& [key, node] : *parameters)
        keys.push_back({std::string(key.str()), KeyType::formula, "", "", "", {}, "equations.parameters"});
      Section s(reading_, parameters, keys, "equations.parameters");
      for (const Key& key : keys) read_parameter(s, key.name, names);
    }
    for (const std::string& name : names.parameters)
      if (!parameters || !parameters->contains(name))
        reading_.report(s_.place(), fmt::format("{} reads Parameters::{}: give {} in [equations.parameters]",
                                                user_.header.filename().string(), name, name));
  }

  void read_parameter(Section& s, const std::string& name, const HeaderNames& header) {
    if (!user_.text.empty() && !header.words.count(name)) {
      const std::string near = nearest_name(name, header.parameters);
      return s.report(
          name, fmt::format("unknown parameter '{}': {} does not use it{}", name, user_.header.filename().string(),
                            near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    const auto formula = s.formula(name);
    if (!formula) return;
    if (!formula->constant())
      return s.report(name, fmt::format("parameter '{}' depends on x, y, z or t, but must be a constant", name));
    const double value = (*formula)(0, 0, 0, 0);
    if (!std::isfinite(value))
      return s.report(name, fmt::format("parameter '{}' is {}, but must be finite", name, value));
    equations_.parameters.emplace_back(name, value);
  }

  Reading& reading_;
  Section& s_;
  EquationSettings& equations_;
  EquationSettings::User& user_;
};

}  // namespace

void read_user_equations(Reading& reading, Section& s, const toml::table* table, const fs::path& folder,
                         EquationSettings& equations) {
  UserEquationsReader(reading, s, equations).read(table, folder);
}

std::string read_ghost(Reading& reading, Section& s, const EquationSettings& equations) {
  s.require("ghost");
  const auto name = s.text("ghost");
  if (!name || !equations.user) return "";
  if (!equations.user->text.empty()) UserEquationsReader::check_struct(reading, s, "ghost", *name, equations);
  return *name;
}

}  // namespace galerna::case_file
