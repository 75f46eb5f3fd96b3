#include "dg/set_plan.hpp"

namespace galerna::dg {

bool is_tensor(const Operators& operators) {
  return operators.shape == Shape::quadrilateral && operators.volume.size() == operators.modes &&
         operators.side.size() == operators.degree + 1;
}

}  // namespace galerna::dg
