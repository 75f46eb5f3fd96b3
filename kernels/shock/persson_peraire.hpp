/// \file
/// A sensor with constants to set: P.-O. Persson, J. Peraire, AIAA Paper 2006-112. It looks at the share S of the modes
/// of the highest degree in the energy of an element's density, ∫(ρ − ρ̃)² over ∫ρ², and at no neighbour.
#pragma once

#include "kernels/filter/summary.hpp"

namespace galerna::kernels {

/// Trouble is ½ (1 + sin(π (log10 S − s0)/(2κ))), 0 below s0 − κ, 1 beyond s0 + κ. Config adds
///   persson_peraire_s0, persson_peraire_kappa
template <class Config>
class PerssonPeraireSensor {
 public:
  using V = typename Config::Value;
  static constexpr bool looks_at_sides = false;

  void add(int j, const V& mode) {
    const V square = mode * mode;
    all_ += square;
    if (Config::Filter::degree(j) == Config::Operators::degree) highest_ += square;
  }
  V trouble(const V&) const {
    constexpr double decade = 2.302585092994045684, right_angle = 1.570796326794896619;
    const V share = highest_ * reciprocal(V(all_ + number<V>(1e-30)));
    const V decades = log(V(max(share, number<V>(1e-30)))) * number<V>(1 / decade);
    const V x = (decades - number<V>(Config::persson_peraire_s0)) * number<V>(1 / Config::persson_peraire_kappa);
    return number<V>(0.5) * (V(1) + sin(V(max(V(-1), min(V(1), x)) * number<V>(right_angle))));
  }

 private:
  V all_ = V(0), highest_ = V(0);
};

}  // namespace galerna::kernels
