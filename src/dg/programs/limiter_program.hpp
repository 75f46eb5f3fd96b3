/// \file
/// What limiters (kernels/limiter), the entropy filter (kernels/filter) and artificial viscosity (kernels/shock) add to
/// a program.
#pragma once

#include <string>
#include <vector>

#include "dg/programs/program_writer.hpp"
#include "dg/structure.hpp"

namespace galerna::dg {

/// Their kernels; the monitor's may be that of the row, which they take the place of.
Entry monitor_entry(const Spec& spec, const Structure& structure, const device::Target& target);
void include_limiter(Writer& out, const LimiterSpec& limiter);
std::vector<Entry> limiter_entries(const Spec& spec, const device::Target& target);
/// Their tables. \return the members of Config that the kernels need.
std::vector<std::string> write_limiter(Writer& out, const Spec& spec, const Operators& operators);
/// Tables of artificial viscosity (kernels/diffusion.hpp). \return members of ElementTables
std::vector<std::string> write_shock_viscosity(Writer& out, const Operators& operators);

}  // namespace galerna::dg
