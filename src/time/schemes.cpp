#include "time/schemes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"

namespace galerna::time {
namespace {

/// Abscissae and weights follow from the tableau, so that they cannot contradict the program.
Scheme complete(Scheme scheme) {
  const Tableau t = tableau(scheme);
  for (std::size_t s = 0; s < scheme.stages.size(); ++s) {
    scheme.stages[s].abscissa = t.c[s];
    scheme.stages[s].weight = t.b[s];
  }
  return scheme;
}

/// u^{(i+1)} = alpha_i u^n + beta_i u^{(i)} + gamma_i dt R(u^{(i)}), the last one being u^{n+1}: registers 0, 1, 2.
struct ConvexStage {
  double alpha, beta, gamma;
};
std::vector<Stage> convex_stages(const std::vector<ConvexStage>& steps) {
  std::vector<Stage> stages;
  int at = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const int target = i + 1 == steps.size() ? 0 : (at == 1 ? 2 : 1);
    if (at == 0)
      stages.push_back({at, {0}, {{target, {steps[i].alpha + steps[i].beta}, steps[i].gamma}}});
    else
      stages.push_back({at, {0, at}, {{target, {steps[i].alpha, steps[i].beta}, steps[i].gamma}}});
    at = target;
  }
  return stages;
}

/// 2N-storage methods: s ← A_i s + dt R(u); u ← u + B_i s. Register 3 holds s; u alternates between registers.
std::vector<Stage> low_storage_stages(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<Stage> stages;
  int at = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int target = i + 1 == a.size() ? 0 : (at == 1 ? 2 : 1);
    if (i == 0)
      stages.push_back({at, {at}, {{target, {1}, b[i]}, {3, {0}, 1}}});
    else if (i + 1 == a.size())
      stages.push_back({at, {at, 3}, {{target, {1, a[i] * b[i]}, b[i]}}});
    else
      stages.push_back({at, {at, 3}, {{target, {1, a[i] * b[i]}, b[i]}, {3, {0, a[i]}, 1}}});
    at = target;
  }
  return stages;
}

std::vector<Scheme> make_schemes() {
  std::vector<Scheme> all;
  const auto add = [&](Scheme scheme) { all.push_back(complete(std::move(scheme))); };

  add({"euler", "forward Euler", "L. Euler 1768", 1, {{0, {0}, {{1, {1}, 1}}}}, 2, 1, {}, 0, 1});
  add({"rk2-midpoint",
       "classical RK2 (midpoint)",
       "C. Runge, Math. Ann. 46 (1895) 167",
       2,
       {{0, {0}, {{1, {1}, 0.5}}}, {1, {0}, {{0, {1}, 1}}}},
       2,
       0,
       {},
       0,
       0});
  // As averages of forward Euler steps: one register less than with both slopes kept, and what a limiter has made of
  // the first step counts in the result.
  add({"rk2-heun",
       "Heun's RK2 (trapezoidal)",
       "K. Heun, Z. Math. Phys. 45 (1900) 23",
       2,
       convex_stages({{0, 1, 1}, {0.5, 0.5, 0.5}}),
       2,
       0,
       {},
       0,
       1});
  // u^{n+1} = (2 v + u_3)/3 + dt R(u_3)/6 with v = u_2 + (u_1 − u)/2, which takes the place of u_1: the fewest reads
  // and writes of states.
  add({"rk4",
       "classical RK4",
       "W. Kutta, Z. Math. Phys. 46 (1901) 435",
       4,
       {{0, {0}, {{1, {1}, 0.5}}},
        {1, {0}, {{2, {1}, 0.5}}},
        {2, {0, 1, 2}, {{3, {1, 0, 0}, 1}, {1, {-0.5, 0.5, 1}, 0}}},
        {3, {1, 3}, {{0, {2.0 / 3, 1.0 / 3}, 1.0 / 6}}}},
       4,
       0,
       {},
       0,
       0});

  add({"ssprk22",
       "SSPRK(2,2)",
       "C.-W. Shu, S. Osher, J. Comput. Phys. 77 (1988) 439",
       2,
       convex_stages({{0, 1, 1}, {0.5, 0.5, 0.5}}),
       2,
       0,
       {},
       0,
       1});
  add({"ssprk33",
       "SSPRK(3,3)",
       "C.-W. Shu, S. Osher, J. Comput. Phys. 77 (1988) 439",
       3,
       convex_stages({{0, 1, 1}, {0.75, 0.25, 0.25}, {1.0 / 3, 2.0 / 3, 2.0 / 3}}),
       3,
       0,
       {},
       0,
       1});
  // u^{n+1} = θ2 u^{(2)} + θ3 u^{(3)} + κ3 dt R(u^{(3)}) + θ4 u^{(4)} + κ4 dt R(u^{(4)}); register 3 gathers the first
  // three, divided by θ2 + θ3. The 15 published digits of θ2, θ3, θ4 sum to 1 + 1e-15, which would let every step
  // create mass: θ4 follows from the others.
  const double theta2 = 0.517231671970585, theta3 = 0.096059710526147, gathered = theta2 + theta3;
  add({"ssprk54",
       "SSPRK(5,4)",
       "R. J. Spiteri, S. J. Ruuth, SIAM J. Numer. Anal. 40 (2002) 469",
       4,
       {{0, {0}, {{1, {1}, 0.391752226571890}}},
        {1, {0, 1}, {{2, {0.444370493651235, 0.555629506348765}, 0.368410593050371}}},
        {2, {0, 2}, {{1, {0.620101851488403, 0.379898148511597}, 0.251891774271694}, {3, {0, 1}, 0}}},
        {1,
         {0, 1, 3},
         {{2, {0.178079954393132, 0.821920045606868, 0}, 0.544974750228521},
          {3, {0, theta3 / gathered, theta2 / gathered}, 0.063692468666290 / gathered}}},
        {2, {2, 3}, {{0, {1 - gathered, gathered}, 0.226007483236906}}}},
       4,
       0,
       {},
       0,
       1.508});
  add({"lsrk54",
       "low-storage LSRK(5,4)",
       "M. H. Carpenter, C. A. Kennedy, NASA TM 109112 (1994)",
       4,
       low_storage_stages(
           {0.0, -567301805773.0 / 1357537059087.0, -2404267990393.0 / 2016746695238.0,
            -3550918686646.0 / 2091501179385.0, -1275806237668.0 / 842570457699.0},
           {1432997174477.0 / 9575080441755.0, 5161836677717.0 / 13612068292357.0, 1720146321549.0 / 2090206949498.0,
            3134564353537.0 / 4481467310338.0, 2277821191437.0 / 14882151754819.0}),
       4,
       0,
       {},
       0,
       0});
  // b = (1, 1, 1, 3)/6, embedded (1, 1, 1, 1)/4: error = dt (−R1 − R2 − R3 + 3 R4)/12 gathers in register 3; the
  // candidate is in 2.
  add({"ssprk43",
       "SSPRK(4,3) with an embedded method of order 2",
       "J. F. B. M. Kraaijevanger, BIT 31 (1991) 482; I. Fekete, S. Conde, J. N. Shadid, J. Comput. Appl. Math. 412 "
       "(2022) 114325",
       3,
       {{0, {0}, {{1, {1}, 0.5}, {3, {0}, -1.0 / 12}}},
        {1, {1, 3}, {{2, {1, 0}, 0.5}, {3, {0, 1}, -1.0 / 12}}},
        {2, {0, 2, 3}, {{1, {2.0 / 3, 1.0 / 3, 0}, 1.0 / 6}, {3, {0, 0, 1}, -1.0 / 12}}},
        {1, {1, 3}, {{2, {1, 0}, 0.5}, {3, {0, 1}, 0.25}}}},
       4,
       2,
       3,
       2,
       2});
  return all;
}

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = make_schemes();
  return all;
}

/// out ← Σ coefficients[k] · registers[inputs[k]] + rhs · r for all outputs of a stage at once.
void combine(const Stage& stage, std::vector<State>& registers, const State& r) {
  std::vector<State> results;
  for (const StageOutput& output : stage.outputs) {
    State sum(r.size());
    for (std::size_t i = 0; i < r.size(); ++i) {
      sum[i] = output.rhs * r[i];
      for (std::size_t k = 0; k < stage.inputs.size(); ++k)
        if (output.coefficients[k] != 0)
          sum[i] += output.coefficients[k] * registers[static_cast<std::size_t>(stage.inputs[k])][i];
    }
    results.push_back(std::move(sum));
  }
  for (std::size_t o = 0; o < results.size(); ++o)
    registers[static_cast<std::size_t>(stage.outputs[o].target)] = std::move(results[o]);
}

}  // namespace

const Scheme& find_scheme(const std::string& name) {
  for (const Scheme& scheme : schemes())
    if (scheme.name == name) return scheme;
  const std::string near = nearest_name(name, scheme_names());
  throw InputError({}, fmt::format("unknown time scheme \"{}\"{}; there are {}", name,
                                   near.empty() ? "" : "; did you mean \"" + near + "\"?", list_names(scheme_names())));
}

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const Scheme& scheme : schemes()) names.push_back(scheme.name);
  return names;
}

Tableau tableau(const Scheme& scheme) {
  // A register is a vector of coefficients of (u^n, dt R_1, …, dt R_s).
  const std::size_t stages = scheme.stages.size();
  std::vector<State> registers(static_cast<std::size_t>(scheme.registers), State(stages + 1, 0.0));
  registers[0][0] = 1;
  Tableau t;
  for (std::size_t s = 0; s < stages; ++s) {
    const State& at = registers[static_cast<std::size_t>(scheme.stages[s].at)];
    t.a.emplace_back(at.begin() + 1, at.end());
    double c = 0;
    for (double entry : t.a.back()) c += entry;
    t.c.push_back(c);
    State r(stages + 1, 0.0);
    r[s + 1] = 1;
    combine(scheme.stages[s], registers, r);
  }
  const State& result = registers[static_cast<std::size_t>(scheme.result)];
  t.b.assign(result.begin() + 1, result.end());
  if (scheme.error)
    for (std::size_t s = 0; s < stages; ++s)
      t.embedded.push_back(t.b[s] - registers[static_cast<std::size_t>(*scheme.error)][s + 1]);
  return t;
}

void step(const Scheme& scheme, std::vector<State>& registers, double t, double dt,
          const std::function<State(double, const State&)>& rhs) {
  for (const Stage& stage : scheme.stages) {
    State r = rhs(t + stage.abscissa * dt, registers[static_cast<std::size_t>(stage.at)]);
    for (double& value : r) value *= dt;
    combine(stage, registers, r);
  }
}

double real_stability(const Scheme& scheme) {
  const auto factor = [&](double x) {
    std::vector<State> registers(static_cast<std::size_t>(scheme.registers), State(1, 0.0));
    registers[0] = {1};
    step(scheme, registers, 0, 1, [x](double, const State& u) { return State{-x * u[0]}; });
    return std::abs(registers[static_cast<std::size_t>(scheme.result)][0]);
  };
  double x = 0;
  while (factor(x + 1e-3) <= 1 + 1e-12) x += 1e-3;
  return x;
}

}  // namespace galerna::time
