/// \file
/// In which variables slopes are limited. Each is a linear change of variables about the mean ū of the element that is
/// limited:
///   difference(u)  what a neighbour's mean u differs from ū,
///   to(du), from(dw)  changes of the state into these variables and back.
/// All but conservative variables ask for equations that know them.
#pragma once

#include "kernels/equations.hpp"
#include "kernels/lane.hpp"

namespace galerna::kernels {

struct ConservativeVariables {
  template <class Equations, class V>
  struct About {
    using State = Array<V, Equations::variables>;
    State mean;

    About(const State& u, const Array<V, Equations::dimension>&) : mean(u) {}
    State difference(const State& u) const {
      State d;
      for (int v = 0; v < Equations::variables; ++v) d[v] = u[v] - mean[v];
      return d;
    }
    State to(const State& du) const { return du; }
    State from(const State& dw) const { return dw; }
  };
};

/// Of gases (ρ, v, p); neighbours are compared by their own primitive values.
struct PrimitiveVariables {
  template <HasPrimitiveChanges Equations, class V>
  struct About {
    using State = Array<V, Equations::variables>;
    typename Equations::template Primitive<V> w;
    State values;

    About(const State& u, const Array<V, Equations::dimension>&)
        : w(Equations::primitive(u)), values(Equations::primitive_values(u)) {}
    State difference(const State& u) const {
      State d = Equations::primitive_values(u);
      for (int v = 0; v < Equations::variables; ++v) d[v] -= values[v];
      return d;
    }
    State to(const State& du) const { return Equations::primitive_change(w, du); }
    State from(const State& dw) const { return Equations::conservative_change(w, dw); }
  };
};

/// Amplitudes of the waves along the direction in which the pressure changes most.
struct CharacteristicVariables {
  template <HasWaves Equations, class V>
  struct About {
    using State = Array<V, Equations::variables>;
    using Vector = Array<V, Equations::dimension>;
    State mean;
    typename Equations::template Primitive<V> w;
    Vector n;

    About(const State& u, const Vector& direction) : mean(u), w(Equations::primitive(u)), n(direction) {}
    State difference(const State& u) const {
      State d;
      for (int v = 0; v < Equations::variables; ++v) d[v] = u[v] - mean[v];
      return to(d);
    }
    State to(const State& du) const { return Equations::wave_amplitudes(w, n, Equations::primitive_change(w, du)); }
    State from(const State& waves) const {
      return Equations::conservative_change(w, Equations::from_wave_amplitudes(w, n, waves));
    }
  };
};

template <class Variables, class Equations>
concept CanLimitIn = requires {
  typename Variables::template About<Equations, double>;
};

}  // namespace galerna::kernels
