/// \file
/// Small equations from a header of a user, and what goes wrong with them.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "solver/runs.hpp"

namespace galerna::tests {

inline const char* const decay_header = R"cpp(
#include "kernels/lane.hpp"
#include "kernels/array.hpp"
  namespace galerna::kernels {
  template <int dimension, class Parameters>
  struct Decay {
    static constexpr int variables = 2;
    template <class V>
    static Array<V, 2> flux(const Array<V, 2>&, const Array<V, dimension>&) {
      return {{V(0), V(0)}};
    }
    template <class V>
    static V largest_wave_speed(const Array<V, 2>&) {
      return V(1e-12f);
    }
    template <class V>
    static Array<V, 2> source(const Array<V, 2>& u, const Array<V, 3>& x, const V& t) {
      return {{number<V>(-Parameters::rate) * u[0], x[0] * t}};
    }
  };
  }  // namespace galerna::kernels
)cpp";

inline std::string decay_case(const Folder& folder, const std::string& header,
                              const std::string& variables = "\"a\", \"b\"") {
  std::ofstream(folder / "decay.hpp") << header;
  return std::string(periodic_square) +
         "[equations]\ntype = \"user\"\nheader = \"decay.hpp\"\nname = \"Decay\"\n"
         "source = true\nvariables = [" +
         variables +
         "]\n[equations.parameters]\nrate = 2\n[discretization]\norder = 1\n"
         "[time]\nstep = 0.01\nend = 0.5\n[output]\nsolution = false\n";
}

inline const char* const decay_states =
    "[initial]\na = 1\nb = 0\n[exact]\na = \"exp(-t)\"\nb = \"x*t^2/2\"\n[source]\na = \"a\"\n";

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

inline void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "got: " << text;
}

}  // namespace galerna::tests
