/// \file
/// Texts of the programs that assemble a case: instantiations of kernels/polytopic with the case's formulas.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "device/program_writer.hpp"
#include "kernels/polytopic/moment_sizes.hpp"
#include "polytopic/spec.hpp"

namespace galerna::polytopic {

/// A way to assemble matrix and right-hand side.
struct Assembly {
  enum class Method { moments, volume_first, points, sorted_slots, atomics };

  Method method;
  std::string name, description;
  bool (*fits)(const Spec& spec, const device::Target& target);

  /// Whether what comes from volumes is assembled first, with the eigenvalues of the penalty where it asks for them,
  /// and what comes from facets added when penalties are known.
  bool volume_first() const { return method == Method::moments || method == Method::volume_first; }
  /// Whether a thread sums what comes from a simplex or facet (kernels/polytopic/scattered.hpp): to be compared with,
  /// only where it is named.
  bool scattered() const { return method == Method::sorted_slots || method == Method::atomics; }
};

/// All of them, the better ones first; the last one fits everywhere.
const std::vector<Assembly>& assemblies();
/// The one that the spec names, else the first one that fits. \throws std::invalid_argument if it does not fit
const Assembly& assembly_for(const Spec& spec, const device::Target& target);
/// Whether a GPU's threads have items of their own in `entry` for blocks of so many modes; else teams share them.
bool by_threads(const Assembly& assembly, const std::string& entry, int modes);
/// How many they are, and how many items they share.
struct Team {
  int threads, items;
  int groups = 0;        ///< that registers of a multiprocessor are to have room for; 0: as many as it gives
  int shared_bytes = 0;  ///< beside what the kernel declares
};
Team team_of(const Assembly& assembly, const std::string& entry, const Spec& spec, int degree);
/// Of assembly from moments.
kernels::polytopic::MomentSizes moment_sizes(const Spec& spec, int degree);
/// What its kernel of volumes is called, if they come first.
std::string volume_entry(const Spec& spec);

/// The entries of kernels/polytopic/pattern.hpp and kernels/prefix_sums.hpp, the same for all cases.
device::ProgramSource pattern_program(device::Kind kind);
/// `extremes`, `penalties`, and `certify_P` of each degree where the penalty asks for it and the assembly does not.
device::ProgramSource penalty_program(const Spec& spec, const std::set<int>& degrees, const device::Target& target);
/// `diagonal_P`, or `certified_volume_P` (`volume_P` without eigenvalues) and `facets_P`, which add up to it;
/// `right_hand_side_P`, `interface_P`; `eigenvalues_P` where volumes leave matrices for them.
device::ProgramSource assembly_program(const Spec& spec, const std::set<int>& degrees, const device::Target& target);
/// `scatter_simplex`, `scatter_facet`, `fill_keys`, `sort_stage`, `add_duplicates`.
device::ProgramSource scattered_program(const Spec& spec, const std::set<int>& degrees, const device::Target& target);
/// `errors_P`, `interface_errors_P`, `facet_fluxes`, `contents`.
device::ProgramSource error_program(const Spec& spec, const std::set<int>& degrees, const device::Target& target);
/// All that a run takes.
std::vector<device::ProgramSource> make_programs(const Spec& spec, const std::set<int>& degrees,
                                                 const device::Target& target);

/// "NAME_P": the entry for modes of degree P.
std::string entry_name(const std::string& name, int degree);

}  // namespace galerna::polytopic
