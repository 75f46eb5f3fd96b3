/// \file
/// What the host hands to the kernels of Newton's method (src/steady/state_vectors.hpp). States lie as
/// kernels/state.hpp says; vectors have the coefficients [element][variable][mode] of all sets one behind the other,
/// without padding, each variable in units of its scale. All numbers are in double precision, but for those
/// of matrices.
#pragma once

#include "kernels/algebra/arguments.hpp"
#include "kernels/arguments.hpp"
#include "kernels/rank_arguments.hpp"

namespace galerna::kernels::steady {

/// Threads of a GPU's thread block that share a row of blocks in an elimination, and in solutions at most.
constexpr int elimination_threads = 512;

/// Where the numbers of a set of elements stand.
struct SetNumbers {
  std::int64_t in_states, in_vectors;  ///< the first one
  std::int64_t first_element;          ///< in the mesh
  std::int64_t elements, padded;       ///< padded: elements in states
  int lanes, variables, modes;
  int by_variables;               ///< whether states are [block][variable][mode][lane], as on the CPU, not
                                  ///< [block][mode][lane][variable]
  double scales[most_variables];  ///< [variable]
};

/// to ← from + factor · direction, a vector.
struct AddArguments {
  SetNumbers set;
  const double* from;
  double* to;
  const double* direction;
  double factor;
};

/// A vector of a state.
struct GatherArguments {
  SetNumbers set;
  const double* from;
  double* to;
};

/// What a linearized operator does: to ← shift · direction − factor · (changed − base), or, with a right-hand side,
/// that minus this. `changed` and `base` are states, all others vectors.
struct DifferenceArguments {
  SetNumbers set;
  const double *changed, *base, *direction, *right_hand_side;
  double* to;
  double shift, factor;
};

/// to ← from, but for coefficient `column` of the elements of a colour, which is larger by step · its scale.
struct ColumnArguments {
  SetNumbers set;
  const double* from;
  double* to;
  const std::int32_t* colours;  ///< [element]
  int colour, column;
  double step;
};

/// Column `column` of the blocks of a matrix: block (K, P) of every element K beside an element P of the colour, or of
/// that colour itself, gets −(changed − base)/step.
struct CollectArguments {
  SetNumbers set;
  const double *changed, *base;
  float* values;                ///< of the matrix
  const std::int64_t* targets;  ///< [element] first value of the block, or −1
  const std::int32_t* widths;   ///< [element] columns of that block
  int column;
  double step;
};

/// Of dense blocks, in block CSR.
struct Matrix {
  algebra::Rows rows;
  const std::int64_t* begins;   ///< [row + 1] its blocks
  const std::int32_t* columns;  ///< [block]
  const std::int64_t* offsets;  ///< [block] first value
  const float* values;
};

/// What the incomplete elimination of a matrix keeps. Rows are eliminated level after level; those of a level are not
/// coupled.
struct EliminationArguments : Matrix {
  const std::int32_t* sequence;  ///< rows in the order of elimination
  const std::int32_t* places;    ///< [row] in that order
  const std::int64_t* squares;   ///< [row] where its inverse begins
  float* inverses;               ///< of what elimination makes of the diagonal blocks
};

/// Of the matrix with `shift` more on its diagonal, for a level.
struct FactorRowsArguments {
  EliminationArguments elimination;
  std::int64_t begin, count;  ///< of the level's rows in the sequence
  double shift;
  double* scratch;       ///< [worker][2][largest²]
  int* pivots;           ///< [worker][largest]
  std::int64_t workers;  ///< each takes every workers-th row
  int largest;           ///< rows of a block
};

/// A row that another one is coupled to.
struct CoupledRow {
  std::int64_t values;  ///< first one of their block
  std::int64_t first;   ///< of its unknowns
  int size;             ///< how many they are
};

/// A row of a solution on GPUs.
struct RowOfSolution {
  std::int64_t first;    ///< of its unknowns
  std::int64_t inverse;  ///< first value
  std::int64_t coupled;  ///< rows that it is coupled to: those before it, then those after it
  int size, before, after;
};

/// GPU: solves for all rows.
struct SolveArguments {
  const RowOfSolution* sequence;  ///< in the order of elimination
  const CoupledRow* coupled;
  const float *values, *inverses;
  std::int64_t rows;
  int largest;                              ///< unknowns of a row
  unsigned count;                           ///< of solutions, this one among them
  int fetches;                              ///< whether the cache holds what all rows at work read
  const double* right;                      ///< right-hand side
  CountedNumber<float>*forward, *backward;  ///< [unknown] y and x
  double* x;
};

/// CPU: solves for the rows of a level.
struct SweepArguments {
  EliminationArguments elimination;
  std::int64_t begin;  ///< of the level's rows in the sequence
  float* x;
  float* work;
};

/// What a matrix does with constants in elements.
struct ConstantsArguments : Matrix {
  int variables;
  const std::int64_t* first_column;  ///< [block] where its columns that belong to constants begin
  float* of_constants;               ///< those columns: [block][number of the row][variable]
  double* matrix;                    ///< [block][variable][variable] of constants tested with constants
  double* constants;                 ///< [row][variable]
  double shift;                      ///< more on the diagonal
  const double* from;
  double* to;
};

}  // namespace galerna::kernels::steady
