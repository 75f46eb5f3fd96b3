/// \file
/// The sections [mesh.curve.BOUNDARY] and [mesh.elasticity] of a case file.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// \param mesh the table [mesh], or null; \param folder that files are relative to. Problems go into `reading`.
std::vector<CurveSettings> read_curves(Reading& reading, const toml::table* mesh, const std::filesystem::path& folder);

/// Nothing where the section is absent.
std::optional<ElasticitySettings> read_elasticity(Reading& reading, const toml::table* mesh);

}  // namespace galerna::case_file
