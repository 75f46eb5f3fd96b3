#include "solver/polytopic_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/index.hpp"
#include "basis/basis.hpp"
#include "drawing/picture.hpp"
#include "files/atomic_file.hpp"
#include "files/vtu.hpp"

namespace galerna::solver {

std::vector<drawing::Segment> outlines(const polytopic::Mesh& mesh) {
  std::vector<drawing::Segment> lines;
  for (std::int64_t facet = 0; mesh.dimension == 2 && facet < mesh.inner_facet_count(); ++facet) {
    const double* x = mesh.facets.data() + facet * 6;
    lines.push_back({x[0], x[1], x[2], x[3]});
  }
  return lines;
}

analysis::Solution solution_on_simplices(const PolytopicMesh& mesh, const basis::BoxSpace& space,
                                         std::span<const int> degrees, std::span<const double> unknowns, double time) {
  const polytopic::Mesh& polytopes = mesh.polytopes;
  const auto d = static_cast<std::size_t>(polytopes.dimension);
  const Shape shape = d == 2 ? Shape::triangle : Shape::tetrahedron;
  analysis::Solution solution;
  solution.mesh = &mesh.mesh;
  solution.degree = *std::max_element(degrees.begin(), degrees.end());
  solution.variables = {"u"};
  solution.fields.names = {"u"};
  solution.fields.evaluate = [](const double* variables, double* values) { values[0] = variables[0]; };
  solution.time = time;
  solution.accurate = space.slab;
  const basis::Quadrature rule = basis::quadrature(shape, 2 * solution.degree);
  const basis::Matrix values = basis::basis_values(shape, solution.degree, rule.points);
  const auto modes = static_cast<std::size_t>(values.cols());
  solution.pieces = {{std::vector<double>(at(mesh.mesh.element_count()) * modes, 0.0)}};
  std::int64_t first = 0;
  for (std::int64_t polytope = 0; polytope < polytopes.polytopes; ++polytope) {
    const int degree = degrees[at(polytope)];
    const double* box = polytopes.boxes.data() + at(polytope) * 2 * d;
    for (std::int64_t k = polytopes.first_simplices[at(polytope)]; k < polytopes.first_simplices[at(polytope) + 1];
         ++k) {
      const double* corners = polytopes.simplices.data() + at(k) * (d + 1) * d;
      double* coefficients = solution.pieces[0].coefficients.data() + at(polytopes.elements[at(k)]) * modes;
      for (std::size_t q = 0; q < rule.points.size(); ++q) {
        std::array<double, 4> local{};
        for (std::size_t i = 0; i < d; ++i) {
          double x = corners[i];
          for (std::size_t c = 0; c < d; ++c) x += rule.points[q][c] * (corners[(c + 1) * d + i] - corners[i]);
          local[i] = (x - box[i]) / box[d + i];
        }
        local[d] = 1;
        const std::vector<double> own = basis::box_values(space, degree, local);
        double u = 0;
        for (std::size_t j = 0; j < own.size(); ++j) u += own[j] * unknowns[at(first) + j];
        for (std::size_t j = 0; j < modes; ++j)
          coefficients[j] += rule.weights[q] * u * values(static_cast<Eigen::Index>(q), static_cast<Eigen::Index>(j));
      }
    }
    first += basis::box_mode_count(space, degree);
  }
  return solution;
}

void write_polytopic_solution(const case_file::Settings& settings, const PolytopicMesh& mesh,
                              std::span<const int> degrees, const analysis::Solution& solution,
                              std::span<const double> defects) {
  const std::filesystem::path& directory = settings.output.directory;
  if (settings.output.solution) {
    files::VtuOptions options;
    options.cell_data.resize(2);
    options.cell_data[0].first = "polytope";
    options.cell_data[1].first = "order";
    options.cell_values.resize(1);
    options.cell_values[0].first = "defect";
    for (const mesh::Index polytope : mesh.agglomeration.polytope) {
      options.cell_data[0].second.push_back(static_cast<std::int32_t>(polytope));
      options.cell_data[1].second.push_back(degrees[at(polytope)]);
      options.cell_values[0].second.push_back(defects[at(polytope)]);
    }
    files::write_vtu(solution, directory / "solution.vtu", options);
  }
  if (!settings.polytopic->picture || mesh.mesh.dimension != 2) return;
  drawing::PictureOptions picture;
  picture.field = "u";
  picture.title = settings.title;
  picture.outlines = outlines(mesh.polytopes);
  drawing::write_picture(solution, directory / "solution.png", picture);
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
