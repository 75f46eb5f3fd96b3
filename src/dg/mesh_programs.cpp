#include "dg/mesh_programs.hpp"

#include "dg/plan_sets.hpp"
#include "dg/programs/element_programs.hpp"

namespace galerna::dg {

std::vector<device::ProgramSource> make_programs(const mesh::Mesh& mesh, const Spec& spec, const device::Target& target,
                                                 const std::set<std::pair<int, int>>& stage_shapes) {
  return sources_of(make_programs(plan_sets(mesh, spec, target), spec, target, stage_shapes));
}

}  // namespace galerna::dg
