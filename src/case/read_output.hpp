/// \file
/// Reads [output] and its sub-sections.
#pragma once

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// Problems are reported to `reading`. \param root the whole case.
OutputSettings read_output(Reading& reading, const toml::table& root, const EquationSettings& equations);

}  // namespace galerna::case_file
