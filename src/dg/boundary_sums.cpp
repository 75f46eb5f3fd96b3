#include "dg/boundary_sums.hpp"

namespace galerna::dg {

std::vector<double> BoundarySums::total(bool last_step) const {
  std::vector<ExactSum> sums(earlier_.size());
  for (std::size_t v = 0; v < sums.size(); ++v) sums[v].add(earlier_[v]);
  for (const FaceSet& faces : faces_) {
    std::vector<double> values = read_numbers(device_, faces.total_flux());
    const std::vector<double> pending = read_numbers(device_, faces.pending_flux());
    for (std::size_t k = 0; k < values.size(); ++k) values[k] += last_step ? pending[k] : 0.0;
    faces.add(
        values, [](const mesh::Face&) { return true; }, sums);
  }
  return values_of(sums);
}

std::vector<double> BoundarySums::of_last_step(const std::vector<bool>& chosen) const {
  std::vector<ExactSum> sums(earlier_.size());
  for (const FaceSet& faces : faces_)
    faces.add(
        read_numbers(device_, faces.pending_flux()),
        [&](const mesh::Face& face) { return chosen[static_cast<std::size_t>(face.boundary)]; }, sums);
  return values_of(sums);
}

void BoundarySums::reset(const std::vector<double>& earlier) {
  earlier_ = earlier;
  for (const FaceSet& faces : faces_)
    for (device::Memory* memory : {faces.total_flux(), faces.pending_flux()})
      if (memory) device_.clear(*memory);
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
