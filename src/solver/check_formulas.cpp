#include "solver/check_formulas.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "base/toml_key.hpp"
#include "basis/basis.hpp"
#include "case/registry.hpp"
#include "dg/operators.hpp"
#include "dg/run/formulas.hpp"
#include "solver/degree_sequence.hpp"
#include "solver/first_problem.hpp"
#include "solver/formula_judge.hpp"

namespace galerna::solver {
namespace {

using case_file::Formula;
using case_file::ValueRange;

/// Where points of an element lie. \param shapes [point][node] of its shape functions
mesh::Point place_of(const mesh::Mesh& mesh, mesh::Index element, const basis::Matrix& shapes, Eigen::Index point) {
  mesh::Point place{};
  const auto nodes = mesh.element_nodes(element);
  for (Eigen::Index node = 0; node < shapes.cols(); ++node)
    for (std::size_t d = 0; d < 3; ++d)
      place[d] += shapes(point, node) * mesh.nodes[static_cast<std::size_t>(nodes[static_cast<std::size_t>(node)])][d];
  return place;
}

class FormulaCheck {
 public:
  FormulaCheck(const case_file::Settings& settings, const mesh::Mesh& mesh, double time, FormulaUse use,
               mesh::Index most)
      : case_(settings),
        settings_(at_degree(settings, degrees_of(settings).front())),
        mesh_(mesh),
        time_(time),
        use_(use),
        most_(most) {}

  std::vector<Problem> run() {
    for (std::size_t b = 0; b < mesh_.boundaries.size(); ++b) look_at_boundary(static_cast<int>(b));
    look_at_sources();
    if (use_ != FormulaUse::failure) look_at_exact_state();
    return std::move(problems_);
  }

 private:
  void add(std::optional<Problem> problem) {
    if (problem) problems_.push_back(std::move(*problem));
  }

  void look_at_boundary(int number) {
    const std::string& name = mesh_.boundaries[static_cast<std::size_t>(number)].name;
    const auto b = std::find_if(case_.boundaries.begin(), case_.boundaries.end(),
                                [&](const case_file::BoundarySettings& settings) { return settings.name == name; });
    if (b == case_.boundaries.end()) return;
    FormulaJudge judge(case_.equations, time_);
    const std::string section = "boundary." + toml_key(name);
    if (b->state) judge.add_state(section, *b->state, true);
    const case_file::BoundaryEntry& entry = *case_file::find_entry(case_file::boundary_types(), b->type);
    for (const auto& [value, range] : entry.ranges_in(case_.equations.dimension))
      judge.add(section + "." + value, b->values.at(value), range);
    if (judge.empty()) return;
    std::vector<const mesh::Face*> faces;
    for (mesh::Index f = 0; f < mesh_.boundary_faces; ++f)
      if (const mesh::Face& face = mesh_.faces[static_cast<std::size_t>(f)]; face.boundary == number) {
        faces.push_back(&face);
        if (judge.constant()) break;
      }
    const auto shapes = side_shapes(faces);
    add(first_problem(static_cast<std::int64_t>(faces.size()), [&](std::int64_t f) -> std::optional<Problem> {
      const mesh::Side& side = faces[static_cast<std::size_t>(f)]->left;
      const basis::Matrix& values = shapes.at({mesh_.locate(side.element).block, side.side});
      for (Eigen::Index q = 0; q < values.rows(); ++q)
        if (auto problem = judge.judge(place_of(mesh_, side.element, values, q), nullptr)) return problem;
      return {};
    }));
  }

  /// [block, side]: [point][node]
  std::map<std::pair<int, int>, basis::Matrix> side_shapes(const std::vector<const mesh::Face*>& faces) const {
    std::map<std::pair<int, int>, basis::Matrix> shapes;
    for (const mesh::Face* face : faces) {
      const std::pair<int, int> key{mesh_.locate(face->left.element).block, face->left.side};
      if (shapes.contains(key)) continue;
      const mesh::ElementBlock& block = mesh_.blocks[static_cast<std::size_t>(key.first)];
      const int asked = settings_.discretization.face_quadrature;
      const int degree = asked < 0 ? dg::default_face_quadrature(block.shape, settings_.discretization.order) : asked;
      const basis::Quadrature rule = basis::quadrature(side_shape(block.shape, key.second), degree);
      shapes[key] =
          basis::lagrange_values(block.shape, block.order, basis::side_points(block.shape, key.second, rule.points));
    }
    return shapes;
  }

  void look_at_sources() {
    FormulaJudge judge(case_.equations, time_);
    const GivenState initial(case_.initial, case_.equations);
    const std::size_t count = case_.equations.variables.size();
    const bool solution = use_ == FormulaUse::start && initial.has_conservative();
    for (std::size_t v = 0; v < case_.source.size(); ++v)
      if (solution || !case_.source[v].uses_values(0, count))
        judge.add("source." + case_.equations.variables[v], case_.source[v], ValueRange::finite);
    look_in_elements(judge, solution ? &initial : nullptr, [&](const mesh::ElementBlock& block) {
      const int asked = settings_.discretization.volume_quadrature;
      return basis::quadrature(block.shape, asked < 0 ? 2 * settings_.discretization.order : asked);
    });
  }

  /// Errors are measured at the end.
  void look_at_exact_state() {
    if (!case_.exact) return;
    const auto& formulas = case_.exact->formulas;
    const bool moves =
        std::any_of(formulas.begin(), formulas.end(), [](const Formula& formula) { return formula.depends_on_time(); });
    if (moves && !case_.time.end) return;
    FormulaJudge judge(case_.equations, moves ? *case_.time.end : time_);
    judge.add_state("exact", *case_.exact, false);
    look_in_elements(judge, nullptr, [&](const mesh::ElementBlock& block) {
      return dg::formula_rule(block.shape, case_.discretization.order, block.order);
    });
  }

  /// \param initial for formulas that use the solution, or null
  void look_in_elements(const FormulaJudge& judge, const GivenState* initial,
                        const std::function<basis::Quadrature(const mesh::ElementBlock&)>& rule_of) {
    if (judge.empty()) return;
    mesh::Index first = 0;
    for (const mesh::ElementBlock& block : mesh_.blocks) {
      const basis::Matrix shapes = basis::lagrange_values(block.shape, block.order, rule_of(block).points);
      const mesh::Index looked_at = std::min(judge.constant() ? 1 : most_, block.size());
      const auto look = [&](std::int64_t number) -> std::optional<Problem> {
        const mesh::Index position = number * block.size() / looked_at;
        std::vector<double> u(case_.equations.variables.size());
        for (Eigen::Index q = 0; q < shapes.rows(); ++q) {
          const mesh::Point x = place_of(mesh_, first + position, shapes, q);
          if (initial) {
            initial->evaluate(x, time_, u.data());
            initial->make_conservative(u.data());
          }
          if (auto problem = judge.judge(x, u.data())) return problem;
        }
        return {};
      };
      if (auto problem = first_problem(looked_at, look)) return add(std::move(problem));
      first += block.size();
    }
  }

  const case_file::Settings& case_;
  case_file::Settings settings_;  ///< at the first degree
  const mesh::Mesh& mesh_;
  double time_;
  FormulaUse use_;
  mesh::Index most_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> unusable_formulas(const case_file::Settings& settings, const mesh::Mesh& mesh, double time,
                                       FormulaUse use, mesh::Index most) {
  return FormulaCheck(settings, mesh, time, use, most).run();
}

void require_usable_formulas(const case_file::Settings& settings, const mesh::Mesh& mesh, double time, FormulaUse use,
                             mesh::Index most) {
  const std::vector<Problem> problems = unusable_formulas(settings, mesh, time, use, most);
  if (!problems.empty()) throw InputError(problems);
}

}  // namespace galerna::solver
