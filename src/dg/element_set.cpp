#include "dg/element_set.hpp"

namespace galerna::dg {

std::vector<ElementSet> make_element_sets(const mesh::Mesh& mesh, const std::vector<SetPlan>& plans, const Spec& spec,
                                          const device::Target& target) {
  std::vector<ElementSet> sets;
  ElementSet next;  // where it begins
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    ElementSet set;
    static_cast<SetPlan&>(set) = plans[b];
    set.blocks = make_blocks(mesh.blocks[b].size(), target.kind, target.lanes);
    const LaunchRequest launch = {plans[b], set.blocks, spec, target.kind};
    set.residual_range = set.structure->residual_range(launch);
    const bool watched = spec.limiter && spec.limiter->watches_all_points();
    set.monitor_range = watched ? range_of(set.blocks, target.kind) : set.structure->monitor_range(launch);
    set.groups = monitor_groups(set.blocks, watched ? 0 : set.structure->tile, target.kind);
    set.first_element = next.first_element;
    set.first_block = next.first_block;
    set.first_group = next.first_group;
    set.state_offset = next.state_offset;
    next.first_element += mesh.blocks[b].size();
    next.first_block += set.blocks.count;
    next.first_group += set.groups;
    next.state_offset += static_cast<std::size_t>(set.blocks.padded() * spec.variable_count() * set.operators.modes *
                                                  bytes_of(spec.precision));
    sets.push_back(std::move(set));
  }
  return sets;
}

void upload_nodes(ElementSet& set, device::Device& device, device::Precision precision, const mesh::Mesh& mesh,
                  const mesh::ElementBlock& block) {
  set.nodes = upload_blocked(device, "coordinates of nodes, for the source", precision, set.blocks,
                             mesh.dimension * block.nodes_per_element(), [&] {
                               std::vector<double> coordinates;
                               for (mesh::Index node : block.nodes)
                                 for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.dimension); ++k)
                                   coordinates.push_back(mesh.nodes[static_cast<std::size_t>(node)][k]);
                               return coordinates;
                             });
}

}  // namespace galerna::dg
