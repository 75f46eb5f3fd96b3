#include "algebra/multigrid_level.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/index.hpp"
#include "device/address.hpp"

namespace galerna::algebra {
namespace {

constexpr Precision once = Precision::single_precision;
constexpr const char* transfers = "transfers between levels";

/// The matrix with all of its entries.
Eigen::MatrixXd full(const BlockPattern& pattern, const std::vector<float>& values) {
  const std::vector<std::int64_t> first = first_unknowns(pattern.sizes);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(first.back(), first.back());
  for (std::size_t i = 0; i < pattern.row_count(); ++i)
    for (std::int64_t k = pattern.rows[i]; k < pattern.rows[i + 1]; ++k) {
      const auto column = at(pattern.columns[at(k)]);
      const float* value = values.data() + pattern.offsets[at(k)];
      for (int r = 0; r < pattern.sizes[i]; ++r)
        for (int c = 0; c < pattern.sizes[column]; ++c) result(first[i] + r, first[column] + c) = *value++;
    }
  return result;
}

/// [coarse row + 1] where its fine rows begin in the list, and that list.
struct Children {
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> rows;
};

Children children_of(const std::vector<std::int32_t>& parents, std::size_t coarse_rows) {
  Children result{std::vector<std::int64_t>(coarse_rows + 1, 0), std::vector<std::int32_t>(parents.size())};
  for (const std::int32_t parent : parents) ++result.first[at(parent) + 1];
  for (std::size_t row = 0; row < coarse_rows; ++row) result.first[row + 1] += result.first[row];
  std::vector<std::int64_t> free(result.first.begin(), result.first.end() - 1);
  for (std::size_t row = 0; row < parents.size(); ++row)
    result.rows[at(free[at(parents[row])]++)] = static_cast<std::int32_t>(row);
  return result;
}

}  // namespace

MultigridLevel::MultigridLevel(Kernels& kernels, const GridLevel& level, const MultigridLevel* next, int smoothing)
    : kernels_(kernels), pattern_(level.matrix.pattern), smoothing_(level.smoothing > 0 ? level.smoothing : smoothing) {
  for (auto* vector : {&right_hand_side_, &solution_, &work_, &direction_})
    *vector = allocate(unknowns(), "vectors of the levels");
  if (next) make_transfer(level.from_coarser, *next);
}

void MultigridLevel::set_matrix(const DeviceMatrix& matrix, const MultigridLevel* next) {
  values_.reset();  // before there are others
  scaling_.emplace(kernels_, matrix);
  values_ = scaling_->scale(matrix);
  estimate_eigenvalue();
  if (next) scale_transfer(*next);
}

std::unique_ptr<device::Memory> MultigridLevel::allocate(std::int64_t numbers, const std::string& purpose) {
  return kernels_.device().allocate(at(numbers) * sizeof(float), purpose);
}

void MultigridLevel::make_transfer(const Transfer& transfer, const MultigridLevel& next) {
  device::Device& device = kernels_.device();
  const std::vector<int>&fine = pattern_->sizes(), &coarse = next.pattern_->sizes();
  const Children children = children_of(transfer.parents, coarse.size());
  std::vector<std::int64_t> offsets{0};
  for (std::size_t row = 0; row < fine.size(); ++row)
    offsets.push_back(offsets.back() + std::int64_t{fine[row]} * coarse[at(transfer.parents[row])]);
  parents_ = upload<std::int32_t>(device, transfer.parents, transfers);
  first_children_ = upload<std::int64_t>(device, children.first, transfers);
  children_ = upload<std::int32_t>(device, children.rows, transfers);
  transfer_offsets_ = upload<std::int64_t>(device, offsets, transfers);
  there_ = allocate(offsets.back(), transfers);
  back_ = allocate(offsets.back(), transfers);
  transfer_values_ = upload<double>(device, transfer.values, transfers);
}

void MultigridLevel::scale_transfer(const MultigridLevel& next) {
  device::Device& device = kernels_.device();
  const auto scratch = device.allocate(transfer_values_->bytes(), transfers);
  kernels_.scale_transfer({scaling_->arguments(), next.scaling_->arguments(), device::address<std::int32_t>(parents_),
                           device::address<std::int64_t>(transfer_offsets_), device::address<double>(transfer_values_),
                           device::address<float>(there_), device::address<float>(back_),
                           device::address<double>(scratch)});
  device.synchronize();  // before the scratch memory goes
}

/// The largest eigenvalue of the scaled matrix by ten steps of Arnoldi's method, which finds those at the ends of the
/// spectrum first, from below, and asks for no symmetry; the skew-symmetric part is estimated by the way.
void MultigridLevel::estimate_eigenvalue() {
  eigenvalue_ = skewness_ = 0;
  const std::int64_t n = unknowns();
  const int steps = static_cast<int>(std::min<std::int64_t>(10, n));
  const auto basis = allocate((steps + 1) * n, "eigenvalues of the smoother");
  const auto vector = [&](int j) { return device::address<float>(basis) + j * n; };
  const auto set_length_one = [&](int j) {
    const double length = std::sqrt(kernels_.dot(vector(j), vector(j), n, once));
    if (length > 0) kernels_.add(1 / length, vector(j), 0, vector(j), n, once);
    return length;
  };
  kernels_.scatter(vector(0), n);
  set_length_one(0);
  Eigen::MatrixXd projected = Eigen::MatrixXd::Zero(steps + 1, steps);
  int found = 0;
  for (int j = 0; j < steps; ++j) {
    kernels_.product(product(vector(j), vector(j + 1), nullptr), once);
    std::vector<double> sums = kernels_.dots(vector(0), n, j + 1, vector(j + 1), n, once);
    for (int i = 0; i <= j; ++i) {
      projected(i, j) = sums[at(i)];
      sums[at(i)] = -sums[at(i)];
    }
    kernels_.combine(vector(0), n, sums, vector(j + 1), n, once);
    found = j + 1;
    projected(j + 1, j) = set_length_one(j + 1);
    if (!(projected(j + 1, j) > 1e-5 * projected(0, 0))) break;  // the whole space is found
  }
  const Eigen::MatrixXd square = projected.topLeftCorner(found, found);
  if (!square.allFinite()) return;
  eigenvalue_ = square.eigenvalues().cwiseAbs().maxCoeff();
  skewness_ = (0.5 * (square - square.transpose())).operatorNorm();
}

void MultigridLevel::invert_matrix(std::span<const double> kernel) {
  device::Device& device = kernels_.device();
  Eigen::MatrixXd matrix = full(pattern_->on_host(device), download<float>(device, *values_));
  if (!kernel.empty()) {
    // Multiples of the kernel are mapped to themselves, so that there is an inverse.
    const std::vector<double> scaled = scaling_->scaled_solution(kernel);
    const Eigen::Map<const Eigen::VectorXd> k(scaled.data(), static_cast<Eigen::Index>(scaled.size()));
    matrix += k * k.transpose() / k.squaredNorm();
  }
  using ByRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const ByRows inverse = device.stores() ? ByRows(matrix.inverse().cast<float>()) : ByRows(matrix.cast<float>());
  inverse_ =
      upload<float>(device, {inverse.data(), static_cast<std::size_t>(inverse.size())}, "inverse of the last level");
}

arguments::ProductArguments MultigridLevel::product(const float* x, float* y, const float* right_hand_side) const {
  arguments::ProductArguments product = pattern_->product();
  product.values = values_->address();
  product.right_hand_side = right_hand_side;
  product.x = x;
  product.y = y;
  return product;
}

void MultigridLevel::smooth(bool from_zero) {
  for (int step = 0; step < smoothing_; ++step) {
    const auto [old, fresh] = factors_of(step);
    kernels_.smooth({product(solution(), device::address<float>(work_), right_hand_side()),
                     device::address<float>(direction_), static_cast<float>(old), static_cast<float>(fresh), step == 0,
                     step == 0 && from_zero});
    std::swap(solution_, work_);
  }
}

std::pair<double, double> MultigridLevel::factors_of(int step) const {
  constexpr double skew = 0.3, damping = 0.8, safety = 1.1;  // Arnoldi's estimates are from below
  if (skewness_ > skew) return {0, damping};
  // Lottes' recurrence for Chebyshev polynomials of the fourth kind.
  return {(2.0 * step - 1) / (2.0 * step + 3), (8.0 * step + 4) / (2.0 * step + 3) / (safety * eigenvalue_)};
}

void MultigridLevel::restrict_to(MultigridLevel& next) {
  kernels_.product(product(solution(), device::address<float>(work_), right_hand_side()), once);
  kernels_.restrict_residual(
      transfer(next, device::address<float>(back_), device::address<float>(work_), next.right_hand_side()));
}

void MultigridLevel::prolongate_from(const MultigridLevel& next) {
  kernels_.prolongate(transfer(next, device::address<float>(there_), next.solution(), solution()));
}

arguments::TransferArguments MultigridLevel::transfer(const MultigridLevel& next, const float* values,
                                                      const float* from, float* to) const {
  return {pattern_->rows().arguments(),
          next.pattern_->rows().arguments(),
          device::address<std::int32_t>(parents_),
          device::address<std::int64_t>(first_children_),
          device::address<std::int32_t>(children_),
          device::address<std::int64_t>(transfer_offsets_),
          values,
          from,
          to};
}

void MultigridLevel::solve() {
  kernels_.dense_product({device::address<float>(inverse_), right_hand_side(), solution(), unknowns()});
}

}  // namespace galerna::algebra
