#include "polytopic/constants.hpp"

#include <algorithm>
#include <cmath>

#include "base/index.hpp"

namespace galerna::polytopic {
namespace {

/// Calls visit(unknown) for the unknown of each polytope's constant mode, the first one.
template <class Visit>
void for_constant_modes(const Discretization& discretization, const Visit& visit) {
  const std::vector<std::int64_t>& first = discretization.first_unknowns();
  for (std::size_t k = 0; k + 1 < first.size(); ++k) visit(at(first[k]));
}

}  // namespace

bool constants_are_free(const Spec& spec) {
  return spec.velocity.empty() && !spec.reaction && !spec.space.slab &&
         std::none_of(spec.boundaries.begin(), spec.boundaries.end(),
                      [](const auto& b) { return b.dirichlet || b.exchange; });
}

double imbalance(const Discretization& discretization, std::span<const double> load) {
  double sum = 0, size = 0;
  for_constant_modes(discretization, [&](std::size_t unknown) {
    sum += load[unknown];
    size += std::abs(load[unknown]);
  });
  return size > 0 ? std::abs(sum) / size : 0;
}

void balance(const Discretization& discretization, std::vector<double>& load) {
  double sum = 0;
  for_constant_modes(discretization, [&](std::size_t unknown) { sum += load[unknown]; });
  const double share = sum / static_cast<double>(discretization.sizes().size());
  for_constant_modes(discretization, [&](std::size_t unknown) { load[unknown] -= share; });
}

void remove_mean(Discretization& discretization, const Mesh& mesh, std::vector<double>& solution) {
  double measure = 0;
  for (std::int64_t k = 0; k < mesh.polytopes; ++k) measure += mesh.measures[at(2 * k)];
  const double mean = discretization.errors(solution).integral / measure;
  for_constant_modes(discretization, [&](std::size_t unknown) { solution[unknown] -= mean; });
}

void fix_constant(algebra::BlockMatrix<double>& matrix) {
  // With an entry e at an unknown of the constant c, cᵀ(A + e)x = 0 says that x is zero there.
  const std::int64_t diagonal = algebra::find_block(matrix.pattern, 0, 0);
  double& entry = matrix.values[at(matrix.pattern.offsets[at(diagonal)])];
  entry = entry > 0 ? 2 * entry : 1;
}

}  // namespace galerna::polytopic
