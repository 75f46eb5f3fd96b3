#include "solver/run/boundary_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/toml_key.hpp"
#include "base/vectors.hpp"
#include "mesh/boundaries.hpp"
#include "solver/given_state.hpp"
#include "solver/outputs/fields.hpp"

namespace galerna::solver {
namespace {

/// A look takes about as long as a stage of a step without its volume terms.
constexpr std::int64_t steps_between_looks = 50;
/// But for rounding.
constexpr double sonic = 1 - 1e-6;
/// Below that Mach number a gas is at rest: nothing has arrived yet, and no condition is wrong.
constexpr double at_rest = 1e-3;
/// What flows back is less than this share of the largest speed at the boundary: rounding, sound.
constexpr double back_flow = 0.01;
/// In a layer along a wall the flow is subsonic wherever it leaves: so much of a boundary's area may be.
constexpr double layer_area = 0.1;

}  // namespace

struct BoundaryWatch::Kind {
  const char *name, *type;  ///< of the warning, of the boundary
  bool given;               ///< whether the state that the case gives is judged
  /// Whether a side does not fit, by its Mach numbers and the largest one at the boundary.
  bool (*wrong)(double normal_mach, double mach, double largest);
  const char *what, *remedy;
};

const std::vector<BoundaryWatch::Kind>& BoundaryWatch::kinds() {
  const auto subsonic = [](double normal, double mach, double) { return normal < sonic && mach > at_rest; };
  const auto inwards = [](double normal, double, double largest) {
    return largest > at_rest && normal < -back_flow * largest;
  };
  const auto outwards = [](double normal, double, double largest) {
    return largest > at_rest && normal > back_flow * largest;
  };
  const auto slow = [](double normal, double, double) { return normal < sonic; };
  static const std::vector<Kind> all = {
      {"subsonic-at-supersonic-outflow", "supersonic-outflow", false, subsonic, "the flow is subsonic",
       "what should come in from outside is not known there: use far-field, or subsonic-outflow with the pressure "
       "outside"},
      {"inflow-at-outflow", "supersonic-outflow", false, inwards, "the flow enters",
       "what comes in is not known there: use far-field, or move the boundary away"},
      {"inflow-at-outflow", "subsonic-outflow", false, inwards, "the flow enters",
       "what comes in is not known there: use far-field, or move the boundary away"},
      {"subsonic-at-supersonic-inflow", "supersonic-inflow", true, slow,
       "the given state does not enter faster than sound",
       "what arrives from inside is not let out there: use far-field or subsonic-inflow"},
      {"outflow-at-inflow", "subsonic-inflow", false, outwards, "the flow leaves",
       "what is given there is that of flow which enters: use far-field or subsonic-outflow, or give a total pressure "
       "above the pressure inside"}};
  return all;
}

BoundaryWatch::BoundaryWatch(const FlowState& flow, Observer& observer, const std::vector<files::Report::Warning>& said)
    : flow_(flow), observer_(observer) {
  if (!flow.settings().equations.gas) return;
  const mesh::Mesh& mesh = flow.mesh();
  const auto is_said = [&](const std::string& name, const std::string& where) {
    return std::any_of(said.begin(), said.end(), [&](const auto& w) { return w.name == name && w.where == where; });
  };
  for (const case_file::BoundarySettings& boundary : flow.settings().boundaries)
    for (const Kind& kind : kinds()) {
      if (boundary.type != kind.type || is_said(kind.name, "boundary." + boundary.name)) continue;
      if (kind.given && !depends_on_time(*boundary.state)) continue;  // judged at the start
      const mesh::Boundary& at = mesh::find_boundary(mesh, boundary.name);
      watched_.push_back({static_cast<std::size_t>(&at - mesh.boundaries.data()), &boundary, &kind});
    }
}

void BoundaryWatch::look(Snapshot& now, bool last) {
  const kernels::Control& control = now.control();
  if (watched_.empty() || (control.steps < next_step_ && !last)) return;
  next_step_ = control.steps + steps_between_looks;
  const dg::BoundaryFlow& flow = now.boundary_flow();
  const bool layers = flow_.settings().equations.viscous.has_value();
  std::erase_if(watched_, [&](const Watched& watched) {
    const Finding finding = find(watched, flow, control.time);
    const bool found = finding.share > 0 && (!layers || finding.area > layer_area);
    if (found) warn(watched, finding, control);
    return found;
  });
}

/// \param face of the boundary
BoundaryWatch::SideFlow BoundaryWatch::side_flow(const Watched& watched, std::size_t face, const dg::BoundaryFlow& flow,
                                                 double time) const {
  const dg::FlowOperator& discretization = flow_.discretization();
  const dg::BoundaryPoints& points = discretization.boundary_points();
  const mesh::Mesh& mesh = flow_.mesh();
  const mesh::Side& side = mesh.faces[face].left;
  const basis::Quadrature& rule =
      discretization.set_of(side.element).operators.side_rules[static_cast<std::size_t>(side.side)];
  const std::size_t variables = discretization.spec().variables.size();
  const auto d = static_cast<std::size_t>(mesh.dimension);
  const case_file::EquationSettings& equations = flow_.settings().equations;
  const double gamma = equations.gamma;
  std::optional<GivenState> given;
  if (watched.kind->given) given.emplace(*watched.settings->state, equations);
  std::vector<double> mean(variables, 0.0);  // times the area
  Vector normal{};
  double area = 0;
  for (std::size_t q = 0; q < rule.weights.size(); ++q) {
    const std::size_t at = points.first_point[face] + q;
    Vector n{};
    std::copy_n(points.normals.data() + d * at, d, n.begin());
    const double weight = rule.weights[q] * norm(n);
    const double* inside = flow.inside.data() + variables * at;
    std::vector<double> state(inside, inside + variables);
    if (given) {
      mesh::Point x{};
      std::copy_n(points.positions.data() + 3 * at, 3, x.begin());
      given->evaluate(x, time, state.data());
      given->make_conservative(state.data());
    }
    for (std::size_t v = 0; v < variables; ++v) mean[v] += weight * state[v];
    normal = plus(normal, times(rule.weights[q], n));
    area += weight;
  }
  for (double& value : mean) value /= area;
  Vector momentum{};
  std::copy_n(mean.begin() + 1, d, momentum.begin());
  const double sound = mean[0] * std::sqrt(gamma * euler_pressure(mean.data(), mesh.dimension, gamma) / mean[0]);
  return {(watched.kind->given ? -1 : 1) * dot(momentum, unit(normal)) / sound, norm(momentum) / sound, area};
}

BoundaryWatch::Finding BoundaryWatch::find(const Watched& watched, const dg::BoundaryFlow& flow, double time) const {
  const mesh::Mesh& mesh = flow_.mesh();
  std::vector<SideFlow> sides;
  for (std::size_t f = 0; f < static_cast<std::size_t>(mesh.boundary_faces); ++f)
    if (mesh.faces[f].boundary == static_cast<int>(watched.boundary))
      sides.push_back(side_flow(watched, f, flow, time));
  double largest = 0, area = 0;
  Finding finding{0, 0, std::numeric_limits<double>::infinity()};
  for (const SideFlow& side : sides) {
    largest = std::max(largest, side.mach);
    area += side.area;
    finding.least_normal_mach = std::min(finding.least_normal_mach, side.normal_mach + 0.0);  // no −0
  }
  double wrong = 0;
  for (const SideFlow& side : sides)
    if (watched.kind->wrong(side.normal_mach, side.mach, largest)) {
      wrong += 1;
      finding.area += side.area / area;
    }
  finding.share = sides.empty() ? 0 : wrong / static_cast<double>(sides.size());
  return finding;
}

void BoundaryWatch::warn(const Watched& watched, const Finding& finding, const kernels::Control& control) {
  const Kind& kind = *watched.kind;
  files::Report::Warning warning{kind.name, "boundary." + watched.settings->name, {}, {}};
  warning.message = fmt::format(
      "[boundary.{}] is a {}, but {} at {:.3g} % of its sides (least normal Mach number {}{:.3g}, t = {:.6g}); {}",
      toml_key(watched.settings->name), kind.type, kind.what, 100 * finding.share, kind.given ? "inwards " : "",
      finding.least_normal_mach, control.time, kind.remedy);
  warning.numbers = {
      {"share", finding.share}, {"least_normal_mach", finding.least_normal_mach}, {"time", control.time}};
  observer_.message("warning: " + warning.message);
  warnings_.push_back(std::move(warning));
}

}  // namespace galerna::solver
