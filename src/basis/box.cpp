#include "basis/box.hpp"

#include <algorithm>
#include <cmath>

namespace galerna::basis {
namespace {

using Degrees = std::array<std::uint8_t, 4>;

/// The degree from which on a mode is there.
int degree_of(const BoxSpace& space, const Degrees& mode) {
  int in_space = 0;
  for (int d = 0; d < space.dimension; ++d) in_space += mode[static_cast<std::size_t>(d)];
  const int in_time = space.slab ? mode[static_cast<std::size_t>(space.dimension)] : 0;
  if (!space.tensor) return in_space + in_time;
  return space.time_degree >= 0 ? in_space : std::max(in_space, in_time);
}

int time_degree(const BoxSpace& space, int degree) {
  return space.tensor && space.time_degree >= 0 ? space.time_degree : degree;
}

}  // namespace

int box_mode_count(const BoxSpace& space, int degree) {
  return static_cast<int>(box_modes(space, degree).size());
}

std::vector<Degrees> box_modes(const BoxSpace& space, int degree) {
  std::vector<Degrees> modes;
  const int directions = space.directions();
  const auto factors = [&](int d) { return 1 + (d == space.dimension ? time_degree(space, degree) : degree); };
  int products = 1;
  for (int d = 0; d < directions; ++d) products *= factors(d);
  for (int k = 0; k < products; ++k) {
    Degrees mode{};
    for (int d = 0, rest = k; d < directions; rest /= factors(d), ++d)
      mode[static_cast<std::size_t>(d)] = static_cast<std::uint8_t>(rest % factors(d));
    if (degree_of(space, mode) <= degree) modes.push_back(mode);
  }
  // Within a degree the order must not depend on the largest one.
  std::sort(modes.begin(), modes.end(), [&](const Degrees& a, const Degrees& b) {
    const int of_a = degree_of(space, a), of_b = degree_of(space, b);
    return of_a != of_b ? of_a < of_b : a < b;
  });
  return modes;
}

BoxBasis::BoxBasis(const BoxSpace& space, int degree)
    : directions_(space.directions()),
      degree_(std::max(degree, time_degree(space, degree))),
      modes_(box_modes(space, degree)) {}

/// [direction][degree] Legendre polynomials of mean square 1.
std::array<std::vector<double>, 4> BoxBasis::lines_at(const std::array<double, 4>& local) const {
  std::array<std::vector<double>, 4> lines;
  for (int d = 0; d < directions_; ++d) {
    std::vector<double>& line = lines[static_cast<std::size_t>(d)];
    const double x = local[static_cast<std::size_t>(d)];
    line = {1, x};
    for (int n = 1; n < degree_; ++n)
      line.push_back(((2 * n + 1) * x * line[static_cast<std::size_t>(n)] - n * line[static_cast<std::size_t>(n - 1)]) /
                     (n + 1));
    for (std::size_t n = 0; n < line.size(); ++n) line[n] *= std::sqrt(2 * static_cast<double>(n) + 1);
  }
  return lines;
}

double BoxBasis::product(std::size_t mode, const std::array<std::vector<double>, 4>& lines) const {
  double value = 1;
  for (int d = 0; d < directions_; ++d)
    value *= lines[static_cast<std::size_t>(d)][modes_[mode][static_cast<std::size_t>(d)]];
  return value;
}

std::vector<double> BoxBasis::values(const std::array<double, 4>& local) const {
  const auto lines = lines_at(local);
  std::vector<double> values;
  for (std::size_t mode = 0; mode < size(); ++mode) values.push_back(product(mode, lines));
  return values;
}

double BoxBasis::sum(std::span<const double> coefficients, const std::array<double, 4>& local) const {
  const auto lines = lines_at(local);
  double sum = 0;
  for (std::size_t mode = 0; mode < size(); ++mode) sum += coefficients[mode] * product(mode, lines);
  return sum;
}

}  // namespace galerna::basis
