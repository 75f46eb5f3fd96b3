#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/krylov.hpp"
#include "base/interruption.hpp"

namespace galerna::algebra {
namespace {

constexpr Precision twice = Precision::double_precision;

/// The least-squares problem of a cycle, by Givens rotations.
class LeastSquares {
 public:
  explicit LeastSquares(double residual) : right_{residual} {}

  /// \param column one more number than there are columns then \return norm of the residual
  double add(std::vector<double> column) {
    for (std::size_t i = 0; i + 2 < column.size(); ++i) rotate(rotations_[i], column[i], column[i + 1]);
    const std::size_t k = column.size() - 2;
    const double length = std::hypot(column[k], column[k + 1]);
    rotations_.push_back(length > 0 ? Rotation{column[k] / length, column[k + 1] / length} : Rotation{1, 0});
    rotate(rotations_[k], column[k], column[k + 1]);
    right_.push_back(0);
    rotate(rotations_[k], right_[k], right_[k + 1]);
    columns_.push_back(std::move(column));
    return std::abs(right_.back());
  }

  /// [vector of the basis] what the residual has of it
  std::vector<double> residual() const {
    std::vector<double> result(right_.size(), 0);
    result.back() = right_.back();
    for (std::size_t i = rotations_.size(); i-- > 0;)
      rotate({rotations_[i].cosine, -rotations_[i].sine}, result[i], result[i + 1]);
    return result;
  }

  std::vector<double> solve() const {
    std::vector<double> y(columns_.size());
    for (std::size_t i = y.size(); i-- > 0;) {
      double sum = right_[i];
      for (std::size_t j = i + 1; j < y.size(); ++j) sum -= columns_[j][i] * y[j];
      y[i] = sum / columns_[i][i];
    }
    return y;
  }

 private:
  struct Rotation {
    double cosine, sine;
  };
  static void rotate(const Rotation& r, double& a, double& b) {
    const double first = r.cosine * a + r.sine * b;
    b = r.cosine * b - r.sine * a;
    a = first;
  }

  std::vector<Rotation> rotations_;
  std::vector<std::vector<double>> columns_;
  std::vector<double> right_;
};

/// Vectors of a cycle: an orthonormal basis in double precision and its preconditioned vectors in single precision.
class Basis {
 public:
  Basis(Kernels& kernels, std::int64_t n, int restart)
      : kernels_(kernels),
        n_(n),
        basis_(allocate((static_cast<std::size_t>(restart) + 1) * sizeof(double))),
        preconditioned_(allocate(static_cast<std::size_t>(restart) * sizeof(float))),
        work_(allocate(sizeof(double))) {}

  double* vector(int j) { return static_cast<double*>(basis_->address()) + j * n_; }
  double* work() { return static_cast<double*>(work_->address()); }

  /// Makes vector j of `from`, whose norm is given.
  void set(int j, const void* from, double norm) { kernels_.add(1 / norm, from, 0, vector(j), n_, twice); }
  /// Keeps z as preconditioned vector j, and as work() what is then left of it.
  void keep(int j, const void* z) {
    kernels_.to_single(z, preconditioned(j), n_);
    kernels_.to_double(preconditioned(j), work(), n_);
  }
  /// The preconditioned combination of the first vectors, which the preconditioner keeps until its next call.
  const void* precondition(Preconditioner& preconditioner, const std::vector<double>& factors) {
    kernels_.add(factors[0], vector(0), 0, work(), n_, twice);
    kernels_.combine(vector(1), n_, {factors.begin() + 1, factors.end()}, work(), n_, twice);
    return preconditioner.apply(work());
  }
  /// Takes the first `count` vectors out of `w`, in passes: after two of them rounding leaves next to nothing. \return
  /// what was taken out of each
  std::vector<double> orthogonalize(void* w, int count, int passes) {
    std::vector<double> taken(static_cast<std::size_t>(count), 0);
    for (int pass = 0; pass < passes; ++pass) {
      std::vector<double> sums = kernels_.dots(vector(0), n_, count, w, n_, twice);
      for (std::size_t j = 0; j < sums.size(); ++j) {
        taken[j] += sums[j];
        sums[j] = -sums[j];
      }
      kernels_.combine(vector(0), n_, sums, w, n_, twice);
    }
    return taken;
  }
  /// x ← x + Σ_j y[j] · preconditioned vector j
  void add_solution(const std::vector<double>& y, void* x) {
    for (std::size_t j = 0; j < y.size(); ++j) {
      kernels_.to_double(preconditioned(static_cast<int>(j)), work(), n_);
      kernels_.add(y[j], work(), 1, x, n_, twice);
    }
  }

 private:
  std::unique_ptr<device::Memory> allocate(std::size_t bytes_an_unknown) {
    return kernels_.device().allocate(static_cast<std::size_t>(n_) * bytes_an_unknown, "vectors of the solver");
  }
  float* preconditioned(int j) { return static_cast<float*>(preconditioned_->address()) + j * n_; }

  Kernels& kernels_;
  std::int64_t n_;
  std::unique_ptr<device::Memory> basis_, preconditioned_, work_;
};

}  // namespace

KrylovReport operator_gmres(Kernels& kernels, LinearOperator& matrix, Preconditioner& preconditioner, device::Memory& b,
                            device::Memory& x, const KrylovOptions& options) {
  const std::int64_t n = matrix.unknowns();
  Basis basis(kernels, n, options.restart);
  KrylovReport report;
  const auto norm = [&](const void* vector) { return std::sqrt(kernels.dot(vector, vector, n)); };
  const double size = norm(b.address()), scale = size > 0 ? size : 1;
  const bool bounded = std::isfinite(options.error);
  const double first = bounded ? norm(x.address()) : 0;
  const auto is_small = [&](double z, const void* solution) {
    report.estimate_error(z, std::max(first, norm(solution)));
    return report.error <= options.error;
  };
  const auto next_target = [&] { return 0.7 * options.error / report.error * report.residuals.back(); };
  const auto over = [&] {
    return report.iterations() >= options.iterations || !std::isfinite(report.residuals.back());
  };
  double last_start = std::numeric_limits<double>::infinity(), promised = 1;
  int broken_promises = 0;
  while (true) {
    matrix.multiply(x.address(), basis.vector(0), b.address());
    const double start = norm(basis.vector(0));
    // What the recurrence promised is replaced by what is true.
    if (report.residuals.empty())
      report.residuals.push_back(start / scale);
    else
      report.residuals.back() = start / scale;
    const bool enough = report.residuals.back() <= options.tolerance;
    const bool error_holds = report.error <= options.error && start <= 2 * promised * scale;
    report.converged = enough && (!bounded || start == 0 || error_holds);
    if (report.converged || over()) return report;
    // Cycles that promise enough and gain next to nothing have met the rounding of the residual itself.
    const double worth = enough ? 0.1 * start / scale : std::max(options.tolerance, 0.1 * start / scale);
    if (start > 0.5 * last_start && promised <= worth) ++broken_promises;
    report.converged = enough && broken_promises > 0;
    report.stagnated = broken_promises == 3;
    if (report.converged || report.stagnated) return report;
    last_start = start;
    basis.set(0, basis.vector(0), start);
    double target = options.tolerance;
    LeastSquares problem(start);
    for (int j = 0; j < options.restart; ++j) {
      stop_if_interrupted("solving the equations");
      basis.keep(j, preconditioner.apply(basis.vector(j)));
      if (j == 0 && enough) {
        report.converged = is_small(start * norm(basis.work()), x.address());
        if (report.converged) return report;
        target = next_target();
      }
      matrix.multiply(basis.work(), basis.vector(j + 1));
      std::vector<double> column = basis.orthogonalize(basis.vector(j + 1), j + 1, options.passes);
      const double length = norm(basis.vector(j + 1));
      column.push_back(length);
      report.residuals.push_back(problem.add(std::move(column)) / scale);
      if (over() || length == 0) break;
      basis.set(j + 1, basis.vector(j + 1), length);
      if (report.residuals.back() > target) continue;
      if (!bounded || j + 2 > options.restart) break;
      // The vector after the next is free yet.
      kernels.add(1, x.address(), 0, basis.vector(j + 2), n, twice);
      basis.add_solution(problem.solve(), basis.vector(j + 2));
      const void* z = basis.precondition(preconditioner, problem.residual());
      if (is_small(norm(z), basis.vector(j + 2))) break;
      target = next_target();
    }
    promised = report.residuals.back();
    basis.add_solution(problem.solve(), x.address());
  }
}

KrylovReport gmres(Kernels& kernels, const DeviceMatrix& matrix, Preconditioner& preconditioner, device::Memory& b,
                   device::Memory& x, const KrylovOptions& options) {
  MatrixOperator product(kernels, matrix);
  return operator_gmres(kernels, product, preconditioner, b, x, options);
}

}  // namespace galerna::algebra
