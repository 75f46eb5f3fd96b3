// What the kernels of kernels/polytopic must do, by count.
#include "base/index.hpp"
#include "polytopic/discretization.hpp"

namespace galerna::polytopic {
namespace {

/// Of one point, for N modes of degree p.
class PointCosts {
 public:
  PointCosts(const Spec& spec, int degree)
      : d_(spec.space.dimension),
        directions_(spec.space.directions()),
        degree_(degree),
        n_(basis::box_mode_count(spec.space, degree)),
        flows_(!spec.velocity.empty() || spec.space.slab),
        moves_(!spec.velocity.empty()),
        reacts_(static_cast<bool>(spec.reaction)) {}

  double modes() const { return 6 * directions_ * degree_ + n_ * (directions_ - 1) * (1 + directions_); }
  /// Values, a∇φ and low order with weights; products with the gradients, symmetric, and with the values.
  double volume() const {
    const double low = flows_ ? 2 * n_ * n_ : reacts_ ? n_ * (n_ + 1) : 0;
    return modes() + n_ * d_ * (2 * d_ - 1) + (flows_ || reacts_ ? n_ * (2 * d_ + 1) : 0) + d_ * n_ * (n_ + 1) + low +
           2 * n_;
  }
  double beginning() const { return 6 * directions_ * degree_ + n_ * (directions_ - 1) + n_ + n_ * (n_ + 1) + 2 * n_; }
  double own_facet() const { return modes() + n_ * (2 * d_ - 1) + 4 * n_ + 2 * n_ * (n_ + 1) + 4 * n_; }
  double normal_flux() const { return modes() + n_ * (2 * d_ - 1) + n_ + (n_ - 1) * n_; }
  double interface() const {
    return 2 * (modes() + n_ * (2 * d_ - 1)) + 7 * n_ + 4 * n_ * n_ + (moves_ ? n_ + 2 * n_ * n_ : 0);
  }
  /// A polytope's: factors, transformed matrix, tridiagonal matrix.
  double eigenvalue() const { return (1.0 / 3 + 1 + 4.0 / 3) * (n_ - 1) * (n_ - 1) * (n_ - 1); }
  double values() const { return n_ * n_; }

 private:
  double d_, directions_, degree_, n_;
  bool flows_, moves_, reacts_;
};

}  // namespace

std::map<std::string, KernelCost> Discretization::costs() const {
  std::map<std::string, KernelCost> costs;
  const double d = mesh_.dimension, real = static_cast<double>(real_bytes());
  const double simplex_bytes = 8 * (d + 1) * d + 8, facet_bytes = 8 * (d + 1) * d + 8 + 12;
  const double polytope_bytes = 16 * d + 8 * 4 + 4;
  const int times = spec_.space.slab ? arguments_.time.count : 1;
  const double volume_points = arguments_.volume.count * times, facet_points = arguments_.facet.count * times;
  const auto add = [&](const std::string& name, double bytes, double flops) {
    costs[name].bytes += bytes;
    costs[name].flops += flops;
  };
  const bool with_volume = assembly_.volume_first();
  for (std::size_t k = 0; k < degrees_.size(); ++k) {
    const PointCosts point(spec_, degrees_[k]);
    const auto simplices = static_cast<double>(mesh_.first_simplices[k + 1] - mesh_.first_simplices[k]);
    const auto facets = static_cast<double>(mesh_.first_own_facets[k + 1] - mesh_.first_own_facets[k]);
    const double unknowns = static_cast<double>(first_unknowns_[k + 1] - first_unknowns_[k]);
    const double volume_bytes = simplices * simplex_bytes + polytope_bytes, surface_bytes = facets * facet_bytes;
    const double block_bytes = real * (point.values() + unknowns);
    const double volume = simplices * (volume_points * point.volume() +
                                       (spec_.space.slab ? arguments_.volume.count * point.beginning() : 0));
    const double normal_fluxes = facets * facet_points * point.normal_flux() + point.eigenvalue();
    const double own_facets = facets * facet_points * point.own_facet();
    add("extremes", volume_bytes + 32, 0);
    if (with_volume) {
      add(entry_name(volume_entry(spec_), degrees_[k]), volume_bytes + surface_bytes + block_bytes + 8,
          volume + normal_fluxes);
      add(entry_name("facets", degrees_[k]), polytope_bytes + surface_bytes + 2 * block_bytes, own_facets);
      continue;
    }
    if (spec_.penalty.eigenvalue)
      add(entry_name("certify", degrees_[k]), volume_bytes + surface_bytes + 8,
          simplices * volume_points * point.volume() + normal_fluxes);
    add(entry_name("diagonal", degrees_[k]), volume_bytes + surface_bytes + block_bytes, volume + own_facets);
  }
  for (std::int64_t k = 0; k < mesh_.interface_count(); ++k) {
    const auto first = at(mesh_.interfaces[at(2 * k)]), second = at(mesh_.interfaces[at(2 * k + 1)]);
    const int degree = std::max(degrees_[first], degrees_[second]);
    const auto facets = static_cast<double>(mesh_.first_facets[at(k) + 1] - mesh_.first_facets[at(k)]);
    const double block = static_cast<double>(first_unknowns_[first + 1] - first_unknowns_[first]) *
                         static_cast<double>(first_unknowns_[second + 1] - first_unknowns_[second]);
    add(entry_name("interface", degree), 2 * polytope_bytes + facets * facet_bytes + 2 * real * block,
        facets * facet_points * PointCosts(spec_, degree).interface());
  }
  const auto polytopes = static_cast<double>(mesh_.polytopes), facets = static_cast<double>(mesh_.facet_count());
  add("penalties", polytopes * (8 * 4 + 8 + 16 + 4) + facets * (24 + 8 + 8), 0);
  return costs;
}

}  // namespace galerna::polytopic
