/// \file
/// What kernels do for an element, counted by running them: the programs of dg/programs/simplex_programs.hpp and
/// dg/programs/element_programs.hpp, compiled for numbers that count (kernels/counted.hpp), on one element that is its
/// own neighbour.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "dg/set_plan.hpp"
#include "dg/spec.hpp"
#include "kernels/operations.hpp"

namespace galerna::dg {

/// Of one launch, for an element, a side or a boundary face. A number of an array of the program's precision counts
/// once for being read and once for being written, however often that happens.
struct KernelCount {
  double operations = 0, read = 0, written = 0;

  KernelCount& operator+=(const KernelCount& other);
};

/// Registers of states in which a stage reads and writes.
struct CountedStage {
  int at = 0;
  std::vector<int> inputs, outputs;
  bool follows = false;  ///< StageCall::follows
};

class KernelCounter {
 public:
  /// Kernels of the set's elements by a row that is made of such numbers (Structure::counted_as). \param alone whether
  /// the mesh holds nothing else.
  static KernelCounter of_any_elements(const Spec& spec, const SetPlan& set, const Structure& structure, bool alone,
                                       device::Kind kind, const std::set<std::pair<int, int>>& stage_shapes);
  /// ghosts and boundary_fluxes.
  static KernelCounter of_boundary(const Spec& spec, const std::vector<SetPlan>& sets);
  KernelCounter(KernelCounter&&) noexcept;
  ~KernelCounter();

  KernelCount residual(const CountedStage& stage);
  KernelCount traces();
  KernelCount viscous();
  KernelCount edges();
  KernelCount monitor();
  KernelCount change();
  KernelCount embedded_error();
  KernelCount embedded_commit();
  KernelCount accumulate();
  KernelCount detect();
  /// \param cuts whether the limiter changes all that it may, or nothing.
  KernelCount limit(int vertex_slots, bool cuts);
  /// \param condition number of the boundary
  KernelCount ghosts(int condition);
  KernelCount boundary_fluxes(int condition);
  /// Of equations and flux at a point.
  kernels::OperationCounts points();

 private:
  struct Run;
  KernelCounter(const device::ProgramSource& source, Shape shape, bool simplices, bool any_elements);
  std::unique_ptr<Run> run_;
};

}  // namespace galerna::dg
