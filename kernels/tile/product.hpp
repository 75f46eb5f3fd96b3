/// \file
/// Products of small matrices on the fp64 matrix units of a GPU (mma.m16n8k4, compute capability 9.0 and later), by one
/// warp for 8 elements.
///
/// Rows of the left operand and of the result are (element, variable): thread (g, t) of the warp, g = lane / 4, t =
/// lane % 4, holds numbers of element g, all variables of it, two in each product of 16 rows. A Left block has 4
/// columns, of which the thread holds column t; a Result block has 8, of which it holds 2t and 2t + 1. So a result
/// whose columns are points becomes a left operand without moving a number: its columns 2t are one block of 4, its
/// columns 2t + 1 another, and the rows of the right operand are sorted to match (tile/columns.hpp, dg/tiles.hpp).
#pragma once

#include "kernels/array.hpp"
#include "kernels/tile/columns.hpp"
#include "kernels/tile/instructions.hpp"

namespace galerna::kernels {

/// Variables in pairs, the last one padded if their number is odd.
template <int variables>
constexpr int pair_count() {
  return (variables + 1) / 2;
}

/// [pair][2]: one column of the left operand.
template <int pairs>
using LeftBlock = Array<Array<double, 2>, pairs>;

/// [column 2t, 2t + 1][pair][2]
template <int pairs>
using ResultBlock = Array<Array<Array<double, 2>, pairs>, 2>;

template <int pairs>
ResultBlock<pairs> zero_block() {
  ResultBlock<pairs> block;
  for (int column = 0; column < 2; ++column)
    for (int pair = 0; pair < pairs; ++pair) block[column][pair][0] = block[column][pair][1] = 0;
  return block;
}

/// result += left · right. \param right the thread's number of the right operand's block of 4 × 8: row t, column g.
template <int pairs>
void multiply_add(ResultBlock<pairs>& result, const LeftBlock<pairs>& left, double right) {
#pragma unroll
  for (int pair = 0; pair < pairs; ++pair)
    matrix_multiply_add(result[0][pair][0], result[1][pair][0], result[0][pair][1], result[1][pair][1], left[pair][0],
                        left[pair][1], right);
}

/// The operators in shared memory, one number of each fragment for a thread.
class Fragments {
 public:
  Fragments(const double* operators, unsigned thread) : operators_(operators + thread % 32) {}
  double operator()(int index) const { return operators_[index * 32]; }

 private:
  const double* operators_;
};

}  // namespace galerna::kernels
