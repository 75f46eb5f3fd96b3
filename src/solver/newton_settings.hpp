/// \file
/// What a case says of Newton's method.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "case/settings.hpp"
#include "device/device.hpp"
#include "dg/spec.hpp"
#include "solver/memory.hpp"
#include "steady/newton.hpp"

namespace galerna::solver {

/// None where the case has another scheme.
std::optional<steady::NewtonSettings> newton_settings(const case_file::Settings& settings);

/// As cases name it.
std::string name_of(steady::Preconditioning preconditioner);

/// A plan of the case's memory with such settings.
using PlanWith = std::function<PlanOf(const std::optional<steady::NewtonSettings>&)>;
/// As newton_settings(). Where that does not fit into `free` bytes and the case leaves the preconditioner open, GMRES
/// has fewer vectors, and the preconditioner is the first of ilu, lines, blocks and none that fits; 0 bytes: nobody
/// knows.
std::optional<steady::NewtonSettings> fitting_newton(const case_file::Settings& settings, const PlanWith& plans,
                                                     const dg::Spec& spec, std::size_t free);

/// \throws InputError for Newton's method in single precision: its products are differences of right-hand sides
void require_precision(const case_file::Settings& settings, device::Precision precision);

}  // namespace galerna::solver
