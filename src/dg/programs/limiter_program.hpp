/// \file
/// What limiters (kernels/limiter) and the entropy filter (kernels/filter) add to a program.
#pragma once

#include <string>
#include <vector>

#include "dg/programs/program_writer.hpp"

namespace galerna::dg {

/// Their kernels.
void include_limiter(Writer& out, const LimiterSpec& limiter);
std::vector<Entry> limiter_entries(const Spec& spec, const Target& target);
/// Their tables. \return the members of Config that the kernels need.
std::vector<std::string> write_limiter(Writer& out, const Spec& spec, const Operators& operators);

}  // namespace galerna::dg
