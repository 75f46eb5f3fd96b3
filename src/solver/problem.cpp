#include "solver/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "case/reader.hpp"
#include "case/registry.hpp"
#include "dg/geometry/step_limit.hpp"
#include "dg/sides/code_counts.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/validity.hpp"
#include "solver/check_dimension.hpp"
#include "solver/degree_sequence.hpp"
#include "solver/outputs/check_outputs.hpp"
#include "solver/outputs/integrals.hpp"
#include "solver/positivity_bound.hpp"

namespace galerna::solver {
namespace {

dg::FunctionText text_of(const case_file::Formula& formula) {
  return [formula](const std::string& name) { return formula.cpp(name); };
}

dg::StateFunctions state_functions(const case_file::StateSettings& state) {
  dg::StateFunctions functions;
  functions.primitive = state.primitive;
  for (const case_file::Formula& formula : state.formulas) functions.functions.push_back(text_of(formula));
  return functions;
}

dg::FormulaIntegral formula_integral(const case_file::OutputSettings::Integral& integral,
                                     const case_file::EquationSettings& equations) {
  const std::size_t count = equations.variables.size();
  const auto derivatives = static_cast<std::size_t>(equations.dimension) * count;
  return {[formula = integral.formula](const std::string& name) { return formula.cpp_of_solution(name); },
          integral.formula.uses_values(count, count + derivatives), integral.region, integral.boundary};
}

/// As programs include the header of a user's equations.
constexpr const char* user_header = "user_equations.hpp";

dg::EquationDefinition definition(const case_file::EquationSettings& equations) {
  const auto& entry = *case_file::find_entry(case_file::equation_types(), equations.type);
  dg::EquationDefinition definition{entry.header, entry.type};
  definition.from_primitive = !equations.primitives.empty();
  definition.source = equations.source;
  if (!equations.user) return definition;
  definition.header = user_header;
  definition.type = equations.user->name;
  definition.text = {user_header, equations.user->text, equations.user->header.string()};
  return definition;
}

dg::BoundaryCondition boundary_condition(const case_file::BoundarySettings& settings, int dimension) {
  const case_file::BoundaryEntry& entry = *case_file::find_entry(case_file::boundary_types(), settings.type);
  dg::BoundaryCondition condition;
  condition.kernel = {entry.header, entry.type};
  if (!settings.ghost.empty()) condition.kernel = {user_header, settings.ghost};
  condition.takes_data = entry.data();
  if (settings.state) condition.state = state_functions(*settings.state);
  for (const std::string& value : entry.values_in(dimension))
    condition.values.emplace_back(value, text_of(settings.values.at(value)));
  if (settings.lift_centre) {
    condition.kernel = {entry.lifting_header, entry.lifting_type};
    condition.values = {{"lift_centre_x", text_of(case_file::Formula((*settings.lift_centre)[0]))},
                        {"lift_centre_y", text_of(case_file::Formula((*settings.lift_centre)[1]))}};
  }
  return condition;
}

dg::LimiterSpec limiter_spec(const case_file::ShockSettings& shock, bool bounds_step) {
  dg::LimiterSpec spec;
  if (const case_file::LimiterEntry* entry = case_file::find_entry(case_file::limiters(), shock.limiter))
    spec.slopes = {{entry->header, entry->type}, !entry->chooses || shock.neighbours == "vertex", entry->detects};
  spec.variables = case_file::find_entry(case_file::limited_variables(), shock.variables)->type;
  spec.positivity = shock.positivity;
  spec.entropy_filter = shock.method == "filter";
  spec.viscosity = shock.method == "viscosity";
  if (shock.persson_peraire)
    spec.persson_peraire = {{shock.persson_peraire->s0, shock.persson_peraire->kappa, shock.persson_peraire->epsilon0}};
  spec.bounds_step = bounds_step && shock.positivity;
  return spec;
}

/// The largest cfl under which means stay positive in an Euler step, times the scheme's strong-stability coefficient.
double positivity_cfl(int degree, const time::Scheme& scheme, const mesh::Mesh& mesh, const std::string& file) {
  if (scheme.ssp <= 0)
    throw InputError(
        {file},
        fmt::format(
            "time.scheme {} does not preserve positivity, so that there is no bound on its step: give time.cfl, or use "
            "ssprk22, ssprk33 or ssprk54",
            scheme.name));
  return scheme.ssp * (2 * degree + 1) * positivity_weight(mesh, degree) / 6;
}

/// The largest cfl under which constants are stable: eigenvalues of first-order upwinding are 2 dim λ/h at most, as
/// Gershgorin's circles say; with a tenth to spare for speeds that change within a step.
double constants_cfl(const time::Scheme& scheme, const mesh::Mesh& mesh) {
  double factor = std::numeric_limits<double>::max();
  for (const mesh::ElementBlock& block : mesh.blocks) factor = std::min(factor, dg::wave_factor(block.shape));
  return 0.9 * time::real_stability(scheme) * factor / (2 * mesh.dimension);
}

/// Shapes of the mesh's elements other than triangles and tetrahedra.
std::vector<std::string> other_shapes(const mesh::Mesh& mesh) {
  std::vector<std::string> names;
  for (const mesh::ElementBlock& block : mesh.blocks)
    if (!is_simplex(block.shape)) names.emplace_back(plural_name(block.shape));
  return names;
}

/// Which meshes the limiters and positivity work on.
std::vector<Problem> check_limiter(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  if (!settings.shock) return {};
  const bool slopes = settings.shock->limiter != "none";
  if (settings.shock->method == "none" && !settings.shock->positivity) return {};
  const std::string simplices = mesh.dimension == 2 ? "triangles" : "tetrahedra";
  if (slopes && !slopes_can_be_limited(mesh)) {
    const std::vector<std::string> others = other_shapes(mesh);
    return {{settings.mesh.place,
             fmt::format("shock.limiter = \"{}\" limits slopes on straight {} only, but the mesh has {}: mesh the "
                         "geometry with {} of order 1, or take method = \"filter\", which works on all elements",
                         settings.shock->limiter, simplices, others.empty() ? "curved ones" : list_names(others, "and"),
                         simplices)}};
  }
  const case_file::DiscretizationSettings& rules = settings.discretization;
  if ((mesh.dimension == 3 || !slopes_can_be_limited(mesh)) && settings.time.has_step_of_positivity() &&
      std::max(rules.volume_quadrature, rules.face_quadrature) >= 0)
    return {{settings.mesh.place,
             "without time.cfl the step is the largest that keeps means positive. Except on straight triangles it is "
             "known for the default quadrature only: leave volume_quadrature and face_quadrature out, or give "
             "time.cfl"}};
  return {};
}

std::vector<Problem> check_scheme(const case_file::Settings& settings) {
  const SourcePlace file{settings.file.string()};
  const case_file::TimeSettings& t = settings.time;
  std::vector<std::string> schemes = time::scheme_names();
  schemes.emplace_back("newton");
  if (std::find(schemes.begin(), schemes.end(), t.scheme) == schemes.end()) {
    const std::string near = nearest_name(t.scheme, schemes);
    return {{file, fmt::format("unknown time.scheme \"{}\"{}; allowed: {}", t.scheme,
                               near.empty() ? "" : "; did you mean \"" + near + "\"?", list_names(schemes))}};
  }
  if (t.newton) return {};
  const std::string problem = time::problem_of_tolerance(time::find_scheme(t.scheme), t.tolerance, t.seeks_steady());
  return problem.empty() ? std::vector<Problem>() : std::vector<Problem>{{file, problem}};
}

const case_file::BoundarySettings& settings_of(const case_file::Settings& settings, const std::string& boundary) {
  return *std::find_if(settings.boundaries.begin(), settings.boundaries.end(),
                       [&](const case_file::BoundarySettings& b) { return b.name == boundary; });
}

}  // namespace

void require_header(const case_file::Settings& settings) {
  const auto& user = settings.equations.user;
  if (user && !user->found)
    throw InputError(user->place, fmt::format("header {} does not exist; its text in header_text is a record and not "
                                              "compiled",
                                              user->header.string()));
}

std::vector<Problem> problems_at_any_refinement(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  std::vector<std::string> periodic;
  for (const auto& pair : settings.mesh.periodic) periodic.insert(periodic.end(), {pair.from, pair.to});
  if (settings.equations.dimension != mesh.dimension) return check_dimension(settings, mesh);
  std::vector<Problem> problems = check_boundaries(settings, mesh, periodic);
  for (Problem& problem : check_scheme(settings)) problems.push_back(std::move(problem));
  for (Problem& problem : check_dimension(settings, mesh)) problems.push_back(std::move(problem));
  for (Problem& problem : check_limiter(settings, mesh)) problems.push_back(std::move(problem));
  return problems;
}

void check_problem(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  std::vector<Problem> problems = problems_at_any_refinement(settings, mesh);
  if (settings.equations.dimension != mesh.dimension) throw InputError(problems);
  for (Problem& problem : check_outputs(settings, mesh)) problems.push_back(std::move(problem));
  if (!problems.empty()) throw InputError(problems);
  dg::require_codes(dg::code_counts(mesh, make_spec(settings, mesh, device::Precision::double_precision)),
                    settings.mesh.place);
}

dg::Spec make_spec(const case_file::Settings& settings, const mesh::Mesh& mesh, device::Precision precision) {
  return make_spec(settings, mesh::boundary_names(mesh), precision);
}

dg::Spec make_spec(const case_file::Settings& settings, const std::vector<std::string>& boundaries,
                   device::Precision precision) {
  const auto& flux = *case_file::find_entry(case_file::fluxes(), settings.discretization.riemann);
  dg::Spec spec;
  spec.equations = definition(settings.equations);
  spec.title = fmt::format("{} {}D, {}", spec.equations.type, settings.equations.dimension, flux.name);
  spec.shape = settings.equations.dimension == 3 ? Shape::tetrahedron : Shape::triangle;
  spec.degree = settings.discretization.order;
  spec.volume_quadrature = settings.discretization.volume_quadrature;
  spec.face_quadrature = settings.discretization.face_quadrature;
  spec.parameters = settings.equations.parameters;
  spec.viscous = settings.equations.viscous_flux;
  spec.penalty = settings.discretization.penalty;
  spec.variables = settings.equations.variables;
  for (const case_file::Formula& formula : settings.source)
    spec.source.push_back([formula](const std::string& name) { return formula.cpp_of_solution(name); });
  for (const case_file::OutputSettings::Integral& integral : settings.output.integrals)
    spec.integrals.push_back(formula_integral(integral, settings.equations));
  for (const case_file::Formula& formula : report_integrands(settings))
    spec.report_integrands.push_back([formula](const std::string& name) { return formula.cpp_of_solution(name); });
  spec.flux = {flux.header, flux.type};
  for (const std::string& boundary : boundaries)
    spec.boundaries.push_back(boundary_condition(settings_of(settings, boundary), settings.equations.dimension));
  spec.initial = state_functions(settings.initial);
  if (settings.exact) spec.exact = state_functions(*settings.exact);
  spec.local_steps = settings.time.local;
  spec.averages = settings.output.average_start.has_value();
  spec.error_control = settings.time.tolerance.has_value();
  spec.candidate = time::find_scheme(settings.time.scheme).result != 0;
  spec.precision = precision;
  if (settings.shock && (settings.shock->method != "none" || settings.shock->positivity))
    spec.limiter = limiter_spec(*settings.shock, settings.time.has_step_of_positivity());
  if (spec.has_shock_viscosity() && settings.time.newton) {
    spec.limiter->newton = true;
    spec.limiter->positivity = settings.equations.gas;  // of states between steps, while shocks develop
  }
  return spec;
}

std::set<std::pair<int, int>> stage_shapes(const case_file::Settings& settings) {
  std::set<std::pair<int, int>> shapes = time::stage_shapes(time::find_scheme(settings.time.scheme));
  if (settings.time.sequence_by_residual) shapes.emplace(1, 1);
  return shapes;
}

std::vector<std::optional<dg::WallShape>> make_walls(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  std::vector<std::optional<dg::WallShape>> walls;
  for (const mesh::Boundary& boundary : mesh.boundaries) {
    const case_file::BoundarySettings& b = settings_of(settings, boundary.name);
    std::optional<dg::WallShape> wall;
    if (b.circle)
      wall = dg::WallShape{dg::WallShape::Circle{b.circle->centre, b.circle->radius}};
    else if (b.curved)
      wall = dg::WallShape{};
    walls.push_back(wall);
  }
  return walls;
}

bool slopes_can_be_limited(const mesh::Mesh& mesh) {
  return mesh::is_straight(mesh) &&
         std::all_of(mesh.blocks.begin(), mesh.blocks.end(), [](const auto& block) { return is_simplex(block.shape); });
}

std::string terms_outside_of_bound(const case_file::Settings& settings) {
  if (!settings.time.has_step_of_positivity()) return "";
  if (settings.equations.viscous) return settings.source.empty() ? "viscous terms" : "viscous and source terms";
  return settings.source.empty() ? "" : "source terms";
}

time::StepSettings make_step_settings(const case_file::Settings& all, const mesh::Mesh& mesh) {
  const case_file::TimeSettings& settings = all.time;
  time::StepSettings step;
  step.cfl = settings.cfl;
  if (settings.has_step_of_positivity())
    step.cfl = positivity_cfl(all.discretization.order, time::find_scheme(settings.scheme), mesh, all.file.string());
  // time.cfl is the case's number for its own order, below which only constants are less stable.
  const std::vector<int>& lower = settings.sequence;
  if (step.cfl && all.discretization.order == 0 && std::find(lower.begin(), lower.end(), 0) != lower.end())
    step.cfl = std::min(*step.cfl, constants_cfl(time::find_scheme(settings.scheme), mesh));
  step.fixed_step = settings.step;
  step.tolerance = settings.tolerance;
  step.steady = settings.steady;
  // No change is that small: the change is watched for what else is judged by it, and for the floor of rounding.
  if (!step.steady && settings.seeks_steady()) step.steady = std::numeric_limits<double>::min();
  step.average_start = all.output.average_start;
  step.steady_by_residual = settings.steady_norm == "residual";
  if (all.shock && all.shock->method == "viscosity" && settings.seeks_steady()) step.freeze_after = all.shock->freeze;
  return step;
}

}  // namespace galerna::solver
