#include "dg/run/boundary_sums.hpp"

namespace galerna::dg {

std::vector<double> BoundaryTotals::sum() const {
  const std::size_t variables = before.size();
  std::vector<ExactSum> sums(variables);
  for (std::size_t v = 0; v < variables; ++v) sums[v].add(before[v]);
  for (std::size_t k = 0; k < faces.size(); ++k) sums[k % variables].add(faces[k]);
  return values_of(sums);
}

BoundaryTotals BoundarySums::totals(bool last_step) const {
  BoundaryTotals totals{before_, {}};
  for (const FaceSet& faces : faces_) {
    std::vector<double> values = read_numbers(device_, faces.total_flux());
    const std::vector<double> pending = read_numbers(device_, faces.pending_flux());
    for (std::size_t k = 0; k < values.size(); ++k) values[k] += last_step ? pending[k] : 0.0;
    faces.gather(values, totals.faces);
  }
  return totals;
}

std::vector<double> BoundarySums::of_last_step(const std::vector<bool>& chosen) const {
  std::vector<ExactSum> sums(before_.size());
  for (const FaceSet& faces : faces_)
    faces.add(
        read_numbers(device_, faces.pending_flux()),
        [&](const mesh::Face& face) { return chosen[static_cast<std::size_t>(face.boundary)]; }, sums);
  join_sums(ranks_, sums);
  return values_of(sums);
}

void BoundarySums::set(const BoundaryTotals& totals) {
  before_ = totals.before;
  for (const FaceSet& faces : faces_) {
    if (!faces.total_flux()) continue;
    device_.clear(*faces.pending_flux());
    device_.clear(*faces.total_flux());
    if (totals.faces.empty()) continue;
    const std::vector<double> values = faces.scatter(totals.faces);
    device_.write(*faces.total_flux(), values.data(), values.size() * sizeof(double));
  }
}

std::array<std::vector<device::Memory*>, 2> BoundarySums::arrays() const {
  std::array<std::vector<device::Memory*>, 2> arrays;
  for (const FaceSet& faces : faces_) {
    arrays[0].push_back(faces.pending_flux());
    arrays[1].push_back(faces.total_flux());
  }
  return arrays;
}

}  // namespace galerna::dg
