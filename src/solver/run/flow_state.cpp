#include "solver/run/flow_state.hpp"

#include "analysis/source_order.hpp"
#include "dg/run/state_reader.hpp"
#include "mesh/hash.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/outputs/walls.hpp"

namespace galerna::solver {

FlowState::FlowState(const case_file::Settings& settings, const mesh::Mesh& mesh)
    : settings_(settings),
      mesh_(mesh),
      mesh_hash_([&mesh] { return mesh::hash(mesh); }),
      fields_(case_fields(settings)),
      shows_shock_fields_(shows_shock_fields(settings)) {
  fields_.faults = std::make_shared<analysis::FieldFaults>();
}

void FlowState::reset(std::unique_ptr<dg::FlowOperator> discretization, std::unique_ptr<time::Stepper> stepper) {
  stepper_ = std::move(stepper);
  discretization_ = std::move(discretization);
}

/// All but the coefficients.
analysis::Solution FlowState::frame(const kernels::Control& control) const {
  analysis::Solution s;
  s.mesh = &mesh_;
  s.degree = degree();
  s.variables = discretization_->spec().variables;
  s.fields = fields_;
  s.time = control.time;
  s.accurate = !settings_.time.local;
  s.step = static_cast<long>(control.steps);
  if (shows_shock_fields_) s.element_values = shock_values();
  return s;
}

/// [element][field of elements]
std::vector<double> FlowState::shock_values() const {
  const dg::ElementNumbers known = discretization_->shock_fields();
  const std::size_t fields = fields_.of_elements.size();
  std::vector<double> values(static_cast<std::size_t>(mesh_.element_count()) * fields, 0.0);
  for (std::size_t f = 0; f < fields; ++f)
    if (const auto found = known.find(fields_.of_elements[f]); found != known.end())
      for (std::size_t e = 0; e < found->second.size(); ++e) values[e * fields + f] = found->second[e];
  return values;
}

/// The solution of a state that stays on its device.
std::function<analysis::Solution()> FlowState::read_by(std::shared_ptr<const dg::StateReader> reader,
                                                       const kernels::Control& control) const {
  return [reader = std::move(reader), sets = discretization_->sets().size(), empty = frame(control)] {
    analysis::Solution s = empty;
    for (std::size_t set = 0; set < sets; ++set) {
      analysis::Piece& piece = s.pieces.emplace_back();
      piece.unpack = [reader, set](mesh::Index position, double* to) { reader->read_one(set, position, to); };
      piece.unpack_many = [reader, set](std::span<const mesh::Index> positions, double* to) {
        reader->read(set, positions, to);
      };
    }
    return s;
  };
}

std::function<analysis::Solution()> FlowState::capture(device::Memory& state, const kernels::Control& control,
                                                       bool stays) const {
  const dg::StateArrays& states = discretization_->states();
  device::Memory& whole = discretization_->whole(state);
  // What ranks gather does not stay: the next state comes to the same place.
  stays = stays && &whole == &state;
  if (auto reader = stays ? discretization_->reader(state, rooms_) : nullptr)
    return read_by(std::move(reader), control);
  std::shared_ptr<std::byte[]> copy;
  if (stays && discretization_->device().kind() == device::Kind::host) {
    discretization_->device().synchronize();
    copy = {static_cast<std::byte*>(whole.address()), [](std::byte*) {}};
  } else {
    copy = rooms_.take(discretization_->device(), states.bytes());
    states.copy(whole, copy.get());
  }
  std::vector<dg::StateLayout> layouts;
  for (const dg::ElementSet& set : discretization_->sets()) layouts.push_back(states.layout(set));
  return [copy, layouts, empty = frame(control)] {
    analysis::Solution s = empty;
    for (const dg::StateLayout& layout : layouts)
      s.pieces.push_back(
          {{}, {}, [copy, layout](mesh::Index position, double* to) { layout.unpack(copy.get(), position, to); }});
    return s;
  };
}

analysis::Solution FlowState::part(const std::vector<std::vector<mesh::Index>>& positions) const {
  analysis::Solution s = frame(control());
  const auto& sets = discretization_->sets();
  device::Memory& whole = discretization_->whole(stepper_->state());
  for (std::size_t b = 0; b < sets.size(); ++b)
    s.pieces.push_back({discretization_->states().read(whole, sets[b], positions[b]), positions[b]});
  return s;
}

std::optional<analysis::Solution> FlowState::mean() const {
  const std::optional<double> since = stepper_->averages_since();
  if (!since) return {};
  analysis::Solution mean = solution_of(*stepper_->integral(), control());
  const analysis::Solution now = solution();
  const double duration = (control().time - *since) + control().time_low;
  const double pending = control().average_pending;
  for (std::size_t b = 0; b < mean.pieces.size(); ++b) {
    const auto numbers = static_cast<std::size_t>(discretization_->states().values(discretization_->sets()[b]));
    mean.pieces[b].unpack = [integral = mean.pieces[b].unpack, present = now.pieces[b].unpack, pending, duration,
                             numbers](mesh::Index position, double* to) {
      thread_local std::vector<double> room;
      room.resize(numbers);
      integral(position, to);
      present(position, room.data());
      for (std::size_t i = 0; i < numbers; ++i) to[i] = (to[i] + pending * room[i]) / duration;
    };
  }
  return mean;
}

std::vector<double> FlowState::formula_integrals() const {
  return discretization_->formula_integrals(stepper_->state(), control().time);
}

std::vector<double> FlowState::integrals() const {
  std::vector<double> values = report_integrals();
  values.resize(discretization_->spec().variables.size());
  return values;
}

std::vector<double> FlowState::report_integrals() const {
  return discretization_->report_integrals(stepper_->state(), control().time);
}

dg::BoundaryFlow FlowState::boundary_flow() const {
  return discretization_->boundary_flow(stepper_->state(), control().time);
}

std::vector<analysis::Wall> FlowState::walls(const dg::BoundaryFlow& flow) const {
  return walls_of(settings_, mesh_, *discretization_, flow);
}

/// Piece by piece. \param coefficients_of (set, first position, last, to) writes them, of the degree `from`
void FlowState::write_pieces(device::Memory& state, int from, const dg::StateArrays::Fill& coefficients_of) const {
  const int now = degree();
  if (from == now) return discretization_->write(state, coefficients_of);
  const std::vector<int> each =
      analysis::coefficients_per_element(mesh_, from, discretization_->spec().variables.size());
  discretization_->write(state, [&](std::size_t set, mesh::Index begin, mesh::Index end, double* to) {
    std::vector<double> values(static_cast<std::size_t>((end - begin) * each[set]));
    coefficients_of(set, begin, end, values.data());
    const std::vector<double> projected = analysis::project_degree(values, mesh_.blocks[set].shape, from, now);
    std::copy(projected.begin(), projected.end(), to);
  });
}

void FlowState::write(device::Memory& state, const files::Numbers& numbers, int degree) const {
  const std::vector<int> from =
      analysis::coefficients_per_element(mesh_, degree, discretization_->spec().variables.size());
  const analysis::SourcePlaces places(mesh_, from);
  write_pieces(state, degree, [&](std::size_t set, mesh::Index begin, mesh::Index end, double* to) {
    const auto each = static_cast<std::size_t>(from[set]);
    // Elements that follow each other in the file are read at once.
    for (mesh::Index e = begin, next; e < end; e = next) {
      const std::size_t first = places.first(set, e);
      for (next = e + 1; next < end; ++next)
        if (places.first(set, next) != first + static_cast<std::size_t>(next - e) * each) break;
      numbers.fill(first, first + static_cast<std::size_t>(next - e) * each,
                   to + static_cast<std::size_t>(e - begin) * each);
    }
  });
}

void FlowState::write(device::Memory& state, const analysis::Solution& solution) const {
  const std::vector<int> each =
      analysis::coefficients_per_element(mesh_, solution.degree, discretization_->spec().variables.size());
  write_pieces(state, solution.degree, [&](std::size_t set, mesh::Index begin, mesh::Index end, double* to) {
    std::vector<double> room;
    for (mesh::Index e = begin; e < end; ++e, to += each[set])
      std::copy_n(solution.modes(static_cast<int>(set), e, room), each[set], to);
  });
}

void FlowState::write(device::Memory& state, const std::vector<double>& coefficients, int degree) const {
  const int now = this->degree();
  const std::size_t variables = discretization_->spec().variables.size();
  discretization_->write(
      state, degree == now ? coefficients : analysis::project_degree(coefficients, mesh_, variables, degree, now));
}

}  // namespace galerna::solver
