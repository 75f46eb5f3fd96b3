/// \file
/// Explicit Runge–Kutta methods as programs over a few state-sized registers, in the form in which the device runs
/// them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace galerna::time {

/// register[target] ← Σ_k coefficients[k] · register[inputs[k]] + rhs · dt · R, all inputs taken before the stage.
struct StageOutput {
  int target;
  std::vector<double> coefficients;
  double rhs;
};

/// R = f(t + abscissa · dt, register[at]). No output is `at`: neighbouring elements may still read it.
struct Stage {
  int at;
  std::vector<int> inputs;
  std::vector<StageOutput> outputs;
  double abscissa = 0;  ///< c
  double weight = 0;    ///< b: how much the stage's R counts in u^{n+1}
};

/// Register 0 holds u^n at the start of a step.
struct Scheme {
  std::string name, title, source;
  int order = 0;
  std::vector<Stage> stages;  ///< at most 3 inputs and 3 outputs each
  int registers = 0;
  int result = 0;            ///< register of u^{n+1}: 0, or another one where a step may be rejected
  std::optional<int> error;  ///< register of u^{n+1} minus the embedded solution
  int embedded_order = 0;
  double ssp = 0;  ///< strong-stability coefficient; 0 if none
};

/// \throws InputError naming the nearest scheme and all that there are.
const Scheme& find_scheme(const std::string& name);
std::vector<std::string> scheme_names();

/// Butcher's tableau of a scheme, found by running its program on coefficient vectors.
struct Tableau {
  std::vector<std::vector<double>> a;  ///< [stage][stage]
  std::vector<double> b, c, embedded;  ///< embedded: weights of the embedded solution, empty if there is none
};
Tableau tableau(const Scheme& scheme);

/// The largest x such that the scheme damps du/dt = −x u/dt, or lets it be, and all less rapid decay: the real interval
/// of stability, to 1e-3.
double real_stability(const Scheme& scheme);

using State = std::vector<double>;
/// One step on the host, for tests: registers[r] are states, `rhs(t, u)` the right-hand side.
void step(const Scheme& scheme, std::vector<State>& registers, double t, double dt,
          const std::function<State(double, const State&)>& rhs);

}  // namespace galerna::time
