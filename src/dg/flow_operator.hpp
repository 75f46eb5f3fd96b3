/// \file
/// What a run and its outputs know of a discretization of conservation laws, beside what time stepping does
/// (dg/operator.hpp): its sets of elements, states as numbers, formulas, integrals, and what flows through the
/// boundary.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dg/element_set.hpp"
#include "dg/geometry/boundary_points.hpp"
#include "dg/geometry/geometry.hpp"
#include "dg/operator.hpp"
#include "dg/run/element_numbers.hpp"
#include "dg/run/error_norms.hpp"
#include "dg/run/state_arrays.hpp"
#include "dg/spec.hpp"
#include "parallel/team.hpp"

namespace galerna::device {
class HostRooms;
}

namespace galerna::dg {

class StateReader;

/// What flows through the boundary at the points of its faces, as the residual takes it: [boundary
/// face][point][variable].
struct BoundaryFlow {
  std::vector<double> inside, inviscid;        ///< u⁻ and the numerical flux F*·n
  std::vector<double> viscous_state, viscous;  ///< u_b and F_v(u_b, ∇u⁻ + η r_e)·n; empty without viscosity
};

/// How a mesh is cut among ranks: of each number that of the rank which has most.
struct RankParts {
  int ranks = 1;
  std::int64_t elements = 0;
  std::int64_t copies = 0;  ///< of others' elements
  std::int64_t cut_sides = 0, neighbours = 0;
  std::string transport;  ///< how numbers cross cuts, for people
};

class FlowOperator : public Operator {
 public:
  virtual const Spec& spec() const = 0;
  /// One for each block of the mesh, in the same order.
  virtual const std::vector<SetPlan>& plans() const = 0;
  virtual const std::vector<ElementSet>& sets() const = 0;
  virtual const StateArrays& states() const = 0;
  virtual double domain_measure() const = 0;
  /// A state as states() and sets() have it, which are those of the whole mesh: the state itself, but where ranks have
  /// parts of it. Waits; good until the next call.
  virtual device::Memory& whole(device::Memory& state) { return state; }
  /// What reads a state piece by piece where that lies in the memory of a GPU; else null. \param rooms for pieces
  virtual std::shared_ptr<const StateReader> reader(device::Memory& /*state*/, const device::HostRooms& /*rooms*/) {
    return nullptr;
  }
  /// StateArrays::write() of the whole mesh.
  virtual void write(device::Memory& state, const std::vector<double>& coefficients) {
    states().write(state, coefficients);
  }
  /// The same, piece by piece.
  virtual void write(device::Memory& state, const StateArrays::Fill& fill) { states().write(state, fill); }
  /// Null on one rank.
  virtual std::optional<RankParts> rank_parts() const { return {}; }
  std::int64_t degrees_of_freedom() const { return states().degrees_of_freedom(); }
  const ElementSet& set_of(mesh::Index element) const;

  /// L2 projection of the initial state's formulas at `time`.
  virtual void project_initial(device::Memory& state, double time) = 0;
  /// [variable] against the exact state's formulas at `time`.
  virtual std::vector<ErrorNorms> errors(device::Memory& state, double time) = 0;
  /// [variable] over the domain: exact for the polynomials of the state. In single precision metric terms are, too.
  virtual std::vector<double> integrals(device::Memory& state) = 0;
  /// Spec::integrals of a state at `time`.
  virtual std::vector<double> formula_integrals(device::Memory& state, double time) = 0;
  /// Spec::report_integrands over the domain, of a state at `time`.
  virtual std::vector<double> report_integrals(device::Memory& state, double time) = 0;

  /// Elements whose slopes were limited, and elements scaled for positivity, summed over all calls of limit. Waits.
  virtual std::array<double, 2> limiter_counts() = 0;
  /// Elements around a vertex that the limiter looks at, at most; 0 without one.
  virtual int vertex_slots() const = 0;

  /// What is known of shocks in each element of the mesh, by the names of fields. Waits.
  virtual ElementNumbers shock_fields() = 0;
  /// [element] artificial viscosity, before it is made continuous; empty without it. Waits.
  virtual std::vector<double> shock_viscosity() const { return {}; }
  virtual void set_shock_viscosity(const std::vector<double>&) {}
  /// Makes it that of a state, unless it is frozen. Does not wait.
  virtual void find_shock_viscosity(device::Memory& /*state*/) {}
  /// Of all elements those that have some; 0 without it. Waits.
  virtual double share_of_shock_viscosity() const { return 0; }

  /// What stands in the residual of a state at `time`, at the boundary's points. Waits; changes nothing that a run adds
  /// up.
  virtual BoundaryFlow boundary_flow(device::Memory& state, double time) = 0;
  /// The points of boundary_flow(), made when they are first asked for.
  virtual const BoundaryPoints& boundary_points() const = 0;
  /// [variable] flux out of the domain through the boundaries where `chosen` [boundary], integrated over the last step.
  virtual std::vector<double> flux_of_last_step(const std::vector<bool>& chosen) = 0;

  /// Kernel by entry name, for benchmarks and reports.
  virtual const std::map<std::string, std::unique_ptr<device::Kernel>>& kernels() const = 0;
};

/// A discontinuous Galerkin discretization (dg/discretization.hpp).
/// \param mesh prepared (mesh/prepare.hpp); must outlive it.
/// \param walls [boundary] true shapes of curved walls.
/// \param stage_shapes (inputs, outputs) of all stages that will be called.
/// \param team ranks of which each computes a part of the mesh (dg/cut_flow.hpp); null for one
/// \throws InputError for meshes it cannot compute on, SystemError from the device.
std::unique_ptr<FlowOperator> make_flow_operator(device::Device& device, const mesh::Mesh& mesh, Spec spec,
                                                 const std::vector<std::optional<WallShape>>& walls,
                                                 const std::set<std::pair<int, int>>& stage_shapes,
                                                 parallel::Team* team = nullptr);

}  // namespace galerna::dg
