// Searches symmetric quadrature rules with interior points and positive weights on the tetrahedron by elimination of orbits, for
// tools/quadrature/generate_tetrahedron_rules.py, which polishes them:
//
//   c++ -O3 -march=native -std=c++20 -I/usr/include/eigen3 tools/quadrature/search_tetrahedron_rules.cpp -o /tmp/search
//   /tmp/search DEGREE SECONDS SEED
//
// prints each rule that has fewer points than those before it. Logarithms of weights and of barycentric coordinates are the unknowns, so that every
// solution of the moment equations is positive and inside. From a rule with many orbits, which random starts find easily, orbits are taken away, or made
// smaller ones, as long as Levenberg-Marquardt finds a way back to a solution (H. Xiao, Z. Gimbutas, Comput. Math. Appl. 59 (2010) 663, for orbits).
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <vector>

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Random = std::mt19937_64;
using Barycentric = std::array<double, 4>;

constexpr int sizes[] = {1, 4, 6, 12, 24}, unknowns_of_kind[] = {0, 1, 1, 2, 3};
/// Which of an orbit's logarithms each coordinate of its first point has; −1: zero.
constexpr int logarithm_of[5][4] = {{-1, -1, -1, -1}, {0, 0, 0, -1}, {0, 0, -1, -1}, {0, 0, 1, -1}, {0, 1, 2, -1}};

struct Orbit {
  int kind = 0;
  double log_weight = 0;
  std::array<double, 3> logs{};
};
using Rule = std::vector<Orbit>;

Barycentric first_point(const Orbit& orbit) {
  Barycentric at{};
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    const int log = logarithm_of[orbit.kind][i];
    sum += at[i] = log < 0 ? 1 : std::exp(orbit.logs[log]);
  }
  for (double& x : at) x /= sum;
  return at;
}

int points(const Rule& rule) {
  int n = 0;
  for (const Orbit& orbit : rule) n += sizes[orbit.kind];
  return n;
}

int unknowns(const Rule& rule) {
  int n = 0;
  for (const Orbit& orbit : rule) n += 1 + unknowns_of_kind[orbit.kind];
  return n;
}

/// Symmetric polynomials of at most a degree, orthonormal over the tetrahedron, as functions of the elementary symmetric
/// functions e2, e3, e4 of barycentric coordinates.
class Moments {
 public:
  explicit Moments(int degree) {
    for (int a = 0; 2 * a <= degree; ++a)
      for (int b = 0; 2 * a + 3 * b <= degree; ++b)
        for (int c = 0; 2 * a + 3 * b + 4 * c <= degree; ++c) powers_.push_back({a, b, c});
    transform_ = Matrix::Identity(size(), size());
    orthonormalize(degree + 2);
  }
  int size() const { return static_cast<int>(powers_.size()); }
  const Vector& integrals() const { return integrals_; }

  /// Values, and derivatives by the four coordinates, of all polynomials at a point.
  void evaluate(const Barycentric& at, Vector& values, Eigen::Matrix<double, Eigen::Dynamic, 4>& derivatives) const {
    double e2 = 0, e3 = 0, e4 = 1;
    for (int i = 0; i < 4; ++i) {
      e4 *= at[i];
      for (int j = 0; j < i; ++j) e2 += at[i] * at[j];
      e3 += at[(i + 1) % 4] * at[(i + 2) % 4] * at[(i + 3) % 4];
    }
    const double scale[] = {16.0 / 3, 32, 512};
    const std::array<double, 3> x = {e2 * scale[0] - 1, e3 * scale[1] - 1, e4 * scale[2] - 1};
    double t[3][16], d[3][16];
    for (int k = 0; k < 3; ++k) {
      t[k][0] = 1, t[k][1] = x[k], d[k][0] = 0, d[k][1] = 1;
      for (int n = 2; n < 16; ++n) {
        t[k][n] = 2 * x[k] * t[k][n - 1] - t[k][n - 2];
        d[k][n] = 2 * t[k][n - 1] + 2 * x[k] * d[k][n - 1] - d[k][n - 2];
      }
    }
    Matrix raw(size(), 5);
    for (int m = 0; m < size(); ++m) {
      const auto& p = powers_[m];
      const double a = t[0][p[0]], b = t[1][p[1]], c = t[2][p[2]];
      const double da = d[0][p[0]] * scale[0] * b * c, db = a * d[1][p[1]] * scale[1] * c,
                   dc = a * b * d[2][p[2]] * scale[2];
      raw(m, 0) = a * b * c;
      for (int i = 0; i < 4; ++i) {
        const double d2 = 1 - at[i], d3 = e2 - at[i] * d2, d4 = e3 - at[i] * d3;
        raw(m, i + 1) = da * d2 + db * d3 + dc * d4;
      }
    }
    const Matrix all = transform_ * raw;
    values = all.col(0);
    derivatives = all.rightCols<4>();
  }

 private:
  /// With a collapsed rule of n³ Gauss points, all of whose weights are positive.
  void orthonormalize(int n) {
    const auto [x, w] = gauss(n);
    Matrix weighted(n * n * n, size());
    Vector roots(n * n * n), values;
    Eigen::Matrix<double, Eigen::Dynamic, 4> unused;
    int q = 0;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i, ++q) {
          const double t = x[k], s = x[j] * (1 - t), r = x[i] * (1 - s - t);
          evaluate({1 - r - s - t, r, s, t}, values, unused);
          roots[q] = std::sqrt(w[i] * w[j] * w[k] * (1 - x[j]) * (1 - t) * (1 - t));
          weighted.row(q) = roots[q] * values.transpose();
        }
    const Eigen::HouseholderQR<Matrix> qr(weighted);
    const Matrix r = qr.matrixQR().topRows(size()).triangularView<Eigen::Upper>();
    transform_ = r.transpose().inverse();
    integrals_ = transform_ * (weighted.transpose() * roots);
  }
  static std::pair<Vector, Vector> gauss(int n) {
    Matrix jacobi = Matrix::Zero(n, n);
    for (int k = 1; k < n; ++k) jacobi(k, k - 1) = jacobi(k - 1, k) = k / std::sqrt(4.0 * k * k - 1);
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(jacobi);
    const Vector first = solver.eigenvectors().row(0).transpose();
    return {(solver.eigenvalues().array() + 1) / 2, first.array().square()};
  }

  std::vector<std::array<int, 3>> powers_;
  Matrix transform_;
  Vector integrals_;
};

/// Errors of the moments, and their derivatives by log weights and logarithms, orbit by orbit.
Vector residual(const Moments& moments, const Rule& rule, Matrix* jacobian = nullptr) {
  Vector f = -moments.integrals(), values;
  Eigen::Matrix<double, Eigen::Dynamic, 4> slopes;
  if (jacobian) jacobian->resize(moments.size(), unknowns(rule));
  int column = 0;
  for (const Orbit& orbit : rule) {
    const Barycentric at = first_point(orbit);
    moments.evaluate(at, values, slopes);
    const double weight = sizes[orbit.kind] * std::exp(orbit.log_weight);
    f += weight * values;
    if (!jacobian) continue;
    jacobian->col(column++) = weight * values;
    for (int u = 0; u < unknowns_of_kind[orbit.kind]; ++u) {
      double share = 0;
      for (int i = 0; i < 4; ++i) share += logarithm_of[orbit.kind][i] == u ? at[i] : 0;
      Eigen::Vector4d change;
      for (int i = 0; i < 4; ++i) change[i] = at[i] * ((logarithm_of[orbit.kind][i] == u ? 1 : 0) - share);
      jacobian->col(column++) = weight * (slopes * change);
    }
  }
  return f;
}

Rule moved(Rule rule, const Vector& by) {
  int k = 0;
  for (Orbit& orbit : rule) {
    orbit.log_weight += by[k++];
    for (int u = 0; u < unknowns_of_kind[orbit.kind]; ++u) orbit.logs[u] += by[k++];
  }
  return rule;
}

bool is_well_inside(const Rule& rule) {
  for (const Orbit& orbit : rule) {
    const Barycentric at = first_point(orbit);
    if (std::exp(orbit.log_weight) < 1e-7 || *std::min_element(at.begin(), at.end()) < 2e-4) return false;
  }
  return true;
}

/// Levenberg–Marquardt; nothing if that leads nowhere.
std::optional<Rule> solve(const Moments& moments, Rule rule, int iterations) {
  double total = 0;
  for (const Orbit& orbit : rule) total += sizes[orbit.kind] * std::exp(orbit.log_weight);
  for (Orbit& orbit : rule) orbit.log_weight -= std::log(6 * total);
  Matrix jacobian;
  Vector f = residual(moments, rule, &jacobian);
  double squares = f.squaredNorm(), damping = 1e-2, grow = 2, then = squares;
  for (int iteration = 1; iteration <= iterations && squares > 1e-23; ++iteration) {
    Matrix normal = jacobian.transpose() * jacobian;
    const double largest = normal.diagonal().maxCoeff();
    normal.diagonal().array() += damping * normal.diagonal().array().max(1e-12 * largest) + 1e-18 * largest;
    Vector step = -normal.llt().solve(jacobian.transpose() * f);
    if (!step.allFinite()) return {};
    step /= std::max(1.0, 3 * step.lpNorm<Eigen::Infinity>());
    const Rule next = moved(rule, step);
    const double squares_next = residual(moments, next).squaredNorm();
    if (squares_next < squares) {
      const double gain = (squares - squares_next) / std::max(squares - (f + jacobian * step).squaredNorm(), 1e-300);
      damping = std::max(damping * std::max(0.2, 1 - std::pow(2 * gain - 1, 3)), 1e-15);
      grow = 2;
      rule = next;
      f = residual(moments, rule, &jacobian);
      squares = squares_next;
    } else {
      damping *= grow;
      grow *= 2;
      if (damping > 1e12) return {};
    }
    if (iteration % 20 == 0) {
      if (iteration >= 60 && squares > 0.5 * then) return {};
      then = squares;
    }
    for (const Orbit& orbit : rule)
      for (double log : orbit.logs)
        if (std::abs(log) > 12) return {};
  }
  if (squares > 1e-22 || !is_well_inside(rule)) return {};
  return rule;
}

Orbit random_orbit(int kind, Random& random) {
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  Orbit orbit{kind, std::log(uniform(0.3, 1.5)), {}};
  std::array<double, 4> share;
  for (double& s : share) s = std::max(0.003, std::exponential_distribution<double>(1)(random));
  for (int u = 0; u < unknowns_of_kind[kind]; ++u) orbit.logs[u] = std::log(share[u] / share[3]);
  return orbit;
}

std::optional<Rule> random_rule(const Moments& moments, Random& random) {
  const auto integer = [&](int a, int b) { return std::uniform_int_distribution<int>(a, b)(random); };
  Rule rule;
  if (integer(0, 1)) rule.push_back(random_orbit(0, random));
  for (int k = integer(1, 5); k > 0; --k) rule.push_back(random_orbit(1, random));
  for (int k = integer(0, 3); k > 0; --k) rule.push_back(random_orbit(2, random));
  const int wanted = 3 * moments.size() / 2 + integer(0, 6);
  while (unknowns(rule) < wanted) rule.push_back(random_orbit(integer(0, 2) ? 3 : 4, random));
  return solve(moments, rule, 300);
}

/// Smaller orbits near the given one.
std::vector<Orbit> smaller(const Orbit& orbit) {
  Barycentric at = first_point(orbit);
  const double w = orbit.log_weight;
  if (orbit.kind == 1) return {{0, w + std::log(4), {}}};
  if (orbit.kind == 3)
    return {{2, w + std::log(2), {std::log(2 * at[0] / (at[2] + at[3])), 0, 0}},
            {1, w + std::log(3), {std::log((2 * at[0] + at[2]) / 3 / at[3]), 0, 0}},
            {1, w + std::log(3), {std::log((2 * at[0] + at[3]) / 3 / at[2]), 0, 0}}};
  if (orbit.kind != 4) return {};
  std::sort(at.begin(), at.end());
  std::vector<Orbit> result;
  for (int i = 0; i < 3; ++i) {
    const double one = at[(i + 2) % 4], other = at[i == 1 ? 0 : (i + 3) % 4];
    const double pair = (at[i] + at[i + 1]) / 2;
    result.push_back({3, w + std::log(2), {std::log(pair / other), std::log((i == 1 ? at[3] : one) / other), 0}});
  }
  return result;
}

/// All rules with an orbit less or made smaller.
std::vector<Rule> reduced(const Rule& rule) {
  std::vector<Rule> result;
  const bool has_centre = std::any_of(rule.begin(), rule.end(), [](const Orbit& o) { return o.kind == 0; });
  for (std::size_t k = 0; k < rule.size(); ++k) {
    Rule rest = rule;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    result.push_back(rest);
    for (const Orbit& orbit : smaller(rule[k])) {
      if (orbit.kind == 0 && has_centre) continue;
      result.push_back(rest);
      result.back().push_back(orbit);
    }
  }
  return result;
}

/// Takes orbits away until nothing works any more.
Rule eliminate(const Moments& moments, Rule rule, Random& random) {
  for (;;) {
    std::vector<std::pair<double, Rule>> tries;
    for (Rule& candidate : reduced(rule)) {
      if (unknowns(candidate) + 1 < moments.size()) continue;
      const double error = std::log(residual(moments, candidate).squaredNorm());
      tries.emplace_back(error + std::normal_distribution<double>(0, 1)(random), std::move(candidate));
    }
    std::sort(tries.begin(), tries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    bool found = false;
    for (std::size_t k = 0; k < tries.size() && k < 25 && !found; ++k)
      if (auto solved = solve(moments, tries[k].second, 200)) {
        rule = *solved;
        found = true;
      }
    if (!found) return rule;
  }
}

void print(int degree, Rule rule) {
  std::stable_sort(rule.begin(), rule.end(), [](const Orbit& a, const Orbit& b) { return a.kind < b.kind; });
  std::printf("degree %d points %d\n", degree, points(rule));
  for (const Orbit& orbit : rule) {
    const Barycentric at = first_point(orbit);
    std::printf("%d %.17g %.17g %.17g %.17g %.17g\n", sizes[orbit.kind], std::exp(orbit.log_weight), at[0], at[1], at[2], at[3]);
  }
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return std::puts("usage: search DEGREE SECONDS SEED"), 2;
  const int degree = std::atoi(words[1]);
  Random random(static_cast<unsigned>(std::atoi(words[3])));
  const Moments moments(degree);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(words[2]));
  int least = 1 << 30;
  while (std::chrono::steady_clock::now() < end) {
    const auto start = random_rule(moments, random);
    if (!start) continue;
    const Rule rule = eliminate(moments, *start, random);
    if (points(rule) < least) print(degree, rule);
    least = std::min(least, points(rule));
  }
}
