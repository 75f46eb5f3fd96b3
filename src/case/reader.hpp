/// \file
/// Reads case files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "case/keys.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// Reads and validates a case file. \param overrides "section.key=value", with TOML values (a bare word is a string);
/// without a value, "section.key=" or "section=", what is there is taken out. \throws InputError with every problem of
/// the file at once.
Settings read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// The same from text; `file` gives the name for messages and the folder that paths are relative to.
Settings read_case_text(std::string_view text, const std::filesystem::path& file,
                        const std::vector<std::string>& overrides = {});

/// [mesh] and its sub-sections for a mesh without a case, all of it from overrides such as "mesh.geometry_order=3".
MeshSettings read_mesh_settings(const std::filesystem::path& mesh, const std::vector<std::string>& overrides);

/// What is wrong between the case's boundaries and those of the mesh: boundaries without a condition, conditions
/// without a boundary. Sides that no physical group names (boundary "") are the mesh's own fault. \param periodic names
/// of boundaries that became periodic.
std::vector<Problem> check_boundaries(const Settings& settings, const std::vector<std::string>& mesh_boundaries,
                                      const std::vector<std::string>& periodic);

}  // namespace galerna::case_file
