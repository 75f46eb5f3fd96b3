/// \file
/// Products of small matrices on the fp64 matrix units of a GPU (mma.m16n8k4 and m8n8k4, compute capability 9.0 and
/// later), by one warp for 8 elements.
///
/// Rows of the left operand and of the result are (element, variable): thread (g, t) of the warp, g = lane / 4, t =
/// lane % 4, holds numbers of element g, all variables of it, two in each product of 16 rows and the last of an odd
/// number in one of 8. A Left block has 4 columns, of which the thread holds column t; a Result block has 8, of which
/// it holds 2t and 2t + 1. So a result whose columns are points becomes a left operand without moving a number: its
/// columns 2t are one block of 4, its columns 2t + 1 another, and the rows of the right operand are sorted to match
/// (tile/columns.hpp, dg/tiles.hpp).
#pragma once

#include "kernels/array.hpp"
#include "kernels/tile/columns.hpp"
#include "kernels/tile/instructions.hpp"

namespace galerna::kernels {

/// One column of the left operand: a number of each variable.
template <int variables>
using LeftBlock = Array<double, variables>;

/// [column 2t, 2t + 1][variable]
template <int variables>
using ResultBlock = Array<Array<double, variables>, 2>;

template <int variables>
ResultBlock<variables> zero_block() {
  ResultBlock<variables> block;
  for (int column = 0; column < 2; ++column)
    for (int v = 0; v < variables; ++v) block[column][v] = 0;
  return block;
}

/// result += left · right. \param right the thread's number of the right operand's block of 4 × 8: row t, column g.
template <int variables>
void multiply_add(ResultBlock<variables>& result, const LeftBlock<variables>& left, double right) {
#pragma unroll
  for (int v = 0; v + 1 < variables; v += 2)
    matrix_multiply_add(result[0][v], result[1][v], result[0][v + 1], result[1][v + 1], left[v], left[v + 1], right);
  if constexpr (constexpr int last = variables - 1; variables % 2 == 1)
    matrix_multiply_add(result[0][last], result[1][last], left[last], right);
}

/// The same numbers of another type.
template <class To, class From, int n>
Array<To, n> converted(const Array<From, n>& numbers) {
  Array<To, n> result;
#pragma unroll
  for (int k = 0; k < n; ++k) result[k] = To(numbers[k]);
  return result;
}

/// The operators in shared memory, one number of each fragment for a thread.
class Fragments {
 public:
  Fragments(const double* operators, unsigned thread) : operators_(operators + thread % 32) {}
  double operator()(int index) const { return operators_[index * 32]; }
  /// Fragment k of the operator that begins at `first`.
  double operator()(int first, int k) const { return (*this)(first + k); }

 private:
  const double* operators_;
};

}  // namespace galerna::kernels
