/// \file
/// What a case says of Newton's method.
#pragma once

#include <optional>

#include "case/settings.hpp"
#include "device/device.hpp"
#include "steady/newton.hpp"

namespace galerna::solver {

/// None where the case has another scheme.
std::optional<steady::NewtonSettings> newton_settings(const case_file::Settings& settings);

/// \throws InputError for Newton's method in single precision: its products are differences of right-hand sides
void require_precision(const case_file::Settings& settings, device::Precision precision);

}  // namespace galerna::solver
