/// \file
/// How moments of a polytope are numbered and how teams of a GPU that sum them are made up, known to the host, too.
#pragma once

#include "kernels/polytopic/team.hpp"

namespace galerna::kernels::polytopic {

/// Where the moments with degree n in the second direction begin, those of the first direction one behind the other,
/// total degree ≤ highest.
constexpr int moment_row(int highest, int n) {
  return n * (highest + 1) - n * (n - 1) / 2;
}

/// The same of degree o in the third.
constexpr int moment_plane(int highest, int o) {
  return total_degree_modes(3, highest) - total_degree_modes(3, highest - o);
}

struct MomentSizes {
  int dimension, degree;
  bool moves;  ///< whether there is a velocity

  constexpr int modes() const { return total_degree_modes(dimension, degree); }
  constexpr int highest() const { return 2 * degree; }
  /// Moments of a function.
  constexpr int count() const { return total_degree_modes(dimension, highest()); }
  /// Products of polynomials of the directions behind the first.
  constexpr int rest() const { return dimension == 2 ? highest() + 1 : total_degree_modes(2, highest()); }
  constexpr int tensor() const { return dimension * (dimension + 1) / 2; }

  // Functions of a volume: a, f, c and, if there is one, b. Where there are too many for eight columns, in space, a and
  // f, of which fewer moments are needed, have eight of their own.
  constexpr bool apart() const { return dimension == 3 && moves; }
  constexpr int reaction() const { return apart() ? 8 : tensor() + 1; }
  constexpr int volume_fields() const { return reaction() + 1 + (moves ? dimension : 0); }
  /// Of facets: c0, r0, −c1 a n, r1 a n (PointTerms).
  constexpr int facet_fields() const { return 2 + 2 * dimension; }
  constexpr int fields() const { return volume_fields() > facet_fields() ? volume_fields() : facet_fields(); }

  constexpr int threads() const { return moment_threads(dimension, modes()); }
  constexpr int teams() const { return moment_teams(dimension); }
  /// From a moment to the next, with that of all teams side by side; they write theirs to different banks.
  constexpr int columns() const { return teams() == 1 ? 1 : teams() + 1; }
  /// From a function at a batch of points to the next; lanes that read four points of eight moments meet different
  /// banks.
  static constexpr int stride_of(int points) { return points + 4; }
  constexpr int batch_bytes(int points) const { return (highest() + 1 + rest() + fields()) * stride_of(points) * 8; }
  /// Points evaluated together, as many as shared memory has room for in eight groups.
  constexpr int batch() const { return threads() >= 64 && batch_bytes(64) <= 28 * 1024 ? 64 : 32; }
  /// Numbers of blocks of the matrix that are put together in shared memory: those of several teams, of which a lane
  /// has a part each. A team that is alone has its block in the matrix at once.
  constexpr int staged() const { return teams() > 1 ? teams() * modes() * modes() : 1; }
  /// Shared memory of a group: batches, then moments and blocks.
  constexpr int bytes() const {
    const int batches = teams() * batch_bytes(batch()), sums = (fields() * count() * columns() + staged()) * 8;
    return batches > sums ? batches : sums;
  }
};

}  // namespace galerna::kernels::polytopic
