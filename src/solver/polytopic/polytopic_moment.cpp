#include "solver/polytopic/polytopic_moment.hpp"

#include <fmt/format.h>

#include "base/index.hpp"
#include "files/file_names.hpp"
#include "mesh/boundaries.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/polytopic/polytopic_integrals.hpp"
#include "solver/polytopic/polytopic_outputs.hpp"

namespace galerna::solver {

std::vector<std::string> polytopic_columns(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  std::vector<std::string> columns = {"step", "time", "iterations", "residual", "source", "consumed", "stored"};
  const std::vector<std::string> boundaries = mesh::boundary_names(mesh);
  const auto safe = files::file_names(boundaries);
  for (const std::string& boundary : boundaries)
    for (const char* kind : {"diffusive", "advective"})
      columns.push_back(fmt::format("{}_{}", kind, safe.at(boundary)));
  columns.emplace_back("largest_element_defect");
  for (const auto& integral : settings.output.integrals) columns.push_back(integral.name);
  return columns;
}

analysis::Solution PolytopicMoment::make(const std::optional<std::vector<mesh::Index>>& positions) const {
  analysis::FieldSet fields = case_fields(case_.settings);
  fields.faults = case_.faults;
  analysis::Solution solution =
      progress_.slabs == 0
          ? initial_on_simplices(case_.mesh, case_.degrees, *case_.settings.polytopic->initial, fields, positions)
          : solution_on_simplices(case_.mesh, case_.space, case_.degrees, progress_.solution, fields, time_, positions);
  solution.step = step();
  return solution;
}

std::function<analysis::Solution()> PolytopicMoment::take() {
  const auto solution = std::make_shared<analysis::Solution>(make({}));
  return [solution] { return std::move(*solution); };
}

analysis::Solution PolytopicMoment::part(const std::vector<std::vector<mesh::Index>>& positions) {
  return make(positions.front());
}

const std::vector<double>& PolytopicMoment::integrals() {
  if (!integrals_ && case_.settings.output.integrals.empty()) integrals_.emplace();
  if (!integrals_) integrals_ = simplex_integrals(case_.settings.output.integrals, solution());
  return *integrals_;
}

// In the order of polytopic_columns(). Before the first solution nothing was exchanged.
std::vector<double> PolytopicMoment::monitor_row() {
  std::vector<double> row = {static_cast<double>(step()), time_};
  if (progress_.solves.empty())
    row.insert(row.end(), {0, 0});
  else
    row.insert(row.end(), {static_cast<double>(progress_.solves.back().iterations), progress_.solves.back().last});
  row.insert(row.end(), {balance_.source, balance_.consumed, balance_.stored});
  for (std::size_t b = 0; b < case_.mesh.mesh.boundaries.size(); ++b) {
    const auto flow = balance_.boundaries.empty() ? polytopic::Balance::Outflow{} : balance_.boundaries[b];
    row.insert(row.end(), {flow.diffusive, flow.advective});
  }
  row.push_back(balance_.largest_defect());
  row.insert(row.end(), integrals().begin(), integrals().end());
  return row;
}

files::VtuOptions PolytopicMoment::cell_data() {
  files::VtuOptions options;
  options.cell_data.resize(2);
  options.cell_data[0].first = "polytope";
  options.cell_data[1].first = "order";
  options.cell_values.resize(1);
  options.cell_values[0].first = "defect";
  for (const mesh::Index polytope : case_.mesh.agglomeration.polytope) {
    options.cell_data[0].second.push_back(static_cast<std::int32_t>(polytope));
    options.cell_data[1].second.push_back(case_.degrees[at(polytope)]);
    options.cell_values[0].second.push_back(balance_.defects.empty() ? 0 : balance_.defects[at(polytope)]);
  }
  return options;
}

std::vector<drawing::Segment> PolytopicMoment::outlines() const {
  return solver::outlines(case_.mesh.polytopes);
}

}  // namespace galerna::solver
