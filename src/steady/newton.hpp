/// \file
/// Steady states by Newton's method: R(u) = 0 with pseudo time steps that grow as the residual falls, linear systems by
/// GMRES whose products are differences of right-hand sides (docs/theory.md, Steady states by Newton's method).
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algebra/krylov.hpp"
#include "dg/flow_operator.hpp"
#include "mesh/mesh.hpp"
#include "steady/constants.hpp"
#include "steady/elimination.hpp"
#include "steady/jacobian.hpp"
#include "steady/state_vectors.hpp"

namespace galerna::steady {

/// What a system of equations is preconditioned by: lines are blocks where nothing is stretched; ilu takes all
/// couplings.
enum class Preconditioning { none, blocks, lines, ilu };

struct NewtonSettings {
  double first_cfl = 5;
  Preconditioning preconditioner = Preconditioning::ilu;
  int vectors = 200;     ///< of GMRES, at most: fewer where memory is short
  std::string why = {};  ///< it is that preconditioner, for people; empty: it was asked for, or is the best
};

/// What a restart needs to go on where a run ended.
struct NewtonMemory {
  double first_norm = 0;  ///< of G at this degree
  double last_norm = 0;   ///< before the last step
  double best_norm = 0;
  double factor = 1;      ///< of the CFL number
  double since_best = 0;  ///< steps
  bool has_blocks = false;
  double best_iterations = 0;  ///< of GMRES a decade, with new blocks
  double excess = 0;           ///< iterations since then that new blocks would have spared
  double eliminated = 0;       ///< what the matrix had more on its diagonal when it was eliminated
};

/// What the blocks were computed with, next to their state.
struct BlockOrigin {
  std::vector<double> viscosity;  ///< [element] artificial; empty without it
  std::array<double, 2> force{};  ///< on the walls, of far fields that know of it
};

/// A step, for people and newton.csv.
struct NewtonStep {
  double norm = 0;  ///< of G before it, relative to the first one
  double cfl = 0;
  int iterations = 0;    ///< of GMRES
  double reduction = 0;  ///< of the linear residual
  long evaluations = 0;  ///< right-hand sides, those of blocks among them
  long block_evaluations = 0;
  double share = 0;  ///< of the correction that was taken; 0: none
};

/// Where the time of steps goes; what is left is that of GMRES's vectors and of looks at states.
struct NewtonSeconds {
  double products = 0, blocks = 0;
  double preconditioner = 0;  ///< elimination, and solutions with it

  NewtonSeconds& operator+=(const NewtonSeconds& other) {
    products += other.products;
    blocks += other.blocks;
    preconditioner += other.preconditioner;
    return *this;
  }
};

class Newton {
 public:
  /// \param space with local steps, in double precision; must outlive it \param scales [variable] of the state, in
  /// units of which residuals count alike
  Newton(dg::FlowOperator& space, const mesh::Mesh& mesh, const std::vector<double>& scales,
         const NewtonSettings& settings);

  /// Looks at the state: right-hand side and residual, into the control block. \return whether both are finite and the
  /// state is physical
  bool look(device::Memory& state, kernels::Control& control);
  /// A step from a state that was looked at; looks at the new one. Where no part of the correction is admissible, or
  /// the residual is no number after it, the state stays, and the next step is more careful.
  NewtonStep step(device::Memory& state, kernels::Control& control);

  /// What the systems are preconditioned by, and why, for people.
  const std::string& preconditioner() const { return description_; }
  /// Norm of G, the residual times local steps, of the state that was looked at, relative to the first one.
  double norm() const { return memory_.first_norm > 0 ? norm_ / memory_.first_norm : 0; }
  /// Whether that of the first one is no measure, since all of G is the rounding of right-hand sides: a flow that was
  /// steady from the start. The root mean square in units of the state.
  bool is_rounding() const { return norm_ * norm_ <= 1e-26 * static_cast<double>(vectors_.size()); }
  double cfl() const;
  /// The problem has changed: the residual may fall again.
  void forget_best() { memory_.since_best = memory_.best_norm = 0; }
  /// Whether the residual has not fallen for many steps.
  bool stalls() const { return memory_.since_best >= 15; }
  /// Whether it has grown far beyond the best one.
  bool diverges() const { return memory_.best_norm > 0 && norm_ > 20 * memory_.best_norm; }
  /// Whether it will hardly fall again. Wakes that leave coarse meshes may keep it up for tens of steps.
  bool has_ended() const { return memory_.since_best >= 60; }
  /// As much memory as GMRES takes during a step, for plans of it.
  std::unique_ptr<device::Memory> vectors_of_gmres() const;
  /// Whether artificial viscosity is that of every state whose residual is computed, or stays what it is.
  void follow_viscosity(bool on) { follows_ = on; }
  const NewtonSeconds& seconds() const { return seconds_; }
  const NewtonMemory& memory() const { return memory_; }
  void restore(const NewtonMemory& memory) { memory_ = memory; }
  /// Whether the next step takes the blocks that there are, if `memory` is what is remembered.
  bool keeps_blocks(const NewtonMemory& memory) const {
    return jacobian_ && memory.has_blocks && memory.excess < static_cast<double>(jacobian_->evaluations());
  }
  /// The state that the blocks belong to.
  device::Memory& block_state() const { return *block_state_; }
  const BlockOrigin& block_origin() const { return block_origin_; }
  /// Computes the blocks of block_state() again, in place of the present ones; leaves what is remembered, and the
  /// operator with that viscosity and force. The present state must be looked at afterwards.
  void restore_blocks(const BlockOrigin& origin, kernels::Control control);

 private:
  class Product;
  class TimedPreconditioner;
  void evaluate(device::Memory& at, device::Memory& rate, bool follow = true);
  int vectors_that_fit(double bytes) const;
  bool constants_pay() const;
  void prepare_preconditioner(double shift, bool fresh);
  void refresh_blocks(device::Memory& state, const kernels::Control& control);
  bool apply(device::Memory& state, double& share);
  bool search(device::Memory& state, kernels::Control& control, double shift, double before, double& share);
  double step_residual(double shift);
  void note(double norm);

  dg::FlowOperator& space_;
  NewtonSettings settings_;
  algebra::Kernels kernels_;
  StateVectors vectors_;
  std::unique_ptr<Jacobian> jacobian_;
  std::unique_ptr<EliminationPreconditioner> elimination_;
  std::unique_ptr<ConstantsPreconditioner> constants_;  ///< where they pay
  std::unique_ptr<device::Memory> base_, work_, rate_, kept_, block_state_, right_, correction_;
  BlockOrigin block_origin_;
  std::unique_ptr<device::Graph> product_graph_, following_graph_;
  bool follows_ = false;
  std::string description_;
  NewtonMemory memory_;
  double norm_ = 0;
  long evaluations_ = 0;
  int cycle_ = 0;  ///< iterations of GMRES at most
  NewtonSeconds seconds_;
};

}  // namespace galerna::steady
