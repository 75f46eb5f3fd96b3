#include "output/solution.hpp"

#include <algorithm>

namespace galerna::output {

int FieldSet::find(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace galerna::output
