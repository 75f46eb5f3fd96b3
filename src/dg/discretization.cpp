#include "dg/discretization.hpp"

#include <algorithm>
#include <cmath>

#include "dg/structure_kernels.hpp"

namespace galerna::dg {

using device::Kind;
using device::Memory;

namespace {

/// A state that is larger than this is no longer in the caches when the next stage reads it; measured where a group of
/// cores shares 32 MB.
constexpr std::size_t cached_state = std::size_t{4} << 20;

/// Coefficients of output k; averages as in kernels::StageUpdate.
void set_coefficients(kernels::StageUpdate& update, std::size_t k, const std::vector<double>& coefficients) {
  double sum = 0;
  for (double c : coefficients) sum += c;
  const auto count = std::count_if(coefficients.begin(), coefficients.end(), [](double c) { return c != 0; });
  const bool average = count > 1 && std::abs(sum - 1) < 1e-14;
  std::copy(coefficients.begin(), coefficients.end(), update.coefficients[k]);
  update.average[k] = average ? 1 : 0;
  if (average) update.coefficients[k][0] = 1;
}

/// Blocks whose corner coordinates are on the device at a time while formulas are evaluated.
std::int64_t formula_blocks(const Blocks& elements) {
  constexpr std::int64_t most = 16384;  // elements: whole thread blocks, and enough of them to fill a GPU
  return std::min(elements.count, most / elements.lanes);
}

/// [element][rows][columns] -> [element][columns][rows]
std::vector<double> transposed(const std::vector<double>& values, int rows, int columns) {
  std::vector<double> result;
  result.reserve(values.size());
  for (std::size_t element = 0; element < values.size(); element += static_cast<std::size_t>(rows * columns))
    for (int column = 0; column < columns; ++column)
      for (int row = 0; row < rows; ++row)
        result.push_back(values[element + static_cast<std::size_t>(row * columns + column)]);
  return result;
}

}  // namespace

const ElementSet& Discretization::set_of(mesh::Index element) const {
  return sets_[static_cast<std::size_t>(mesh_.locate(element).block)];
}

double Discretization::domain_measure() const {
  double sum = 0;
  for (const ElementSet& set : sets_) sum += set.measure;
  return sum;
}

std::int64_t Discretization::degrees_of_freedom() const {
  std::int64_t sum = 0;
  for (const ElementSet& set : sets_) sum += set.blocks.items * values(set);
  return sum;
}

std::size_t Discretization::state_bytes() const {
  const ElementSet& last = sets_.back();
  return last.state_offset + static_cast<std::size_t>(last.blocks.padded() * values(last) * bytes_of(spec_.precision));
}

std::unique_ptr<Memory> Discretization::allocate_state(const std::string& purpose) {
  return allocate_cleared(device_, purpose, state_bytes());
}

void* Discretization::part_of(Memory& state, const ElementSet& set) const {
  return static_cast<char*>(state.address()) + set.state_offset;
}

void Discretization::write_state(Memory& state, const std::vector<double>& coefficients) {
  const int variables = spec_.variable_count();
  auto begin = coefficients.begin();
  for (const ElementSet& set : sets_) {
    const auto end = begin + set.blocks.items * values(set);
    const std::vector<double> part(begin, end);
    begin = end;
    const int modes = set.operators.modes;
    if (device_.kind() == Kind::host)
      write_blocked(device_, spec_.precision, set.blocks, part, values(set), state, 1, set.state_offset);
    else
      write_blocked(device_, spec_.precision, set.blocks, transposed(part, variables, modes), modes, state, variables,
                    set.state_offset);
  }
}

std::vector<double> Discretization::read_state(Memory& state) {
  const int variables = spec_.variable_count();
  std::vector<double> coefficients;
  for (const ElementSet& set : sets_) {
    const int modes = set.operators.modes;
    const std::vector<double> part =
        device_.kind() == Kind::host
            ? read_blocked(device_, spec_.precision, set.blocks, state, values(set), 1, set.state_offset)
            : transposed(read_blocked(device_, spec_.precision, set.blocks, state, modes, variables, set.state_offset),
                         modes, variables);
    coefficients.insert(coefficients.end(), part.begin(), part.end());
  }
  return coefficients;
}

kernels::Control Discretization::read_control() {
  kernels::Control control;
  device_.read(&control, *control_, sizeof control);
  return control;
}

void Discretization::write_control(const kernels::Control& control) {
  device_.write(*control_, &control, sizeof control);
}

device::Range Discretization::range_of(const Blocks& blocks) const {
  return dg::range_of(blocks, device_.kind());
}

/// The kernels of the case's formulas need corner coordinates, which else only sources do: they are on the device part
/// by part and only as long as formulas are evaluated.
void Discretization::launch_formulas(const std::string& entry, Memory& state, double* partials, double time) {
  const Blocks& blocks = first_set().blocks;
  const std::int64_t d = mesh_.dimension, n = (d + 1) * d, number = bytes_of(spec_.precision);
  const std::int64_t step = formula_blocks(blocks);
  const auto vertices = device_.allocate(static_cast<std::size_t>(step * blocks.lanes * n * number), "formulas");
  if (!device_.stores()) return;
  for (std::int64_t begin = 0; begin < blocks.count; begin += step) {
    Blocks part{0, std::min(step, blocks.count - begin), blocks.lanes};
    part.items = part.padded();
    std::vector<double> corners;
    for (std::int64_t lane = begin * part.lanes; lane < begin * part.lanes + part.items; ++lane) {
      for (mesh::Index node : mesh_.element_nodes(blocks.item(lane)))
        for (std::size_t k = 0; k < static_cast<std::size_t>(d); ++k)
          corners.push_back(mesh_.nodes[static_cast<std::size_t>(node)][k]);
    }
    write_blocked(device_, spec_.precision, part, corners, n, *vertices);
    const std::int64_t offset = begin * part.lanes * number;
    kernels::FormulaArguments a{static_cast<char*>(state.address()) + offset * values(first_set()),
                                address(vertices),
                                static_cast<char*>(address(first_set().determinants)) + offset,
                                partials ? partials + begin : nullptr,
                                blocks.count,
                                time};
    launch(entry, range_of(part), a);
  }
  device_.synchronize();
}

void Discretization::project_initial(Memory& state, double time) {
  if (general_) return project_general(state, time);
  launch_formulas("project", state, nullptr, time);
}

std::vector<ErrorNorms> Discretization::errors(Memory& state, double time) {
  if (general_) return general_errors(state, time);
  launch_formulas("errors", state, static_cast<double*>(address(partials_)), time);
  const auto count = static_cast<std::size_t>(block_count_),
             variables = static_cast<std::size_t>(spec_.variable_count());
  std::vector<double> values(variables * 3 * count);
  device_.read(values.data(), *partials_, values.size() * sizeof(double));
  std::vector<ErrorNorms> norms(variables);
  for (std::size_t v = 0; v < variables; ++v) {
    const double* row = values.data() + v * 3 * count;
    for (std::size_t b = 0; b < count; ++b) {
      norms[v].l1 += row[b];
      norms[v].l2 += row[count + b];
      norms[v].linf = std::max(norms[v].linf, row[2 * count + b]);
    }
    norms[v].l2 = std::sqrt(norms[v].l2);
  }
  return norms;
}

double* Discretization::partials_of(const ElementSet& set) const {
  return static_cast<double*>(address(partials_)) + set.first_block;
}

void Discretization::for_each_set(const std::function<void(const ElementSet&)>& body) {
  launcher_.concurrently(sets_.size(), [&](std::size_t b) { body(sets_[b]); });
}

void Discretization::monitor(Memory& state, bool sets_local_steps) {
  for_each_set([&](const ElementSet& set) {
    kernels::MonitorArguments a{};
    a.state = part_of(state, set);
    a.diameters = address(set.diameters_array);
    a.step_limits = static_cast<double*>(address(step_limits_)) + set.first_group;
    a.first_element = set.first_element;
    a.element_limits = sets_local_steps ? address(set.element_limits) : nullptr;
    a.operators = tiles_.operators;
    launch("monitor" + set.label, set.monitor_range, a);
  });
}

kernels::ControlArguments Discretization::control_arguments(bool monitored, int stages, bool changed, bool embedded) {
  kernels::ControlArguments a{};
  const auto* partials = static_cast<const double*>(address(partials_));
  a.control = static_cast<kernels::Control*>(address(control_));
  a.step_limits = static_cast<const double*>(address(step_limits_));
  a.step_limit_count = step_limit_count_;
  a.monitored = monitored;
  a.change = changed ? partials : nullptr;
  a.error = embedded ? partials : nullptr;
  a.blocks = block_count_;
  a.coefficients = degrees_of_freedom();
  a.stages = stages;
  return a;
}

device::Range Discretization::control_range() const {
  return {device_.kind() == Kind::cuda ? 256 : 1, 256};
}

void Discretization::begin_step(bool monitored) {
  traced_ = nullptr;  // the state may have been written since the last stage
  launch("begin_step" + first_set().label, control_range(), control_arguments(monitored, 0, false, false));
}

void Discretization::end_step(int stages, bool changed, bool embedded) {
  launch("end_step" + first_set().label, control_range(), control_arguments(false, stages, changed, embedded));
}

void Discretization::next_step(int stages, bool changed, bool monitored) {
  launch("next_step" + first_set().label, control_range(), control_arguments(monitored, stages, changed, false));
}

kernels::StageUpdate Discretization::update_of(const StageCall& call, const ElementSet& set) const {
  kernels::StageUpdate update{};
  update.element_limits = address(set.element_limits);
  for (std::size_t i = 0; i < call.inputs.size(); ++i) update.inputs[i] = part_of(*call.inputs[i], set);
  for (std::size_t k = 0; k < call.outputs.size(); ++k) {
    update.outputs[k] = part_of(*call.outputs[k], set);
    update.rhs[k] = call.rhs[k];
    set_coefficients(update, k, call.coefficients[k]);
  }
  return update;
}

const void* Discretization::gradients_of(const ElementSet& set) const {
  return address(general_ ? set.contravariant : set.gradients);  // ∂ξ_d/∂x_k = ∂λ_{d+1}/∂x_k
}

kernels::ResidualArguments Discretization::simplex_arguments(const StageCall& call, const ElementSet& set) const {
  kernels::ResidualArguments a{};
  a.state = part_of(*call.at, set);
  a.gradients = gradients_of(set);
  a.neighbours = static_cast<const std::int32_t*>(address(set.neighbours));
  a.traces = faces_[0].traces();
  a.side_basis = address(set.side_basis);
  a.control = static_cast<const kernels::Control*>(address(control_));
  a.blocks = set.blocks.count;
  a.streams = state_bytes() > cached_state;
  a.update = update_of(call, set);
  a.tiles = tiles_;
  a.nodes = address(set.nodes);
  a.abscissa = call.abscissa;
  return a;
}

void Discretization::limit(Memory& state, double abscissa) {
  if (!limiter_) return;
  traced_ = nullptr;
  limiter_->limit(launcher_, state, gradients_of(first_set()), static_cast<const kernels::Control*>(address(control_)),
                  abscissa);
}

std::array<double, 2> Discretization::limiter_counts() {
  std::array<double, 2> result{};
  if (!limiter_) return result;
  const std::vector<double> values = read_numbers(limiter_->counts());
  for (std::size_t b = 0; b < values.size(); ++b) result[b / (values.size() / 2)] += values[b];
  return result;
}

void Discretization::change(Memory& state, Memory& previous) {
  auto* control = static_cast<kernels::Control*>(address(control_));
  for_each_set([&](const ElementSet& set) {
    if (general_)
      launch(set, "change",
             kernels::GeneralChangeArguments{part_of(state, set), part_of(previous, set), arrays_of(set),
                                             partials_of(set), block_count_, control, address(set.element_limits)});
    else
      launch(set, "change",
             kernels::ChangeArguments{part_of(state, set), part_of(previous, set), address(set.determinants),
                                      partials_of(set), block_count_, control, address(set.element_limits)});
  });
}

void Discretization::embedded_error(Memory& state, Memory& candidate, Memory& error) {
  for_each_set([&](const ElementSet& set) {
    launch(
        set, "embedded_error",
        kernels::EmbeddedArguments{part_of(state, set), part_of(candidate, set), part_of(error, set), partials_of(set),
                                   block_count_, static_cast<kernels::Control*>(address(control_)), set.blocks.items});
  });
}

void Discretization::embedded_commit(Memory& state, Memory& candidate) {
  for_each_set([&](const ElementSet& set) {
    launch(set, "embedded_commit",
           kernels::EmbeddedArguments{part_of(state, set), part_of(candidate, set), nullptr, nullptr, block_count_,
                                      static_cast<kernels::Control*>(address(control_)), set.blocks.items});
  });
}

void Discretization::accumulate(Memory& state, Memory& integral) {
  for_each_set([&](const ElementSet& set) {
    launch(set, "accumulate",
           kernels::AverageArguments{part_of(state, set), part_of(integral, set),
                                     static_cast<const kernels::Control*>(address(control_))});
  });
}

std::int64_t Discretization::first_inadmissible(Memory& state) {
  monitor(state, false);
  std::vector<double> limits(static_cast<std::size_t>(step_limit_count_));
  device_.read(limits.data(), *step_limits_, limits.size() * sizeof(double));
  return kernels::bad_element_of(*std::min_element(limits.begin(), limits.end()));
}

}  // namespace galerna::dg
