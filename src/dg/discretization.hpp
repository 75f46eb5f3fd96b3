/// \file
/// A discontinuous Galerkin discretization on a device: the arrays of mesh and operators, the compiled kernels, and the
/// operations of which a time step consists. States are device arrays that the caller owns.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/lazy.hpp"
#include "dg/blocks.hpp"
#include "dg/boundary_points.hpp"
#include "dg/element_set.hpp"
#include "dg/face_set.hpp"
#include "dg/geometry.hpp"
#include "dg/launcher.hpp"
#include "dg/limiter.hpp"
#include "dg/operator.hpp"
#include "dg/program.hpp"
#include "dg/spec.hpp"
#include "kernels/arguments.hpp"
#include "mesh/mesh.hpp"

namespace galerna::dg {

/// L1, L2 and L∞ norms of an error over the domain, not normalized.
struct ErrorNorms {
  double l1 = 0, l2 = 0, linf = 0;
};

/// What flows through the boundary at the points of its faces, as the residual takes it: [boundary
/// face][point][variable].
struct BoundaryFlow {
  std::vector<double> inside, inviscid;        ///< u⁻ and the numerical flux F*·n
  std::vector<double> viscous_state, viscous;  ///< u_b and F_v(u_b, ∇u⁻ + η r_e)·n; empty without viscosity
};

class Discretization : public Operator {
 public:
  /// \param mesh prepared (mesh/prepare.hpp); must outlive the discretization.
  /// \param walls [boundary] true shapes of curved walls.
  /// \param stage_shapes (inputs, outputs) of all stages that will be called.
  /// \throws InputError for meshes it cannot compute on, SystemError from the device.
  Discretization(device::Device& device, const mesh::Mesh& mesh, Spec spec,
                 const std::vector<std::optional<WallShape>>& walls, const std::set<std::pair<int, int>>& stage_shapes);

  const Spec& spec() const { return spec_; }
  /// One for each block of the mesh, in the same order.
  const std::vector<ElementSet>& sets() const { return sets_; }
  const ElementSet& set_of(mesh::Index element) const;
  double domain_measure() const;
  int vertex_slots() const { return limiter_ ? limiter_->vertex_slots() : 0; }
  std::int64_t boundary_faces() const { return mesh_.boundary_faces; }
  std::int64_t degrees_of_freedom() const;

  /// Coefficients [element][variable][mode] in the mesh's element order; the modes are those of the element's shape.
  void write_state(device::Memory& state, const std::vector<double>& coefficients);
  std::vector<double> read_state(device::Memory& state);

  /// L2 projection of the initial state's formulas at `time`.
  void project_initial(device::Memory& state, double time);
  /// [variable] against the exact state's formulas at `time`.
  std::vector<ErrorNorms> errors(device::Memory& state, double time);

  /// Elements whose slopes were limited, and elements scaled for positivity, summed over all calls of limit. Waits.
  std::array<double, 2> limiter_counts();

  /// What stands in the residual of a state at `time`, at the boundary's points. Waits; changes nothing that a run adds
  /// up.
  BoundaryFlow boundary_flow(device::Memory& state, double time);
  /// The points of boundary_flow(), made when they are first asked for.
  const BoundaryPoints& boundary_points() const { return boundary_points_(); }
  /// [variable] flux out of the domain through the boundaries where `chosen` [boundary], integrated over the last step.
  std::vector<double> flux_of_last_step(const std::vector<bool>& chosen);

  // Operator
  device::Device& device() override { return device_; }
  device::Precision precision() const override { return spec_.precision; }
  std::unique_ptr<device::Memory> allocate_state(const std::string& purpose = "states") override;
  std::size_t state_bytes() const override;
  kernels::Control read_control() override;
  void write_control(const kernels::Control& control) override;
  void monitor(device::Memory& state) override { monitor(state, true); }
  void begin_step(bool monitored) override;
  void stage(const StageCall& call) override;
  void limit(device::Memory& state, double abscissa) override;
  void change(device::Memory& state, device::Memory& previous) override;
  void embedded_error(device::Memory& state, device::Memory& candidate, device::Memory& error) override;
  void embedded_commit(device::Memory& state, device::Memory& candidate) override;
  void accumulate(device::Memory& state, device::Memory& integral) override;
  void end_step(int stages, bool changed, bool embedded) override;
  void next_step(int stages, bool changed, bool monitored) override;
  std::int64_t first_inadmissible(device::Memory& state) override;
  std::vector<double> boundary_flux() override;
  void reset_boundary_flux(const std::vector<double>& earlier) override;
  Sums read_sums() override;
  void write_sums(const Sums& sums) override;
  std::unique_ptr<device::Graph> record(const std::function<void()>& body) override { return launcher_.record(body); }
  void profile(std::map<std::string, KernelTime>* times) override { launcher_.profile(times); }

  /// Kernel by entry name, for benchmarks and reports.
  const std::map<std::string, std::unique_ptr<device::Kernel>>& kernels() const { return launcher_.kernels(); }

 private:
  std::int64_t values(const ElementSet& set) const { return spec_.variable_count() * set.operators.modes; }
  /// That of straight simplices with kernels of their own, where these are; else any that stands for all.
  const ElementSet& first_set() const { return sets_.front(); }
  const Operators& operators() const { return sets_.front().operators; }
  /// The part of a state that is the set's.
  void* part_of(device::Memory& state, const ElementSet& set) const;
  double* partials_of(const ElementSet& set) const;
  void load_programs(const std::set<std::pair<int, int>>& stage_shapes);
  void upload_simplices();
  void upload_side_basis(ElementSet& set, const std::string& purpose);
  void upload_neighbours(std::size_t set);
  void upload_tiles(ElementSet& set, const std::vector<std::int32_t>& codes);
  void allocate_reductions();
  void upload_general(std::size_t set);
  kernels::ElementSetArrays arrays_of(const ElementSet& set) const;
  std::vector<double> read_report(FaceSet::Report which, std::size_t quantity);
  /// All numbers in double precision of an array; none where it is null.
  std::vector<double> read_numbers(device::Memory* memory);
  /// The arrays of Sums; null where there are none.
  std::vector<std::vector<device::Memory*>> sums() const;
  device::Range range_of(const Blocks& blocks) const;
  device::Range control_range() const;
  kernels::ControlArguments control_arguments(bool monitored, int stages, bool changed, bool embedded);
  kernels::StageUpdate update_of(const StageCall& call, const ElementSet& set) const;
  void monitor(device::Memory& state, bool sets_local_steps);
  /// What `body` launches for different sets may run at the same time.
  void for_each_set(const std::function<void(const ElementSet&)>& body);
  /// ∇λ_1, ∇λ_2 of straight simplices (kernels::ResidualArguments).
  const void* gradients_of(const ElementSet& set) const;
  kernels::ResidualArguments simplex_arguments(const StageCall& call, const ElementSet& set) const;
  /// What the residual reads of sides. \param reports whether boundary faces leave what BoundaryFlow holds, and sums
  /// stay
  void launch_sides(const StageCall& call, bool reports);
  void launch_traces(const ElementSet& set, const StageCall& call);
  void launch_faces(const std::string& entry, FaceSet::Report which, const StageCall& call, bool reports);
  kernels::GeneralArguments general_arguments(const StageCall& call, const ElementSet& set) const;
  /// Runs a kernel for which several threads of a GPU share an element (kernels/general/slice.hpp).
  void launch_slices(const ElementSet& set, const std::string& entry, const kernels::GeneralArguments& arguments);
  void launch_edges(const ElementSet& set, const StageCall& call);
  void launch_formulas(const std::string& entry, device::Memory& state, double* partials, double time);
  std::vector<double> formula_states(const std::string& entry, const Operators& operators, mesh::Index elements,
                                     const Lazy<Metric>& metric, double time);
  void project_general(device::Memory& state, double time);
  std::vector<ErrorNorms> general_errors(device::Memory& state, double time);
  template <class Arguments>
  void launch(const std::string& entry, const device::Range& range, const Arguments& arguments) {
    launcher_.launch(entry, range, arguments);
  }
  template <class Arguments>
  void launch(const ElementSet& set, const std::string& entry, const Arguments& arguments) {
    launch(entry + set.label, range_of(set.blocks), arguments);
  }

  device::Device& device_;
  Launcher launcher_;
  const mesh::Mesh& mesh_;
  Spec spec_;
  std::vector<ElementSet> sets_;
  bool general_;    ///< whether kernels/general compute, not those of straight simplices by themselves
  FaceSets faces_;  ///< one for each shape of sides
  Lazy<BoundaryPoints> boundary_points_;

  std::optional<Limiter> limiter_;
  std::unique_ptr<device::Memory> control_;
  const device::Memory* traced_ = nullptr;  ///< state of which the traces are; null: of none
  std::unique_ptr<device::Memory> step_limits_, partials_;
  std::int64_t block_count_ = 0, step_limit_count_ = 0;  ///< of all sets
  kernels::TileArguments tiles_{};
  std::unique_ptr<device::Memory> tile_operators_, tile_neighbours_, tile_codes_;
  std::vector<double> earlier_flux_;
};

}  // namespace galerna::dg
