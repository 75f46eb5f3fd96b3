#include "polytopic/expansion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "base/index.hpp"
#include "basis/legendre_products.hpp"
#include "kernels/polytopic/coefficients.hpp"
#include "kernels/polytopic/expansion.hpp"

namespace galerna::polytopic {
namespace {

using kernels::polytopic::Expansion;
using Mode = std::array<std::uint8_t, 4>;
using Sum = std::map<int, double>;  ///< factors by moments

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
  std::array<Sum, Expansion::kinds> sums;

  std::size_t length() const {
    return std::accumulate(sums.begin(), sums.end(), std::size_t{0},
                           [](std::size_t all, const Sum& sum) { return all + sum.size(); });
  }
};

std::vector<Pair> sorted_pairs(const basis::BoxSpace& space, int degree) {
  const Pairs pairs(space, degree);
  std::vector<Pair> all;
  for (int i = 0; i < pairs.modes(); ++i)
    for (int j = 0; j <= i; ++j) {
      Pair& pair = all.emplace_back(Pair{i, j, {}});
      for (int kind = 0; kind < Expansion::kinds; ++kind)
        pair.sums[at(kind)] = pairs.sum(static_cast<Expansion::Kind>(kind), i, j);
    }
  std::stable_sort(all.begin(), all.end(), [](const Pair& a, const Pair& b) { return a.length() > b.length(); });
  return all;
}

}  // namespace

ExpansionTables make_expansion(const basis::BoxSpace& space, int degree) {
  constexpr std::size_t width = kernels::polytopic::expansion_slice;
  const std::vector<Pair> pairs = sorted_pairs(space, degree);
  const std::size_t slices = (pairs.size() + width - 1) / width;
  ExpansionTables tables;
  tables.pairs.assign(slices * width * 2, -1);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    tables.pairs[2 * k] = static_cast<short>(pairs[k].i);
    tables.pairs[2 * k + 1] = static_cast<short>(pairs[k].j);
  }
  std::size_t row = 0;
  for (std::size_t kind = 0; kind < Expansion::kinds; ++kind) {
    tables.rows.push_back(static_cast<std::int32_t>(row));
    for (std::size_t slice = 0; slice < slices; ++slice) {
      const std::size_t first = slice * width, last = std::min(first + width, pairs.size());
      std::size_t length = 0;
      for (std::size_t k = first; k < last; ++k) length = std::max(length, pairs[k].sums[kind].size());
      tables.factors.resize((row + length) * width, 0);
      tables.moments.resize((row + length) * width, 0);
      for (std::size_t k = first; k < last; ++k) {
        std::size_t place = row * width + k - first;
        for (const auto& [moment, factor] : pairs[k].sums[kind]) {
          tables.moments[place] = static_cast<unsigned short>(moment);
          tables.factors[place] = factor;
          place += width;
        }
      }
      row += length;
      tables.rows.push_back(static_cast<std::int32_t>(row));
    }
  }
  return tables;
}

}  // namespace galerna::polytopic
