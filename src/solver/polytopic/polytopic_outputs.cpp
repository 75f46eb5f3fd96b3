#include "solver/polytopic/polytopic_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/index.hpp"
#include "basis/basis.hpp"
#include "drawing/picture.hpp"
#include "files/atomic_file.hpp"

namespace galerna::solver {

std::vector<drawing::Segment> outlines(const polytopic::Mesh& mesh) {
  std::vector<drawing::Segment> lines;
  for (std::int64_t facet = 0; mesh.dimension == 2 && facet < mesh.inner_facet_count(); ++facet) {
    const double* x = mesh.facets.data() + facet * 6;
    lines.push_back({x[0], x[1], x[2], x[3]});
  }
  return lines;
}

namespace {

/// All but the coefficients.
analysis::Solution frame(const PolytopicMesh& mesh, std::span<const int> degrees, const analysis::FieldSet& fields,
                         double time) {
  analysis::Solution solution;
  solution.mesh = &mesh.mesh;
  solution.degree = *std::max_element(degrees.begin(), degrees.end());
  solution.variables = {"u"};
  solution.fields = fields;
  solution.time = time;
  return solution;
}

/// Projects value(polytope, x) on the simplices at these positions, or on all where there is no list.
template <class Value>
void project(analysis::Solution& solution, const polytopic::Mesh& polytopes,
             const std::optional<std::vector<mesh::Index>>& positions, int rule_degree, const Value& value) {
  const auto d = at(polytopes.dimension);
  const Shape shape = d == 2 ? Shape::triangle : Shape::tetrahedron;
  const basis::Quadrature rule = basis::quadrature(shape, rule_degree);
  const basis::Matrix values = basis::basis_values(shape, solution.degree, rule.points);
  const auto modes = at(values.cols());
  const auto elements = at(solution.mesh->element_count());
  std::vector<std::int64_t> slots(elements, positions ? -1 : 0);
  if (positions)
    for (std::size_t i = 0; i < positions->size(); ++i) slots[at((*positions)[i])] = static_cast<std::int64_t>(i);
  else
    for (std::size_t i = 0; i < elements; ++i) slots[i] = static_cast<std::int64_t>(i);
  analysis::Piece& piece = solution.pieces.emplace_back();
  if (positions) piece.positions = *positions;
  piece.coefficients.assign((positions ? positions->size() : elements) * modes, 0.0);
  for (std::int64_t polytope = 0; polytope < polytopes.polytopes; ++polytope)
    for (std::int64_t k = polytopes.first_simplices[at(polytope)]; k < polytopes.first_simplices[at(polytope) + 1];
         ++k) {
      const std::int64_t slot = slots[at(polytopes.elements[at(k)])];
      if (slot < 0) continue;
      const double* corners = polytopes.simplices.data() + at(k) * (d + 1) * d;
      double* coefficients = piece.coefficients.data() + at(slot) * modes;
      for (std::size_t q = 0; q < rule.points.size(); ++q) {
        std::array<double, 3> x{};
        for (std::size_t i = 0; i < d; ++i) {
          x[i] = corners[i];
          for (std::size_t c = 0; c < d; ++c) x[i] += rule.points[q][c] * (corners[(c + 1) * d + i] - corners[i]);
        }
        const double u = value(polytope, x);
        for (std::size_t j = 0; j < modes; ++j)
          coefficients[j] += rule.weights[q] * u * values(static_cast<Eigen::Index>(q), static_cast<Eigen::Index>(j));
      }
    }
}

}  // namespace

analysis::Solution solution_on_simplices(const PolytopicMesh& mesh, const basis::BoxSpace& space,
                                         std::span<const int> degrees, std::span<const double> unknowns,
                                         const analysis::FieldSet& fields, double time,
                                         const std::optional<std::vector<mesh::Index>>& positions) {
  const polytopic::Mesh& polytopes = mesh.polytopes;
  const auto d = at(polytopes.dimension);
  std::map<int, basis::BoxBasis> bases;
  for (const int degree : degrees) bases.try_emplace(degree, space, degree);
  std::vector<std::size_t> first = {0};
  for (const int degree : degrees) first.push_back(first.back() + bases.at(degree).size());
  analysis::Solution solution = frame(mesh, degrees, fields, time);
  solution.accurate = space.slab;
  project(solution, polytopes, positions, 2 * solution.degree,
          [&](std::int64_t polytope, const std::array<double, 3>& x) {
            const double* box = polytopes.boxes.data() + at(polytope) * 2 * d;
            std::array<double, 4> local{};
            for (std::size_t i = 0; i < d; ++i) local[i] = (x[i] - box[i]) / box[d + i];
            local[d] = 1;
            const basis::BoxBasis& own = bases.at(degrees[at(polytope)]);
            return own.sum(unknowns.subspan(first[at(polytope)], own.size()), local);
          });
  return solution;
}

analysis::Solution initial_on_simplices(const PolytopicMesh& mesh, std::span<const int> degrees,
                                        const case_file::Formula& initial, const analysis::FieldSet& fields,
                                        const std::optional<std::vector<mesh::Index>>& positions) {
  analysis::Solution solution = frame(mesh, degrees, fields, 0);
  constexpr int beyond = 4;  // for formulas that are no polynomials
  project(solution, mesh.polytopes, positions, 2 * solution.degree + beyond,
          [&](std::int64_t, const std::array<double, 3>& x) { return initial(x[0], x[1], x[2], 0); });
  return solution;
}

namespace {

class PolytopicPictureOutput : public Output {
 public:
  using Output::Output;

  std::vector<Problem> problems() const override { return {}; }

  std::vector<OutputFiles> files() const override {
    if (!settings_.polytopic->picture || mesh_.dimension != 2) return {};
    return {{"picture", "solution", {"solution.png"}}};
  }

  OutputQueue::Job write(Moment& now, Observer& observer, bool) override {
    for (const OutputFiles& named : files()) {
      observer.working("drawing " + named.files[0]);
      drawing::PictureOptions picture;
      picture.field = "u";
      picture.title = settings_.title;
      picture.outlines = now.outlines();
      drawing::write_picture(now.solution(), output().directory / named.files[0], picture);
    }
    return {};
  }
};

}  // namespace

std::unique_ptr<Output> make_polytopic_picture_output(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  return std::make_unique<PolytopicPictureOutput>(settings, mesh);
}

void write_matrix_market(const std::filesystem::path& directory, const algebra::BlockMatrix<double>& matrix,
                         std::span<const double> right_hand_side) {
  const algebra::BlockPattern& pattern = matrix.pattern;
  const std::vector<std::int64_t> first = algebra::first_unknowns(pattern.sizes);
  files::AtomicFile file(directory / "matrix.mtx");
  file.write(fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", first.back(), first.back(),
                         pattern.value_count()));
  for (std::size_t row = 0; row < pattern.row_count(); ++row) {
    std::string text;
    for (std::int64_t block = pattern.rows[row]; block < pattern.rows[row + 1]; ++block) {
      const auto column = static_cast<std::size_t>(pattern.columns[at(block)]);
      const double* value = matrix.values.data() + pattern.offsets[at(block)];
      for (std::int64_t i = 1; i <= pattern.sizes[row]; ++i)
        for (std::int64_t j = 1; j <= pattern.sizes[column]; ++j)
          fmt::format_to(std::back_inserter(text), "{} {} {:.17g}\n", first[row] + i, first[column] + j, *value++);
    }
    file.write(text);
  }
  file.commit();
  std::string text = fmt::format("%%MatrixMarket matrix array real general\n{} 1\n", right_hand_side.size());
  for (const double value : right_hand_side) fmt::format_to(std::back_inserter(text), "{:.17g}\n", value);
  files::write_file(directory / "right_hand_side.mtx", text);
}

}  // namespace galerna::solver
