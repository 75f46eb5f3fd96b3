#include "steady/constants.hpp"

#include "algebra/fronts.hpp"
#include "base/index.hpp"
#include "base/interruption.hpp"
#include "device/address.hpp"

namespace galerna::steady {
namespace {

constexpr const char* purpose = "preconditioner of Newton's method";

/// That of the matrix, with the variables of an element for unknowns.
algebra::BlockPattern pattern_of_constants(const StateVectors& vectors, const Jacobian& jacobian) {
  algebra::BlockPattern pattern = jacobian.pattern();
  pattern.sizes.assign(pattern.sizes.size(), vectors.variables());
  algebra::set_offsets(pattern);
  return pattern;
}

}  // namespace

std::size_t ConstantsPreconditioner::factor_bytes(const StateVectors& vectors, const Jacobian& jacobian) {
  return algebra::plan_fronts(pattern_of_constants(vectors, jacobian)).factor_bytes;
}

ConstantsPreconditioner::ConstantsPreconditioner(StateVectors& vectors, device::Device& device,
                                                 const Jacobian& jacobian, EliminationPreconditioner& fine)
    : vectors_(vectors), device_(device), jacobian_(jacobian), fine_(fine) {
  matrix_.pattern = pattern_of_constants(vectors, jacobian);
  matrix_.values.resize(at(matrix_.pattern.value_count()));
  const algebra::BlockPattern& fine_pattern = jacobian.pattern();
  std::vector<std::int64_t> first{0};
  for (std::size_t row = 0; row < fine_pattern.row_count(); ++row)
    for (std::int64_t k = fine_pattern.rows[row]; k < fine_pattern.rows[row + 1]; ++k)
      first.push_back(first.back() + std::int64_t{fine_pattern.sizes[row]} * vectors.variables());
  first_column_ = algebra::upload<std::int64_t>(device, first, purpose);
  of_constants_ = device.allocate(at(first.back()) * sizeof(float), purpose);
  blocks_ = device.allocate(matrix_.values.size() * sizeof(double), purpose);
  constants_ = device.allocate(vectors.sizes().size() * at(vectors.variables()) * sizeof(double), purpose);
  for (auto* vector : {&left_, &result_}) *vector = device.allocate(at(vectors.size()) * sizeof(double), purpose);
}

arguments::ConstantsArguments ConstantsPreconditioner::arguments() const {
  return {jacobian_.matrix(),
          vectors_.variables(),
          device::address<std::int64_t>(first_column_),
          device::address<float>(of_constants_),
          device::address<double>(blocks_),
          device::address<double>(constants_),
          shift_,
          nullptr,
          nullptr};
}

void ConstantsPreconditioner::gather() {
  vectors_.with_constants("gather_constants", arguments());
  device_.read(matrix_.values.data(), *blocks_, blocks_->bytes());
  solver_.reset();
}

void ConstantsPreconditioner::factor(double shift) {
  if (solver_ && shift == shift_) return;
  shift_ = shift;
  algebra::BlockMatrix<double> shifted = matrix_;
  const int size = vectors_.variables();
  for (std::size_t row = 0; row < shifted.pattern.row_count(); ++row) {
    const std::int64_t k = algebra::find_block(shifted.pattern, row, static_cast<std::int32_t>(row));
    for (int i = 0; i < size; ++i) shifted.values[at(shifted.pattern.offsets[at(k)] + i * (size + 1))] += shift;
  }
  solver_.reset();
  try {
    solver_ = std::make_unique<algebra::DirectSolver>(std::move(shifted));
  } catch (const Interruption&) {
    throw;
  } catch (const Error&) {
  }
}

const void* ConstantsPreconditioner::apply(const void* r) {
  if (!solver_) return fine_.apply(r);
  arguments::ConstantsArguments a = arguments();
  a.from = static_cast<const double*>(r);
  a.to = device::address<double>(left_);
  vectors_.with_constants("test_constants", a);
  std::vector<double> right(constants_->bytes() / sizeof(double));
  device_.read(right.data(), *constants_, constants_->bytes());
  const std::vector<double> solution = solver_->solve_once(right);
  device_.write(*constants_, solution.data(), constants_->bytes());
  vectors_.with_constants("subtract_constants", a);
  a.from = static_cast<const double*>(fine_.apply(left_->address()));
  a.to = device::address<double>(result_);
  vectors_.with_constants("add_constants", a);
  return result_->address();
}

}  // namespace galerna::steady
