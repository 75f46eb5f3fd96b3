#include "algebra/multigrid_level.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace galerna::algebra {
namespace {

constexpr Precision once = Precision::single_precision;
constexpr const char* transfers = "transfers between levels";

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

template <class T>
T* address(const std::unique_ptr<device::Memory>& memory) {
  return static_cast<T*>(memory->address());
}

/// The matrix with all of its entries.
Eigen::MatrixXd full(const BlockPattern& pattern, const std::vector<double>& values) {
  const std::vector<std::int64_t> first = first_unknowns(pattern.sizes);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(first.back(), first.back());
  for (std::size_t i = 0; i < pattern.row_count(); ++i)
    for (std::int64_t k = pattern.rows[i]; k < pattern.rows[i + 1]; ++k) {
      const auto column = at(pattern.columns[at(k)]);
      const double* value = values.data() + pattern.offsets[at(k)];
      for (int r = 0; r < pattern.sizes[i]; ++r)
        for (int c = 0; c < pattern.sizes[column]; ++c) result(first[i] + r, first[column] + c) = *value++;
    }
  return result;
}

/// [row + 1] where n(row)² numbers begin.
template <class Size>
std::vector<std::int64_t> offsets_of(std::size_t rows, const Size& size) {
  std::vector<std::int64_t> offsets{0};
  for (std::size_t row = 0; row < rows; ++row) offsets.push_back(offsets.back() + size(row));
  return offsets;
}

}  // namespace

Multigrid::Level::Level(Kernels& kernels, const MultigridLevel& level, const Level* next)
    : kernels_(kernels), pattern_(level.matrix.pattern) {
  const std::int64_t entries = pattern_->on_host().value_count(), n = unknowns();
  values_ = allocate(entries, "matrices of the smoother");
  kernels_.to_single(level.matrix.values->address(), values_->address(), entries);
  for (auto* vector : {&right_hand_side_, &solution_, &residual_, &direction_})
    *vector = allocate(n, "vectors of the levels");
  make_inverses(level);
  estimate_eigenvalue();
  if (next) make_transfer(level.from_coarser, *next);
}

std::unique_ptr<device::Memory> Multigrid::Level::allocate(std::int64_t numbers, const std::string& purpose) {
  return kernels_.device().allocate(at(numbers) * sizeof(float), purpose);
}

void Multigrid::Level::make_inverses(const MultigridLevel& level) {
  device::Device& device = kernels_.device();
  const BlockPattern& pattern = pattern_->on_host();
  const std::vector<std::int64_t> offsets = offsets_of(
      pattern.row_count(), [&](std::size_t row) { return std::int64_t{pattern.sizes[row]} * pattern.sizes[row]; });
  std::vector<std::int64_t> diagonals;
  for (std::size_t row = 0; row < pattern.row_count(); ++row)
    diagonals.push_back(pattern.offsets[at(find_block(pattern, row, static_cast<std::int32_t>(row)))]);
  const auto on_device = upload<std::int64_t>(device, diagonals, "diagonal blocks");
  const auto scratch = device.allocate(at(offsets.back()) * sizeof(double), "diagonal blocks");
  inverse_offsets_ = upload<std::int64_t>(device, offsets, "inverses of diagonal blocks");
  inverses_ = allocate(offsets.back(), "inverses of diagonal blocks");
  kernels_.invert({pattern_->rows().arguments(), address<std::int64_t>(on_device),
                   address<std::int64_t>(inverse_offsets_), static_cast<const double*>(level.matrix.values->address()),
                   address<double>(scratch), address<float>(inverses_)});
  device.synchronize();  // before the scratch memory goes
}

void Multigrid::Level::make_transfer(const Transfer& transfer, const Level& next) {
  device::Device& device = kernels_.device();
  const std::vector<int>&fine = pattern_->on_host().sizes, &coarse = next.pattern_->on_host().sizes;
  std::vector<std::int64_t> first(coarse.size() + 1, 0);
  for (const std::int32_t parent : transfer.parents) ++first[at(parent) + 1];
  for (std::size_t row = 0; row < coarse.size(); ++row) first[row + 1] += first[row];
  std::vector<std::int32_t> children(fine.size());
  std::vector<std::int64_t> free(first.begin(), first.end() - 1);
  for (std::size_t row = 0; row < fine.size(); ++row)
    children[at(free[at(transfer.parents[row])]++)] = static_cast<std::int32_t>(row);
  const std::vector<std::int64_t> offsets = offsets_of(
      fine.size(), [&](std::size_t row) { return std::int64_t{fine[row]} * coarse[at(transfer.parents[row])]; });
  const std::vector<float> values(transfer.values.begin(), transfer.values.end());
  parents_ = upload<std::int32_t>(device, transfer.parents, transfers);
  first_children_ = upload<std::int64_t>(device, first, transfers);
  children_ = upload<std::int32_t>(device, children, transfers);
  transfer_offsets_ = upload<std::int64_t>(device, offsets, transfers);
  transfer_values_ = upload<float>(device, values, transfers);
}

/// The largest eigenvalue of D⁻¹A by ten steps of Arnoldi's method, which finds those at the ends of the spectrum
/// first, from below, and asks for no symmetry.
void Multigrid::Level::estimate_eigenvalue() {
  const std::int64_t n = unknowns();
  const int steps = static_cast<int>(std::min<std::int64_t>(10, n));
  const auto basis = allocate((steps + 1) * n, "eigenvalues of the smoother");
  const auto vector = [&](int j) { return address<float>(basis) + j * n; };
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
    multiply(vector(j), residual_->address(), nullptr);
    smoothing_step(0, residual_->address(), vector(j + 1), 4.0 / 3, true);  // D⁻¹ times it
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
  if (square.allFinite()) eigenvalue_ = square.eigenvalues().cwiseAbs().maxCoeff();
}

void Multigrid::Level::invert_matrix(const MultigridLevel& level, std::span<const double> kernel) {
  device::Device& device = kernels_.device();
  Eigen::MatrixXd matrix = full(pattern_->on_host(), download<double>(device, *level.matrix.values));
  if (!kernel.empty()) {
    // Multiples of the kernel are mapped to themselves times the mean of the diagonal, so that there is an inverse.
    const Eigen::Map<const Eigen::VectorXd> k(kernel.data(), static_cast<Eigen::Index>(kernel.size()));
    matrix += matrix.trace() / static_cast<double>(matrix.rows()) * k * k.transpose() / k.squaredNorm();
  }
  using ByRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const ByRows inverse = device.stores() ? ByRows(matrix.inverse().cast<float>()) : ByRows(matrix.cast<float>());
  inverse_ =
      upload<float>(device, {inverse.data(), static_cast<std::size_t>(inverse.size())}, "inverse of the last level");
}

void Multigrid::Level::multiply(const void* x, void* y, const void* right_hand_side) {
  arguments::ProductArguments product = pattern_->product();
  product.values = values_->address();
  product.right_hand_side = right_hand_side;
  product.x = x;
  product.y = y;
  kernels_.product(product, once);
}

/// Lottes' recurrence for Chebyshev polynomials of the fourth kind.
void Multigrid::Level::smoothing_step(int step, const void* residual, void* x, double largest_eigenvalue,
                                      bool from_zero) {
  const double old = (2.0 * step - 1) / (2.0 * step + 3), fresh = (8.0 * step + 4) / (2.0 * step + 3);
  kernels_.smooth({pattern_->rows().arguments(), address<std::int64_t>(inverse_offsets_), address<float>(inverses_),
                   static_cast<const float*>(residual), address<float>(direction_), static_cast<float*>(x),
                   static_cast<float>(old), static_cast<float>(fresh / largest_eigenvalue), step == 0, from_zero});
}

void Multigrid::Level::smooth(int steps, bool from_zero) {
  constexpr double safety = 1.1;  // Arnoldi's estimate is from below
  for (int step = 0; step < steps; ++step) {
    const bool zero = step == 0 && from_zero;
    if (!zero) multiply(solution(), residual_->address(), right_hand_side());
    smoothing_step(step, zero ? right_hand_side() : residual_->address(), solution(), safety * eigenvalue_, zero);
  }
}

void Multigrid::Level::restrict_to(Level& next) {
  multiply(solution(), residual_->address(), right_hand_side());
  arguments::TransferArguments transfer = transfer_arguments(next);
  transfer.from = address<float>(residual_);
  transfer.to = address<float>(next.right_hand_side_);
  kernels_.restrict_residual(transfer);
}

void Multigrid::Level::prolongate_from(const Level& next) {
  arguments::TransferArguments transfer = transfer_arguments(next);
  transfer.from = address<float>(next.solution_);
  transfer.to = address<float>(solution_);
  kernels_.prolongate(transfer);
}

arguments::TransferArguments Multigrid::Level::transfer_arguments(const Level& next) const {
  return {pattern_->rows().arguments(),
          next.pattern_->rows().arguments(),
          address<std::int32_t>(parents_),
          address<std::int64_t>(first_children_),
          address<std::int32_t>(children_),
          address<std::int64_t>(transfer_offsets_),
          address<float>(transfer_values_),
          nullptr,
          nullptr};
}

void Multigrid::Level::solve() {
  kernels_.dense_product(
      {address<float>(inverse_), address<float>(right_hand_side_), address<float>(solution_), unknowns()});
}

}  // namespace galerna::algebra
