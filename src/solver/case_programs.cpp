#include "solver/case_programs.hpp"

#include "algebra/kernels.hpp"
#include "dg/mesh_programs.hpp"
#include "solver/degree_sequence.hpp"
#include "solver/polytopic/polytopic_problem.hpp"
#include "solver/problem.hpp"
#include "steady/state_vectors.hpp"

namespace galerna::solver {

std::vector<device::ProgramSource> make_programs(const case_file::Settings& settings, const device::Target& target,
                                                 device::Precision precision) {
  if (settings.polytopic)
    return make_polytopic_programs(settings, {target.kind, target.lanes, target.matrix_units}, precision);
  require_header(settings);
  const mesh::Mesh mesh = make_mesh(settings);
  check_problem(settings, mesh);
  return make_programs(settings, mesh, target, precision);
}

std::vector<device::ProgramSource> make_programs(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                                 const device::Target& target, device::Precision precision) {
  require_header(settings);
  const auto shapes = stage_shapes(settings);
  std::vector<device::ProgramSource> programs;
  for (int degree : degrees_of(settings)) {
    const dg::Spec spec = make_spec(at_degree(settings, degree), mesh, precision);
    for (device::ProgramSource& program : dg::make_programs(mesh, spec, target, shapes))
      programs.push_back(std::move(program));
  }
  if (settings.time.newton) {
    programs.push_back(algebra::program(target.kind, target.lanes, 2 * target.lanes));
    programs.push_back(steady::program(target.kind, 2 * target.lanes));
  }
  return programs;
}

}  // namespace galerna::solver
