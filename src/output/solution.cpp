#include "output/solution.hpp"

#include <algorithm>

namespace galerna::output {

int FieldSet::find(const std::string& name) const {
  const std::vector<std::string> all = all_names();
  const auto found = std::find(all.begin(), all.end(), name);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

std::vector<std::string> FieldSet::all_names() const {
  std::vector<std::string> all = names;
  for (const FurtherField& field : further) all.push_back(field.name);
  return all;
}

std::vector<std::string> FieldSet::listed_names() const {
  std::vector<std::string> listed = names;
  for (const FurtherField& field : further)
    if (field.listed) listed.push_back(field.name);
  return listed;
}

}  // namespace galerna::output
