#include "dg/programs/kernel_counter.hpp"

#include <array>

#include "dg/programs/element_programs.hpp"
#include "dg/programs/simplex_programs.hpp"
#include "dg/sides/side_codes.hpp"
#include "kernels/element/arguments.hpp"

namespace galerna::dg {
namespace {

using kernels::Counting;

/// As many threads' as are counted: one.
Target counting_target(device::Kind kind) {
  Target target{kind, 1};
  target.counting = true;
  return target;
}

/// Numbers that the largest array has for an element or a face, and more.
constexpr std::int64_t array_numbers = 1 << 15;
constexpr int registers = 8, arrays = 24;

}  // namespace

KernelCount& KernelCount::operator+=(const KernelCount& other) {
  operations += other.operations;
  read += other.read;
  written += other.written;
  return *this;
}

/// A program and the memory on which it runs. Arrays lie one behind the other; what counts for nothing (tables, sums in
/// double precision, integers) lies elsewhere.
struct KernelCounter::Run {
  std::unique_ptr<device::Device> device = device::open_device("cpu");
  std::unique_ptr<device::Program> program;
  bool simplices, any_elements;
  std::vector<char> memory = std::vector<char>((registers + arrays) * array_numbers),
                    tables = std::vector<char>(1 << 20);
  std::vector<unsigned char> touched = std::vector<unsigned char>(memory.size());
  std::vector<double> sums = std::vector<double>(1 << 12);
  std::vector<std::int32_t> slots, zeros = std::vector<std::int32_t>(1 << 12);
  std::int32_t condition = 0;
  kernels::Control control{};
  int used = 0;

  Run(const device::ProgramSource& source, Shape shape, bool of_simplices, bool of_any_elements)
      : program(device->load(source)), simplices(of_simplices), any_elements(of_any_elements) {
    control.active = 1;
    control.dt = 1;
    // The element beyond each side is the element itself, at the same side; of a triangle, that is the trace's slot,
    // too.
    for (int side = 0; side < side_count(shape); ++side)
      slots.push_back(of_any_elements && !of_simplices ? slot_code(side_rank(shape, side), 0, side_shape(shape, side))
                                                       : element_code(0, side, 3));
  }

  void* state(int number) { return memory.data() + number * array_numbers; }
  /// An array that no other is.
  void* array() { return memory.data() + (registers + used++) * array_numbers; }

  void launch(const std::string& entry, const void* arguments, std::size_t bytes) {
    device->launch(*device->kernel(*program, entry), {1, 1}, arguments, bytes);
    device->synchronize();
  }

  template <class Arguments>
  KernelCount count(const std::string& entry, const Arguments& arguments, bool comparisons = false) {
    std::fill(touched.begin(), touched.end(), 0);
    Counting counting{0, memory.data(), static_cast<std::int64_t>(memory.size()), touched.data(), comparisons};
    Counting* const begin = &counting;
    launch("count", &begin, sizeof begin);
    launch(entry, &arguments, sizeof arguments);
    used = 0;
    KernelCount result{counting.operations};
    for (unsigned char how : touched) {
      result.read += (how & Counting::read) ? 1 : 0;
      result.written += (how & Counting::written) ? 1 : 0;
    }
    return result;
  }

  kernels::StageUpdate update(const CountedStage& stage) {
    kernels::StageUpdate result{};
    for (std::size_t i = 0; i < stage.inputs.size(); ++i) result.inputs[i] = state(stage.inputs[i]);
    for (std::size_t k = 0; k < stage.outputs.size(); ++k) result.outputs[k] = state(stage.outputs[k]);
    result.element_limits = array();
    return result;
  }

  kernels::ElementSetArrays set() {
    kernels::ElementSetArrays a{};
    a.contravariant = array();
    a.inverse = array();
    a.normals = array();
    a.means = array();
    a.beyond = slots.data();
    a.nodes = array();
    a.elements = 1;
    a.side_gradients = array();
    a.corrections = array();
    return a;
  }

  kernels::ElementArguments element_arguments(const CountedStage& stage) {
    kernels::ElementArguments a{};
    a.state = state(stage.at);
    for (kernels::TraceArrays& faces : a.faces) {
      faces = {array(), stage.follows ? array() : nullptr, array(), array(), 0, 0, 0};
      faces.first_ghost = 1 << 20;  // no side lies on the boundary
    }
    a.set = set();
    a.control = &control;
    a.update = update(stage);
    return a;
  }

  kernels::LimitArguments limit_arguments(int vertex_slots) {
    kernels::LimitArguments a{};
    a.state = state(0);
    a.gradients = array();
    a.neighbours = zeros.data();
    a.around = zeros.data();
    a.slots = vertex_slots;
    a.derivatives = array();
    a.troubled = array();
    a.counts = sums.data();
    a.blocks = a.elements = 1;
    a.control = &control;
    a.means = array();
    return a;
  }

  kernels::GhostArguments ghosts(int number) {
    condition = number;
    kernels::GhostArguments a{};
    a.faces = {zeros.data(), &condition, array(), array(), array(), array()};
    a.traces = array();
    a.state = state(0);
    a.side_basis = tables.data();
    a.viscous_traces = array();
    a.face_gradients = array();
    a.first_ghost = a.face_count = 1;
    a.pending_flux = a.total_flux = sums.data();
    a.control = &control;
    return a;
  }

  kernels::EmbeddedArguments embedded() { return {state(0), state(1), state(2), sums.data(), 1, &control, 1}; }
};

KernelCounter::KernelCounter(const device::ProgramSource& source, Shape shape, bool simplices, bool any_elements)
    : run_(std::make_unique<Run>(source, shape, simplices, any_elements)) {}
KernelCounter::KernelCounter(KernelCounter&&) noexcept = default;
KernelCounter::~KernelCounter() = default;

KernelCounter KernelCounter::of_any_elements(const Spec& spec, const SetPlan& set, const Structure& structure,
                                             bool alone, device::Kind kind,
                                             const std::set<std::pair<int, int>>& stage_shapes) {
  const Target target = counting_target(kind);
  if (structure.stands_by_itself(alone))
    return {simplex_core_program(spec, set.operators, structure, target, stage_shapes), set.operators.shape, true,
            false};
  SetPlan one = set;
  one.alone = alone;
  one.structure = &structure;
  return {element_core_program(spec, one, target, stage_shapes), set.operators.shape, structure.simplices, true};
}

KernelCounter KernelCounter::of_boundary(const Spec& spec, const std::vector<SetPlan>& sets) {
  const Operators& operators = sets.front().operators;
  const bool any_elements = !sets.front().stands_by_itself();
  Spec conditions = spec;
  conditions.initial.reset();
  conditions.exact.reset();
  conditions.integrals.clear();
  conditions.report_integrands.clear();
  const Target target = counting_target(device::Kind::cuda);
  return {any_elements ? element_case_program(conditions, operators, operators.side, true, target)
                       : simplex_case_program(conditions, operators, target, sets.front().structure->stores_traces),
          operators.shape, !any_elements, any_elements};
}

KernelCount KernelCounter::residual(const CountedStage& stage) {
  const std::string entry =
      residual_entry(static_cast<int>(stage.inputs.size()), static_cast<int>(stage.outputs.size()));
  if (!run_->simplices) return run_->count(entry, run_->element_arguments(stage));
  kernels::ResidualArguments a{};
  a.state = run_->state(stage.at);
  a.gradients = run_->array();
  a.neighbours = run_->slots.data();
  a.traces = run_->array();
  a.side_basis = run_->tables.data();
  a.control = &run_->control;
  a.update = run_->update(stage);
  a.blocks = 1;
  a.nodes = run_->array();
  return run_->count(entry, a);
}

KernelCount KernelCounter::traces() {
  if (run_->any_elements) return run_->count("traces", run_->element_arguments({}));
  return run_->count("traces", kernels::TraceArguments{run_->state(0), run_->array(), &run_->control});
}

KernelCount KernelCounter::viscous() {
  return run_->count("viscous", run_->element_arguments({}));
}

KernelCount KernelCounter::edges() {
  return run_->count("edges", kernels::EdgeArguments{run_->state(0), run_->zeros.data(), run_->tables.data(),
                                                     run_->array(), 0, &run_->control});
}

KernelCount KernelCounter::monitor() {
  kernels::MonitorArguments a{};
  a.state = run_->state(0);
  a.diameters = run_->array();
  a.step_limits = run_->sums.data();
  a.element_limits = run_->array();
  return run_->count("monitor", a);
}

KernelCount KernelCounter::change() {
  if (run_->any_elements)
    return run_->count("change", kernels::ElementChangeArguments{run_->state(0), run_->state(1), run_->set(),
                                                                 run_->sums.data(), 1, &run_->control, run_->array()});
  return run_->count("change", kernels::ChangeArguments{run_->state(0), run_->state(1), run_->array(),
                                                        run_->sums.data(), 1, &run_->control, run_->array()});
}

KernelCount KernelCounter::embedded_error() {
  return run_->count("embedded_error", run_->embedded());
}

KernelCount KernelCounter::embedded_commit() {
  run_->control.accepted = 1;
  return run_->count("embedded_commit", run_->embedded());
}

KernelCount KernelCounter::accumulate() {
  return run_->count("accumulate", kernels::AverageArguments{run_->state(0), run_->state(1), &run_->control});
}

KernelCount KernelCounter::detect() {
  return run_->count("detect", run_->limit_arguments(0));
}

KernelCount KernelCounter::limit(int vertex_slots, bool cuts) {
  return run_->count("limit", run_->limit_arguments(vertex_slots), cuts);
}

KernelCount KernelCounter::ghosts(int condition) {
  return run_->count("ghosts", run_->ghosts(condition));
}

KernelCount KernelCounter::boundary_fluxes(int condition) {
  return run_->count("boundary_fluxes", run_->ghosts(condition));
}

kernels::OperationCounts KernelCounter::points() {
  kernels::OperationCounts result;
  Counting counting;
  Counting* const begin = &counting;
  kernels::OperationCounts* const to = &result;
  run_->launch("count", &begin, sizeof begin);
  run_->launch("points", &to, sizeof to);
  return result;
}

}  // namespace galerna::dg
