#include <algorithm>

#include "polytopic/spec.hpp"

namespace galerna::polytopic {

const std::vector<PenaltyRule>& penalty_rules() {
  static const std::vector<PenaltyRule> list = {
      {"certified", "element-wise eigenvalue: coercive for every factor > 1, on every shape",
       "kernels/polytopic/penalty/certified.hpp", "CertifiedPenalty", 2, 1, true},
      {"boundary", "surface over volume of the polytope", "kernels/polytopic/penalty/boundary.hpp", "BoundaryPenalty",
       2},
      {"simplex", "facet over its simplex", "kernels/polytopic/penalty/simplex.hpp", "SimplexPenalty", 10},
      {"capped", "the same with a cap on small facets (Dong, Georgoulis, Kappas)",
       "kernels/polytopic/penalty/capped.hpp", "CappedPenalty", 10},
  };
  return list;
}

const PenaltyRule* find_penalty(const std::string& name) {
  const auto& rules = penalty_rules();
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const PenaltyRule& r) { return r.name == name; });
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace galerna::polytopic
