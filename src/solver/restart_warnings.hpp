/// \file
/// What a run that goes on from a checkpoint has other than the run that wrote it.
#pragma once

#include <string>
#include <vector>

#include "case/settings.hpp"
#include "device/device.hpp"
#include "files/checkpoint.hpp"
#include "files/report.hpp"

namespace galerna::solver {

/// As checkpoints write it.
std::string precision_name(device::Precision precision);

/// Of the case and the precision: what changes the solution and is allowed all the same.
std::vector<files::Report::Warning> restart_warnings(const files::Checkpoint& checkpoint,
                                                     const case_file::Settings& settings, device::Precision precision);

}  // namespace galerna::solver
