#include "polytopic/multigrid.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/index.hpp"
#include "base/interruption.hpp"
#include "polytopic/constants.hpp"

namespace galerna::polytopic {
namespace {

/// The matrix of the last level is inverted as a whole.
constexpr int most_inverted = 600;

/// Legendre polynomials of the interval of a coarse box, by those of a fine one inside: [fine degree][coarse degree].
/// \param shift, scale of the coordinates: ξ_coarse = shift + scale ξ_fine
using Line = std::array<std::array<double, 2>, 2>;
Line line_of(double shift, double scale) {
  return {{{1, std::sqrt(3.0) * shift}, {0, scale}}};
}

/// A level's own quadrature is enough for it.
Spec coarse_spec(Spec spec, int least_degree) {
  spec.space = coarse_space(spec.space, least_degree);
  spec.volume_quadrature = spec.facet_quadrature = spec.time_quadrature = -1;
  if (spec.space.time_degree >= 0) spec.time_quadrature = 2 * spec.space.time_degree + 1;
  return spec;
}

}  // namespace

basis::BoxSpace coarse_space(basis::BoxSpace space, int least_degree) {
  const int in_time = space.tensor ? least_degree : least_degree - 1;
  if (!space.slab || in_time < 1) return space;
  space.tensor = true;
  space.time_degree = in_time;
  return space;
}

algebra::Transfer same_modes(const basis::BoxSpace& fine, const std::vector<int>& degrees,
                             const basis::BoxSpace& coarse) {
  std::map<int, std::vector<double>> blocks;  // by degree
  for (const int degree : degrees)
    if (std::vector<double>& block = blocks[degree]; block.empty())
      for (const auto& row : basis::box_modes(fine, degree))
        for (const auto& column : basis::box_modes(coarse, std::min(degree, 1))) block.push_back(row == column ? 1 : 0);
  algebra::Transfer transfer;
  for (std::size_t row = 0; row < degrees.size(); ++row) {
    transfer.parents.push_back(static_cast<std::int32_t>(row));
    const std::vector<double>& block = blocks[degrees[row]];
    transfer.values.insert(transfer.values.end(), block.begin(), block.end());
  }
  return transfer;
}

std::vector<int> coarse_degrees(std::vector<int> degrees) {
  for (int& degree : degrees) degree = std::min(degree, 1);
  return degrees;
}

algebra::Transfer transfer_between(const MultigridMesh& fine, const MultigridMesh& coarse,
                                   const std::vector<mesh::Index>& parents, const basis::BoxSpace& space) {
  const std::array modes = {basis::box_modes(space, 0), basis::box_modes(space, 1)};
  const auto d = at(space.dimension);
  algebra::Transfer transfer;
  transfer.values.reserve(parents.size() * modes[1].size() * modes[1].size());
  for (std::size_t child = 0; child < parents.size(); ++child) {
    const std::size_t parent = at(parents[child]);
    const double* box = fine.polytopes.boxes.data() + child * 2 * d;
    const double* parent_box = coarse.polytopes.boxes.data() + parent * 2 * d;
    std::array<Line, 3> lines;
    for (std::size_t k = 0; k < d; ++k)
      lines[k] = line_of((box[k] - parent_box[k]) / parent_box[d + k], box[d + k] / parent_box[d + k]);
    transfer.parents.push_back(static_cast<std::int32_t>(parent));
    for (const auto& row : modes[at(fine.degrees[child])])
      for (const auto& column : modes[at(coarse.degrees[parent])]) {
        double value = row[d] == column[d] ? 1 : 0;  // in time both are the slab
        for (std::size_t k = 0; k < d; ++k) value *= lines[k][row[k]][column[k]];
        transfer.values.push_back(value);
      }
  }
  return transfer;
}

MultigridSolver::MultigridSolver(device::Device& device, const mesh::Mesh& mesh,
                                 const mesh::Agglomeration& agglomeration, const Mesh& polytopes, Spec spec,
                                 std::vector<int> degrees)
    : device_(device),
      kernels_(device),
      mesh_(mesh),
      agglomeration_(agglomeration),
      polytopes_(polytopes),
      finest_space_(spec.space),
      spec_(coarse_spec(std::move(spec), *std::min_element(degrees.begin(), degrees.end()))),
      degrees_(std::move(degrees)),
      largest_degree_(*std::max_element(degrees_.begin(), degrees_.end())) {}

/// Polytopes on both sides of a jump of the diffusion are joined on the last levels only: no polynomial across it is a
/// correction for both.
void MultigridSolver::make_levels(Discretization& finest) {
  std::vector<mesh::Index> kinds;
  for (const Extremes& extremes : finest.extremes())
    kinds.push_back(extremes.largest_diffusion > 0 ? std::lround(std::log10(extremes.largest_diffusion)) : -1000);
  const int modes = basis::box_mode_count(spec_.space, std::min(largest_degree_, 1));
  finest_pattern_ = std::make_shared<algebra::DevicePattern>(device_, finest.sizes(), finest.blocks());
  multigrid_levels_ = {{{}, {}, std::max(4, largest_degree_)}};
  std::vector<int> degrees = coarse_degrees(degrees_);
  if (largest_degree_ > 1) add_level(nullptr, degrees, same_modes(finest_space_, degrees_, spec_.space));
  const mesh::Agglomeration* fine = &agglomeration_;
  const Mesh* finer = &polytopes_;
  const std::vector<mesh::Agglomeration> coarser =
      mesh::coarser_levels(mesh_, agglomeration_, std::max(1, most_inverted / modes), kinds);
  for (const mesh::Agglomeration& coarse : coarser) {
    auto polytopes = std::make_unique<Mesh>(make_mesh(mesh_, coarse));
    const std::vector<mesh::Index> parents = mesh::parents(*fine, coarse);
    // As high as that of any part: polynomials are passed on wherever there are some.
    std::vector<int> joined(at(polytopes->polytopes), 0);
    for (std::size_t child = 0; child < parents.size(); ++child)
      joined[at(parents[child])] = std::max(joined[at(parents[child])], degrees[child]);
    algebra::Transfer transfer = transfer_between({*finer, degrees}, {*polytopes, joined}, parents, spec_.space);
    finer = polytopes.get();
    fine = &coarse;
    degrees = std::move(joined);
    add_level(std::move(polytopes), degrees, std::move(transfer));
  }
}

void MultigridSolver::add_level(std::unique_ptr<Mesh> polytopes, const std::vector<int>& degrees,
                                algebra::Transfer to_finer) {
  const Mesh& mesh = polytopes ? *polytopes : polytopes_;
  constexpr int simplices_for_a_warp = 64;
  Spec spec = spec_;
  if (mesh.simplex_count() >= simplices_for_a_warp * mesh.polytopes) spec.item_threads = 32;
  auto discretization = std::make_unique<Discretization>(device_, mesh, spec, degrees);
  const auto pattern =
      std::make_shared<algebra::DevicePattern>(device_, discretization->sizes(), discretization->blocks());
  levels_.push_back({std::move(polytopes), std::move(discretization), pattern});
  multigrid_levels_.back().from_coarser = std::move(to_finer);
  multigrid_levels_.emplace_back();
}

MultigridSolver::~MultigridSolver() = default;

algebra::DeviceMatrix MultigridSolver::matrix_of(Discretization& discretization,
                                                 const std::shared_ptr<const algebra::DevicePattern>& pattern) {
  const std::int64_t count = discretization.value_count();
  if (spec_.precision == device::Precision::double_precision)
    return {pattern, {std::shared_ptr<void>(), &discretization.matrix_values()}};
  std::shared_ptr<device::Memory> values = device_.allocate(at(count) * sizeof(double), "matrix");
  kernels_.to_double(discretization.matrix_values().address(), values->address(), count);
  return {pattern, values};
}

void MultigridSolver::set_up(Discretization& finest, double begin, double end) {
  if (!finest_pattern_) make_levels(finest);
  matrix_ = matrix_of(finest, finest_pattern_);
  std::vector<algebra::GridLevel>& levels = multigrid_levels_;
  levels[0].matrix = matrix_;
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    stop_if_interrupted("assembling the levels of multigrid");
    Discretization& level = *levels_[k].discretization;
    level.set_time(begin, end);
    level.compute_penalties();
    level.assemble();
    levels[k + 1].matrix = matrix_of(level, levels_[k].pattern);
  }

  if (multigrid_)
    multigrid_->set_matrices(levels);
  else
    make_multigrid();
  for (algebra::GridLevel& level : levels) level.matrix = {};
}

/// Of the levels, which have their matrices.
void MultigridSolver::make_multigrid() {
  algebra::MultigridOptions options;
  options.dense = most_inverted;
  const std::vector<int>& last = multigrid_levels_.back().matrix.pattern->sizes();
  if (constants_are_free(spec_))
    for (const int size : last)
      for (int mode = 0; mode < size; ++mode) options.kernel.push_back(mode == 0 ? 1 : 0);
  multigrid_ = std::make_unique<algebra::Multigrid>(kernels_, multigrid_levels_, options);
  for (algebra::GridLevel& level : multigrid_levels_) {
    unknowns_.push_back(level.matrix.unknowns());
    level.from_coarser = {};
  }
}

algebra::KrylovReport MultigridSolver::solve(std::span<const double> load, std::vector<double>& solution,
                                             const algebra::KrylovOptions& options) {
  const bool symmetric = spec_.velocity.empty() && !spec_.space.slab;
  const auto right = algebra::upload<double>(device_, load, "right-hand side");
  const auto unknowns = algebra::upload<double>(device_, solution, "solution");
  const auto method = symmetric ? algebra::conjugate_gradients : algebra::gmres;
  const algebra::KrylovReport report = method(kernels_, matrix_, *multigrid_, *right, *unknowns, options);
  solution = algebra::download<double>(device_, *unknowns);
  return report;
}

}  // namespace galerna::polytopic
