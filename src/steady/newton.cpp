#include "steady/newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/index.hpp"
#include "device/address.hpp"
#include "steady/lines.hpp"

namespace galerna::steady {

using kernels::Control;

namespace {

constexpr double largest_cfl = 1e12;
/// Bytes that vectors of GMRES may take where they are more than a few, or half of the matrix where that is larger.
constexpr double room_of_vectors = 4e9;
/// Bytes of sparse factors that are always few, and next to a GPU.
constexpr std::size_t room_of_factors = 16'000'000, room_of_factors_next_to_gpus = 8'000'000;
/// Of the diagonal, by which a matrix may have changed since it was eliminated.
constexpr double small_shift = 2e-3;
/// That a preconditioner has on its diagonal: below, blocks in single precision do not tell a matrix from a singular
/// one, such as that of a closed domain, whose mass is free.
constexpr double smallest_shift = 1e-6;
/// Of a difference in direction of a vector, times the fourth root of its size: the rounding of right-hand sides grows
/// with the square root of that, what the difference leaves out of a direction that is zero nearly everywhere does not.
constexpr double product_step = 1.5e-8;

class Identity : public algebra::Preconditioner {
 public:
  const void* apply(const void* r) override { return r; }
};

/// Adds the seconds until the device has done what `body` asks of it. Kernels that follow read results on the host, so
/// that waiting here costs nothing.
template <class Body>
void timed(device::Device& device, double& seconds, const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  device.synchronize();
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Which elements are eliminated along, and in which order.
struct Plan {
  Couplings couplings;
  std::vector<std::int32_t> order;
  std::string text;  ///< for people
};

Plan plan_of(const mesh::Mesh& mesh, Preconditioning asked) {
  Plan plan;
  if (asked == Preconditioning::ilu) {
    plan.couplings = neighbours(mesh);
    plan.order = reverse_cuthill_mckee(plan.couplings);
    return plan;
  }
  plan.text = "element blocks";
  const Lines lines = asked == Preconditioning::lines ? lines_of(mesh) : Lines{};
  for (const auto& line : lines) plan.order.insert(plan.order.end(), line.begin(), line.end());
  const std::int64_t longer = std::count_if(lines.begin(), lines.end(), [](const auto& l) { return l.size() > 1; });
  const std::int64_t alone = static_cast<std::int64_t>(lines.size()) - longer;
  if (longer > 0) {
    plan.couplings = couplings_of(lines, mesh.element_count());
    plan.text = fmt::format("{} lines through {} stretched elements, {} elements alone", longer,
                            mesh.element_count() - alone, alone);
  } else {
    plan.order.resize(at(mesh.element_count()));
    std::iota(plan.order.begin(), plan.order.end(), 0);
    if (asked == Preconditioning::lines) plan.text += ": no elements are stretched";
  }
  return plan;
}

/// How exactly a system is solved: the better, the faster the residual falls (S. C. Eisenstat, H. F. Walker, SIAM J.
/// Sci. Comput. 17 (1996), 16–32).
double forcing(double norm, double last_norm) {
  constexpr double loosest = 0.3, tightest = 1e-3;
  if (!(last_norm > 0)) return loosest;
  return std::clamp(0.9 * (norm / last_norm) * (norm / last_norm), tightest, loosest);
}

}  // namespace

/// v → v/CFL − (G(u + εv) − G(u))/ε
class Newton::Product : public algebra::LinearOperator {
 public:
  Product(Newton& newton, device::Memory& state, double shift) : newton_(newton), state_(state), shift_(shift) {}

  std::int64_t unknowns() const override { return newton_.vectors_.size(); }

  void multiply(const void* x, void* y, const void* right_hand_side) override {
    timed(newton_.space_.device(), newton_.seconds_.products, [&] { multiply_now(x, y, right_hand_side); });
  }

 private:
  void multiply_now(const void* x, void* y, const void* right_hand_side) {
    Newton& n = newton_;
    const double length = std::sqrt(n.kernels_.dot(x, x, unknowns()));
    if (length == 0)
      return n.kernels_.add(1, right_hand_side ? right_hand_side : x, 0, y, unknowns(),
                            algebra::Precision::double_precision);
    const double step = product_step * std::pow(static_cast<double>(unknowns()), 0.25) / length;
    n.vectors_.add(state_, step, x, *n.work_);
    n.evaluate(*n.work_, *n.rate_);
    n.vectors_.difference(*n.rate_, *n.base_, x, shift_, 1 / step, right_hand_side, y);
  }

  Newton& newton_;
  device::Memory& state_;
  double shift_;
};

class Newton::TimedPreconditioner : public algebra::Preconditioner {
 public:
  TimedPreconditioner(Newton& newton, algebra::Preconditioner& inner) : newton_(newton), inner_(inner) {}

  const void* apply(const void* r) override {
    const void* result = nullptr;
    timed(newton_.space_.device(), newton_.seconds_.preconditioner, [&] { result = inner_.apply(r); });
    return result;
  }

 private:
  Newton& newton_;
  algebra::Preconditioner& inner_;
};

Newton::Newton(dg::FlowOperator& space, const mesh::Mesh& mesh, const std::vector<double>& scales,
               const NewtonSettings& settings)
    : space_(space), settings_(settings), kernels_(space.device()), vectors_(space, scales) {
  for (auto* state : {&base_, &work_, &rate_, &kept_}) *state = space.allocate_state("states of Newton's method");
  const auto bytes = at(vectors_.size()) * sizeof(double);
  for (auto* vector : {&right_, &correction_}) *vector = space.device().allocate(bytes, "vectors of Newton's method");
  cycle_ = vectors_that_fit(room_of_vectors);
  if (settings.preconditioner == Preconditioning::none) {
    description_ = settings.why.empty() ? "none" : "none: " + settings.why;
    return;
  }
  const Plan plan = plan_of(mesh, settings.preconditioner);
  description_ = plan.text;
  jacobian_ = std::make_unique<Jacobian>(space.device(), vectors_, mesh, plan.couplings);
  cycle_ = vectors_that_fit(std::max(room_of_vectors, static_cast<double>(jacobian_->values().bytes()) / 2));
  elimination_ =
      std::make_unique<EliminationPreconditioner>(vectors_, space.device(), *jacobian_, plan.couplings, plan.order);
  if (settings.preconditioner == Preconditioning::ilu) {
    description_ = fmt::format("block ILU(0) of all elements in {} levels", elimination_->levels());
    if (constants_pay()) {
      constants_ = std::make_unique<ConstantsPreconditioner>(vectors_, space.device(), *jacobian_, *elimination_);
      description_ += ", constants by sparse factors";
    }
  }
  if (!settings.why.empty()) description_ += "; " + settings.why;
  block_state_ = space.allocate_state("states of Newton's method");
}

int Newton::vectors_that_fit(double bytes) const {
  const double of_one = static_cast<double>(vectors_.size()) * (sizeof(double) + sizeof(float));
  return static_cast<int>(std::clamp(bytes / of_one, 30.0, static_cast<double>(settings_.vectors)));
}

/// Whether factors for constants take little time next to the rest: they are on the host, and each solution reads them.
bool Newton::constants_pay() const {
  constexpr std::size_t most_elements = 50'000;
  if (vectors_.sizes().size() > most_elements) return false;
  const std::size_t factors = ConstantsPreconditioner::factor_bytes(vectors_, *jacobian_);
  if (space_.device().kind() != device::Kind::host) return factors <= room_of_factors_next_to_gpus;
  return factors <= std::max(jacobian_->values().bytes() / 2, room_of_factors);
}

/// G: the rate of change times the local step of CFL number 1.
void Newton::evaluate(device::Memory& at, device::Memory& rate, bool follow) {
  dg::StageCall call;
  call.at = &at;
  call.inputs = {&at};
  call.outputs = {&rate};
  call.coefficients = {{0}};
  call.rhs = {1};
  ++evaluations_;
  const auto all = [&] {
    if (follows_ && follow) space_.find_shock_viscosity(at);
    space_.stage(call);
  };
  if (&at != work_.get()) return all();
  auto& graph = follows_ && follow ? following_graph_ : product_graph_;
  if (!graph) graph = space_.record(all);
  space_.device().launch(*graph);
}

bool Newton::look(device::Memory& state, Control& control) {
  const Control before = control;
  constexpr double never = std::numeric_limits<double>::max();
  control.cfl = 1;
  control.fixed_step = control.tolerance = control.steady_tolerance = 0;
  control.stop_time = never;
  control.step_limit = std::numeric_limits<std::int64_t>::max();
  control.status = static_cast<int>(kernels::RunStatus::running);
  space_.write_control(control);
  space_.monitor(state);
  space_.begin_step(true);
  evaluate(state, *base_);
  vectors_.gather(*base_, right_->address());
  // The residual is that of a step of CFL number 1.
  vectors_.add(state, 1, right_->address(), *work_);
  space_.device().copy(*rate_, state, space_.state_bytes());
  space_.change(*work_, *rate_);
  space_.end_step(1, true, false);
  control = space_.read_control();
  const bool physical = control.status == static_cast<int>(kernels::RunStatus::running);
  control.steps = before.steps;
  control.time = before.time;
  control.time_low = before.time_low;
  control.stop_time = before.stop_time;
  control.step_limit = before.step_limit;
  control.steady_tolerance = before.steady_tolerance;
  norm_ = std::sqrt(kernels_.dot(right_->address(), right_->address(), vectors_.size()));
  return physical && std::isfinite(norm_);
}

double Newton::cfl() const {
  return std::min(settings_.first_cfl * memory_.factor * std::pow(memory_.first_norm / norm_, 1.5), largest_cfl);
}

void Newton::refresh_blocks(device::Memory& state, const Control& control) {
  timed(space_.device(), seconds_.blocks,
        [&] { jacobian_->compute(state, *base_, *work_, *rate_, [&] { evaluate(*work_, *rate_, false); }); });
  if (&state != block_state_.get()) space_.device().copy(*block_state_, state, space_.state_bytes());
  block_origin_ = {space_.shock_viscosity(), {control.wall_force_x, control.wall_force_y}};
  memory_.has_blocks = true;
  memory_.best_iterations = memory_.excess = 0;
}

/// \param fresh whether there is another matrix
void Newton::prepare_preconditioner(double shift, bool fresh) {
  if (fresh || std::abs(shift - memory_.eliminated) > small_shift) {
    elimination_->factor(shift);
    memory_.eliminated = shift;
  }
  if (!constants_) return;
  if (fresh) constants_->gather();
  constants_->factor(shift);
}

void Newton::restore_blocks(const BlockOrigin& origin, Control control) {
  const NewtonMemory memory = memory_;
  if (!origin.viscosity.empty()) {
    space_.set_shock_viscosity(origin.viscosity);
    control.frozen = 1;
  }
  control.wall_force_x = origin.force[0];
  control.wall_force_y = origin.force[1];
  look(*block_state_, control);
  refresh_blocks(*block_state_, control);
  memory_ = memory;
  prepare_preconditioner(memory_.eliminated, true);
}

std::unique_ptr<device::Memory> Newton::vectors_of_gmres() const {
  const std::int64_t bytes = (std::int64_t{cycle_} + 2) * sizeof(double) + std::int64_t{cycle_} * sizeof(float);
  return space_.device().allocate(at(vectors_.size() * bytes), "vectors of the solver");
}

/// Adds what is admissible of the correction to the kept state. \param share of it: at most, then that which was added
bool Newton::apply(device::Memory& state, double& share) {
  for (; share > 0.05; share /= 2) {
    // Twice the change is admissible: density and pressure, which is concave, keep half of what they were.
    vectors_.add(*kept_, 2 * share, correction_->address(), *work_);
    if (space_.first_inadmissible(*work_) >= 0) continue;
    vectors_.add(*kept_, share, correction_->address(), state);
    return true;
  }
  return false;
}

/// Of the pseudo time step, ‖share · δ/CFL − G‖.
double Newton::step_residual(double shift) {
  const auto dot = [&](device::Memory& a, device::Memory& b) {
    return kernels_.dot(a.address(), b.address(), vectors_.size());
  };
  const double square =
      norm_ * norm_ - 2 * shift * dot(*right_, *correction_) + shift * shift * dot(*correction_, *correction_);
  return std::sqrt(std::max(square, 0.0));
}

/// Takes so much of the correction that the residual of the pseudo time step falls. \param before of the state \param
/// share what was taken \return whether it may stay
bool Newton::search(device::Memory& state, Control& control, double shift, double before, double& share) {
  double residual = 0;
  share = 1;
  for (int halvings = 0; halvings <= 4; ++halvings, share /= 2) {
    if (!apply(state, share)) return false;
    residual = look(state, control) ? step_residual(share * shift) : std::numeric_limits<double>::infinity();
    if (residual <= before) return true;
  }
  share *= 2;
  return residual <= 2 * before;
}

void Newton::note(double norm) {
  memory_.last_norm = norm;
  if (memory_.best_norm == 0 || norm < 0.9 * memory_.best_norm) {
    memory_.best_norm = norm;
    memory_.since_best = 0;
  } else {
    memory_.since_best += 1;
  }
}

NewtonStep Newton::step(device::Memory& state, Control& control) {
  NewtonStep result;
  const std::int64_t counted = control.rhs_evaluations;
  evaluations_ = 0;
  if (memory_.first_norm == 0) memory_.first_norm = norm_;
  result.norm = norm();
  result.cfl = cfl();
  const double before = norm_, tolerance = forcing(norm_, memory_.last_norm);
  note(norm_);
  space_.device().clear(*correction_);
  bool fresh = false;
  if (jacobian_ && !keeps_blocks(memory_)) {
    refresh_blocks(state, control);
    fresh = true;
    result.block_evaluations = evaluations_;
  }
  Product product(*this, state, 1 / result.cfl);
  Identity identity;
  if (elimination_)
    timed(space_.device(), seconds_.preconditioner,
          [&] { prepare_preconditioner(std::max(1 / result.cfl, smallest_shift), fresh); });
  TimedPreconditioner preconditioner(*this, constants_     ? static_cast<algebra::Preconditioner&>(*constants_)
                                            : elimination_ ? static_cast<algebra::Preconditioner&>(*elimination_)
                                                           : identity);
  algebra::KrylovOptions options;
  options.tolerance = tolerance;
  options.restart = cycle_;
  options.passes = 1;
  options.iterations = cycle_;
  const algebra::KrylovReport report =
      algebra::operator_gmres(kernels_, product, preconditioner, *right_, *correction_, options);
  result.iterations = report.iterations();
  result.reduction = report.residuals.back();
  // With fresh blocks so many iterations a decade; what later ones take more is what new blocks would spare.
  const double decades = std::max(0.1, -std::log10(std::max(result.reduction, 1e-12)));
  const double rate = result.iterations / decades;
  if (fresh || memory_.best_iterations == 0) memory_.best_iterations = rate;
  memory_.excess += std::max(0.0, (rate - memory_.best_iterations) * decades);

  space_.device().copy(*kept_, state, space_.state_bytes());
  const bool good = std::isfinite(result.reduction) && result.reduction < 0.9 &&
                    search(state, control, 1 / result.cfl, before, result.share);
  if (good) {
    // Larger steps are no use where GMRES fails to solve these.
    const double growth = report.converged ? 1.5 : 0.3;
    memory_.factor *= result.share == 1 ? growth : result.share;
  } else {
    space_.device().copy(state, *kept_, space_.state_bytes());
    result.share = 0;
    memory_.factor = 0.1 * std::min(memory_.factor, 1.0);
    if (!fresh) memory_.has_blocks = false;
    look(state, control);
  }
  result.evaluations = evaluations_;
  control.rhs_evaluations = counted + evaluations_;
  control.steps += 1;
  return result;
}

}  // namespace galerna::steady
