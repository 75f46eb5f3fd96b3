#include <Eigen/LU>
#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "base/index.hpp"
#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "curving/elasticity.hpp"

namespace galerna::curving {
namespace {

using mesh::Index;
using Vectors = std::vector<Vector>;

constexpr Index piece = 4096;
constexpr int most_iterations = 50000;

void for_each(Index count, const std::function<void(std::size_t)>& visit) {
  in_parallel(count, piece, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) visit(at(i));
  });
}

/// Piece by piece, so that the sum does not depend on the number of threads.
double inner_product(const Vectors& a, const Vectors& b) {
  const auto count = static_cast<Index>(a.size());
  std::vector<double> sums(at((count + piece - 1) / piece), 0.0);
  in_parallel(count, piece, [&](Index begin, Index end) {
    double sum = 0;
    for (Index i = begin; i < end; ++i) sum += dot(a[at(i)], b[at(i)]);
    sums[at(begin / piece)] = sum;
  });
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

/// Inverse blocks of the diagonal in the space of what is not forbidden: P (P D P + (I − P))⁻¹ P.
std::vector<Matrix3> inverse_blocks(const Body& body, const Elasticity& elasticity) {
  std::vector<Matrix3> blocks = elasticity.diagonal();
  for_each(body.unknowns(), [&](std::size_t i) {
    Eigen::Matrix3d allowed, block;
    for (int k = 0; k < 3; ++k) {
      Vector axis{};
      axis[at(k)] = 1;
      const Vector left = body.forbidden[i].remove_from(axis);
      allowed.col(k) << left[0], left[1], left[2];
      for (int j = 0; j < 3; ++j) block(j, k) = blocks[i][at(j)][at(k)];
    }
    const Eigen::Matrix3d whole = allowed * block * allowed + Eigen::Matrix3d::Identity() - allowed;
    const Eigen::Matrix3d inverse = allowed * whole.inverse() * allowed;
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) blocks[i][at(j)][at(k)] = inverse(j, k);
  });
  return blocks;
}

Vector product(const Matrix3& matrix, const Vector& v) {
  return {dot(matrix[0], v), dot(matrix[1], v), dot(matrix[2], v)};
}

class ConjugateGradients {
 public:
  ConjugateGradients(const Body& body, const Elasticity& elasticity)
      : body_(body),
        elasticity_(elasticity),
        count_(body.unknowns()),
        inverse_(inverse_blocks(body, elasticity)),
        r_(at(count_)),
        z_(at(count_)),
        p_(at(count_)),
        q_(at(count_)) {}

  Solve run(Vectors& u, double tolerance) {
    Vectors given(u.size());
    for_each(count_, [&](std::size_t i) { given[i] = minus(u[i], body_.forbidden[i].remove_from(u[i])); });
    const double goal = tolerance * std::sqrt(start(given));
    if (goal == 0) {
      u = given;
      return {0, true};
    }
    double rz = start(u);
    Solve report;
    p_ = z_;
    for (; std::sqrt(rz) > goal && report.iterations < most_iterations; ++report.iterations) {
      stop_if_interrupted("moving the walls' nodes onto their shapes");
      elasticity_.multiply(p_, q_);
      const double alpha = rz / inner_product(p_, q_);
      for_each(count_, [&](std::size_t i) {
        u[i] = plus(u[i], times(alpha, p_[i]));
        r_[i] = minus(r_[i], times(alpha, body_.forbidden[i].remove_from(q_[i])));
        z_[i] = product(inverse_[i], r_[i]);
      });
      const double before = rz;
      rz = inner_product(r_, z_);
      for_each(count_, [&](std::size_t i) { p_[i] = plus(z_[i], times(rz / before, p_[i])); });
    }
    if (!std::isfinite(rz))
      throw InputError({body_.mesh.file},
                       "the displacement of the walls' nodes onto their shapes is not finite: check the shapes in "
                       "[mesh.curve], and the elements at the walls by galerna info");
    report.converged = std::sqrt(rz) <= goal;
    return report;
  }

 private:
  /// Residual of u, preconditioned; \return their product.
  double start(const Vectors& u) {
    elasticity_.multiply(u, q_);
    for_each(count_, [&](std::size_t i) {
      r_[i] = times(-1, body_.forbidden[i].remove_from(q_[i]));
      z_[i] = product(inverse_[i], r_[i]);
    });
    return inner_product(r_, z_);
  }

  const Body& body_;
  const Elasticity& elasticity_;
  Index count_;
  std::vector<Matrix3> inverse_;
  Vectors r_, z_, p_, q_;
};

}  // namespace

Solve solve(const Body& body, const Elasticity& elasticity, std::vector<Vector>& u, double tolerance) {
  return ConjugateGradients(body, elasticity).run(u, tolerance);
}

}  // namespace galerna::curving
