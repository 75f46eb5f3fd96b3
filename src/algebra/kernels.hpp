/// \file
/// Linear algebra on a device: what its kernels (kernels/algebra) do, as calls. Vectors are given by their addresses on
/// the device. Calls return without waiting unless they return numbers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/launcher.hpp"
#include "device/program.hpp"
#include "kernels/algebra/arguments.hpp"

namespace galerna::algebra {

namespace arguments = kernels::algebra;
using device::Precision;

/// The program of all kernels, for a kind of device. \param lanes of it (Device::lanes)
device::ProgramSource program(device::Kind kind, int double_lanes, int single_lanes);

class Kernels {
 public:
  explicit Kernels(device::Device& device);

  device::Device& device() const { return launcher_.device(); }

  /// y = A x, or y = b − A x where `right_hand_side` is given. \param precision of values and vectors
  void product(const arguments::ProductArguments& product, Precision precision);
  void dense_product(const arguments::DenseArguments& product);
  void smooth(const arguments::SmoothArguments& step);
  /// What kernels/algebra/scaling.hpp does.
  void factor(const arguments::FactorArguments& blocks);
  void scale(const arguments::ScaleArguments& matrix);
  void scale_transfer(const arguments::ScaleTransferArguments& transfer);
  void enter(const arguments::ChangeArguments& change);
  void leave(const arguments::ChangeArguments& change);
  void prolongate(const arguments::TransferArguments& transfer);
  void restrict_residual(const arguments::TransferArguments& transfer);

  /// y ← a x + b y
  void add(double a, const void* x, double b, void* y, std::int64_t size, Precision precision);
  void to_single(const void* x, void* y, std::int64_t size);
  void to_double(const void* x, void* y, std::int64_t size);
  /// Numbers that look random, in single precision.
  void scatter(void* y, std::int64_t size);
  /// [vector] its product with `other`, of vectors `stride` numbers apart.
  std::vector<double> dots(const void* vectors, std::int64_t stride, int count, const void* other, std::int64_t size,
                           Precision precision);
  double dot(const void* x, const void* y, std::int64_t size, Precision precision = Precision::double_precision);
  /// y ← y + Σ_j factors[j] · vector j
  void combine(const void* vectors, std::int64_t stride, std::span<const double> factors, void* y, std::int64_t size,
               Precision precision);

 private:
  /// \param threads of a GPU; \param items of the CPU
  template <class Arguments>
  void launch(const std::string& entry, std::int64_t threads, std::int64_t items, const Arguments& a);
  template <class Arguments>
  void launch_by_unknowns(const std::string& entry, const arguments::Rows& rows, const Arguments& a);
  template <class Arguments>
  void launch_by_numbers(const std::string& entry, std::int64_t size, const Arguments& a);
  template <class Arguments>
  void launch_by_rows(const std::string& entry, const arguments::Rows& rows, const Arguments& a);
  /// Memory for at least so many numbers that is used again and again.
  void* scratch(std::unique_ptr<device::Memory>& memory, std::size_t numbers);

  device::Launcher launcher_;
  std::unique_ptr<device::Memory> partials_, factors_;
};

/// Memory on the device with the numbers in it.
template <class T>
std::unique_ptr<device::Memory> upload(device::Device& device, std::span<const T> numbers, const std::string& purpose) {
  auto memory = device.allocate(numbers.size_bytes(), purpose);
  device.write(*memory, numbers.data(), numbers.size_bytes());
  return memory;
}

/// The numbers that are in the memory of a device.
template <class T>
std::vector<T> download(device::Device& device, device::Memory& memory) {
  std::vector<T> numbers(memory.bytes() / sizeof(T));
  device.read(numbers.data(), memory, numbers.size() * sizeof(T));
  return numbers;
}

}  // namespace galerna::algebra
