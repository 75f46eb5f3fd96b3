#include "solver/forecast_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>

#include "base/error.hpp"
#include "base/phases.hpp"
#include "dg/run/formulas.hpp"
#include "mesh/read.hpp"
#include "solver/make_mesh.hpp"
#include "solver/newton_settings.hpp"
#include "solver/problem.hpp"
#include "time/schemes.hpp"

namespace galerna::solver {
namespace {

constexpr std::int64_t elements_of_sample = 60'000;

/// A coarser mesh of the case; nothing where it is wrong: that is said when the fine one is made, if that is wrong,
/// too. \throws InputError for what is wrong with both
std::optional<mesh::Mesh> coarser_mesh(case_file::Settings settings, int refine) {
  settings.mesh.refine = refine;
  std::optional<mesh::Mesh> mesh;
  try {
    mesh = make_mesh(settings);
  } catch (const InputError&) {
    return {};
  }
  if (const auto problems = problems_at_any_refinement(settings, *mesh); !problems.empty()) throw InputError(problems);
  return mesh;
}

/// A coarser mesh of the case, and the plan of its arrays.
struct Sample {
  Sample(const case_file::Settings& whole, mesh::Mesh made, device::Precision precision, const device::Traits& traits)
      : settings(whole), mesh(std::move(made)) {
    const dg::Spec spec = make_spec(settings, mesh, precision);
    codes = dg::code_counts(mesh, spec);
    plan = plan_of(mesh, spec, time::find_scheme(settings.time.scheme), make_step_settings(settings, mesh), traits,
                   newton_settings(settings));
    elements = static_cast<double>(mesh.element_count());
    boundary = static_cast<double>(mesh.boundary_faces);
  }

  case_file::Settings settings;
  mesh::Mesh mesh;
  PlanOf plan;
  dg::CodeCounts codes;
  double elements = 0, boundary = 0;
};

std::size_t bytes_in(const device::MemoryPlan& plan, const std::string& purpose) {
  for (const device::PlannedArray& array : plan.arrays)
    if (array.purpose == purpose) return array.bytes;
  return 0;
}

/// a · elements + b · boundary faces through two samples; where there is but one, all of it by elements.
class Law {
 public:
  Law(std::vector<std::shared_ptr<const Sample>> samples, double elements, double boundary)
      : samples_(std::move(samples)), elements_(elements), boundary_(boundary) {}

  device::MemoryPlan plan(int degree, device::Precision precision) const {
    const device::MemoryPlan fine = samples_.back()->plan(degree, precision);
    const device::MemoryPlan coarse = samples_.front()->plan(degree, precision);
    device::MemoryPlan result;
    for (const auto& [purpose, bytes] : fine.arrays)
      result.arrays.push_back({purpose, scaled(bytes_in(coarse, purpose), bytes)});
    std::stable_sort(result.arrays.begin(), result.arrays.end(),
                     [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    const double factor = elements_ / samples_.back()->elements;
    const auto temporary = static_cast<std::size_t>(factor * static_cast<double>(fine.temporary));
    result.temporary = std::min(temporary, std::max(dg::room_of_formulas, fine.temporary));
    return result;
  }

 private:
  std::size_t scaled(std::size_t coarse_bytes, std::size_t fine_bytes) const {
    const Sample &coarse = *samples_.front(), &fine = *samples_.back();
    const auto small = static_cast<double>(coarse_bytes), large = static_cast<double>(fine_bytes);
    const double determinant = coarse.elements * fine.boundary - fine.elements * coarse.boundary;
    const bool both = samples_.size() > 1 && std::abs(determinant) > 0;
    const double a = both ? (small * fine.boundary - large * coarse.boundary) / determinant : large / fine.elements;
    const double b = both ? (coarse.elements * large - fine.elements * small) / determinant : 0;
    return static_cast<std::size_t>(std::max(std::max(small, large), a * elements_ + b * boundary_));
  }

  std::vector<std::shared_ptr<const Sample>> samples_;
  double elements_, boundary_;
};

std::string size_text(std::size_t bytes) {
  return fmt::format("{:.2f} GB", static_cast<double>(bytes) / 1e9);
}

/// "the largest mesh.refine that fits is 3"
std::string refinement_that_fits(const MemoryForecast& forecast, const case_file::Settings& settings, std::size_t free,
                                 std::size_t wanted) {
  const double share = static_cast<double>(free) / static_cast<double>(wanted);
  const double each = std::pow(2.0, settings.equations.dimension);
  const int less = static_cast<int>(std::ceil(-std::log(share) / std::log(each)));
  if (less > settings.mesh.refine)
    return fmt::format("take a mesh of {:.2g} elements", share * static_cast<double>(mesh::sum(forecast.counts)));
  return fmt::format("the largest mesh.refine that fits is {}", settings.mesh.refine - less);
}

}  // namespace

std::optional<mesh::ElementCounts> counts_to_forecast(const case_file::Settings& settings) {
  const bool slow = settings.mesh.elasticity || settings.mesh.cad;
  // Of Newton's method the preconditioner is chosen such that it fits.
  if (settings.mesh.refine < 1 || settings.polytopic || slow || settings.time.newton) return {};
  const Phase phase("reading the mesh");
  mesh::ElementCounts coarse;
  try {
    coarse = mesh::count_elements(mesh::read(settings.mesh.file));
  } catch (const InputError&) {
    return {};  // said better when the mesh is made
  }
  try {
    if (mesh::sum(mesh::refined(coarse, settings.mesh.refine)) < elements_to_forecast) return {};
  } catch (const std::overflow_error&) {
    throw InputError(settings.mesh.place, fmt::format("mesh.refine = {} makes more elements than can be counted; take "
                                                      "fewer refinements",
                                                      settings.mesh.refine));
  }
  return coarse;
}

std::optional<MemoryForecast> forecast_memory(const case_file::Settings& settings, const mesh::ElementCounts& coarse,
                                              device::Precision precision, const device::Traits& traits) {
  const Phase phase("planning memory");
  const mesh::ElementCounts counts = mesh::refined(coarse, settings.mesh.refine);
  int level = 0;
  while (level + 1 < settings.mesh.refine && mesh::sum(mesh::refined(coarse, level + 1)) <= elements_of_sample) ++level;
  std::vector<std::shared_ptr<const Sample>> samples;
  for (const int refine : {level - 1, level}) {
    if (refine < 0) continue;
    std::optional<mesh::Mesh> mesh = coarser_mesh(settings, refine);
    if (!mesh) return {};
    samples.push_back(std::make_shared<const Sample>(settings, std::move(*mesh), precision, traits));
  }
  const Sample& fine = *samples.back();
  const double sides = std::pow(2.0, (fine.mesh.dimension - 1) * (settings.mesh.refine - level));
  const Law law(samples, static_cast<double>(mesh::sum(counts)), fine.boundary * sides);
  dg::CodeCounts codes = fine.codes;
  codes.sets.clear();
  for (const auto& [shape, count] : counts) codes.sets.push_back({shape, count});
  for (std::int64_t& faces : codes.boundary_faces)
    faces = static_cast<std::int64_t>(static_cast<double>(faces) * sides);
  return MemoryForecast{counts, [law](int degree, device::Precision p) { return law.plan(degree, p); }, codes};
}

void require_forecast(const MemoryForecast& forecast, const case_file::Settings& settings, device::Precision precision,
                      device::Kind kind, const FreeMemory& free) {
  dg::require_codes(forecast.codes, settings.mesh.place);
  const std::int64_t elements = mesh::sum(forecast.counts);
  const int degree = settings.discretization.order;
  require_memory(forecast.device, degree, precision, elements, free.device);
  const mesh::MeshBytes of_mesh = mesh::bytes_of(forecast.counts);
  const std::size_t arrays = kind == device::Kind::host ? forecast.device(degree, precision).peak() : 0;
  const std::size_t wanted = std::max(of_mesh.peak, of_mesh.held + arrays);
  if (wanted <= free.host) return;
  throw SystemError(fmt::format(
      "not enough memory of the host: {} needed for {} elements ({} for the mesh, {} for arrays), {} free; {}",
      size_text(wanted), elements, size_text(of_mesh.peak), size_text(arrays), size_text(free.host),
      refinement_that_fits(forecast, settings, free.host, wanted)));
}

}  // namespace galerna::solver
