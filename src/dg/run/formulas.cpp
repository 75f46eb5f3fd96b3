#include "dg/run/formulas.hpp"

#include <algorithm>

#include "base/interruption.hpp"
#include "base/phases.hpp"
#include "dg/programs/rule_tables.hpp"

namespace galerna::dg {

basis::Quadrature formula_rule(Shape shape, int degree, int geometry_order) {
  return basis::quadrature(shape, std::max(2 * degree + 4, degree + geometry_order + 1));
}

namespace {

/// How arrays are named where memory is accounted for.
const char* const purpose = "formulas";

basis::Quadrature formula_rule(const ElementSet& set) {
  return dg::formula_rule(set.operators.shape, set.operators.degree, set.order);
}

/// Blocks whose elements are on the device at a time: whole thread blocks, enough of them to fill a GPU where that
/// takes no more than room_of_formulas.
std::int64_t blocks_at_a_time(const Blocks& elements, std::int64_t numbers_of_an_element) {
  constexpr std::int64_t whole = 128, most = 16384, room = room_of_formulas / sizeof(double);
  const std::int64_t fitting = room / numbers_of_an_element / whole * whole;
  return std::min(elements.count, std::clamp(fitting, whole, most) / elements.lanes);
}

}  // namespace

/// Nodes of elements, which else only sources need, are on the device part by part and only as long as formulas are
/// evaluated.
void Formulas::launch(const std::string& entry, const ElementSet& set, const basis::Quadrature& rule,
                      device::Memory& state, double time, std::int64_t rows, const LookAtSums& look) const {
  const Operators& o = set.operators;
  const mesh::ElementBlock& block = mesh_.blocks[static_cast<std::size_t>(&set - sets_.data())];
  const RuleTables tables(device_, purpose, o.shape, o.degree, block.order, rule);
  const std::int64_t d = mesh_.dimension, nodes = block.nodes_per_element(), variables = spec_.variable_count();
  const bool solves = !look && !set.determinants;
  kernels::FormulaArguments a{};
  tables.put(a);
  a.work_numbers = solves ? a.points + static_cast<int>(3 + variables) * a.modes : 0;
  a.time = time;
  const std::int64_t step = blocks_at_a_time(set.blocks, nodes * d + a.work_numbers);
  const auto allocate = [&](std::int64_t numbers) {
    return numbers > 0 ? device_.allocate(static_cast<std::size_t>(numbers) * sizeof(double), purpose) : nullptr;
  };
  const auto places = allocate(step * set.blocks.lanes * nodes * d);
  const auto work = allocate(step * set.blocks.lanes * a.work_numbers);
  const auto partials = allocate(rows * step);
  if (!device_.stores()) return;
  a.nodes = static_cast<const double*>(address(places));
  a.work = static_cast<double*>(address(work));
  a.partials = static_cast<double*>(address(partials));
  Phase phase(entry == "project" ? "initial state" : entry == "errors" ? "errors" : "integrals");
  const std::int64_t number = bytes_of(spec_.precision);
  for (std::int64_t begin = 0; begin < set.blocks.count; begin += step) {
    const std::int64_t first = begin * set.blocks.lanes;
    Blocks part{0, std::min(step, set.blocks.count - begin), set.blocks.lanes};
    part.items = part.padded();
    std::vector<mesh::Index> positions;
    for (std::int64_t lane = first; lane < first + part.items; ++lane) positions.push_back(set.blocks.item(lane));
    write_blocked(device_, device::Precision::double_precision, part, node_coordinates(mesh_, block, positions),
                  nodes * d, *places);
    a.state = static_cast<char*>(states_.part(state, set)) + first * states_.values(set) * number;
    if (set.determinants) a.determinants = static_cast<char*>(set.determinants->address()) + first * number;
    a.elements = set.blocks.items - first;
    a.blocks = part.count;
    stop_interruptible();
    launcher_.launch(entry, range_of(part, device_.kind()), a);
    phase.did(static_cast<double>(begin) / static_cast<double>(set.blocks.count));
    if (!look) continue;
    std::vector<double> sums(static_cast<std::size_t>(rows * part.count));
    device_.read(sums.data(), *partials, sums.size() * sizeof(double));
    look(sums, part.count);
  }
  device_.synchronize();
}

void Formulas::project(device::Memory& state, double time) const {
  for (const ElementSet& set : sets_) launch("project", set, formula_rule(set), state, time);
}

std::vector<ErrorNorms> Formulas::errors(device::Memory& state, double time) const {
  std::vector<ErrorSums> sums(static_cast<std::size_t>(spec_.variable_count()));
  const auto look = [&](const std::vector<double>& values, std::int64_t blocks) {
    for (std::size_t v = 0; v < sums.size(); ++v) {
      const double* rows = values.data() + static_cast<std::int64_t>(v) * 7 * blocks;
      for (std::int64_t b = 0; b < blocks; ++b) {
        add(sums[v].absolute, kernels::load_sum(rows, blocks, b));
        add(sums[v].square, kernels::load_sum(rows + 3 * blocks, blocks, b));
        sums[v].largest = std::max(sums[v].largest, rows[6 * blocks + b]);
      }
    }
  };
  for (const ElementSet& set : sets_)
    launch("errors", set, formula_rule(set), state, time, 7 * spec_.variable_count(), look);
  join_norms(sums);
  return norms_of(sums);
}

void Formulas::join_norms(std::vector<ErrorSums>& sums) const {
  if (!ranks_) return;
  std::vector<ExactSum> all;
  for (const ErrorSums& of : sums) all.insert(all.end(), {of.absolute, of.square});
  join_sums(ranks_, all);
  for (std::size_t v = 0; v < sums.size(); ++v)
    sums[v] = {all[2 * v], all[2 * v + 1], ranks_->team.maximum(sums[v].largest)};
}

std::vector<double> Formulas::report_integrals(device::Memory& state, double time) const {
  std::vector<ExactSum> sums(spec_.report_integrands.size());
  if (sums.empty()) return {};
  const auto look = [&](const std::vector<double>& values, std::int64_t blocks) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double* rows = values.data() + static_cast<std::int64_t>(i) * 3 * blocks;
      for (std::int64_t b = 0; b < blocks; ++b) add(sums[i], kernels::load_sum(rows, blocks, b));
    }
  };
  for (const ElementSet& set : sets_) {
    const Shape shape = set.operators.shape;
    const basis::Quadrature rule =
        basis::quadrature(shape, basis::function_degree(shape, set.operators.degree, set.order));
    launch("report_integrals", set, rule, state, time, 3 * static_cast<std::int64_t>(sums.size()), look);
  }
  join_sums(ranks_, sums);
  return values_of(sums);
}

}  // namespace galerna::dg
