#include "drawing/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace galerna::drawing {

Ticks make_ticks(double low, double high, int most) {
  Ticks ticks;
  const double rough = (high - low) / std::max(most, 2);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  ticks.step = 10 * power;
  for (double factor : {5.0, 2.0, 1.0})
    if (factor * power >= rough * (1 - 1e-9)) ticks.step = factor * power;
  const double margin = 1e-6 * ticks.step;
  for (double i = std::ceil((low - margin) / ticks.step); i * ticks.step <= high + margin; ++i)
    ticks.values.push_back(i * ticks.step + 0.0);  // + 0.0 turns −0 into 0
  return ticks;
}

std::string Ticks::label(double value) const {
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
