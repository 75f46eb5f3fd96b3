/// \file
/// Which blocks the matrix has, and where they are: each polytope's own, and two for each interface.
#pragma once

#include "kernels/polytopic/arguments.hpp"

namespace galerna::kernels::polytopic {

struct PatternArguments {
  PolytopicMesh mesh;
  std::int64_t count;  ///< of the launch's items
  std::int64_t polytopes;
  int modes[8];                    ///< [degree]
  std::int64_t* rows;              ///< [polytope + 1]
  std::int32_t* columns;           ///< [block]
  std::int64_t* offsets;           ///< [block + 1]
  std::int64_t* diagonal_blocks;   ///< [polytope + 1] as of PolytopicArguments; at first the values of the row
  std::int64_t* interface_blocks;  ///< [interface][2] as of PolytopicArguments

  int modes_of(std::int64_t polytope) const { return modes[mesh.degrees[polytope]]; }
};

/// f(other) for the polytopes that share an interface with this one, by increasing number: so lie the interfaces of its
/// own facets, those of one of them together, and those on the boundary behind.
template <class F>
void for_each_neighbour(const PolytopicMesh& mesh, std::int64_t polytope, const F& f) {
  std::int32_t last = -1;
  for (std::int64_t k = mesh.first_own_facets[polytope]; k < mesh.first_own_facets[polytope + 1]; ++k) {
    const std::int32_t other = mesh.facet_polytopes[mesh.own_facets[k] ^ 1];
    if (other < 0) return;
    if (other != last) f(other);
    last = other;
  }
}

/// How many blocks and values row `item` has; none behind the last one.
inline void count_blocks(const PatternArguments& a, std::int64_t item) {
  if (item >= a.count) return;
  std::int64_t blocks = 0, values = 0;
  if (item < a.polytopes) {
    const int n = a.modes_of(item);
    blocks = 1;
    values = n * n;
    for_each_neighbour(a.mesh, item, [&](std::int32_t other) {
      ++blocks;
      values += n * a.modes_of(other);
    });
  }
  a.rows[item] = blocks;
  a.diagonal_blocks[item] = values;
}

/// The blocks of row `item`, from the first of them and the first of its values on.
inline void fill_row(const PatternArguments& a, std::int64_t item) {
  if (item >= a.count) return;
  const int n = a.modes_of(item);
  std::int64_t block = a.rows[item], offset = a.diagonal_blocks[item];
  const auto add = [&](std::int32_t column) {
    a.columns[block] = column;
    a.offsets[block++] = offset;
    offset += n * a.modes_of(column);
  };
  bool below = true;
  const auto add_own = [&] {
    a.diagonal_blocks[item] = offset;
    add(std::int32_t(item));
    below = false;
  };
  for_each_neighbour(a.mesh, item, [&](std::int32_t other) {
    if (below && other > item) add_own();
    add(other);
  });
  if (below) add_own();
  if (item + 1 == a.polytopes) a.offsets[block] = offset;
}

/// Finds both blocks of interface `item`.
inline void find_interface_blocks(const PatternArguments& a, std::int64_t item) {
  if (item >= a.count) return;
  for (int side = 0; side < 2; ++side) {
    const std::int32_t row = a.mesh.interfaces[2 * item + side], column = a.mesh.interfaces[2 * item + 1 - side];
    const std::int64_t begin = a.rows[row];
    const std::int64_t block = begin + last_not_above(a.columns + begin, a.rows[row + 1] - begin, column);
    a.interface_blocks[2 * item + side] = a.offsets[block];
  }
}

}  // namespace galerna::kernels::polytopic
