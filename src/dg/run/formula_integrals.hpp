/// \file
/// Integrals of formulas of the solution over the domain, regions and boundaries: Spec::integrals.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "device/launcher.hpp"
#include "dg/programs/rule_tables.hpp"
#include "dg/run/ranks.hpp"
#include "dg/run/state_arrays.hpp"
#include "kernels/formula_integral_arguments.hpp"

namespace galerna::dg {

/// Elements are integrated over with rules of basis::function_degree(), so are sides in 3D; in 2D sides have p + 4
/// Gauss–Legendre points.
/// Gradients are those of the polynomial inside each element. Sums depend on no order (kernels/long_sum.hpp).
class FormulaIntegrals {
 public:
  /// Leaves on the device what all integrals of the spec take: the nodes of elements and tables; nothing if there are
  /// none. What is passed must outlive it. \throws InputError when the mesh has no such region or boundary.
  FormulaIntegrals(device::Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec,
                   const std::vector<ElementSet>& sets, const StateArrays& states, const Ranks* ranks = nullptr);

  /// [integral] of a state at `time`. Waits.
  std::vector<double> values(device::Memory& state, double time) const;

 private:
  /// What one launch goes through: the elements of a set, or sides of the same number of some of them.
  struct Part {
    const ElementSet* set;
    Blocks blocks;
    std::int64_t first_block;  ///< blocks of the parts before
    RuleTables tables;
    std::unique_ptr<device::Memory> nodes, places, positions;
    kernels::FormulaIntegralArguments arguments{};
  };
  /// Integrals that one kernel takes.
  struct Group {
    std::string entry;
    std::vector<std::size_t> integrals;  ///< in the spec
    std::vector<double> wanted;          ///< FormulaIntegralArguments::wanted
    std::size_t choices = 1;             ///< FormulaIntegralArguments::choices
    bool gradients = false;
    std::vector<Part> parts = {};
    std::unique_ptr<device::Memory> wanted_array = {}, partials = {}, sums = {};

    /// In front of a part that is added.
    std::int64_t next_block() const { return parts.empty() ? 0 : parts.back().first_block + parts.back().blocks.count; }
    /// At least one, for what other ranks find.
    std::int64_t blocks() const { return std::max<std::int64_t>(1, next_block()); }
  };

  Group group_of(bool sides) const;
  void add_elements(Group& group) const;
  void add_sides(Group& group) const;
  Part& add_part(Group& group, const ElementSet& set, const std::vector<mesh::Index>& positions,
                 const basis::Quadrature& rule, const std::vector<double>& places) const;
  void allocate_sums(Group& group) const;

  device::Launcher& launcher_;
  device::Device& device_;
  const mesh::Mesh& mesh_;
  const Spec& spec_;
  const std::vector<ElementSet>& sets_;
  const StateArrays& states_;
  const Ranks* ranks_;  ///< null for one
  std::vector<Group> groups_;
};

}  // namespace galerna::dg
