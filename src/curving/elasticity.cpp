#include "curving/elasticity.hpp"

#include <Eigen/LU>

#include "base/index.hpp"
#include "base/lattice.hpp"
#include "base/parallel.hpp"

namespace galerna::curving {
namespace {

using basis::Matrix;
using mesh::Index;

constexpr Index group = 32;  // elements that are computed together
constexpr std::size_t geometry_numbers = 10;

/// Exact on affine elements; what is left on others is no more than what the isoparametric map makes rational.
int quadrature_degree(Shape shape, int order) {
  if (is_simplex(shape)) return 2 * (order - 1);
  return shape == Shape::pyramid ? 2 * order + 2 : 2 * order;
}

}  // namespace

/// Displacements of a group of elements lie as [node][component][element], derivatives as [direction][point][component]
/// [element].
struct Elasticity::Part {
  Part(const Body& body, const mesh::ElementBlock& elements, Index first_load, double poisson);

  void multiply(const std::vector<Vector>& u, Vector* loads, Index begin, Index end) const;
  void add_diagonal(std::vector<Matrix3>& diagonal) const;

  /// Of element e at point q: ∂ξ_d/∂x_k at [3 d + k], and the weight times the Jacobian determinant.
  const double* geometry(Index e, Index q) const {
    return geometry_.data() + geometry_numbers * at(affine_ ? e : e * points_ + q);
  }
  double weight(Index e, Index q) const { return geometry(e, q)[9] * (affine_ ? weights_[at(q)] : 1); }

  const Body& body_;
  const mesh::ElementBlock& block_;
  Index first_load_, nodes_, points_;
  int dimension_;
  bool affine_;
  double lambda_, mu_;
  std::vector<double> weights_;
  Matrix slopes_;  ///< [direction][point] by rows, [node]
  std::vector<double> geometry_;
};

Elasticity::Part::Part(const Body& body, const mesh::ElementBlock& elements, Index first_load, double poisson)
    : body_(body),
      block_(elements),
      first_load_(first_load),
      nodes_(elements.nodes_per_element()),
      dimension_(dimension(elements.shape)),
      affine_(is_simplex(elements.shape)),
      lambda_(poisson / ((1 + poisson) * (1 - 2 * poisson))),
      mu_(0.5 / (1 + poisson)) {
  const basis::Quadrature rule = basis::quadrature(elements.shape, quadrature_degree(elements.shape, elements.order));
  points_ = rule.size();
  weights_ = rule.weights;
  slopes_.resize(dimension_ * points_, nodes_);
  std::vector<Matrix> straight;
  for (int d = 0; d < dimension_; ++d) {
    slopes_.middleRows(d * points_, points_) =
        basis::lagrange_derivatives(elements.shape, elements.order, rule.points, d);
    straight.push_back(basis::lagrange_derivatives(elements.shape, 1, rule.points, d));
  }
  const Index kept = affine_ ? 1 : points_;
  geometry_.resize(geometry_numbers * at(elements.size() * kept));
  in_parallel(elements.size(), 256, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e)
      for (Index q = 0; q < kept; ++q) {
        Eigen::Matrix3d map = Eigen::Matrix3d::Identity();  // ∂x_k/∂ξ_d at (k, d)
        for (int d = 0; d < dimension_; ++d) {
          map.col(d).setZero();
          for (int c = 0; c < corner_count(elements.shape); ++c) {
            const Vector& x = body.mesh.nodes[at(elements.nodes[at(e * nodes_ + c)])];
            map.col(d) += straight[at(d)](q, c) * Eigen::Vector3d(x[0], x[1], x[2]);
          }
        }
        if (dimension_ == 2) map.row(2) << 0, 0, 1;
        double* to = geometry_.data() + geometry_numbers * at(e * kept + q);
        Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> inverse(to);
        inverse = map.inverse();
        if (dimension_ == 2) inverse.row(2).setZero();
        to[9] = std::abs(map.determinant()) * (affine_ ? 1 : weights_[at(q)]);
      }
  });
}

void Elasticity::Part::multiply(const std::vector<Vector>& u, Vector* loads, Index begin, Index end) const {
  const Index count = end - begin;
  Matrix displacements(nodes_, 3 * count);
  for (Index e = 0; e < count; ++e)
    for (Index n = 0; n < nodes_; ++n) {
      const Vector& value = u[at(body_.unknown[at(block_.nodes[at((begin + e) * nodes_ + n)])])];
      for (Index c = 0; c < 3; ++c) displacements(n, c * count + e) = value[at(c)];
    }
  Matrix slopes = slopes_ * displacements;
  for (Index q = 0; q < points_; ++q)
    for (Index e = 0; e < count; ++e) {
      const double* g = geometry(begin + e, q);
      double h[3][3];  // ∂u_c/∂x_k
      for (Index c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) {
          h[c][k] = 0;
          for (int d = 0; d < dimension_; ++d) h[c][k] += slopes(d * points_ + q, c * count + e) * g[3 * d + k];
        }
      const double w = weight(begin + e, q), trace = lambda_ * (h[0][0] + h[1][1] + h[2][2]);
      for (Index c = 0; c < 3; ++c) {
        double stress[3];
        for (int k = 0; k < 3; ++k) stress[k] = w * (mu_ * (h[c][k] + h[k][c]) + (k == c ? trace : 0));
        for (int d = 0; d < dimension_; ++d)
          slopes(d * points_ + q, c * count + e) =
              stress[0] * g[3 * d] + stress[1] * g[3 * d + 1] + stress[2] * g[3 * d + 2];
      }
    }
  displacements.noalias() = slopes_.transpose() * slopes;
  for (Index e = 0; e < count; ++e)
    for (Index n = 0; n < nodes_; ++n)
      for (Index c = 0; c < 3; ++c)
        loads[first_load_ + (begin + e) * nodes_ + n][at(c)] = displacements(n, c * count + e);
}

/// A node's block is Σ w ((λ + μ) g gᵀ + μ |g|² I) with g the gradient of its function.
void Elasticity::Part::add_diagonal(std::vector<Matrix3>& diagonal) const {
  for (Index e = 0; e < block_.size(); ++e)
    for (Index n = 0; n < nodes_; ++n) {
      Matrix3& block = diagonal[at(body_.unknown[at(block_.nodes[at(e * nodes_ + n)])])];
      for (Index q = 0; q < points_; ++q) {
        const double *map = geometry(e, q), w = weight(e, q);
        Vector g{};
        for (std::size_t k = 0; k < 3; ++k)
          for (int d = 0; d < dimension_; ++d) g[k] += slopes_(d * points_ + q, n) * map[3 * at(d) + k];
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t j = 0; j < 3; ++j) block[i][j] += w * (lambda_ + mu_) * g[i] * g[j];
          block[i][i] += w * mu_ * dot(g, g);
        }
      }
    }
}

Elasticity::Elasticity(const Body& body, double poisson) : body_(body) {
  Index loads = 0;
  for (const mesh::ElementBlock& block : body.mesh.blocks) {
    if (block.order == 1) continue;
    parts_.push_back(std::make_unique<Part>(body, block, loads, poisson));
    loads += static_cast<Index>(block.nodes.size());
  }
  loads_.resize(at(loads));
  own_.resize(at(loads));
  first_.assign(at(body.unknowns()) + 1, 0);
  const auto for_each_load = [&](const auto& visit) {
    for (const auto& part : parts_)
      for (std::size_t i = 0; i < part->block_.nodes.size(); ++i)
        visit(at(body.unknown[at(part->block_.nodes[i])]), part->first_load_ + static_cast<Index>(i));
  };
  for_each_load([&](std::size_t unknown, Index) { ++first_[unknown + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  std::vector<std::int64_t> next(first_.begin(), first_.end() - 1);
  for_each_load([&](std::size_t unknown, Index load) { own_[at(next[unknown]++)] = load; });
}

Elasticity::~Elasticity() = default;

void Elasticity::multiply(const std::vector<Vector>& u, std::vector<Vector>& f) const {
  for (const auto& part : parts_)
    in_parallel(part->block_.size(), group,
                [&](Index begin, Index end) { part->multiply(u, loads_.data(), begin, end); });
  gather(f);
}

/// Sums in one order, whoever computes them.
void Elasticity::gather(std::vector<Vector>& f) const {
  in_parallel(body_.unknowns(), 4096, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Vector sum{};
      for (std::int64_t k = first_[at(i)]; k < first_[at(i) + 1]; ++k) sum = plus(sum, loads_[at(own_[at(k)])]);
      f[at(i)] = sum;
    }
  });
}

std::vector<Matrix3> Elasticity::diagonal() const {
  std::vector<Matrix3> diagonal(at(body_.unknowns()));
  for (const auto& part : parts_) part->add_diagonal(diagonal);
  return diagonal;
}

}  // namespace galerna::curving
