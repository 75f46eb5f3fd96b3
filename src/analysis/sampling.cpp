#include "analysis/sampling.hpp"

namespace galerna::analysis {

using basis::Matrix;
using mesh::ElementBlock;
using mesh::Index;

std::vector<Index> element_offsets(const mesh::Mesh& mesh) {
  std::vector<Index> offsets = {0};
  for (const ElementBlock& block : mesh.blocks) offsets.push_back(offsets.back() + block.size());
  return offsets;
}

BlockSampler::BlockSampler(const Solution& solution, int block, const std::vector<basis::Point>& points)
    : solution_(&solution),
      block_(solution.mesh->blocks.at(static_cast<std::size_t>(block))),
      number_(block),
      basis_(basis::basis_values(block_.shape, solution.degree, points)),
      geometry_(basis::lagrange_values(block_.shape, block_.order, points)) {
  piece_of(solution, block);
}

void BlockSampler::variables(Index position, std::vector<double>& values) const {
  const auto count = static_cast<Eigen::Index>(solution_->variables.size());
  values.resize(static_cast<std::size_t>(basis_.rows() * count));
  thread_local std::vector<double> room;
  const Eigen::Map<const Matrix> modes(solution_->modes(number_, position, room), count, basis_.cols());
  Eigen::Map<Matrix>(values.data(), basis_.rows(), count).noalias() = basis_.lazyProduct(modes.transpose());
}

void BlockSampler::places(Index position, std::vector<mesh::Point>& places) const {
  places.assign(static_cast<std::size_t>(points()), mesh::Point{0, 0, 0});
  const Index* nodes = block_.nodes.data() + position * geometry_.cols();
  for (Eigen::Index point = 0; point < geometry_.rows(); ++point)
    for (Eigen::Index node = 0; node < geometry_.cols(); ++node)
      for (std::size_t d = 0; d < 3; ++d)
        places[static_cast<std::size_t>(point)][d] +=
            geometry_(point, node) * solution_->mesh->nodes[static_cast<std::size_t>(nodes[node])][d];
}

basis::Point reference_centre(Shape shape) {
  basis::Point centre = {0, 0, 0};
  const int corners = corner_count(shape);
  for (int corner = 0; corner < corners; ++corner)
    for (std::size_t d = 0; d < 3; ++d) centre[d] += reference_corner(shape, corner)[d] / corners;
  return centre;
}

int orientation(const mesh::Mesh& mesh, const ElementBlock& block, Index position) {
  // The derivatives at the centre are the same for all elements of a shape and order; they are asked for once a thread.
  thread_local Shape last_shape = Shape::point;
  thread_local int last_order = 0;
  thread_local std::array<Matrix, 3> derivatives;
  if (block.shape != last_shape || block.order != last_order) {
    for (int d = 0; d < dimension(block.shape); ++d)
      derivatives[static_cast<std::size_t>(d)] =
          basis::lagrange_derivatives(block.shape, block.order, {reference_centre(block.shape)}, d);
    last_shape = block.shape;
    last_order = block.order;
  }
  Eigen::Matrix3d jacobian = Eigen::Matrix3d::Identity();
  const Index* nodes = block.nodes.data() + position * block.nodes_per_element();
  for (int d = 0; d < dimension(block.shape); ++d) {
    jacobian.col(d).setZero();
    for (int node = 0; node < block.nodes_per_element(); ++node)
      for (int i = 0; i < dimension(block.shape); ++i)
        jacobian(i, d) += derivatives[static_cast<std::size_t>(d)](0, node) *
                          mesh.nodes[static_cast<std::size_t>(nodes[node])][static_cast<std::size_t>(i)];
  }
  return jacobian.determinant() < 0 ? -1 : 1;
}

}  // namespace galerna::analysis
