#include "steady/state_vectors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device/program_writer.hpp"

namespace galerna::steady {
namespace {

constexpr device::ThreadEntry entries[] = {
    {"add", "AddArguments", "galerna::kernels::steady::add"},
    {"gather", "GatherArguments", "galerna::kernels::steady::gather"},
    {"difference", "DifferenceArguments", "galerna::kernels::steady::difference"},
    {"change_column", "ColumnArguments", "galerna::kernels::steady::change_column"},
    {"collect_column", "CollectArguments", "galerna::kernels::steady::collect_column"},
    {"factor_rows", "FactorRowsArguments", "galerna::kernels::steady::factor_rows",
     kernels::steady::elimination_threads},
    {"gather_constants", "ConstantsArguments", "galerna::kernels::steady::gather_constants"},
    {"test_constants", "ConstantsArguments", "galerna::kernels::steady::test_constants"},
    {"subtract_constants", "ConstantsArguments", "galerna::kernels::steady::subtract_constants"},
    {"add_constants", "ConstantsArguments", "galerna::kernels::steady::add_constants"}};
constexpr device::ThreadEntry cpu_entries[] = {
    {"forward_rows", "SweepArguments", "galerna::kernels::steady::forward_rows<SinglePack>"},
    {"backward_rows", "SweepArguments", "galerna::kernels::steady::backward_rows<SinglePack>"}};

double* numbers(device::Memory& state) {
  return static_cast<double*>(state.address());
}

/// Items of a kernel that goes through so many numbers.
std::int64_t items(std::int64_t count, device::Kind kind) {
  constexpr std::int64_t chunk = kernels::algebra::chunk;
  return kind == device::Kind::host ? (count + chunk - 1) / chunk : count;
}

}  // namespace

device::ProgramSource program(device::Kind kind, int lanes) {
  device::ProgramWriter out({kind});
  for (const char* header : {"constants", "solution", "vectors"})
    out.include(fmt::format("kernels/steady/{}.hpp", header));
  out.line("namespace {\nusing namespace galerna::kernels;\nusing namespace galerna::kernels::steady;");
  if (out.on_host()) out.line(fmt::format("using SinglePack = Pack<float, {}>;", lanes));
  out.line("}");
  out.write(entries);
  if (out.on_host())
    out.write(cpu_entries);
  else
    out.write({"solve_rows", "SolveArguments", fmt::format("{}, 2", kernels::steady::elimination_threads), "",
               "galerna::kernels::steady::solve(a);"});
  return out.finish("Newton's method");
}

StateVectors::StateVectors(dg::FlowOperator& space, const std::vector<double>& scales)
    : space_(space), launcher_(space.device()), variables_(static_cast<int>(scales.size())) {
  for (const dg::ElementSet& set : space.sets()) {
    arguments::SetNumbers numbers{};
    numbers.in_states = static_cast<std::int64_t>(set.state_offset / sizeof(double));
    numbers.in_vectors = size_;
    numbers.elements = set.blocks.items;
    numbers.padded = set.blocks.padded();
    numbers.lanes = set.blocks.lanes;
    numbers.variables = variables_;
    numbers.modes = set.operators.modes;
    numbers.by_variables = space.device().kind() == device::Kind::host;
    std::copy(scales.begin(), scales.end(), numbers.scales);
    numbers.first_element = set.first_element;
    sizes_.insert(sizes_.end(), static_cast<std::size_t>(numbers.elements), variables_ * numbers.modes);
    size_ += numbers.elements * variables_ * numbers.modes;
    sets_.push_back(numbers);
  }
  launcher_.load(program(space.device().kind(), space.device().lanes(device::Precision::single_precision)));
}

/// For the sets one after the other.
template <class Arguments>
void StateVectors::launch(const std::string& entry, Arguments& a) {
  for (const arguments::SetNumbers& set : sets_) {
    a.set = set;
    const std::int64_t count = set.padded * set.variables * set.modes;
    launcher_.launch(entry, {items(count, space_.device().kind()), kernels::algebra::group}, a);
  }
}

void StateVectors::add(device::Memory& from, double factor, const void* direction, device::Memory& to) {
  arguments::AddArguments a{{}, numbers(from), numbers(to), static_cast<const double*>(direction), factor};
  launch("add", a);
}

void StateVectors::gather(device::Memory& from, void* to) {
  arguments::GatherArguments a{{}, numbers(from), static_cast<double*>(to)};
  launch("gather", a);
}

void StateVectors::difference(device::Memory& changed, device::Memory& base, const void* direction, double shift,
                              double factor, const void* right_hand_side, void* to) {
  arguments::DifferenceArguments a{{},
                                   numbers(changed),
                                   numbers(base),
                                   static_cast<const double*>(direction),
                                   static_cast<const double*>(right_hand_side),
                                   static_cast<double*>(to),
                                   shift,
                                   factor};
  launch("difference", a);
}

void StateVectors::change_column(device::Memory& from, const Column& column, double step, device::Memory& to) {
  arguments::ColumnArguments a{{}, numbers(from), numbers(to), column.colours, column.colour, column.number, step};
  launch("change_column", a);
}

void StateVectors::collect_column(device::Memory& changed, device::Memory& base, double step, int column,
                                  const std::int64_t* targets, const std::int32_t* widths, float* values) {
  arguments::CollectArguments a{{}, numbers(changed), numbers(base), values, targets, widths, column, step};
  launch("collect_column", a);
}

/// Thread blocks of a GPU, items of the CPU.
template <class Arguments>
void StateVectors::launch_groups(const std::string& entry, std::int64_t groups, int threads, const Arguments& a) {
  const bool host = space_.device().kind() == device::Kind::host;
  launcher_.launch(entry, {host ? groups : groups * threads, threads}, a);
}

void StateVectors::factor_rows(const arguments::FactorRowsArguments& level) {
  launch_groups("factor_rows", std::min(level.workers, level.count), kernels::steady::elimination_threads, level);
}

void StateVectors::sweep(const arguments::SweepArguments& level, std::int64_t count, bool forward) {
  launch_groups(forward ? "forward_rows" : "backward_rows", count, 1, level);
}

void StateVectors::solve(arguments::SolveArguments system, int coupled) {
  // Rows of levels, which are few hundreds, go on at once where their thread blocks are small.
  const int threads = system.largest <= 32 ? 128 : system.largest <= 100 ? 256 : kernels::steady::elimination_threads;
  const int bytes = (2 * system.largest + coupled) * static_cast<int>(sizeof(float));
  const device::Range range{system.rows * threads, threads, bytes, true};
  const device::Kernel& kernel = *launcher_.kernels().at("solve_rows");
  const double most = 25e6;  // bytes, half of the cache of large GPUs
  const double at_once = static_cast<double>(space_.device().items_at_once(kernel, range)) / threads;
  system.fetches = at_once * system.largest * (system.largest + coupled / 2.0) * sizeof(float) < most ? 1 : 0;
  launcher_.launch("solve_rows", range, system);
}

void StateVectors::with_constants(const std::string& entry, const arguments::ConstantsArguments& constants) {
  launch_groups(entry, constants.rows.count, kernels::algebra::group, constants);
}

}  // namespace galerna::steady
