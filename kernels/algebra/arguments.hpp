/// \file
/// What the host hands to the kernels of linear algebra with dense blocks (src/algebra/kernels.hpp). Pointers are to
/// device memory; `void` arrays are of the entry's floating-point type.
///
/// An item is, on the GPU, a thread, of which several may share a number of the result; on the CPU a block row or a
/// chunk of a vector. Sums are added up in an order that depends on neither the number of threads nor who computes.
#pragma once

#include "kernels/lane.hpp"

namespace galerna::kernels::algebra {

constexpr int group = 128;          ///< Threads in a thread block.
constexpr int product_threads = 8;  ///< That share a number of a product.
constexpr int warp_threads = 32;    ///< That share a row of a dense matrix, or a block that is inverted.
constexpr int chunk = 4096;         ///< Numbers of a vector that are added up together; of an item on the CPU.

/// Rows of dense blocks. Row i has the unknowns first[i] … first[i + 1] − 1.
struct Rows {
  const std::int64_t* first;   ///< [row + 1]
  const std::int32_t* row_of;  ///< [unknown]
  std::int64_t count, unknowns;
};

/// y = A x, or with a right-hand side y = b − A x, for values in block CSR.
struct ProductArguments {
  Rows rows;
  const std::int64_t* begins;   ///< [row + 1] its blocks
  const std::int32_t* columns;  ///< [block]
  const std::int64_t* offsets;  ///< [block] first value
  int column_threads;           ///< GPU: of those that share a number, how many share a block
  const void* values;
  const void* right_hand_side;  ///< null for y = A x
  const void* x;
  void* y;
};

/// Triangular factors of the diagonal blocks, D = L U with equal diagonals, and their inverses: of each row a square
/// with what belongs to L below the diagonal, what belongs to U above, and the diagonal of both.
struct Factors {
  Rows rows;
  const std::int64_t* offsets;  ///< [row] of its square
  double* factors;
  double* inverses;
};

struct FactorArguments {
  Factors factors;
  const std::int64_t* begins;
  const std::int32_t* columns;
  const std::int64_t* offsets;
  const double* values;
};

/// The matrix' blocks, scaled by the factors of their row and column.
struct ScaleArguments {
  Factors factors;
  const std::int64_t* begins;
  const std::int32_t* columns;
  const std::int64_t* offsets;
  const double* values;
  float* scaled;
  double* scratch;  ///< [row] `scratch_size` numbers for each of its unknowns
  int scratch_size;
};

/// One step of a smoother: d ← old d + fresh (b − A x), y = x + d.
struct SmoothArguments {
  ProductArguments product;  ///< of x and y, which are different, and b
  float* direction;
  float old, fresh;
  int begins;     ///< whether d is zero before, whatever is in memory
  int from_zero;  ///< whether x is
};

/// From coarse rows to fine ones by a block for each fine row, and back by the transpose of another one.
struct TransferArguments {
  Rows fine, coarse;
  const std::int32_t* parents;         ///< [fine row] coarse row
  const std::int64_t* first_children;  ///< [coarse row + 1]
  const std::int32_t* children;        ///< fine rows
  const std::int64_t* offsets;         ///< [fine row] of its block, sizes fine × coarse, by rows
  const float* values;                 ///< there, or of the transposes back
  const float* from;
  float* to;  ///< prolongation adds to it, restriction sets it
};

/// Blocks of a transfer between matrices that are scaled.
struct ScaleTransferArguments {
  Factors fine, coarse;
  const std::int32_t* parents;
  const std::int64_t* offsets;
  const double* values;
  float *there, *back;
  double* scratch;  ///< as large as `values`
};

/// Between vectors of the matrix and those of the scaled one.
struct ChangeArguments {
  Factors factors;
  const void* from;
  void* to;
};

/// y = A x with all entries of A, by rows.
struct DenseArguments {
  const float* matrix;
  const float* x;
  float* y;
  std::int64_t size;
};

/// y ← a x + b y; with b = 0 whatever is in y before.
struct VectorArguments {
  const void* x;
  void* y;
  double a, b;
  std::int64_t size;
};

/// Sums of products of `count` vectors, one every `stride` numbers, with another one: partials[vector][chunk].
struct DotArguments {
  const void* vectors;
  std::int64_t stride;
  int count;
  const void* other;
  std::int64_t size;
  double* partials;
};

/// y ← y + Σ_j factors[j] · vector j.
struct CombineArguments {
  const void* vectors;
  std::int64_t stride;
  int count;
  const double* factors;
  void* y;
  std::int64_t size;
};

}  // namespace galerna::kernels::algebra
