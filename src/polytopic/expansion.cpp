#include "polytopic/expansion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/index.hpp"
#include "basis/legendre_products.hpp"
#include "kernels/polytopic/coefficients.hpp"
#include "kernels/polytopic/moment_sizes.hpp"

namespace galerna::polytopic {
namespace {

using kernels::polytopic::Expansion;
using Mode = std::array<std::uint8_t, 4>;
using Sum = std::map<int, double>;  ///< factors by moments

constexpr std::size_t lanes = 32, term_pairs = 32, tile_pairs = 16;  ///< of a warp, and of a piece

/// The series Σ c_m L_m of products of two factors in one direction, or of their derivatives.
class Factors {
 public:
  explicit Factors(int degree) : degree_(degree) {
    for (int kind = 0; kind < 3; ++kind)
      for (int a = 0; a <= degree; ++a)
        for (int b = 0; b <= degree; ++b) series_.push_back(basis::legendre_product(kind, a, b, degree));
  }

  /// Of P_a P_b, of P_a' P_b, P_a P_b', or of P_a' P_b'.
  const std::vector<double>& product(bool derivative_of_a, int a, bool derivative_of_b, int b) const {
    if (derivative_of_a && !derivative_of_b) return at_(1, b, a);
    return at_(derivative_of_a ? 2 : derivative_of_b ? 1 : 0, a, b);
  }

 private:
  const std::vector<double>& at_(int kind, int a, int b) const {
    return series_[at((kind * (degree_ + 1) + a) * (degree_ + 1) + b)];
  }

  int degree_;
  std::vector<std::vector<double>> series_;
};

class Pairs {
 public:
  Pairs(const basis::BoxSpace& space, int degree)
      : d_(space.dimension), degree_(degree), modes_(basis::box_modes(space, degree)), factors_(degree) {}

  Sum sum(Expansion::Kind kind, int i, int j) const {
    Sum sum;
    const Mode &left = modes_[at(i)], &right = modes_[at(j)];
    switch (kind) {
      case Expansion::gradients:
        for (int k = 0; k < d_; ++k)
          for (int l = 0; l < d_; ++l) add(sum, kernels::polytopic::symmetric_entry(d_, k, l), left, k, right, l);
        break;
      case Expansion::values:
        add(sum, 0, left, none, right, none);
        break;
      case Expansion::derivatives:
        for (int k = 0; k < d_; ++k) add(sum, k, left, none, right, k);
        break;
      case Expansion::swapped_derivatives:
        for (int k = 0; k < d_; ++k) add(sum, k, left, k, right, none);
        break;
      case Expansion::both_derivatives:
        for (int k = 0; k < d_; ++k) {
          add(sum, k, left, none, right, k);
          add(sum, k, left, k, right, none);
        }
        break;
    }
    // What is zero but for rounding.
    std::erase_if(sum, [](const auto& term) { return std::abs(term.second) < 1e-11; });
    return sum;
  }

  int modes() const { return static_cast<int>(modes_.size()); }
  std::array<int, 3> degrees(int i, int j) const {
    std::array<int, 3> sum{};
    for (std::size_t k = 0; k < at(d_); ++k) sum[k] = modes_[at(i)][k] + modes_[at(j)][k];
    return sum;
  }

 private:
  static constexpr int none = -1;  ///< no derivative

  /// ∫ w ∂_k left ∂_l right, w the component of that number.
  void add(Sum& sum, int component, const Mode& left, int k, const Mode& right, int l) const {
    std::array<const std::vector<double>*, 3> series{};
    for (int direction = 0; direction < d_; ++direction)
      series[at(direction)] =
          &factors_.product(k == direction, left[at(direction)], l == direction, right[at(direction)]);
    const int highest = 2 * degree_, last = d_ == 3 ? highest : 0;
    for (int o = 0; o <= last; ++o)
      for (int n = 0; n <= highest - o; ++n)
        for (int m = 0; m <= highest - o - n; ++m) {
          const double factor = (*series[0])[at(m)] * (*series[1])[at(n)] * (d_ == 3 ? (*series[2])[at(o)] : 1.0);
          if (factor != 0) sum[component * moments() + moment(m, n, o)] += factor;
        }
  }
  int moment(int m, int n, int o) const {
    const int highest = 2 * degree_;
    return kernels::polytopic::moment_plane(highest, o) + kernels::polytopic::moment_row(highest - o, n) + m;
  }
  int moments() const { return kernels::polytopic::total_degree_modes(d_, 2 * degree_); }

  int d_, degree_;
  std::vector<Mode> modes_;
  Factors factors_;
};

struct Pair {
  int i, j;
  std::array<int, 3> degrees;  ///< of both modes together in each direction
  std::array<Sum, Expansion::kinds> sums;

  std::size_t length() const {
    return std::accumulate(sums.begin(), sums.end(), std::size_t{0},
                           [](std::size_t all, const Sum& sum) { return all + sum.size(); });
  }
  /// Products have moments of these parities only, or of others according to derivatives.
  std::array<int, 3> parities() const { return {degrees[0] % 2, degrees[1] % 2, degrees[2] % 2}; }
};
using Piece = std::vector<Pair>;

std::vector<Pair> all_pairs(const basis::BoxSpace& space, int degree) {
  const Pairs pairs(space, degree);
  std::vector<Pair> all;
  for (int i = 0; i < pairs.modes(); ++i)
    for (int j = 0; j <= i; ++j) {
      Pair& pair = all.emplace_back(Pair{i, j, pairs.degrees(i, j), {}});
      for (int kind = 0; kind < Expansion::kinds; ++kind)
        pair.sums[at(kind)] = pairs.sum(static_cast<Expansion::Kind>(kind), i, j);
    }
  return all;
}

/// Of so many pairs and, in tiles, of equal parities: they have many moments in common.
void append_pieces(std::vector<Piece>& pieces, std::vector<Pair> pairs, bool tiles) {
  if (tiles)
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
      return std::pair(a.parities(), a.degrees) < std::pair(b.parities(), b.degrees);
    });
  else
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.length() > b.length(); });
  const std::size_t most = tiles ? tile_pairs : term_pairs;
  bool begins = true;
  for (Pair& pair : pairs) {
    if (!begins)
      begins = pieces.back().size() == most || (tiles && pieces.back().front().parities() != pair.parities());
    if (begins) pieces.emplace_back();
    begins = false;
    pieces.back().push_back(std::move(pair));
  }
}

/// A term of each pair a row.
void append_terms(ExpansionTables& tables, const Piece& piece, int kind) {
  std::size_t length = 0, row = tables.factors.size() / lanes;
  for (const Pair& pair : piece) length = std::max(length, pair.sums[at(kind)].size());
  tables.factors.resize((row + length) * lanes, 0);
  tables.moments.resize((row + length) * lanes, 0);
  for (std::size_t k = 0; k < piece.size(); ++k) {
    std::size_t place = row * lanes + k;
    for (const auto& [moment, factor] : piece[k].sums[at(kind)]) {
      tables.moments[place] = static_cast<unsigned short>(moment);
      tables.factors[place] = factor;
      place += lanes;
    }
  }
}

/// Four moments a row, of all that any pair has; behind the last one it stands again.
void append_tiles(ExpansionTables& tables, const Piece& piece, int kind) {
  std::set<int> all;
  for (const Pair& pair : piece)
    for (const auto& [moment, factor] : pair.sums[at(kind)]) all.insert(moment);
  std::vector<int> moments(all.begin(), all.end());
  const std::size_t used = moments.size();
  while (moments.size() % 4 != 0) moments.push_back(moments.back());
  const auto factor_of = [&](std::size_t k, std::size_t moment) {
    if (k >= piece.size() || moment >= used) return 0.0;
    const Sum& sum = piece[k].sums[at(kind)];
    const auto found = sum.find(moments[moment]);
    return found == sum.end() ? 0.0 : found->second;
  };
  for (std::size_t first = 0; first < moments.size(); first += 4) {
    for (std::size_t t = 0; t < 4; ++t) tables.moments.push_back(static_cast<unsigned short>(moments[first + t]));
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t half = 0; half < 2; ++half)
        tables.factors.push_back(factor_of(lane / 4 + 8 * half, first + lane % 4));
  }
}

}  // namespace

ExpansionTables make_expansion(const basis::BoxSpace& space, int degree, bool tiles) {
  const std::vector<Pair> pairs = all_pairs(space, degree);
  std::vector<Pair> first;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(first), [](const Pair& pair) { return pair.j == 0; });
  std::vector<Piece> pieces;
  append_pieces(pieces, pairs, tiles);
  ExpansionTables tables;
  tables.matrix_pieces = static_cast<int>(pieces.size());
  append_pieces(pieces, first, tiles);
  tables.pieces = static_cast<int>(pieces.size());
  const std::size_t width = tiles ? tile_pairs : term_pairs;
  tables.pairs.assign(pieces.size() * width, {-1, -1});
  for (std::size_t p = 0; p < pieces.size(); ++p)
    for (std::size_t k = 0; k < pieces[p].size(); ++k)
      tables.pairs[p * width + k] = {static_cast<short>(pieces[p][k].i), static_cast<short>(pieces[p][k].j)};
  const std::size_t row_factors = tiles ? 2 * lanes : lanes;
  const auto end_of_rows = [&] {
    tables.rows.push_back(static_cast<std::int32_t>(tables.factors.size() / row_factors));
  };
  for (const Piece& piece : pieces) {
    end_of_rows();
    for (int kind = 0; kind < Expansion::kinds; ++kind) {
      (tiles ? append_tiles : append_terms)(tables, piece, kind);
      end_of_rows();
    }
  }
  return tables;
}

}  // namespace galerna::polytopic
