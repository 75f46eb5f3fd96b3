#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algebra/krylov.hpp"
#include "base/interruption.hpp"

namespace galerna::algebra {
namespace {

constexpr Precision twice = Precision::double_precision;

}  // namespace

std::string KrylovReport::text() const {
  std::string text = fmt::format("{} iteration{}, residuals", iterations(), iterations() == 1 ? "" : "s");
  for (const double residual : residuals) text += fmt::format(" {:.1e}", residual);
  return text;
}

double KrylovReport::contraction() const {
  constexpr int most = 5;
  constexpr double unknown = 0.5, largest = 0.99;
  const int count = std::min(iterations(), most);
  if (count == 0) return unknown;
  const double before = residuals[residuals.size() - 1 - static_cast<std::size_t>(count)];
  return std::min(largest, std::pow(residuals.back() / before, 1.0 / count));
}

void KrylovReport::estimate_error(double preconditioned, double solution) {
  error = preconditioned / (1 - contraction());
  if (solution > 0) error /= solution;
}

KrylovReport conjugate_gradients(Kernels& kernels, const DeviceMatrix& matrix, Preconditioner& preconditioner,
                                 device::Memory& b, device::Memory& x, const KrylovOptions& options) {
  device::Device& device = kernels.device();
  const std::int64_t n = matrix.unknowns();
  const auto bytes = static_cast<std::size_t>(n) * sizeof(double);
  // The residual and the matrix' product with the direction, one behind the other, for two sums at once.
  const auto pair = device.allocate(2 * bytes, "vectors of the solver"),
             direction = device.allocate(bytes, "vectors of the solver");
  void *r = pair->address(), *q = static_cast<double*>(r) + n, *p = direction->address();

  KrylovReport report;
  const double size = std::sqrt(kernels.dot(b.address(), b.address(), n));
  const auto relative = [&] { return std::sqrt(kernels.dot(r, r, n)) / (size > 0 ? size : 1); };
  const auto true_residual = [&] {
    matrix.multiply(kernels, x.address(), r, b.address());
    return relative();
  };
  const auto enough = [&] { return report.residuals.back() <= options.tolerance; };
  const bool bounded = std::isfinite(options.error);
  const auto norm = [&](const void* vector) { return std::sqrt(kernels.dot(vector, vector, n)); };
  const double start = bounded ? norm(x.address()) : 0;
  report.residuals.push_back(true_residual());
  double last = 1, length = 0;  // of the iteration before: z·r, and how far it went
  while ((bounded || !enough()) && report.iterations() < options.iterations && std::isfinite(report.residuals.back())) {
    stop_if_interrupted("solving the equations");
    const bool first = report.iterations() == 0;
    const void* z = preconditioner.apply(r);
    if (bounded && enough()) report.estimate_error(norm(z), std::max(start, norm(x.address())));
    if (report.error <= options.error && enough()) break;
    const std::vector<double> sums = kernels.dots(r, n, first ? 1 : 2, z, n, twice);
    // z·(r − old r) / (old z·old r), the residuals' difference being −length q.
    kernels.add(1, z, first ? 0 : -length * sums[1] / last, p, n, twice);
    matrix.multiply(kernels, p, q);
    const std::vector<double> along = kernels.dots(r, n, 2, p, n, twice);  // p·r and p·A p
    report.indefinite = !(along[1] > 0);
    if (report.indefinite) break;
    last = sums[0];
    length = along[0] / along[1];
    kernels.add(length, p, 1, x.address(), n, twice);
    kernels.add(-length, q, 1, r, n, twice);
    report.residuals.push_back(relative());
  }
  // What the recurrence says is replaced by what is true; rounding alone makes a difference of them (A. Greenbaum, SIAM
  // J. Matrix Anal. Appl. 18 (1997), 535–551).
  const bool promised = enough() && report.error <= options.error;
  report.residuals.back() = true_residual();
  report.converged = enough() && report.error <= options.error;
  report.stagnated = promised && !report.converged;
  return report;
}

}  // namespace galerna::algebra
