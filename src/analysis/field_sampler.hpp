/// \file
/// Fields of a solution at fixed reference points of every element of a block.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/gradients.hpp"
#include "analysis/sampling.hpp"

namespace galerna::analysis {

/// Some fields of a set, in an order of their own. The set must outlive the selection.
class FieldSelection {
 public:
  /// \param chosen indices as FieldSet::find gives them
  FieldSelection(const FieldSet& fields, std::vector<int> chosen);
  /// By name; the listed fields where `names` is empty. \throws InputError as require_field.
  FieldSelection(const FieldSet& fields, const std::vector<std::string>& names);

  std::size_t size() const { return chosen_.size(); }
  /// Goes on to another set of the same fields.
  void look_at(const FieldSet& fields) { fields_ = &fields; }
  std::vector<std::string> names() const;
  bool gradients() const { return gradients_; }
  bool places() const { return places_; }

  /// values[chosen] at a point. \param state [variable], and behind it, with gradients(), ∂/∂x [variable], ∂/∂y
  /// [variable] and, in space, ∂/∂z [variable]. \param place looked at with places() only
  /// \param of_element Solution::values_of() the element
  void evaluate(const mesh::Point& place, double time, const double* state, const double* of_element,
                double* values) const;

 private:
  const FieldSet* fields_;
  std::vector<int> chosen_;
  bool of_state_ = false, gradients_ = false, places_ = false;
};

/// Index of the field. \throws InputError naming what is there when it is not.
int require_field(const FieldSet& fields, const std::string& name);

/// Evaluates chosen fields at the same reference points in each element of one block.
class FieldSampler {
 public:
  FieldSampler(const Solution& solution, int block, const std::vector<basis::Point>& points, FieldSelection selection);

  /// Goes on to another solution on the same mesh, of the same degree, variables and fields.
  void look_at(const Solution& solution);

  /// values[point][chosen field] of the block's element `position`.
  void fields(mesh::Index position, std::vector<double>& values) const;
  /// Places in space: [point].
  void places(mesh::Index position, std::vector<mesh::Point>& places) const { sampler_.places(position, places); }

 private:
  const Solution* solution_;
  BlockSampler sampler_;
  FieldSelection selection_;
  std::optional<BlockGradients> gradients_;
};

}  // namespace galerna::analysis
