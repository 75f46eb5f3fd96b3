#include "drawing/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace galerna::drawing {

namespace {

/// Multiples of the step in [low, high].
std::vector<double> multiples(double step, double low, double high) {
  std::vector<double> values;
  const double margin = 1e-6 * step;
  for (double i = std::ceil((low - margin) / step); i * step <= high + margin; ++i)
    values.push_back(i * step + 0.0);  // + 0.0 turns −0 into 0
  return values;
}

/// Whether doubles tell multiples of a step within the range from each other.
bool has_round_numbers(double low, double high) {
  const double width = high - low;
  return std::isfinite(width) && width > 1e-290 && width > 1e-13 * std::max(std::abs(low), std::abs(high));
}

}  // namespace

Ticks make_ticks(double low, double high, int most) {
  if (!has_round_numbers(low, high)) return {high - low, {low, high}};
  const double rough = (high - low) / std::max(most, 2);
  double exponent = std::floor(std::log10(rough)), factor = 10;
  for (double smaller : {5.0, 2.0, 1.0})
    if (smaller * std::pow(10.0, exponent) >= rough * (1 - 1e-9)) factor = smaller;
  while (true) {
    const double step = factor * std::pow(10.0, exponent);
    Ticks ticks{step, multiples(step, low, high)};
    if (ticks.values.size() >= 2) return ticks;
    if (factor == 1) exponent -= 1;
    factor = factor == 10 ? 5 : factor == 5 ? 2 : factor == 2 ? 1 : 5;
  }
}

std::string Ticks::label(double value) const {
  if (values.size() == 2 && !has_round_numbers(values[0], values[1])) return fmt::format("{}", value);
  const double largest =
      std::max(std::abs(values.empty() ? value : values.front()), std::abs(values.empty() ? value : values.back()));
  if (std::abs(value) < 1e-6 * step) value = 0;
  std::string text;
  if (largest >= 1e5 || step < 1e-4) {
    const int digits = std::max(0, static_cast<int>(std::floor(std::log10(std::max(largest, step)) + 1e-9) -
                                                    std::floor(std::log10(step) + 1e-9)));
    text = value == 0 ? "0" : fmt::format("{:.{}e}", value, digits);
    if (const std::size_t exponent = text.find('e'); exponent != std::string::npos)  // 2.5e-06 -> 2.5e-6
      text = fmt::format("{}e{}", text.substr(0, exponent), std::stoi(text.substr(exponent + 1)));
  } else {
    text = fmt::format("{:.{}f}", value, std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9))));
  }
  return text;
}

std::vector<double> Ticks::apart(double distance) const {
  std::vector<double> result;
  for (double value : values)
    if (result.empty() || value - result.back() >= distance) result.push_back(value);
  return result;
}

}  // namespace galerna::drawing
