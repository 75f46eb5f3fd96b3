/// \file
/// The plain structs that the host hands to kernels, and the state of the time loop that lives on the device. Pointers
/// are to device memory; arrays of the program's floating-point type are `void` because the host does not know it at
/// compile time.
///
/// Layout: elements are grouped in blocks of `width` (32 on the GPU, the SIMD width on the CPU), the last block padded
/// with copies of the last element whose measure is 0. An array written [block][a][b][lane] holds value (a, b) of
/// element block · width + lane. Boundary faces are blocked in the same way, each block belonging to one boundary.
#pragma once

#include "kernels/array.hpp"
#include "kernels/lane.hpp"
#include "kernels/rank_arguments.hpp"

namespace galerna::kernels {

/// Of a system of equations: Control has room for the residuals of so many.
constexpr int most_variables = 8;

/// What the run is doing; the controller kernel sets it, the host reads it now and then.
enum class RunStatus : int {
  running = 0,
  reached_stop,    ///< time = stop_time
  steady,          ///< change ≤ steady_tolerance
  steady_floor,    ///< change no longer falls and is at round-off level
  step_limit,      ///< steps = step_limit
  inadmissible,    ///< density or pressure not positive, or NaN, in element bad_element
  step_underflow,  ///< the time step fell below 1e-14 of the time and of the stable step
  mean_lost,       ///< in the step that was tried the mean of an element lost its density or pressure
};

/// State of the time loop, on the device. The host writes the settings and reads the rest.
struct Control {
  // Settings
  double stop_time;         ///< the next time at which the host wants control back
  double cfl;               ///< > 0: dt = cfl · step_limit_cfl
  double fixed_step;        ///< > 0: dt
  double tolerance;         ///< > 0: dt from the embedded error, which this tolerance scales
  double steady_tolerance;  ///< > 0: stop on the change
  double round_off;         ///< relative: 2^-52 or 2^-23
  std::int64_t step_limit;  ///< stop when this many steps are done
  double average_start;     ///< from this time on the state is integrated for its mean; far away where it is not
  double wall_force_x, wall_force_y;  ///< of the fluid on all walls, for far fields that know of the lift; else 0
  int steady_norm;                    ///< 0: max |Δc|; 1: largest over variables of the L2 norm of Δu/dt
  int embedded_order;
  std::int64_t freeze_after;  ///< > 0: steps without a smaller change after which artificial viscosity is frozen

  // State
  int status;             ///< RunStatus
  int active;             ///< whether the kernels of the current step do anything
  double time, time_low;  ///< t = time + time_low (compensated summation)
  double dt;              ///< of the current or last step; with local steps the smallest of all elements
  double next_dt;         ///< error-controlled: the controller's proposal, 0 at start
  double largest_stable;  ///< min over elements of h / ((2p+1) λ), last seen
  std::int64_t steps, rejected, rhs_evaluations;
  double change;        ///< of the last step, in the steady norm
  double best_change;   ///< smallest so far
  double largest_mode;  ///< max |c| when the change was taken
  std::int64_t steps_since_best;
  std::int64_t frozen;              ///< whether artificial viscosity stays what it was
  double error, previous_error;     ///< weighted error of the last step and of the last accepted one
  int accepted;                     ///< whether the last step counts
  int mean_lost;                    ///< whether a mean was not admissible after a stage (limiter/positivity.hpp)
  std::int64_t bad_element;         ///< −1, or the first inadmissible element
  double average_weight;            ///< of the present state in its integral over time
  double average_pending;           ///< of the weight of the present state, the part of the steps before it
  double residual[most_variables];  ///< L2 norm of (u^{n+1} − u^n)/dt per variable, last seen
};

/// Linear combinations that a stage writes: output_k ← Σ_i coefficients[k][i] · input_i + rhs[k] · dt · R(state). The
/// last one is the state that the next stage looks at. An average (coefficients that add up to 1) is taken as input_0 +
/// Σ_{i>0} coefficients[k][i] · (input_i − input_0), so that rounded coefficients leave constants, and with them all
/// integrals, as they are: average[k] is 1 then and coefficients[k][0] too.
struct StageUpdate {
  const void* inputs[3];
  void* outputs[3];
  double coefficients[3][3];
  double average[3];
  double rhs[3];
  const void* element_limits;  ///< with local steps: of MonitorArguments
};

/// One number of output k. \param change rhs[k] · dt · R. \tparam Number what coefficients are rounded to, and then of
/// type V.
template <class Number, int inputs, class V>
V stage_output(const StageUpdate& update, int k, const Array<V, inputs>& input, const V& change) {
  V sum = change + V(Number(update.coefficients[k][0])) * input[0];
  for (int i = 1; i < inputs; ++i)
    sum += V(Number(update.coefficients[k][i])) * (input[i] - V(Number(update.average[k])) * input[0]);
  return sum;
}

/// How tile/residual.hpp groups elements.
struct TileArguments {
  static constexpr std::int32_t unused = -2147483647 - 1;
  const double* operators;         ///< dg/tiles.hpp
  const std::int32_t* neighbours;  ///< [tile][side][element] column and side within the tile (side_code.hpp); outside
                                   ///< traces come behind the tile's elements, `sides` of them in a column
  const std::int32_t* codes;       ///< [tile][slot] traces from outside: element and side, −1 − ghost, or unused
  std::int64_t count;
  int outside;  ///< slots
  int columns;  ///< of the array of traces
};

/// residual.hpp, packs/residual.hpp, tile/residual.hpp
struct ResidualArguments {
  const void* state;               ///< kernels/state.hpp, as all states
  const void* gradients;           ///< [block][dimension · dimension][lane]: ∇λ_1, …, ∇λ_d
  const std::int32_t* neighbours;  ///< [block][side][lane]: CPU: slot of the neighbour's trace; GPU: element
                                   ///< and side (side_code.hpp), or −1 − ghost's slot
  const void* traces;              ///< kernels/traces.hpp: CPU: all sides, then ghosts; GPU: ghosts only
  const void* side_basis;          ///< [side][point][mode], in memory for access with a side that differs between lanes
  const Control* control;
  StageUpdate update;
  std::int64_t blocks;
  int streams;  ///< whether outputs are written past the caches (CPU)
  TileArguments tiles;
  const void* nodes;         ///< [block][node][dimension][lane] coordinates of the elements' nodes, for sources only
  double abscissa;           ///< of the stage
  unsigned first_of_launch;  ///< element, a multiple of 128 (GPU); with tiles the launch ends at tile tiles.count
};

/// packs/traces.hpp
struct TraceArguments {
  const void* state;
  void* traces;  ///< kernels/traces.hpp
  const Control* control;
};

/// Blocks of boundary faces, each of one boundary. Points are counted as traces are.
struct FaceArrays {
  const std::int32_t* slots;       ///< [face block][lane] of the trace inside (kernels/traces.hpp)
  const std::int32_t* conditions;  ///< [face block] boundary condition
  const void* positions;           ///< [face block][point][3][lane]
  const void* normals;             ///< [face block][point][dimension][lane] outward unit normal times ds
  const void* wall_normals;        ///< [face block][point][dimension][lane] unit normal of the true surface
  const void* counts;              ///< [face block][lane] 1, or 0 on padding
};

/// How many threads of a GPU share a boundary face (boundary/faces.hpp): a power of two.
constexpr int threads_per_face(int dimension, bool stored_traces) {
  return dimension == 3 && stored_traces ? 8 : 1;
}

/// boundary/ghosts.hpp: for blocks of boundary faces.
struct GhostArguments {
  FaceArrays faces;
  void* traces;  ///< kernels/traces.hpp
  // Where traces of elements are not stored:
  const void* state;
  const void* side_basis;  ///< of ResidualArguments
  // With viscosity:
  void* viscous_traces;
  const void* face_gradients;  ///< [face block][point][d][variable][lane] ∇u with the lifting's part, inside
  std::int64_t first_ghost;    ///< slot of the first face
  std::int64_t face_count;     ///< with padding
  double* pending_flux;        ///< [face block][variable][lane] flux through the face of the current step · dt
  double* total_flux;          ///< the same, of all accepted steps before
  void* report;  ///< null, or wanted instead of these sums: [face block][point][2][variable][lane] states inside, F*·n;
                 ///< of boundary_fluxes u_b, F_v·n
  const Control* control;
  double abscissa, weight;  ///< of the stage
  int first_stage;          ///< begins a step
};

/// monitor.hpp
struct MonitorArguments {
  const void* state;
  const void* diameters;    ///< [block][lane] inscribed diameters
  const double* operators;  ///< of TileArguments, for tile/monitor.hpp
  double* step_limits;      ///< [group] min of h / ((2p+1) λ), or bad_element_code of the first inadmissible element;
                            ///< groups are thread blocks (GPU) or blocks of elements (CPU)
  std::int64_t first_element;    ///< of the set, in the mesh
  void* element_limits;          ///< with local steps: [block][lane] the stable step of each element; null: not wanted
  const void* corner_viscosity;  ///< ElementSetArrays::corner_viscosity
};

/// Codes of inadmissible elements in step_limits: below all steps, that of the first element smallest.
inline double bad_element_code(std::int64_t element) {
  return -1e18 + double(element) * 1e3;
}
/// −1 if the smallest of step_limits is a step.
inline std::int64_t bad_element_of(double smallest) {
  return smallest < 0 ? std::int64_t((smallest + 1e18) / 1e3 + 0.5) : -1;
}

/// change.hpp: the change of a step, or its embedded error.
struct ChangeArguments {
  const void* state;
  void* previous;            ///< compared with state, then overwritten by it
  const void* determinants;  ///< [block][lane] |det J|; 0 on padding
  double* partials;          ///< [1 + 1 + 3 variables][block]: max |Δc|, max |c|, ∫ (Δu)² over the block as
                             ///< sums of three numbers (long_sum.hpp)
  std::int64_t blocks;
  Control* control;
  const void* element_limits;  ///< with local steps: of MonitorArguments
};

/// error_estimate.hpp
struct EmbeddedArguments {
  void* state;            ///< u^n, replaced by the candidate if the step is accepted
  const void* candidate;  ///< u^{n+1}
  const void* error;      ///< candidate − embedded solution
  double* partials;       ///< [variable][2][3][block]: Σ of squared errors and of squared scales (long_sum.hpp)
  std::int64_t blocks;
  Control* control;
  std::int64_t elements;  ///< of the set, without padding, which counts for nothing
};

/// average.hpp
struct AverageArguments {
  const void* state;
  void* integral;  ///< a state
  const Control* control;
};

/// integrals.hpp
struct IntegralArguments {
  const void* state;
  const void* determinants;  ///< [block][lane] |det J|; 0 on padding
  double* partials;          ///< [variable][3][block] integrals over blocks (long_sum.hpp)
  std::int64_t blocks;
};
struct IntegralSumArguments {
  const double* partials;
  std::int64_t blocks;  ///< of all sets
  double* integrals;    ///< [variable]
};

/// control.hpp, step_totals.hpp
struct ControlArguments {
  Control* control;
  double* shares;             ///< [group][number] totals of each thread block; null on Host
  int* arrived;               ///< thread blocks that have come to the end; 0 before and after a launch
  const double* step_limits;  ///< of monitor.hpp
  const double* change;       ///< of change.hpp; null unless the change is watched
  const double* error;        ///< of error_estimate.hpp; null unless the step is error-controlled
  std::int64_t step_limit_count;
  std::int64_t blocks;
  std::int64_t elements, coefficients;  ///< in the whole state, without padding
  int vectors[most_variables];          ///< the first variable of the vector that a variable belongs to, or itself
  int monitored;                        ///< whether step_limits is that of the current state
  int stages;
  int groups;               ///< thread blocks of the launch
  const RankTotals* ranks;  ///< on GPUs, where there are several; else null
};

/// limiter/boundary.hpp: for blocks of boundary faces.
struct BoundaryMeanArguments {
  FaceArrays faces;
  const void* state;
  void* means;  ///< [face block][variable][lane] state at the boundary, averaged over the face
  const Control* control;
  double abscissa;  ///< of the time at which the state stands, in the current step
};

/// limiter/: the state is limited in place; what neighbours read of it (means, and what `detect` has gathered before)
/// stays.
struct LimitArguments {
  void* state;
  const void* gradients;
  const std::int32_t* neighbours;  ///< [block][side][lane] element and side, or −1 − boundary face
  const std::int32_t* around;      ///< [block][vertex · slots + slot][lane] elements around each vertex, itself
                                   ///< included, and −1 − boundary face of those
  const void* boundary_means;      ///< of BoundaryMeanArguments, with Config::boundary_bounds
  std::int32_t slots;
  void* derivatives;  ///< [block][variable][derivative][lane] means of derivatives (limiter/hierarchical.hpp)
  void* troubled;     ///< [block][lane] 1 where the element is to be limited, else 0
  double* counts;     ///< [2][block] elements limited, elements scaled for positivity, summed over all calls
  std::int64_t blocks, elements;
  const Control* control;
  int* mean_lost;          ///< of control
  const void* means;       ///< where metric terms are not constant: [block][mode][lane] ∫ φ_j dx over the element
  MonitorArguments watch;  ///< where the limited state is looked at, too; otherwise its step_limits is null
};

/// filter/summary.hpp. Summaries of all sets, and behind them of boundary faces, lie in one array, in which others find
/// them by the numbers before them.
struct SummaryArguments {
  const void* state;
  void* summaries;    ///< [block][number][lane] of the set
  const void* means;  ///< LimitArguments::means
  const Control* control;
  int between_steps;  ///< whether before a step, for artificial viscosity, unless that is frozen
};

/// filter/boundary_summary.hpp: for blocks of boundary faces.
struct BoundarySummaryArguments {
  FaceArrays faces;
  const void* elements;        ///< all summaries
  const std::int32_t* inside;  ///< [face block][lane] where the summary of the element inside begins
  void* summaries;             ///< [face block][4 + variable][lane]
  const Control* control;
  double abscissa;    ///< of the time at which the state stands, in the current step
  int between_steps;  ///< as in SummaryArguments
};

/// filter/sensor.hpp, extremes.hpp, entropy_filter.hpp: the state is filtered in place.
struct FilterArguments {
  void* state;
  const void* summaries;       ///< all, of the state before the stage
  void* own;                   ///< those of the set
  const std::int32_t* beyond;  ///< [block][side][2][lane] where the summary beyond a side begins, and its mean over it
  double* counts;              ///< as LimitArguments::counts
  void* strengths;             ///< [block][lane] of the set: 1 − f of elements in trouble
  std::int64_t blocks, elements;
  const Control* control;
  int* mean_lost;            ///< of control
  const void* means;         ///< LimitArguments::means
  int between_steps;         ///< as in SummaryArguments
  unsigned first_of_launch;  ///< as in ResidualArguments
};

/// shock/shock_viscosity.hpp
struct ElementViscosityArguments {
  const void* own;      ///< [block][number][lane] summaries of the set, with the sensors' findings
  const void* lengths;  ///< [block][lane] h of ε
  void* of_elements;    ///< [block][lane] of the set
  const Control* control;
};
struct VertexViscosityArguments {
  const void* of_elements;     ///< of all sets, one behind the other
  const std::int32_t* first;   ///< [vertex] where the elements around it begin in `around`; with padding, and an end
  const std::int32_t* around;  ///< places in of_elements
  void* of_vertices;           ///< [block][lane]
  const Control* control;      ///< null: frozen viscosity, too
};
struct CornerViscosityArguments {
  const void* of_vertices;
  const std::int32_t* vertices;  ///< [block][corner][lane]
  void* of_corners;              ///< [block][corner][lane]
  const Control* control;        ///< null: frozen viscosity, too
};

/// The first element of a launch for a part of a set, 0 where its arguments know of no parts.
template <class Arguments>
unsigned first_of_launch([[maybe_unused]] const Arguments& a) {
  if constexpr (requires { a.first_of_launch; })
    return a.first_of_launch;
  else
    return 0;
}

/// Points at which formulas.hpp evaluates polynomials together.
constexpr int formula_batch = 8;

/// formulas.hpp: for some blocks of one set of elements. Their rule has whole batches of points, some of weight 0.
struct FormulaArguments {
  void* state;
  const double* nodes;       ///< [block][node][dimension][lane] coordinates
  const void* determinants;  ///< of straight simplices with kernels of their own: [block][lane] |det J|, 0 on padding
  double* work;              ///< to project others: [block][points + (3 + variables) modes][lane]; else null
  const double* basis;       ///< [point][mode]
  const double* shapes;      ///< [point][1 + dimension][node] shape functions, their derivatives by ξ_d
  const double* weights;     ///< [point]
  int points, modes, nodes_per_element, work_numbers;
  std::int64_t elements;  ///< without padding
  double* partials;       ///< errors: [variable][3 + 3 + 1][block]: ∫|e|, ∫e² (long_sum.hpp), max |e|
  std::int64_t blocks;
  double time;
};

}  // namespace galerna::kernels
