#include "solver/polytopic/polytopic_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/index.hpp"
#include "base/interruption.hpp"
#include "mesh/geometry.hpp"
#include "solver/barycentric.hpp"

namespace galerna::solver {
namespace {

constexpr double most = 1e100;  // of absolute values

struct Named {
  std::string name;
  case_file::Formula formula;
};

/// A little inside of each corner: formulas may jump there.
void add_corners(std::vector<std::vector<double>>& points) {
  const std::size_t corners = points.front().size();
  constexpr double inward = 1e-12;
  for (std::size_t corner = 0; corner < corners; ++corner) {
    points.emplace_back(corners, inward / static_cast<double>(corners));
    points.back()[corner] += 1 - inward;
  }
}

class Search {
 public:
  /// \param all or those alone that depend on the time
  Search(const case_file::Settings& settings, const PolytopicMesh& mesh, const polytopic::Spec& spec, int degree,
         double begin, double end, bool all)
      : settings_(*settings.polytopic),
        mesh_(mesh),
        d_(at(mesh.polytopes.dimension)),
        begin_(begin),
        end_(end),
        all_(all) {
    const polytopic::QuadratureDegrees degrees(spec, degree);
    const bool plane = d_ == 2;
    volume_ = barycentric_rule(plane ? Shape::triangle : Shape::tetrahedron, degrees.volume).points;
    facet_ = barycentric_rule(plane ? Shape::line : Shape::triangle, degrees.facet).points;
    if (spec.space.slab)
      for (const auto& t : barycentric_rule(Shape::line, degrees.time).points)
        times_.push_back(begin + t[1] * (end - begin));
    else
      times_ = {begin};
    add_corners(volume_);
    list_formulas();
  }

  /// Whether there is nothing to look at.
  bool empty() const {
    return inside_.empty() && coefficients_.empty() &&
           std::all_of(settings_.boundaries.begin(), settings_.boundaries.end(),
                       [&](const auto& boundary) { return !counts(boundary.data) && !counts(boundary.coefficient); });
  }

  std::optional<Problem> run() const {
    for (std::int64_t polytope = 0; polytope < mesh_.polytopes.polytopes; ++polytope) {
      if (auto found = in_volume(polytope); found) return found;
      if (auto found = on_surface(polytope); found) return found;
    }
    return {};
  }

 private:
  bool counts(const case_file::Formula& formula) const { return all_ || formula.depends_on_time(); }
  void add(std::vector<Named>& list, const std::string& name, const case_file::Formula& formula) const {
    if (counts(formula)) list.push_back({name, formula});
  }

  void list_formulas() {
    for (const case_file::Formula& a : settings_.diffusion) add(coefficients_, "the diffusion", a);
    for (const case_file::Formula& b : settings_.velocity) add(coefficients_, "the velocity", b);
    if (settings_.reaction) add(coefficients_, "the reaction", *settings_.reaction);
    inside_ = coefficients_;
    for (std::size_t k = 0; k < settings_.velocity.size(); ++k)
      add(inside_, "the derivative of the velocity", settings_.velocity[k].derivative(static_cast<int>(k)));
    if (settings_.source) add(inside_, "the source", *settings_.source);
    if (!settings_.exact) return;
    add(inside_, "the exact solution", *settings_.exact);
    for (std::size_t k = 0; k < d_; ++k)
      add(inside_, "the derivative of the exact solution", settings_.exact->derivative(static_cast<int>(k)));
  }

  std::optional<Problem> in_volume(std::int64_t polytope) const {
    const polytopic::Mesh& m = mesh_.polytopes;
    for (std::int64_t k = m.first_simplices[at(polytope)]; k < m.first_simplices[at(polytope) + 1]; ++k) {
      const double* corners = m.simplices.data() + at(k) * (d_ + 1) * d_;
      for (const double t : times_)
        for (const Named& formula : inside_)
          if (auto found = among(formula, volume_, corners, t, polytope); found) return found;
      if (begin_ == 0 && settings_.slabs && settings_.initial)
        if (auto found = among({"the initial state", *settings_.initial}, volume_, corners, 0, polytope); found)
          return found;
    }
    return {};
  }

  std::optional<Problem> on_surface(std::int64_t polytope) const {
    const polytopic::Mesh& m = mesh_.polytopes;
    for (std::int64_t k = m.first_own_facets[at(polytope)]; k < m.first_own_facets[at(polytope) + 1]; ++k) {
      const auto facet = at(m.own_facets[at(k)] / 2);
      const double* corners = m.facets.data() + facet * (d_ + 1) * d_;
      const std::int32_t other = m.facet_polytopes[2 * facet + 1];
      std::vector<Named> formulas = coefficients_;
      if (other < 0) add_data_of(mesh_.mesh.boundaries[at(-1 - other)].name, formulas);
      for (const double t : times_)
        for (const Named& formula : formulas)
          if (auto found = among(formula, facet_, corners, t, polytope); found) return found;
    }
    return {};
  }

  void add_data_of(const std::string& name, std::vector<Named>& formulas) const {
    const case_file::PolytopicBoundary& boundary = boundary_named(settings_, name);
    add(formulas, fmt::format("the {} of boundary {}", boundary.dirichlet ? "value" : "flux", name), boundary.data);
    add(formulas, fmt::format("the coefficient of boundary {}", name), boundary.coefficient);
    if (settings_.exact) add(formulas, "the exact solution", *settings_.exact);
  }

  std::optional<Problem> among(const Named& formula, const std::vector<std::vector<double>>& points,
                               const double* corners, double t, std::int64_t polytope) const {
    for (const std::vector<double>& point : points) {
      std::array<double, 3> x{};
      for (std::size_t i = 0; i < d_; ++i)
        for (std::size_t c = 0; c < point.size(); ++c) x[i] += point[c] * corners[c * d_ + i];
      const double value = formula.formula(x[0], x[1], x[2], t);
      if (std::abs(value) <= most) continue;
      const bool finite = std::isfinite(value);
      return Problem{
          formula.formula.place(),
          fmt::format(
              "{} \"{}\" is {} on polytope {} at {}{}: {}", formula.name, formula.formula.text(),
              finite              ? fmt::format("{:.6g}", value)
              : std::isnan(value) ? "not a number"
                                  : "infinite",
              polytope, mesh::to_text(x, static_cast<int>(d_)), end_ > begin_ ? fmt::format(", t = {:.6g}", t) : "",
              finite ? fmt::format("it may be {:g} at most, so that products are finite; choose other units", most)
                     : "give a formula that is finite there")};
    }
    return {};
  }

  const case_file::PolytopicSettings& settings_;
  const PolytopicMesh& mesh_;
  std::size_t d_;
  double begin_, end_;
  bool all_;
  std::vector<std::vector<double>> volume_, facet_;
  std::vector<double> times_;
  std::vector<Named> coefficients_, inside_;
};

}  // namespace

std::optional<Problem> find_not_finite(const case_file::Settings& settings, const PolytopicMesh& mesh,
                                       const polytopic::Spec& spec, int largest_degree, double begin, double end) {
  return Search(settings, mesh, spec, largest_degree, begin, end, true).run();
}

void require_finite_formulas(const case_file::Settings& settings, const PolytopicMesh& mesh,
                             const polytopic::Spec& spec, const std::vector<int>& degrees) {
  const auto& slabs = settings.polytopic->slabs;
  const int degree = *std::max_element(degrees.begin(), degrees.end());
  const long count = slabs ? slabs->count : 1;
  const auto begin_of = [&](long slab) {
    return slabs ? slabs->end * static_cast<double>(slab) / static_cast<double>(count) : 0;
  };
  for (long slab = 0; slab < count; ++slab) {
    stop_if_interrupted("looking at the formulas");
    const Search search(settings, mesh, spec, degree, begin_of(slab), begin_of(slab + 1), slab == 0);
    if (search.empty()) return;
    if (const auto found = search.run()) throw InputError({*found});
  }
}

}  // namespace galerna::solver
