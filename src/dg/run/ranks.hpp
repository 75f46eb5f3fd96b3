/// \file
/// What a discretization of a part of a mesh knows of the whole, and how it talks to the other parts' ranks.
#pragma once

#include <vector>

#include "dg/set_plan.hpp"
#include "mesh/own_part.hpp"
#include "parallel/team.hpp"

namespace galerna::dg {

struct Ranks {
  parallel::Team& team;
  const mesh::OwnPart& part;   ///< must outlive the discretization
  std::vector<SetPlan> plans;  ///< plan_sets() of the whole mesh

  std::int64_t elements() const {
    std::int64_t sum = 0;
    for (const SetPlan& plan : plans) sum += plan.elements;
    return sum;
  }
  /// Of a state of the whole mesh.
  std::int64_t coefficients(int variables) const {
    std::int64_t sum = 0;
    for (const SetPlan& plan : plans) sum += plan.elements * plan.operators.modes * variables;
    return sum;
  }
};

}  // namespace galerna::dg
