#include "dg/discretization.hpp"

#include <algorithm>
#include <cmath>

namespace galerna::dg {

using device::Kind;
using device::Memory;

namespace {

void* address(const std::unique_ptr<Memory>& memory) {
  return memory ? memory->address() : nullptr;
}

std::unique_ptr<Memory> cleared(device::Device& device, std::size_t bytes) {
  auto memory = device.allocate(std::max<std::size_t>(bytes, 8));
  device.clear(*memory);
  return memory;
}

}  // namespace

Discretization::Discretization(device::Device& device, const mesh::Mesh& mesh, Spec spec,
                               const std::vector<std::optional<WallShape>>& walls,
                               const std::set<std::pair<int, int>>& stage_shapes)
    : device_(device),
      mesh_(mesh),
      spec_(std::move(spec)),
      operators_(make_operators(spec_.shape, spec_.degree, spec_.volume_quadrature, spec_.face_quadrature)),
      geometry_(make_geometry(mesh)),
      blocks_(make_blocks(mesh.element_count(), device, spec_.precision)) {
  load_programs(stage_shapes);
  upload_boundary(walls);
  upload_elements();
  upload_neighbours();
  control_ = cleared(device_, sizeof(kernels::Control));
  earlier_flux_.assign(static_cast<std::size_t>(spec_.variable_count()), 0.0);
}

void Discretization::load_programs(const std::set<std::pair<int, int>>& stage_shapes) {
  const Target target{device_.kind(), blocks_.lanes};
  const device::ProgramSource core = core_program(spec_, operators_, target, stage_shapes);
  const device::ProgramSource formulas = case_program(spec_, operators_, target);
  core_ = device_.load(core);
  formulas_ = device_.load(formulas);
  for (const std::string& entry : core.entries) kernels_[entry] = device_.kernel(*core_, entry);
  for (const std::string& entry : formulas.entries) kernels_[entry] = device_.kernel(*formulas_, entry);
}

void Discretization::upload_elements() {
  const auto precision = spec_.precision;
  const std::int64_t d = geometry_.dimension;
  gradients_ = upload_blocked(device_, precision, blocks_, geometry_.gradients, d * d);
  diameters_ = upload_blocked(device_, precision, blocks_, geometry_.diameters, 1);
  vertices_ = upload_blocked(device_, precision, blocks_, geometry_.vertices, (d + 1) * d);

  // Padding lanes repeat the last element but count for nothing in integrals: their determinant is zero.
  std::vector<double> padded = geometry_.determinants;
  padded.resize(static_cast<std::size_t>(blocks_.padded()), 0.0);
  Blocks all = blocks_;
  all.items = blocks_.padded();
  determinants_ = upload_blocked(device_, precision, all, padded, 1);

  std::vector<double> side_basis;
  for (const basis::Matrix& m : operators_.side_basis)
    side_basis.insert(side_basis.end(), m.data(), m.data() + m.size());
  side_basis_ = upload_numbers(device_, precision, side_basis);
  const auto rows = static_cast<std::size_t>(std::max(2 + spec_.variable_count(), 3 * spec_.variable_count()));
  const auto block_count = static_cast<std::size_t>(blocks_.count);
  step_limits_ = cleared(device_, block_count * sizeof(double));
  partials_ = cleared(device_, rows * block_count * sizeof(double));
}

void Discretization::upload_neighbours() {
  // Sides: the neighbour's element · 4 + side, or −1 − (padded lane of the boundary face).
  const int sides = operators_.sides();
  std::vector<std::int32_t> codes(static_cast<std::size_t>(mesh_.element_count() * sides));
  const auto code = [&](const mesh::Side& at) -> std::int32_t& {
    return codes[static_cast<std::size_t>(at.element * sides + at.side)];
  };
  for (std::size_t f = static_cast<std::size_t>(mesh_.boundary_faces); f < mesh_.faces.size(); ++f) {
    const mesh::Face& face = mesh_.faces[f];
    code(face.left) = static_cast<std::int32_t>(face.right.element * 4 + face.right.side);
    code(face.right) = static_cast<std::int32_t>(face.left.element * 4 + face.left.side);
  }
  for (std::size_t lane = 0; lane < face_of_lane_.size(); ++lane)
    if (!lane_is_padding_[lane])
      code(mesh_.faces[static_cast<std::size_t>(face_of_lane_[lane])].left) = -1 - static_cast<std::int32_t>(lane);

  if (spec_.limiter) upload_limiter(codes);
  if (device_.kind() == Kind::host) {
    // Stored traces: the slot of the trace, [block][side][lane]; ghosts follow all element blocks.
    const std::int64_t lanes = blocks_.lanes, ghosts = blocks_.count * sides * lanes;
    for (std::int32_t& c : codes) {
      const std::int64_t element = c / 4, side = c % 4;
      c = static_cast<std::int32_t>(c < 0 ? ghosts + (-1 - c)
                                          : (element / lanes * sides + side) * lanes + element % lanes);
    }
  }
  neighbours_ = upload_integers(device_, blocks_, pad(codes, sides), sides);
}

std::vector<std::int32_t> Discretization::pad(const std::vector<std::int32_t>& values, std::int64_t n) const {
  std::vector<std::int32_t> padded;
  padded.reserve(static_cast<std::size_t>(blocks_.padded() * n));
  for (std::int64_t lane = 0; lane < blocks_.padded(); ++lane)
    for (std::int64_t k = 0; k < n; ++k) padded.push_back(values[static_cast<std::size_t>(blocks_.item(lane) * n + k)]);
  return padded;
}

void Discretization::upload_limiter(const std::vector<std::int32_t>& codes) {
  const LimiterSpec& limiter = *spec_.limiter;
  const bool hierarchical = limiter.slopes == LimiterSpec::Slopes::hierarchical;
  const auto numbers = static_cast<std::size_t>(blocks_.padded() * bytes_of(spec_.precision));
  // The GPU's array of neighbours has the same codes.
  if (device_.kind() == Kind::host)
    face_neighbours_ = upload_integers(device_, blocks_, pad(codes, operators_.sides()), operators_.sides());
  if (hierarchical || limiter.vertex_neighbours) {
    const VertexNeighbours around = make_vertex_neighbours(mesh_);
    around_slots_ = around.slots;
    const int n = operators_.sides() * around.slots;
    around_ = upload_integers(device_, blocks_, pad(around.elements, n), n);
  }
  if (hierarchical) {
    const int p = spec_.degree;
    const auto derivatives = static_cast<std::size_t>(std::max(1, spec_.variable_count() * (p * (p + 1) / 2 - 1)));
    derivatives_ = cleared(device_, numbers * derivatives);
    troubled_ = cleared(device_, numbers);
  }
  limiter_counts_ = cleared(device_, 2 * static_cast<std::size_t>(blocks_.count) * sizeof(double));
}

std::vector<double> Discretization::side_coordinates() const {
  std::vector<double> result;
  for (const basis::Point& point : operators_.side.points) result.push_back(0.5 * (1 + point[0]));
  return result;
}

void Discretization::upload_boundary(const std::vector<std::optional<WallShape>>& walls) {
  // Each boundary starts a new block (a new thread block on Cuda), so that a block has one condition.
  const Blocks unit = make_blocks(1, device_, spec_.precision);
  const auto chunk = static_cast<std::size_t>(unit.padded());
  std::vector<std::int32_t> conditions;
  for (mesh::Index f = 0; f < mesh_.boundary_faces; ++f) {
    const int boundary = mesh_.faces[static_cast<std::size_t>(f)].boundary;
    if (f > 0 && boundary != mesh_.faces[static_cast<std::size_t>(f - 1)].boundary)
      while (face_of_lane_.size() % chunk) {
        face_of_lane_.push_back(f - 1);
        lane_is_padding_.push_back(true);
      }
    face_of_lane_.push_back(f);
    lane_is_padding_.push_back(false);
  }
  while (face_of_lane_.size() % chunk) {
    face_of_lane_.push_back(mesh_.boundary_faces - 1);
    lane_is_padding_.push_back(true);
  }
  face_blocks_.lanes = blocks_.lanes;
  face_blocks_.items = static_cast<std::int64_t>(face_of_lane_.size());
  face_blocks_.count = face_blocks_.items / blocks_.lanes;

  const int variables = spec_.variable_count(), points = operators_.side.size();
  const std::size_t slot_bytes = static_cast<std::size_t>(points * variables * bytes_of(spec_.precision));
  std::size_t slots = face_of_lane_.size();
  if (device_.kind() == Kind::host) slots += static_cast<std::size_t>(blocks_.padded() * operators_.sides());
  traces_ = cleared(device_, slots * slot_bytes);
  if (face_of_lane_.empty()) return;

  const BoundaryFaces faces = make_boundary_faces(mesh_, side_coordinates(), walls);
  std::vector<double> positions, normals, measures;
  std::vector<std::int32_t> elements;
  const auto append = [](std::vector<double>& to, const std::vector<double>& from, std::size_t face, std::size_t n) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(face * n),
              from.begin() + static_cast<std::ptrdiff_t>((face + 1) * n));
  };
  const auto q = static_cast<std::size_t>(points), d = static_cast<std::size_t>(mesh_.dimension);
  for (std::size_t lane = 0; lane < face_of_lane_.size(); ++lane) {
    const auto f = static_cast<std::size_t>(face_of_lane_[lane]);
    const mesh::Face& face = mesh_.faces[f];
    append(positions, faces.positions, f, q * 3);
    append(normals, faces.wall_normals, f, q * d);
    measures.push_back(lane_is_padding_[lane] ? 0.0 : faces.measures[f]);
    elements.push_back(static_cast<std::int32_t>(face.left.element * 4 + face.left.side));
    if (lane % static_cast<std::size_t>(blocks_.lanes) == 0) conditions.push_back(face.boundary);
  }
  const auto precision = spec_.precision;
  positions_ = upload_blocked(device_, precision, face_blocks_, positions, static_cast<std::int64_t>(q * 3));
  wall_normals_ = upload_blocked(device_, precision, face_blocks_, normals, static_cast<std::int64_t>(q * d));
  face_measures_ = upload_blocked(device_, precision, face_blocks_, measures, 1);
  face_elements_ = upload_integers(device_, face_blocks_, elements, 1);
  face_conditions_ = device_.allocate(conditions.size() * sizeof(std::int32_t));
  device_.write(*face_conditions_, conditions.data(), conditions.size() * sizeof(std::int32_t));
  const std::size_t flux_bytes = face_of_lane_.size() * static_cast<std::size_t>(variables) * sizeof(double);
  pending_flux_ = cleared(device_, flux_bytes);
  total_flux_ = cleared(device_, flux_bytes);
}

std::size_t Discretization::state_bytes() const {
  return static_cast<std::size_t>(blocks_.padded() * values() * bytes_of(spec_.precision));
}

std::unique_ptr<Memory> Discretization::allocate_state() {
  return cleared(device_, state_bytes());
}

void Discretization::write_state(Memory& state, const std::vector<double>& coefficients) {
  write_blocked(device_, spec_.precision, blocks_, coefficients, values(), state);
}

std::vector<double> Discretization::read_state(Memory& state) {
  return read_blocked(device_, spec_.precision, blocks_, state, values());
}

kernels::Control Discretization::read_control() {
  kernels::Control control;
  device_.read(&control, *control_, sizeof control);
  return control;
}

void Discretization::write_control(const kernels::Control& control) {
  device_.write(*control_, &control, sizeof control);
}

device::Range Discretization::elements_range() const {
  if (device_.kind() == Kind::cuda) return {blocks_.padded(), 128};
  return {blocks_.count, 1};
}

template <class Arguments>
void Discretization::launch(const std::string& entry, const device::Range& range, const Arguments& arguments) {
  const auto run = [&] { device_.launch(*kernels_.at(entry), range, &arguments, sizeof arguments); };
  if (!profile_) return run();
  KernelTime& time = (*profile_)[entry];
  time.seconds += device_.time(run);
  time.launches += 1;
}

void Discretization::project_initial(Memory& state, double time) {
  kernels::FormulaArguments a{state.address(), address(vertices_), address(determinants_),
                              nullptr,         blocks_.count,      time};
  launch("project", elements_range(), a);
}

std::vector<ErrorNorms> Discretization::errors(Memory& state, double time) {
  const auto partials = static_cast<double*>(address(partials_));
  kernels::FormulaArguments a{state.address(), address(vertices_), address(determinants_),
                              partials,        blocks_.count,      time};
  launch("errors", elements_range(), a);
  const auto count = static_cast<std::size_t>(blocks_.count),
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

void Discretization::monitor(Memory& state) {
  kernels::MonitorArguments a{};
  a.state = state.address();
  a.diameters = address(diameters_);
  a.step_limits = static_cast<double*>(address(step_limits_));
  launch("monitor", elements_range(), a);
}

void Discretization::begin_step(bool monitored) {
  kernels::ControlArguments a{};
  a.control = static_cast<kernels::Control*>(address(control_));
  a.step_limits = static_cast<const double*>(address(step_limits_));
  a.blocks = blocks_.count;
  a.monitored = monitored;
  launch("begin_step", {device_.kind() == Kind::cuda ? 1024 : 1, 1024}, a);
}

void Discretization::end_step(int stages, bool changed, bool embedded) {
  kernels::ControlArguments a{};
  const auto* partials = static_cast<const double*>(address(partials_));
  a.control = static_cast<kernels::Control*>(address(control_));
  a.change = changed ? partials : nullptr;
  a.error = embedded ? partials : nullptr;
  a.blocks = blocks_.count;
  a.coefficients = blocks_.padded() * values();
  a.stages = stages;
  launch("end_step", {device_.kind() == Kind::cuda ? 1024 : 1, 1024}, a);
}

void Discretization::stage(const StageCall& call) {
  const auto* control = static_cast<const kernels::Control*>(address(control_));
  auto* traces = static_cast<char*>(address(traces_));
  std::size_t ghost_offset = 0;
  if (device_.kind() == Kind::host) {
    launch("traces", elements_range(), kernels::TraceArguments{call.at->address(), traces, control});
    ghost_offset = static_cast<std::size_t>(blocks_.padded() * operators_.sides() * operators_.side.size() *
                                            spec_.variable_count() * bytes_of(spec_.precision));
  }
  if (face_blocks_.count > 0) {
    kernels::GhostArguments g{};
    g.state = call.at->address();
    g.gradients = address(gradients_);
    g.elements = static_cast<const std::int32_t*>(address(face_elements_));
    g.conditions = static_cast<const std::int32_t*>(address(face_conditions_));
    g.positions = address(positions_);
    g.wall_normals = address(wall_normals_);
    g.measures = address(face_measures_);
    g.side_basis = address(side_basis_);
    g.ghosts = traces + ghost_offset;
    g.pending_flux = static_cast<double*>(address(pending_flux_));
    g.total_flux = static_cast<double*>(address(total_flux_));
    g.control = control;
    g.abscissa = call.abscissa;
    g.weight = call.weight;
    g.first_stage = call.first;
    launch("ghosts", {device_.kind() == Kind::cuda ? face_blocks_.items : face_blocks_.count, 128}, g);
  }
  kernels::ResidualArguments a{};
  a.state = call.at->address();
  a.gradients = address(gradients_);
  a.neighbours = static_cast<const std::int32_t*>(address(neighbours_));
  a.traces = traces;
  a.side_basis = address(side_basis_);
  a.control = control;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) a.update.inputs[i] = call.inputs[i]->address();
  for (std::size_t k = 0; k < call.outputs.size(); ++k) {
    a.update.outputs[k] = call.outputs[k]->address();
    a.update.rhs[k] = call.rhs[k];
    for (std::size_t i = 0; i < call.inputs.size(); ++i) a.update.coefficients[k][i] = call.coefficients[k][i];
  }
  launch(residual_entry(static_cast<int>(call.inputs.size()), static_cast<int>(call.outputs.size())), elements_range(),
         a);
}

void Discretization::limit(Memory& state) {
  if (!spec_.limiter) return;
  kernels::LimitArguments a{};
  a.state = state.address();
  a.gradients = address(gradients_);
  a.neighbours = static_cast<const std::int32_t*>(address(face_neighbours_ ? face_neighbours_ : neighbours_));
  a.around = static_cast<const std::int32_t*>(address(around_));
  a.slots = around_slots_;
  a.derivatives = address(derivatives_);
  a.troubled = address(troubled_);
  a.counts = static_cast<double*>(address(limiter_counts_));
  a.blocks = blocks_.count;
  a.elements = blocks_.items;
  a.control = static_cast<const kernels::Control*>(address(control_));
  if (spec_.limiter->slopes == LimiterSpec::Slopes::hierarchical) launch("detect", elements_range(), a);
  launch("limit", elements_range(), a);
}

std::array<double, 2> Discretization::limiter_counts() {
  std::array<double, 2> result{};
  if (!spec_.limiter) return result;
  const auto count = static_cast<std::size_t>(blocks_.count);
  std::vector<double> values(2 * count);
  device_.read(values.data(), *limiter_counts_, values.size() * sizeof(double));
  for (std::size_t b = 0; b < 2 * count; ++b) result[b / count] += values[b];
  return result;
}

void Discretization::change(Memory& state, Memory& previous) {
  kernels::ChangeArguments a{state.address(),        previous.address(),
                             address(determinants_), static_cast<double*>(address(partials_)),
                             blocks_.count,          static_cast<kernels::Control*>(address(control_))};
  launch("change", elements_range(), a);
}

void Discretization::embedded_error(Memory& state, Memory& candidate, Memory& error) {
  kernels::EmbeddedArguments a{state.address(), candidate.address(),
                               error.address(), static_cast<double*>(address(partials_)),
                               blocks_.count,   static_cast<kernels::Control*>(address(control_))};
  launch("embedded_error", elements_range(), a);
}

void Discretization::embedded_commit(Memory& state, Memory& candidate) {
  kernels::EmbeddedArguments a{state.address(), candidate.address(), nullptr,
                               nullptr,         blocks_.count,       static_cast<kernels::Control*>(address(control_))};
  launch("embedded_commit", elements_range(), a);
}

std::int64_t Discretization::first_inadmissible(Memory& state) {
  monitor(state);
  std::vector<double> limits(static_cast<std::size_t>(blocks_.count));
  device_.read(limits.data(), *step_limits_, limits.size() * sizeof(double));
  return kernels::bad_element_of(*std::min_element(limits.begin(), limits.end()));
}

void Discretization::reset_boundary_flux(const std::vector<double>& earlier) {
  earlier_flux_ = earlier;
  if (total_flux_) device_.clear(*total_flux_);
  if (pending_flux_) device_.clear(*pending_flux_);
}

std::vector<double> Discretization::boundary_flux() {
  std::vector<double> result = earlier_flux_;
  if (face_of_lane_.empty()) return result;
  const auto variables = static_cast<std::size_t>(spec_.variable_count()),
             lanes = static_cast<std::size_t>(blocks_.lanes);
  std::vector<double> total(face_of_lane_.size() * variables), pending(total.size());
  device_.read(total.data(), *total_flux_, total.size() * sizeof(double));
  device_.read(pending.data(), *pending_flux_, pending.size() * sizeof(double));
  const bool counts = read_control().accepted != 0;
  for (std::size_t k = 0; k < total.size(); ++k) {
    const std::size_t v = k / lanes % variables, lane = k / lanes / variables * lanes + k % lanes;
    if (!lane_is_padding_[lane]) result[v] += total[k] + (counts ? pending[k] : 0.0);
  }
  return result;
}

}  // namespace galerna::dg
