#include "dg/plan_sets.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "dg/geometry/metric.hpp"
#include "dg/structures.hpp"

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

std::vector<SetPlan> plan_sets(const mesh::Mesh& mesh, const Spec& spec, const device::Target& target) {
  std::vector<Operators> operators =
      make_block_operators(mesh, spec.degree, spec.volume_quadrature, spec.face_quadrature);
  std::vector<SetPlan> plans;
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const mesh::ElementBlock& block = mesh.blocks[b];
    SetPlan plan;
    plan.operators = std::move(operators[b]);
    plan.order = block.order;
    plan.elements = block.size();
    plan.map = map_of(mesh, block);
    plan.alone = mesh.blocks.size() == 1;
    const Choice choice = choose_structure(plan.traits(), spec, target);
    plan.structure = choice.structure;
    plan.why = choice.why;
    if (plan.structure->by_lines && plan.order == 1) plan.map = ElementMap::trilinear;
    if (plan.structure->tile_metric) plan.map = ElementMap::curved;
    if (plan.stands_by_itself())  // with the rules as they are asked for
      plan.operators = make_operators(block.shape, spec.degree, spec.volume_quadrature, spec.face_quadrature);
    if (!plan.alone) plan.label = fmt::format(", {} of order {}", plural_name(block.shape), block.order);
    plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace galerna::dg
