/// \file
/// What limiters (kernels/limiter) add to a program.
#pragma once

#include <string>
#include <vector>

#include "dg/programs/program_writer.hpp"

namespace galerna::dg {

/// The kernels of kernels/limiter.
void include_limiter(Writer& out, const LimiterSpec& limiter);
std::vector<Entry> limiter_entries(const LimiterSpec& limiter);
/// `struct LimitTables` of simplices. \return the members of Config that the limiter's kernels need.
std::vector<std::string> write_limiter(Writer& out, const Spec& spec, const Operators& operators);

}  // namespace galerna::dg
