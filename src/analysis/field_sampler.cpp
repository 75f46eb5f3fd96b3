#include "analysis/field_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace galerna::analysis {
namespace {

std::vector<int> indices_of(const FieldSet& fields, const std::vector<std::string>& names) {
  std::vector<int> indices;
  for (const std::string& name : names.empty() ? fields.listed_names() : names)
    indices.push_back(require_field(fields, name));
  return indices;
}

}  // namespace

int require_field(const FieldSet& fields, const std::string& name) {
  const int index = fields.find(name);
  if (index >= 0) return index;
  const std::vector<std::string> all = fields.all_names();
  const std::string near = nearest_name(name, all);
  throw InputError({}, "there is no field \"" + name + "\"" +
                           (near.empty() ? "." : "; did you mean \"" + near + "\"?") + " The fields are " +
                           list_names(all, "and"));
}

FieldSelection::FieldSelection(const FieldSet& fields, std::vector<int> chosen)
    : fields_(&fields), chosen_(std::move(chosen)) {
  for (int index : chosen_) {
    const auto at = static_cast<std::size_t>(index);
    if (at < fields.names.size()) {
      of_state_ = true;
      continue;
    }
    if (at >= fields.names.size() + fields.further.size()) continue;
    places_ = true;
    gradients_ = gradients_ || fields.further[at - fields.names.size()].gradients;
  }
}

FieldSelection::FieldSelection(const FieldSet& fields, const std::vector<std::string>& names)
    : FieldSelection(fields, indices_of(fields, names)) {}

std::vector<std::string> FieldSelection::names() const {
  const std::vector<std::string> all = fields_->all_names();
  std::vector<std::string> names;
  for (int index : chosen_) names.push_back(all[static_cast<std::size_t>(index)]);
  return names;
}

void FieldSelection::evaluate(const mesh::Point& place, double time, const double* state, const double* of_element,
                              double* values) const {
  thread_local std::vector<double> of_state;
  const std::size_t count = fields_->names.size(), all = count + fields_->further.size();
  of_state.resize(count);
  if (of_state_) fields_->evaluate(state, of_state.data());
  for (int index : chosen_) {
    const auto at = static_cast<std::size_t>(index);
    const double value = at < count   ? of_state[at]
                         : at < all   ? fields_->further[at - count].evaluate(place[0], place[1], place[2], time, state)
                         : of_element ? of_element[at - all]
                                      : std::numeric_limits<double>::quiet_NaN();
    if (at < all && !std::isfinite(value) && fields_->faults)
      fields_->faults->add(at < count ? fields_->names[at] : fields_->further[at - count].name, {time, place, value});
    *values++ = value;
  }
}

FieldSampler::FieldSampler(const Solution& solution, int block, const std::vector<basis::Point>& points,
                           FieldSelection selection)
    : solution_(&solution), sampler_(solution, block, points), selection_(std::move(selection)) {
  if (selection_.gradients()) gradients_.emplace(solution, block, points);
}

void FieldSampler::look_at(const Solution& solution) {
  solution_ = &solution;
  sampler_.look_at(solution);
  selection_.look_at(solution.fields);
  if (gradients_) gradients_->look_at(solution);
}

void FieldSampler::fields(mesh::Index position, std::vector<double>& values) const {
  thread_local std::vector<double> variables, state;
  thread_local std::vector<mesh::Point> places;
  sampler_.variables(position, variables);
  const auto points = static_cast<std::size_t>(sampler_.points());
  const std::size_t count = solution_->variables.size();
  if (selection_.places())
    sampler_.places(position, places);
  else
    places.assign(points, {});
  values.resize(points * selection_.size());
  state.resize(4 * count);
  const double* of_element = solution_->values_of(sampler_.block(), position);
  for (std::size_t q = 0; q < points; ++q) {
    std::copy_n(variables.data() + q * count, count, state.data());
    if (gradients_) gradients_->evaluate(position, static_cast<int>(q), state.data() + count);
    selection_.evaluate(places[q], solution_->time, state.data(), of_element, values.data() + q * selection_.size());
  }
}

}  // namespace galerna::analysis
