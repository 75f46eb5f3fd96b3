/// \file
/// States as vectors of linear algebra: their coefficients [element][variable][mode] of all sets one behind the other,
/// without padding, each variable in units of its scale. What the kernels of kernels/steady do, as calls.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algebra/kernels.hpp"
#include "dg/flow_operator.hpp"
#include "kernels/steady/arguments.hpp"

namespace galerna::steady {

namespace arguments = kernels::steady;

/// The program of its kernels. \param lanes of single precision (Device::lanes)
device::ProgramSource program(device::Kind kind, int lanes);

/// Which elements get a larger coefficient.
struct Column {
  const std::int32_t* colours;  ///< on the device, [element]
  int colour, number;           ///< number: of the coefficient in an element
};

class StateVectors {
 public:
  /// \param scales [variable], in units of which vectors have it. States are in double precision. `space` must outlive
  /// it.
  StateVectors(dg::FlowOperator& space, const std::vector<double>& scales);

  std::int64_t size() const { return size_; }
  int variables() const { return variables_; }
  /// [element] its numbers
  const std::vector<int>& sizes() const { return sizes_; }

  /// to ← from + factor · direction, for states `from` and `to` and a vector.
  void add(device::Memory& from, double factor, const void* direction, device::Memory& to);
  /// A vector of a state.
  void gather(device::Memory& from, void* to);
  /// to ← shift · direction − factor · (changed − base), or right_hand_side − that; `changed` and `base` are states.
  void difference(device::Memory& changed, device::Memory& base, const void* direction, double shift, double factor,
                  const void* right_hand_side, void* to);
  /// to ← from, but for one coefficient of some elements, which are larger by step · their scale.
  void change_column(device::Memory& from, const Column& column, double step, device::Memory& to);
  /// −(changed − base)/step into a column of blocks. \param targets, widths on the device, [element]:
  /// CollectArguments
  void collect_column(device::Memory& changed, device::Memory& base, double step, int column,
                      const std::int64_t* targets, const std::int32_t* widths, float* values);
  void factor_rows(const arguments::FactorRowsArguments& level);
  /// GPU: all rows. \param coupled numbers of the rows that one is coupled to, at most
  void solve(arguments::SolveArguments system, int coupled);
  /// CPU. \param count rows of the level
  void sweep(const arguments::SweepArguments& level, std::int64_t count, bool forward);
  /// \param entry of kernels/steady/constants.hpp, for all elements
  void with_constants(const std::string& entry, const arguments::ConstantsArguments& constants);

 private:
  template <class Arguments>
  void launch(const std::string& entry, Arguments& a);
  template <class Arguments>
  void launch_groups(const std::string& entry, std::int64_t groups, int threads, const Arguments& a);

  dg::FlowOperator& space_;
  device::Launcher launcher_;
  std::vector<arguments::SetNumbers> sets_;
  std::vector<int> sizes_;
  std::int64_t size_ = 0;
  int variables_;
};

}  // namespace galerna::steady
