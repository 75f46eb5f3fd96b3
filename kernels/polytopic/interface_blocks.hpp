/// \file
/// Where the products of an interface's modes on matrix units become its two blocks.
#pragma once

#include "kernels/polytopic/moment_point.hpp"

namespace galerna::kernels::polytopic {

/// \param sums for_each(f) calls f(i, j, entry of the block (first, second), what that of (second, first) has beside)
///             for at least the entries of both blocks
template <class Config, class Sums>
void store_interface_blocks(const PolytopicArguments& a, std::int64_t interface, const Sums& sums) {
  const auto modes_of = [&](int side) {
    return modes_of_degree<Config>(a.mesh.degrees[a.mesh.interfaces[interface * 2 + side]]);
  };
  const int rows = modes_of(0), columns = modes_of(1);
  double* upper = static_cast<double*>(a.values) + a.interface_blocks[interface * 2];
  double* lower = static_cast<double*>(a.values) + a.interface_blocks[interface * 2 + 1];
  sums.for_each([&](int i, int j, double both, double flow) {
    if (i >= rows || j >= columns) return;
    upper[i * columns + j] = both;
    lower[j * rows + i] = both + flow;
  });
}

}  // namespace galerna::kernels::polytopic
