#include "dg/element_set.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "dg/metric.hpp"
#include "kernels/element/arguments.hpp"

namespace galerna::dg {
namespace {

/// Whether the corners of all elements of a straight block in space lie where a linear map takes those of the reference
/// shape, up to rounding.
bool are_affine(const mesh::Mesh& mesh, const mesh::ElementBlock& block) {
  const int corners = corner_count(block.shape);
  Eigen::MatrixXd reference(corners, 4), places(corners, 3);  // [corner](ξ, 1)
  for (int i = 0; i < corners; ++i) {
    const auto at = reference_corner(block.shape, i);
    reference.row(i) << at[0], at[1], at[2], 1;
  }
  const Eigen::MatrixXd rest =  // what is left of values at the corners by the best linear function
      Eigen::MatrixXd::Identity(corners, corners) -
      reference * (reference.transpose() * reference).ldlt().solve(Eigen::MatrixXd(reference.transpose()));
  for (mesh::Index e = 0; e < block.size(); ++e) {
    for (int i = 0; i < corners; ++i) {
      const auto& node = mesh.nodes[static_cast<std::size_t>(block.nodes[static_cast<std::size_t>(e * corners + i)])];
      places.row(i) << node[0], node[1], node[2];
    }
    places.rowwise() -= places.row(0).eval();
    if ((rest * places).cwiseAbs().maxCoeff() > 1e-13 * places.cwiseAbs().maxCoeff()) return false;
  }
  return true;
}

}  // namespace

ElementMap map_of(const mesh::Mesh& mesh, const mesh::ElementBlock& block) {
  if (block.order != 1) return ElementMap::curved;
  if (is_simplex(block.shape)) return ElementMap::affine;
  if (mesh.dimension == 3) return are_affine(mesh, block) ? ElementMap::affine : ElementMap::curved;
  for (mesh::Index e = 0; e < block.size(); ++e) {
    const auto corner = [&](int i, std::size_t k) {
      return mesh.nodes[static_cast<std::size_t>(block.nodes[static_cast<std::size_t>(e * 4 + i)])][k];
    };
    for (std::size_t k = 0; k < 2; ++k) {
      const double size = std::abs(corner(2, k) - corner(0, k)) + std::abs(corner(3, k) - corner(1, k));
      const double twist = corner(0, k) - corner(1, k) + corner(2, k) - corner(3, k);
      if (std::abs(twist) > 1e-13 * size) return ElementMap::bilinear;
    }
  }
  return ElementMap::affine;
}

bool is_tensor(const Operators& operators) {
  return operators.shape == Shape::quadrilateral && operators.volume.size() == operators.modes &&
         operators.side.size() == operators.degree + 1;
}

std::vector<ElementSet> make_element_sets(const mesh::Mesh& mesh, const Spec& spec, const Target& target) {
  std::vector<Operators> operators =
      make_block_operators(mesh, spec.degree, spec.volume_quadrature, spec.face_quadrature);
  std::vector<ElementSet> sets;
  ElementSet next;  // where it begins
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const mesh::ElementBlock& block = mesh.blocks[b];
    ElementSet set;
    set.operators = std::move(operators[b]);
    set.blocks = make_blocks(block.size(), target.kind, target.lanes);
    set.order = block.order;
    set.map = map_of(mesh, block);
    set.alone = mesh.blocks.size() == 1;
    const Choice choice = choose_structure({set.operators, set.order, set.alone}, spec, target);
    set.structure = choice.structure;
    if (set.structure->by_lines && set.order == 1) set.map = ElementMap::trilinear;
    if (set.structure->tile_metric) set.map = ElementMap::curved;
    set.why = choice.why;
    if (set.stands_by_itself())  // with the rules as they are asked for
      set.operators = make_operators(block.shape, spec.degree, spec.volume_quadrature, spec.face_quadrature);
    set.residual_range = set.structure->residual_range(set, spec, target.kind);
    set.monitor_range = set.structure->monitor_range(set, spec, target.kind);
    if (!set.alone) set.label = fmt::format(", {} of order {}", plural_name(block.shape), block.order);
    set.first_element = next.first_element;
    set.first_block = next.first_block;
    set.first_group = next.first_group;
    set.state_offset = next.state_offset;
    next.first_element += block.size();
    next.first_block += set.blocks.count;
    next.first_group += monitor_groups(set.blocks, set.structure->tile, target.kind);
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
