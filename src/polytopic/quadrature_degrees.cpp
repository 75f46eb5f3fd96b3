#include <algorithm>

#include "polytopic/spec.hpp"

namespace galerna::polytopic {

QuadratureDegrees::QuadratureDegrees(const Spec& spec, int largest_degree) {
  const int p = std::max(largest_degree, 1);
  const auto degree = [](int given, int otherwise) { return given >= 0 ? given : otherwise; };
  volume = degree(spec.volume_quadrature, 2 * p);
  facet = degree(spec.facet_quadrature, 2 * p + 1);
  time = degree(spec.time_quadrature, 2 * p + 1);
}

}  // namespace galerna::polytopic
