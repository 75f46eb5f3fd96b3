/// \file
/// An interior-penalty method on a mesh of polytopes: penalties, matrix, right-hand side and errors, on a device.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "algebra/device_matrix.hpp"
#include "device/device.hpp"
#include "device/launcher.hpp"
#include "kernels/polytopic/arguments.hpp"
#include "kernels/polytopic/balance_sums.hpp"
#include "kernels/prefix_sums.hpp"
#include "polytopic/assembly_programs.hpp"
#include "polytopic/balance.hpp"
#include "polytopic/mesh.hpp"
#include "polytopic/spec.hpp"

namespace galerna::polytopic {

/// What the coefficients are on a polytope, at the corners of its simplices.
struct Extremes {
  double least_diffusion, largest_diffusion;  ///< eigenvalues of a
  double least_reaction;                      ///< c − ½∇·b
  double boundary_margin;  ///< least min(b·n, 0) + 2h where n·a∇u + h u is given; very large without
};

/// ‖e‖², ‖∇e‖² and |||e|||² of e = u_h − u, ∫ u_h, and with slabs ‖e‖² at the end.
struct SquaredErrors {
  double l2 = 0, h1 = 0, dg = 0, integral = 0, l2_end = 0;
};

/// What a launch of a kernel must do, by count: bytes that have to move between memory and processor, every array once
/// for being read and once for being written, and floating-point operations (docs/user-guide.md, What bench prints).
struct KernelCost {
  double bytes = 0, flops = 0;
};

struct ScatteredArrays;

class Discretization {
 public:
  /// \param degrees [polytope] p, 0 … 6; 0 where nothing diffuses
  Discretization(device::Device& device, const Mesh& mesh, Spec spec, std::vector<int> degrees);
  ~Discretization();

  /// Of the matrix: which blocks there are, each polytope's own and two for each interface, as they are on the device.
  const algebra::DeviceBlocks& blocks() const { return blocks_; }
  /// [polytope] modes
  const std::vector<int>& sizes() const { return sizes_; }
  std::int64_t value_count() const { return value_count_; }
  /// Finds the blocks, for the mesh that is on the device; the constructor has done so.
  void make_pattern();
  /// [polytope + 1]
  const std::vector<std::int64_t>& first_unknowns() const { return first_unknowns_; }
  std::int64_t unknowns() const { return first_unknowns_.back(); }

  /// The time slab, or, without slabs, the one time at which formulas are taken.
  /// \param previous unknowns of the slab before; empty: it begins at the initial state
  void set_time(double begin, double end, std::span<const double> previous = {});
  /// Penalties at this time: before the matrix.
  void compute_penalties();
  void assemble();                  ///< matrix and right-hand side
  void assemble_right_hand_side();  ///< alone

  /// The matrix' values as they are on the device, of the spec's precision.
  device::Memory& matrix_values() { return *values_; }

  // Copies of what is on the device.
  std::vector<double> penalties();    ///< [facet]
  std::vector<Extremes> extremes();   ///< [polytope]
  std::vector<double> eigenvalues();  ///< [polytope] λ of penalties that need it (PenaltyRule::eigenvalue)
  algebra::BlockPattern pattern() const;
  algebra::BlockMatrix<double> matrix();
  std::vector<double> right_hand_side();

  /// Of which errors() and balance() tell.
  void set_solution(std::span<const double> solution);
  SquaredErrors errors();
  /// What flows and is held at this time, with the penalties computed last.
  Balance balance();
  SquaredErrors errors(std::span<const double> solution) {
    set_solution(solution);
    return errors();
  }
  Balance balance(std::span<const double> solution) {
    set_solution(solution);
    return balance();
  }

  /// Launcher::profile().
  void profile(device::KernelTimes* times) { launcher_.profile(times); }
  /// Of the programs that were launched, by their names.
  const std::map<std::string, std::unique_ptr<device::Kernel>>& kernels() const { return launcher_.kernels(); }
  /// Of a launch of each kernel of penalties, matrix and right-hand side, by its name.
  std::map<std::string, KernelCost> costs() const;

 private:
  using Arguments = kernels::polytopic::PolytopicArguments;
  /// Polytopes, or interfaces by the larger degree of their sides, that one launch is for.
  struct Group {
    std::unique_ptr<device::Memory> list;
    std::int64_t count = 0;
  };
  struct Rule;

  template <class T>
  const T* upload(const std::vector<T>& values, const std::string& purpose);
  const void* upload_reals(std::span<const double> values, std::unique_ptr<device::Memory>& memory,
                           const std::string& purpose);
  std::unique_ptr<device::Memory> allocate(std::size_t bytes, const std::string& purpose);
  device::Device& device() const { return launcher_.device(); }
  void upload_mesh();
  void make_groups();
  void sum_up(const kernels::PrefixSumArguments& numbers);
  template <class PatternArguments>
  void launch_pattern(const char* entry, std::int64_t items, const PatternArguments& arguments);
  void make_rules();
  void make_matrix();
  void make_expansions();
  void find_extremes();
  void assemble_volume();
  void allocate_scratch();
  kernels::polytopic::Rule upload_rule(Shape shape, int degree);
  void load(const std::string& program);
  void make_scattered();
  void assemble_scattered();
  device::Range thread_range(std::int64_t items) const;
  device::Range range_of(const std::string& entry, int degree, std::int64_t items) const;
  void launch_items(const std::string& program, const std::string& entry, std::int64_t items);
  void launch_piece(const std::string& program, const std::string& entry, int degree, const Group& group,
                    std::int64_t first, std::int64_t count);
  bool waits_for_eigenvalues(int degree) const;
  static std::int64_t piece_of(const Group& group);
  void launch_groups(const std::string& program, const std::string& entry, const std::map<int, Group>& groups);
  std::vector<double> read_reals(device::Memory& memory, std::int64_t count);
  std::size_t real_bytes() const;

  device::Launcher launcher_;
  const Mesh& mesh_;
  Spec spec_;
  std::vector<int> degrees_;
  std::set<int> degree_set_;
  const Assembly& assembly_;
  std::vector<int> sizes_;
  std::vector<std::int64_t> first_unknowns_;
  std::int64_t value_count_ = 0;
  algebra::DeviceBlocks blocks_;
  Arguments arguments_{};
  bool volume_is_there_ = false;     ///< in the matrix and the right-hand side, to which assemble() adds the rest
  bool extremes_are_there_ = false;  ///< of this time
  std::vector<std::unique_ptr<device::Memory>> arrays_;
  std::map<int, Group> polytopes_, interfaces_;
  std::map<int, kernels::polytopic::Expansion> expansions_;
  std::unique_ptr<device::Memory> diagonal_blocks_, interface_blocks_, extremes_, eigenvalues_, scratch_, penalty_,
      values_, right_hand_side_, solution_, previous_, sums_;
  std::set<std::string> loaded_;  ///< programs
  std::unique_ptr<ScatteredArrays> scattered_;
};

}  // namespace galerna::polytopic
