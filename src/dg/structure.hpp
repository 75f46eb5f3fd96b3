/// \file
/// What a row of the table of structures (dg/structures.hpp) consists of: one way in which kernels compute the residual
/// of a set of elements, what it fits, and what programs and launches need of it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device/target.hpp"
#include "dg/blocks.hpp"
#include "dg/entry.hpp"
#include "dg/operators.hpp"
#include "dg/spec.hpp"

namespace galerna::dg {

struct SetPlan;

/// What the kernels of a set take for what lies beyond a side (dg/sides/side_codes.hpp).
enum class Beyond {
  neighbour,   ///< element and side, whose coefficients they read
  slot,        ///< of a trace; traces run as the element counts points
  turned_slot  ///< slot and orientation
};

/// The kernel that stores traces before the residual of a stage.
enum class TraceKernel {
  none,
  traces,  ///< of all elements
  edges    ///< where others end at them (kernels/element/edges.hpp)
};

/// The elements for which a structure is chosen.
struct Elements {
  const Operators& operators;
  int geometry_order = 1;
  bool alone = true;  ///< whether the mesh holds no others
};

/// What a structure asks for.
struct Condition {
  const char* what;  ///< "straight triangles"
  bool (*holds)(const Elements&, const Spec&, const device::Target&);
};

struct Structure;

/// What kernels are written for.
struct KernelRequest {
  const Spec& spec;
  const Operators& operators;
  const Structure& structure;
  const device::Target& target;
  const std::set<std::pair<int, int>>& stage_shapes;  ///< (inputs, outputs)
};

/// The elements that a launch is for.
struct LaunchRequest {
  const SetPlan& plan;
  const Blocks& blocks;
  const Spec& spec;
  device::Kind kind;
};

/// A row of the table.
struct Structure {
  const char* name;
  const char* what;      ///< how it computes and why that is faster, for people
  const char* measured;  ///< how much faster, and where, for people
  std::vector<Condition> needs;
  /// It is tried before the rows above it where this holds; `what` is null where there is no such case.
  Condition first = {};
  /// Where a GPU measures which of the rows that fit a mesh of nothing else is fastest (solver/bench/tuning.hpp);
  /// `what` is null where it never does, "" where it always does.
  Condition timed = {};

  /// Whether its kernels are those of straight simplices by themselves (simplex_core_programs(),
  /// kernels::ResidualArguments) where the mesh holds nothing else; beside other elements they leave traces for them
  /// (kernels/element/edges.hpp). All others take the stored traces of kernels/element.
  bool simplices = false;
  Beyond beyond = Beyond::turned_slot;
  /// Whether its elements' traces are stored where the mesh holds nothing else.
  bool stores_traces = true;
  /// Whether its kernels go line by line (kernels/line); of straight elements they take the numbers of trilinear maps
  /// in place of metric terms at points.
  bool by_lines = false;
  /// Whether its kernels on GPUs go through the points of large elements in loops (kernels/element/thread_group.hpp).
  bool in_loops = false;
  /// Whether its kernels take metric terms of curved elements in the order of tiles (dg/geometry/tile_metric.hpp).
  bool tile_metric = false;
  /// Elements in a tile of kernels/tile, 0: none.
  int tile = 0;
  /// Headers of its residual and monitor in a program of straight simplices, and of what it adds to one of any
  /// elements.
  std::vector<const char*> headers = {}, headers_beside = {};
  /// The kernels residual_I_O and those that it reads the traces of, in the order of the program.
  std::vector<Entry> (*entries)(const KernelRequest&) = nullptr;
  /// Lines of the struct Config that they need beside those of all kernels.
  std::vector<std::string> (*members)(const KernelRequest&) = nullptr;
  Entry (*monitor)(const device::Target&) = nullptr;
  /// Of a launch of the residual; tiles add their shared memory when they are uploaded.
  device::Range (*residual_range)(const LaunchRequest&) = nullptr;
  device::Range (*monitor_range)(const LaunchRequest&) = nullptr;
  /// Of the kernels `traces` and `viscous` of kernels/element.
  device::Range (*trace_range)(const LaunchRequest&) = nullptr;
  device::Range (*viscous_range)(const LaunchRequest&) = nullptr;
  /// What it multiplies by on matrix units, in the order in which these take it; null: it does not.
  std::vector<double> (*products)(const Operators&) = nullptr;
  /// Of a degree up to the first, on a mesh of nothing else with up to so many elements, one kernel goes through whole
  /// steps by itself (kernels/launch_sequence.hpp): there launches take longer than what they start.
  std::pair<int, std::int64_t> steps_by_one_kernel = {-1, 0};

  /// Whether a set of such elements is computed by programs of straight simplices by themselves
  /// (simplex_core_programs()) and not by those of any elements. \param alone whether the mesh holds nothing else
  bool stands_by_itself(bool alone) const { return simplices && alone; }
  TraceKernel trace_kernel(bool alone) const {
    if (simplices && !alone) return TraceKernel::edges;
    return simplices && !stores_traces ? TraceKernel::none : TraceKernel::traces;
  }
};

/// A row and, for people, why it was chosen.
struct Choice {
  const Structure* structure;
  std::string why;
};

}  // namespace galerna::dg
