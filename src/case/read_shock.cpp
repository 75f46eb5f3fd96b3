#include "case/read_shock.hpp"

#include <fmt/format.h>

#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "case/read_equations.hpp"
#include "case/registry.hpp"

namespace galerna::case_file {
namespace {

/// Whether the header of a user's equations declares this function of a state.
bool header_has(const EquationSettings& equations, const std::string& function) {
  return equations.user &&
         std::regex_search(equations.user->text, std::regex("\\b" + function + "\\s*\\(\\s*const\\b"));
}

/// A header that has a pressure keeps it positive, but beside a limiter only if the case says so.
bool keeps_positive(const EquationSettings& equations, const std::string& method) {
  return equations.gas || ((method == "automatic" || method == "filter") && header_has(equations, "pressure"));
}

/// What the limiter asks of the solution and its neighbours.
void check_limiter(Section& section, const LimiterEntry& limiter, const ShockSettings& shock, int order) {
  if (order == 0)
    section.report("limiter", "there are no slopes to limit at discretization.order 0; leave the limiter out");
  if (order > limiter.most_degree) {
    std::vector<std::string> fitting;
    for (const LimiterEntry& other : limiters())
      if (other.most_degree >= order) fitting.push_back(other.name);
    section.report("limiter", fmt::format("{} limits solutions of order {}, but discretization.order is {}; use {}",
                                          limiter.name, limiter.most_degree, order, list_names(fitting)));
  }
  if (!limiter.chooses && section.has("neighbours") && shock.neighbours == "face")
    section.report("neighbours", fmt::format("the {} limiter compares with all elements around the vertices; leave "
                                             "neighbours out",
                                             limiter.name));
}

/// What the equations do not say.
void check_equations(Section& section, const EquationSettings& equations, const ShockSettings& shock) {
  if (equations.gas || equations.user) return;  // of a user's the compiler says what the header lacks
  const std::string name = in_words(equations, "the equations of ");
  if (shock.positivity)
    section.report("positivity",
                   fmt::format("of {} it is not known what must be positive; leave positivity out", name));
  if (shock.variables != "conservative")
    section.report("variables", fmt::format("{} are limited in conservative variables only", name));
}

/// The method of the case, or automatic.
std::string read_method(Section& section, const ShockSettings& shock) {
  const bool limits = shock.limiter != "none";
  const std::optional<std::string> asked = section.text("method");
  if (!asked) return limits ? "limiter" : section.has("limiter") || section.has("positivity") ? "none" : "automatic";
  if (limits && *asked != "limiter")
    section.report(
        "method", fmt::format("{} and limiter = \"{}\" are two methods: leave one of them out", *asked, shock.limiter));
  if (!limits && *asked == "limiter")
    section.report("method", fmt::format("limiter needs shock.limiter, one of {}", list_names(names_of(limiters()))));
  return *asked;
}

void check_filter(Section& section, const Settings& settings) {
  const EquationSettings& equations = settings.equations;
  if (settings.discretization.order == 0)
    section.report("method", "there is nothing to filter at discretization.order 0; leave the filter out");
  if (!equations.gas && !equations.user)
    section.report("method", fmt::format("of {} no entropy is known, by which a filter would find shocks; use none",
                                         in_words(equations, "the equations of ")));
  if (equations.gas && section.has("positivity") && !section.boolean("positivity").value_or(true))
    section.report("positivity", "the filter needs positive density and pressure: leave positivity out");
}

/// Reports keys that say how something works which the case does not ask for.
void refuse(Section& section, std::initializer_list<const char*> keys, const std::string& asked) {
  for (const char* key : keys)
    if (section.has(key)) section.report(key, fmt::format("{} needs {}: set that, or leave {} out", key, asked, key));
}

/// Persson's and Peraire's with its constants, if the case names it.
std::optional<PerssonPeraireSettings> read_sensor(Section& section) {
  PerssonPeraireSettings sensor;
  sensor.s0 = section.number("s0");
  sensor.kappa = section.number("kappa").value_or(sensor.kappa);
  sensor.epsilon0 = section.number("epsilon0").value_or(sensor.epsilon0);
  return section.text("sensor") == "persson-peraire" ? std::optional(sensor) : std::nullopt;
}

void read_viscosity(Section& section, const Settings& settings, ShockSettings& shock) {
  const std::optional<long> freeze = section.integer("freeze");
  shock.persson_peraire = read_sensor(section);
  if (shock.method != "viscosity")
    return refuse(section, {"freeze", "sensor", "s0", "kappa", "epsilon0"}, "method = \"viscosity\"");
  shock.freeze = freeze.value_or(shock.freeze);
  if (!shock.persson_peraire) refuse(section, {"s0", "kappa", "epsilon0"}, "sensor = \"persson-peraire\"");
  if (settings.discretization.order == 0)
    section.report("method", "discretization.order 0 smears shocks by itself; leave the viscosity out");
}

std::string described(const PerssonPeraireSettings& sensor) {
  return fmt::format(" by Persson's and Peraire's sensor, s0 = {}, kappa = {}, epsilon0 = {}",
                     sensor.s0 ? fmt::format("{}", *sensor.s0) : "-4 log10 p", sensor.kappa, sensor.epsilon0);
}

}  // namespace

ShockSettings read_shock(Section& section, const Settings& settings) {
  const EquationSettings& equations = settings.equations;
  ShockSettings shock;
  shock.limiter = section.text("limiter").value_or("none");
  shock.variables = section.text("variables").value_or("conservative");
  shock.neighbours = section.text("neighbours").value_or(equations.viscous_flux ? "vertex" : "face");
  shock.method = read_method(section, shock);
  shock.positivity = section.boolean("positivity").value_or(keeps_positive(equations, shock.method));
  check_equations(section, equations, shock);
  if (shock.method == "filter") check_filter(section, settings);
  read_viscosity(section, settings, shock);
  if (shock.limiter == "none")
    for (const char* key : {"variables", "neighbours"})
      if (section.has(key))
        section.report(key, fmt::format("{} has no meaning without a limiter; set shock.limiter or leave it out", key));
  if (const LimiterEntry* limiter = find_entry(limiters(), shock.limiter))
    check_limiter(section, *limiter, shock, settings.discretization.order);
  return shock;
}

void fit_to_newton(Section& section, std::optional<ShockSettings>& shock) {
  if (!shock) return;
  const std::string why = "Newton's method needs a residual with a derivative, which ";
  if (shock->limiter != "none")
    section.report("limiter", why + "a limiter has not: leave it out, or take local time steps");
  else if (shock->method == "filter")
    section.report("method", why + "a filter has not: leave it out, or take local time steps");
  else if (section.boolean("positivity").value_or(false))
    section.report("positivity", why +
                                     "positivity = true has not: leave it out; a step is shortened where density or "
                                     "pressure would halve");
  if (shock->method == "viscosity" || shock->method == "automatic")
    shock->positivity = false;
  else
    shock.reset();
}

void choose_method(ShockSettings& shock, const Settings& settings) {
  if (shock.method != "automatic") return;
  shock.method = "none";
  if (settings.discretization.order == 0)
    shock.why = "order 0 smears shocks by itself";
  else if (!settings.time.seeks_steady() && settings.equations.user && !header_has(settings.equations, "entropy_ratio"))
    shock.why = "the header has no entropy_ratio(u, reference), which the entropy filter needs";
  else if (!settings.time.seeks_steady() && !settings.equations.gas && !settings.equations.user)
    shock.why = "of these equations no entropy is known";
  else if (settings.time.seeks_steady())
    shock = {.method = "viscosity",
             .why = "a steady state is sought",
             .positivity = shock.positivity,
             .freeze = shock.freeze};
  else
    shock = {.method = "filter", .why = "the flow is computed in time", .positivity = shock.positivity};
}

std::string describe_method(const std::optional<ShockSettings>& shock) {
  if (!shock) return "";
  const std::string reason = shock->why.empty() ? "" : ", since " + shock->why;
  if (shock->method == "filter") return "shocks: entropy filter" + reason;
  if (shock->method == "viscosity")
    return "shocks: artificial viscosity" + (shock->persson_peraire ? described(*shock->persson_peraire) : "") + reason;
  if (shock->why.empty()) return "";
  return (shock->positivity ? "shocks: positivity alone" : "shocks: nothing is done") + reason;
}

}  // namespace galerna::case_file
