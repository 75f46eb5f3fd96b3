/// \file
/// Texts of the programs that assemble a case: instantiations of kernels/polytopic with the case's formulas.
#pragma once

#include <set>
#include <string>

#include "device/program.hpp"
#include "polytopic/spec.hpp"

namespace galerna::polytopic {

struct Target {
  device::Kind kind = device::Kind::host;
  int lanes = 1;  ///< numbers in a SIMD pack of the host
};

/// Whether eigenvalues for penalties come with what the diagonal blocks have of volumes, whose points are then gone
/// through once: on the CPU in double precision, in which they must be.
bool certifies_with_volume(const Spec& spec, device::Kind kind);

/// `extremes`, `penalties`, and `certify_P` of each degree where the penalty asks for it and the assembly does not.
device::ProgramSource penalty_program(const Spec& spec, const std::set<int>& degrees, const Target& target);
/// `diagonal_P`, or `certified_volume_P` and `facets_P`, which add up to it; `right_hand_side_P`, `interface_P`.
device::ProgramSource assembly_program(const Spec& spec, const std::set<int>& degrees, const Target& target);
/// `errors_P`, `interface_errors_P`, `facet_fluxes`, `contents`.
device::ProgramSource error_program(const Spec& spec, const std::set<int>& degrees, const Target& target);

/// "NAME_P": the entry for modes of degree P.
std::string entry_name(const std::string& name, int degree);

}  // namespace galerna::polytopic
