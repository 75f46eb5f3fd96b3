#include "algebra/scaling.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "device/address.hpp"

namespace galerna::algebra {
namespace {

constexpr const char* purpose = "factors of diagonal blocks";

/// [row + 1] where the square of a row begins.
std::vector<std::int64_t> squares(std::span<const int> sizes) {
  std::vector<std::int64_t> offsets{0};
  for (const int size : sizes) offsets.push_back(offsets.back() + std::int64_t{size} * size);
  return offsets;
}

}  // namespace

Scaling::Scaling(Kernels& kernels, const DeviceMatrix& matrix) : kernels_(kernels), pattern_(matrix.pattern) {
  device::Device& device = kernels.device();
  const std::vector<std::int64_t> offsets = squares(pattern_->sizes());
  offsets_ = upload<std::int64_t>(device, offsets, purpose);
  factors_ = device.allocate(at(offsets.back()) * sizeof(double), purpose);
  inverses_ = device.allocate(at(offsets.back()) * sizeof(double), purpose);
  const arguments::ProductArguments product = pattern_->product();
  kernels.factor({arguments(), product.begins, product.columns, product.offsets,
                  static_cast<const double*>(matrix.values->address())});
}

arguments::Factors Scaling::arguments() const {
  return {pattern_->rows().arguments(), device::address<std::int64_t>(offsets_), device::address<double>(factors_),
          device::address<double>(inverses_)};
}

std::unique_ptr<device::Memory> Scaling::scale(const DeviceMatrix& matrix) const {
  device::Device& device = kernels_.device();
  const std::vector<int>& sizes = pattern_->sizes();
  const int largest = *std::max_element(sizes.begin(), sizes.end());
  auto scaled = device.allocate(at(pattern_->value_count()) * sizeof(float), "matrices of the smoother");
  const auto scratch = device.allocate(at(pattern_->unknowns() * largest) * sizeof(double), purpose);
  const arguments::ProductArguments product = pattern_->product();
  kernels_.scale({arguments(), product.begins, product.columns, product.offsets,
                  static_cast<const double*>(matrix.values->address()), device::address<float>(scaled),
                  device::address<double>(scratch), largest});
  device.synchronize();
  return scaled;
}

void Scaling::enter(const void* residual, void* scaled) const {
  kernels_.enter({arguments(), residual, scaled});
}

void Scaling::leave(const void* scaled, void* solution) const {
  kernels_.leave({arguments(), scaled, solution});
}

std::vector<double> Scaling::scaled_solution(std::span<const double> solution) const {
  const std::vector<double> factors = download<double>(kernels_.device(), *factors_);
  std::vector<double> result;
  std::size_t square = 0;
  for (const int size : pattern_->sizes()) {
    const std::size_t first = result.size(), n = at(size);
    for (std::size_t r = 0; r < n; ++r) {
      result.push_back(0);
      for (std::size_t s = r; s < n; ++s) result.back() += factors[square + r * n + s] * solution[first + s];
    }
    square += n * n;
  }
  return result;
}

}  // namespace galerna::algebra
