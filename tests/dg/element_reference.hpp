/// \file
/// A plain right-hand side on any mesh: elements of all shapes, straight and curved, side by side.
/// One loop over elements and one over faces, with the metric terms of dg/geometry/metric.hpp; written to be read.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "dg/geometry/metric.hpp"
#include "dg/operators.hpp"
#include "kernels/riemann/llf.hpp"
#include "kernels/states.hpp"
#include "mesh/mesh.hpp"

namespace galerna::tests {

/// Coefficients are [block][element][variable][mode], the numbers of modes those of the blocks' shapes.
template <int dimension>
class MetricReference {
 public:
  static constexpr int variables = dimension + 2;
  using System = kernels::EquationSystem<kernels::Euler<dimension, Air>, dimension>;
  using State = typename System::template State<double>;
  using Vector = Normal<dimension>;
  using Field = std::function<State(const mesh::Point&)>;
  using Flux = std::function<State(const State&, const State&, const Vector&)>;
  using Beyond = std::function<State(int, const State&, const mesh::Point&, const Vector&)>;  ///< as Ghost

  /// Of the local Lax–Friedrichs flux.
  static State llf(const State& inside, const State& outside, const Vector& n);

  MetricReference(const mesh::Mesh& mesh, int degree, Beyond ghost, Flux flux = llf);

  std::size_t size() const;

  /// dc/dt
  std::vector<double> operator()(const std::vector<double>& c) const;

  /// L2 projection over the elements as they are, by the volume rule.
  std::vector<double> project(const Field& f) const;

  /// (∫ (ρ_h − ρ)² dx)^½ by the volume rule, or that of another variable.
  double density_error(const std::vector<double>& c, const Field& f, int variable = 0) const;

  /// ∫ u_v dx for each variable, summed up.
  State integrals(const std::vector<double>& c) const;

  const std::vector<dg::Metric>& metrics() const;
  const std::vector<dg::Operators>& operators() const;

 private:
  class Loops;  ///< compiled once for all tests
  std::shared_ptr<const Loops> loops_;
};

using ElementReference = MetricReference<2>;

}  // namespace galerna::tests
