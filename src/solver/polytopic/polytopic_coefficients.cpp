#include "solver/polytopic/polytopic_coefficients.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/index.hpp"
#include "base/interruption.hpp"
#include "polytopic/constants.hpp"
#include "solver/barycentric.hpp"
#include "solver/polytopic/polytopic_formulas.hpp"
#include "solver/polytopic/polytopic_memory.hpp"

namespace galerna::solver {
namespace {

using case_file::Formula;
using Place = std::array<double, 3>;

std::vector<Formula::AtPoint> values_of(const std::vector<Formula>& formulas) {
  std::vector<Formula::AtPoint> values;
  for (const Formula& formula : formulas) values.push_back(formula.at_point());
  return values;
}

/// One after another, a zero where a formula is missing.
std::vector<Formula> list_of(const std::optional<Formula>& formula) {
  return {formula.value_or(Formula())};
}

bool all_constant(const std::vector<Formula>& formulas) {
  return std::all_of(formulas.begin(), formulas.end(), [](const Formula& formula) { return formula.constant(); });
}

double value_at(const Formula::AtPoint& formula, const Place& x, double t) {
  return formula(x[0], x[1], x[2], t, nullptr);
}

Place point_at(const std::vector<double>& barycentric, const double* corners, std::size_t d) {
  Place x{};
  for (std::size_t c = 0; c < barycentric.size(); ++c)
    for (std::size_t i = 0; i < d; ++i) x[i] += barycentric[c] * corners[c * d + i];
  return x;
}

BarycentricRule volume_rule(const polytopic::Spec& spec, int degree) {
  return barycentric_rule(spec.space.dimension == 2 ? Shape::triangle : Shape::tetrahedron,
                          polytopic::QuadratureDegrees(spec, degree).volume);
}

BarycentricRule facet_rule(const polytopic::Spec& spec, int degree) {
  return barycentric_rule(spec.space.dimension == 2 ? Shape::line : Shape::triangle,
                          polytopic::QuadratureDegrees(spec, degree).facet);
}

/// Calls visit(facet, boundary) for the facets of a polytope that lie on boundaries.
template <class Visit>
void for_boundary_facets(const polytopic::Mesh& mesh, std::int64_t polytope, const Visit& visit) {
  for (std::int64_t k = mesh.first_own_facets[at(polytope)]; k < mesh.first_own_facets[at(polytope) + 1]; ++k) {
    const auto facet = at(mesh.own_facets[at(k)] / 2);
    if (const std::int32_t other = mesh.facet_polytopes[2 * facet + 1]; other < 0) visit(facet, at(-1 - other));
  }
}

class ExtremesFinder {
 public:
  ExtremesFinder(const case_file::PolytopicSettings& settings, const PolytopicMesh& mesh, const polytopic::Spec& spec,
                 int degree, double begin, double end)
      : mesh_(mesh.polytopes),
        boundaries_(spec.boundaries),
        d_(at(mesh_.dimension)),
        facet_points_(facet_rule(spec, degree).points),
        diffusion_(values_of(settings.diffusion)),
        velocity_(values_of(settings.velocity)) {
    times_ = {begin};
    if (end != begin) times_.push_back(end);
    std::vector<Formula> reaction = list_of(settings.reaction);
    for (std::size_t k = 0; k < settings.velocity.size(); ++k)
      reaction.push_back(settings.velocity[k].derivative(static_cast<int>(k)));
    reaction_ = values_of(reaction);
    constant_ = all_constant(settings.diffusion) && all_constant(reaction);
    for (const mesh::Boundary& boundary : mesh.mesh.boundaries)
      exchange_.push_back(boundary_named(settings, boundary.name).coefficient.at_point());
    looks_at_boundaries_ = !velocity_.empty() || std::any_of(boundaries_.begin(), boundaries_.end(),
                                                             [](const auto& b) { return bool(b.exchange); });
  }

  std::vector<polytopic::Extremes> find() const {
    std::vector<polytopic::Extremes> all;
    for (std::int64_t polytope = 0; polytope < mesh_.polytopes; ++polytope) {
      if (constant_ && polytope > 0)
        all.push_back(all.front());
      else
        all.push_back(in_volume(polytope));
      all.back().boundary_margin = infinity;
      if (looks_at_boundaries_) all.back().boundary_margin = boundary_margin(polytope);
    }
    return all;
  }

 private:
  static constexpr double infinity = 1e300;

  polytopic::Extremes in_volume(std::int64_t polytope) const {
    polytopic::Extremes found{infinity, 0, infinity, infinity};
    const std::size_t corners = d_ + 1;
    // A little inside: coefficients may jump at the corner.
    constexpr double inward = 1e-12;
    for (std::int64_t k = mesh_.first_simplices[at(polytope)]; k < mesh_.first_simplices[at(polytope) + 1]; ++k)
      for (std::size_t corner = 0; corner < corners; ++corner) {
        std::vector<double> point(corners, inward / static_cast<double>(corners));
        point[corner] += 1 - inward;
        const Place x = point_at(point, mesh_.simplices.data() + at(k) * corners * d_, d_);
        for (const double t : times_) add(found, x, t);
      }
    return found;
  }

  void add(polytopic::Extremes& found, const Place& x, double t) const {
    const auto [least, largest] = diffusion_range(x, t);
    found.least_diffusion = lesser(found.least_diffusion, least);
    if (largest > found.largest_diffusion) found.largest_diffusion = largest;
    double reaction = value_at(reaction_[0], x, t);
    for (std::size_t k = 1; k < reaction_.size(); ++k) reaction -= value_at(reaction_[k], x, t) / 2;
    found.least_reaction = lesser(found.least_reaction, reaction);
  }

  /// What is not a number stays, so that it is found.
  static double lesser(double a, double b) { return a < b || std::isnan(a) ? a : b; }

  /// The least and the largest eigenvalue.
  std::pair<double, double> diffusion_range(const Place& x, double t) const {
    if (diffusion_.empty()) return {0, 0};
    if (diffusion_.size() == 1) {
      const double value = value_at(diffusion_[0], x, t);
      return {value, value};
    }
    const auto d = static_cast<Eigen::Index>(d_);
    Eigen::MatrixXd tensor(d, d);
    std::size_t entry = 0;
    for (Eigen::Index i = 0; i < d; ++i)
      for (Eigen::Index j = i; j < d; ++j) tensor(i, j) = tensor(j, i) = value_at(diffusion_[entry++], x, t);
    if (!tensor.allFinite()) return {NAN, NAN};
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(tensor, Eigen::EigenvaluesOnly);
    return {solver.eigenvalues().minCoeff(), solver.eigenvalues().maxCoeff()};
  }

  /// min(b·n, 0) + 2h where the flux is given.
  double boundary_margin(std::int64_t polytope) const {
    double least = infinity;
    for_boundary_facets(mesh_, polytope, [&](std::size_t facet, std::size_t boundary) {
      if (boundaries_[boundary].dirichlet) return;
      const double* corners = mesh_.facets.data() + facet * (d_ + 1) * d_;
      const double* normal = corners + d_ * d_;
      for (const std::vector<double>& point : facet_points_) {
        const Place x = point_at(point, corners, d_);
        double speed = 0;
        for (std::size_t i = 0; i < velocity_.size(); ++i)
          speed += value_at(velocity_[i], x, times_.front()) * normal[i];
        least = lesser(least, lesser(0, speed) + 2 * value_at(exchange_[boundary], x, times_.front()));
      }
    });
    return least;
  }

  const polytopic::Mesh& mesh_;
  const std::vector<polytopic::Spec::Boundary>& boundaries_;
  std::size_t d_;
  std::vector<std::vector<double>> facet_points_;
  std::vector<Formula::AtPoint> diffusion_, velocity_, reaction_;  ///< c, then the terms of ∇·b
  std::vector<Formula::AtPoint> exchange_;                         ///< h [boundary]
  std::vector<double> times_;
  bool constant_ = false, looks_at_boundaries_ = false;
};

bool is_not_finite(const polytopic::Extremes& of) {
  return !std::isfinite(of.least_diffusion + of.largest_diffusion + of.least_reaction + of.boundary_margin);
}

}  // namespace

std::vector<polytopic::Extremes> find_extremes(const case_file::Settings& settings, const PolytopicMesh& mesh,
                                               const polytopic::Spec& spec, int largest_degree, double begin,
                                               double end) {
  return ExtremesFinder(*settings.polytopic, mesh, spec, largest_degree, begin, end).find();
}

double find_imbalance(const case_file::Settings& settings, const PolytopicMesh& mesh, const polytopic::Spec& spec,
                      int largest_degree) {
  const case_file::PolytopicSettings& s = *settings.polytopic;
  const polytopic::Mesh& m = mesh.polytopes;
  const std::size_t d = at(m.dimension);
  const BarycentricRule volume = volume_rule(spec, largest_degree), side = facet_rule(spec, largest_degree);
  const auto integral = [&](const BarycentricRule& rule, const Formula::AtPoint& value, const double* corners) {
    double sum = 0;
    for (std::size_t q = 0; q < rule.points.size(); ++q)
      sum += rule.weights[q] * value_at(value, point_at(rule.points[q], corners, d), 0);
    return sum;
  };
  const Formula::AtPoint source = s.source.value_or(Formula()).at_point();
  std::vector<Formula::AtPoint> fluxes;
  for (const mesh::Boundary& boundary : mesh.mesh.boundaries)
    fluxes.push_back(boundary_named(s, boundary.name).data.at_point());
  double sum = 0, size = 0;
  for (std::int64_t polytope = 0; polytope < m.polytopes; ++polytope) {
    double load = 0;
    for (std::int64_t k = m.first_simplices[at(polytope)]; k < m.first_simplices[at(polytope) + 1]; ++k)
      load += m.simplex_measures[at(k)] * integral(volume, source, m.simplices.data() + at(k) * (d + 1) * d);
    for_boundary_facets(m, polytope, [&](std::size_t facet, std::size_t boundary) {
      load += m.facet_measures[facet] * integral(side, fluxes[boundary], m.facets.data() + facet * (d + 1) * d);
    });
    sum += load;
    size += std::abs(load);
  }
  return size > 0 ? std::abs(sum) / size : 0;
}

std::string slow_multigrid(const case_file::PolytopicSettings& settings, const PolytopicMesh& mesh,
                           const polytopic::Spec& spec, const std::vector<int>& degrees,
                           const std::vector<polytopic::Extremes>& extremes) {
  constexpr double many = 0.2;
  constexpr long few_unknowns = 1000;
  const double share = one_sided_share(extremes);
  if (settings.solver != "multigrid" || share < many) return "";
  long unknowns = 0;
  for (const int degree : degrees) unknowns += basis::box_mode_count(spec.space, degree);
  if (unknowns < few_unknowns) return "";
  return fmt::format(
      "warning: {:.0f} % of the polytopes have next to no diffusion in some direction: multigrid's iterations double "
      "there with every refinement; solver.type = \"direct\" takes {:.0f} MB of memory",
      100 * share, static_cast<double>(direct_bytes(mesh, spec.space, degrees)) / 1e6);
}

void require_coefficients(const case_file::Settings& settings, const PolytopicMesh& mesh, const polytopic::Spec& spec,
                          const std::vector<int>& degrees, long slabs,
                          const std::function<void(const std::string&)>& warn) {
  const case_file::PolytopicSettings& s = *settings.polytopic;
  const int degree = *std::max_element(degrees.begin(), degrees.end());
  const auto begin_of = [&](long slab) {
    return s.slabs ? s.slabs->end * static_cast<double>(slab) / static_cast<double>(s.slabs->count) : 0.0;
  };
  const long last = s.slabs && matrix_depends_on_time(s) ? std::min(slabs, s.slabs->count) : 1;
  for (long slab = 0; slab < last; ++slab) {
    stop_if_interrupted("looking at the coefficients");
    const auto extremes = find_extremes(settings, mesh, spec, degree, begin_of(slab), begin_of(slab + 1));
    if (std::any_of(extremes.begin(), extremes.end(), is_not_finite))
      if (const auto formula = find_not_finite(settings, mesh, spec, degree, begin_of(slab), begin_of(slab + 1)))
        throw InputError({*formula});
    check_coefficients(settings, mesh.polytopes, degrees, extremes, [&](const std::string& warning) {
      if (slab == 0) warn(warning);
    });
    if (slab > 0) continue;
    if (const std::string slow = slow_multigrid(s, mesh, spec, degrees, extremes); !slow.empty()) warn(slow);
  }
  if (polytopic::constants_are_free(spec)) require_balance(settings, find_imbalance(settings, mesh, spec, degree));
}

}  // namespace galerna::solver
