/// \file
/// The case's formulas on elements: the projection of the initial state, norms of the distance from the exact one, and
/// integrals that reports ask for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device/launcher.hpp"
#include "dg/run/error_norms.hpp"
#include "dg/run/ranks.hpp"
#include "dg/run/state_arrays.hpp"

namespace galerna::dg {

/// The rule by which formulas are integrated: the initial state's projection, errors against the exact one.
basis::Quadrature formula_rule(Shape shape, int degree, int geometry_order);

/// Bytes that nodes of elements take on the device while formulas are evaluated, at most, where thread blocks of
/// elements take less.
constexpr std::size_t room_of_formulas = std::size_t{128} << 20;

class Formulas {
 public:
  /// All must outlive it.
  Formulas(device::Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec, const std::vector<ElementSet>& sets,
           const StateArrays& states, const Ranks* ranks = nullptr)
      : launcher_(launcher),
        device_(launcher.device()),
        mesh_(mesh),
        spec_(spec),
        sets_(sets),
        states_(states),
        ranks_(ranks) {}

  /// L2 projection of the initial state's formulas at `time`.
  void project(device::Memory& state, double time) const;
  /// [variable] against the exact state's formulas at `time`.
  std::vector<ErrorNorms> errors(device::Memory& state, double time) const;
  /// Spec::report_integrands of a state, by rules of basis::function_degree().
  std::vector<double> report_integrals(device::Memory& state, double time) const;

 private:
  void join_norms(std::vector<ErrorSums>& sums) const;
  /// Told what a kernel has left of sums over blocks (FormulaArguments::partials).
  using LookAtSums = std::function<void(const std::vector<double>& partials, std::int64_t blocks)>;
  /// \param rows of FormulaArguments::partials
  void launch(const std::string& entry, const ElementSet& set, const basis::Quadrature& rule, device::Memory& state,
              double time, std::int64_t rows = 0, const LookAtSums& look = {}) const;

  device::Launcher& launcher_;
  device::Device& device_;
  const mesh::Mesh& mesh_;
  const Spec& spec_;
  const std::vector<ElementSet>& sets_;
  const StateArrays& states_;
  const Ranks* ranks_;  ///< null for one
};

}  // namespace galerna::dg
