/// \file
/// What two cases compute differently: the case of a checkpoint and the one that goes on from it.
#pragma once

#include <string>
#include <vector>

namespace galerna::case_file {

struct Difference {
  std::string key;          ///< "equations.gamma", "boundary.left.type"
  std::string before, now;  ///< values as TOML; empty: not there
};

/// Between two resolved cases (Settings::resolved), of what decides about the flow from a given state on: equations,
/// sources, boundaries, fluxes, limiters, and constants and functions that formulas use. Orders, times and outputs may
/// differ. Nothing, if one of them is no TOML.
std::vector<Difference> differences(const std::string& before, const std::string& now);

/// In the same way of what makes a mesh of the file: mesh.refine, mesh.geometry_order, …
std::vector<Difference> mesh_differences(const std::string& before, const std::string& now);

}  // namespace galerna::case_file
