#include "algebra/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace galerna::algebra {
namespace {

std::int64_t chunks(std::int64_t size) {
  return (size + arguments::chunk - 1) / arguments::chunk;
}

/// "NAME_double" or "NAME_single"
std::string typed(const char* name, Precision precision) {
  return fmt::format("{}_{}", name, precision == Precision::double_precision ? "double" : "single");
}

}  // namespace

Kernels::Kernels(device::Device& device) : launcher_(device) {
  launcher_.load(
      program(device.kind(), device.lanes(Precision::double_precision), device.lanes(Precision::single_precision)));
}

template <class Arguments>
void Kernels::launch(const std::string& entry, std::int64_t threads, std::int64_t items, const Arguments& a) {
  const bool host = device().kind() == device::Kind::host;
  launcher_.launch(entry, {host ? items : threads, arguments::group}, a);
}

template <class Arguments>
void Kernels::launch_by_unknowns(const std::string& entry, const arguments::Rows& rows, const Arguments& a) {
  launch(entry, rows.unknowns, rows.count, a);
}

/// Rows that warps share.
template <class Arguments>
void Kernels::launch_by_rows(const std::string& entry, const arguments::Rows& rows, const Arguments& a) {
  launch(entry, rows.count * arguments::warp_threads, rows.count, a);
}

template <class Arguments>
void Kernels::launch_by_numbers(const std::string& entry, std::int64_t size, const Arguments& a) {
  launch(entry, size, chunks(size), a);
}

void* Kernels::scratch(std::unique_ptr<device::Memory>& memory, std::size_t numbers) {
  if (!memory || memory->bytes() < numbers * sizeof(double)) {
    memory.reset();
    memory = device().allocate(numbers * sizeof(double), "sums of the solver");
  }
  return memory->address();
}

void Kernels::product(const arguments::ProductArguments& product, Precision precision) {
  launch(typed("product", precision), product.rows.unknowns * arguments::product_threads, product.rows.count, product);
}

void Kernels::dense_product(const arguments::DenseArguments& product) {
  launch("dense_product", product.size * arguments::warp_threads, product.size, product);
}

void Kernels::smooth(const arguments::SmoothArguments& step) {
  const arguments::Rows& rows = step.product.rows;
  launch("smooth", rows.unknowns * arguments::product_threads, rows.count, step);
}

void Kernels::factor(const arguments::FactorArguments& blocks) {
  launch_by_rows("factor", blocks.factors.rows, blocks);
}

void Kernels::scale(const arguments::ScaleArguments& matrix) {
  launch_by_rows("scale", matrix.factors.rows, matrix);
}

void Kernels::scale_transfer(const arguments::ScaleTransferArguments& transfer) {
  launch_by_rows("scale_transfer", transfer.fine.rows, transfer);
}

void Kernels::enter(const arguments::ChangeArguments& change) {
  launch_by_unknowns("enter", change.factors.rows, change);
}

void Kernels::leave(const arguments::ChangeArguments& change) {
  launch_by_unknowns("leave", change.factors.rows, change);
}

void Kernels::prolongate(const arguments::TransferArguments& transfer) {
  launch_by_unknowns("prolongate", transfer.fine, transfer);
}

void Kernels::restrict_residual(const arguments::TransferArguments& transfer) {
  launch_by_unknowns("restrict_residual", transfer.coarse, transfer);
}

void Kernels::add(double a, const void* x, double b, void* y, std::int64_t size, Precision precision) {
  launch_by_numbers(typed("add", precision), size, arguments::VectorArguments{x, y, a, b, size});
}

void Kernels::to_single(const void* x, void* y, std::int64_t size) {
  launch_by_numbers("to_single", size, arguments::VectorArguments{x, y, 1, 0, size});
}

void Kernels::to_double(const void* x, void* y, std::int64_t size) {
  launch_by_numbers("to_double", size, arguments::VectorArguments{x, y, 1, 0, size});
}

void Kernels::scatter(void* y, std::int64_t size) {
  launch_by_numbers("scatter", size, arguments::VectorArguments{nullptr, y, 0, 0, size});
}

std::vector<double> Kernels::dots(const void* vectors, std::int64_t stride, int count, const void* other,
                                  std::int64_t size, Precision precision) {
  const std::int64_t tasks = count * chunks(size);
  auto* partials = static_cast<double*>(scratch(partials_, static_cast<std::size_t>(tasks)));
  const arguments::DotArguments a{vectors, stride, count, other, size, partials};
  launch(typed("dots", precision), tasks * arguments::group, tasks, a);
  std::vector<double> sums(static_cast<std::size_t>(tasks)), result(static_cast<std::size_t>(count), 0);
  device().read(sums.data(), *partials_, sums.size() * sizeof(double));
  for (std::size_t task = 0; task < sums.size(); ++task)
    result[task / static_cast<std::size_t>(chunks(size))] += sums[task];
  return result;
}

double Kernels::dot(const void* x, const void* y, std::int64_t size, Precision precision) {
  return dots(x, size, 1, y, size, precision)[0];
}

void Kernels::combine(const void* vectors, std::int64_t stride, std::span<const double> factors, void* y,
                      std::int64_t size, Precision precision) {
  auto* on_device = static_cast<double*>(scratch(factors_, std::max<std::size_t>(factors.size(), 256)));
  device().write(*factors_, factors.data(), factors.size_bytes());
  launch_by_numbers(typed("combine", precision), size,
                    arguments::CombineArguments{vectors, stride, static_cast<int>(factors.size()), on_device, y, size});
}

}  // namespace galerna::algebra
