#include "basis/legendre_products.hpp"

#include <cmath>
#include <cstddef>

namespace galerna::basis {
namespace {

using Series = std::vector<double>;  ///< of L_0, L_1, …

/// L_n or, as L_n' = Σ (2k + 1) L_k over k = n − 1, n − 3, …, its derivative.
Series polynomial(int n, bool derivative, std::size_t size) {
  Series series(size, 0);
  if (!derivative) series[static_cast<std::size_t>(n)] = 1;
  if (derivative)
    for (int k = n - 1; k >= 0; k -= 2) series[static_cast<std::size_t>(k)] = 2 * k + 1;
  return series;
}

/// x s, by (2m + 1) x L_m = (m + 1) L_{m+1} + m L_{m−1}; the last term of s is zero.
Series times_x(const Series& s) {
  Series result(s.size(), 0);
  for (std::size_t m = 0; m + 1 < s.size(); ++m) {
    const auto degree = static_cast<double>(m);
    result[m + 1] += s[m] * (degree + 1) / (2 * degree + 1);
    if (m > 0) result[m - 1] += s[m] * degree / (2 * degree + 1);
  }
  return result;
}

/// L_n s, by (n + 1) L_{n+1} = (2n + 1) x L_n − n L_{n−1}.
Series times_legendre(int n, const Series& s) {
  Series below(s.size(), 0), product = s;
  for (int k = 0; k < n; ++k) {
    Series next = times_x(product);
    for (std::size_t m = 0; m < s.size(); ++m) next[m] = ((2 * k + 1) * next[m] - k * below[m]) / (k + 1);
    below = std::move(product);
    product = std::move(next);
  }
  return product;
}

}  // namespace

std::vector<double> legendre_product(int derivatives, int a, int b, int highest) {
  const auto size = static_cast<std::size_t>(2 * highest + 1);
  const Series right = polynomial(b, derivatives >= 1, size + 1);
  Series product(size + 1, 0);
  const Series left = polynomial(a, derivatives == 2, size + 1);
  for (std::size_t n = 0; n < left.size(); ++n) {
    if (left[n] == 0) continue;
    const Series term = times_legendre(static_cast<int>(n), right);
    for (std::size_t m = 0; m < product.size(); ++m) product[m] += left[n] * term[m];
  }
  product.resize(size);
  for (double& c : product) c *= std::sqrt((2.0 * a + 1) * (2.0 * b + 1));
  return product;
}

}  // namespace galerna::basis
