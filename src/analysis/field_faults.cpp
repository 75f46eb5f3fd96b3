#include "analysis/field_faults.hpp"

#include <tuple>

namespace galerna::analysis {

void FieldFaults::add(const std::string& field, const Fault& fault) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = found_.emplace(field, fault);
  if (!is_new && std::tie(fault.time, fault.place) < std::tie(known->second.time, known->second.place))
    known->second = fault;
}

std::map<std::string, FieldFaults::Fault> FieldFaults::found() const {
  const std::lock_guard lock(mutex_);
  return found_;
}

}  // namespace galerna::analysis
