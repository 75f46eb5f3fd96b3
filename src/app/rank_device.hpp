/// \file
/// The device of a rank of a run.
#pragma once

#include <string>

#include "parallel/team.hpp"

namespace galerna::app {

/// A GPU for each rank of a host, where there are any; by all ranks together. \param asked `--device`: a GPU that is
/// named is that of all ranks \throws InputError where a host has fewer GPUs than ranks, or there are several hosts
std::string device_of_rank(const std::string& asked, parallel::Team& team);

}  // namespace galerna::app
