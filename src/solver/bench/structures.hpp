/// \file
/// Which rows of dg/structures.hpp compute a case, asked for, remembered or measured.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "case/settings.hpp"
#include "dg/set_plan.hpp"
#include "files/checkpoint.hpp"
#include "files/report.hpp"
#include "parallel/team.hpp"
#include "solver/run/wall_clock.hpp"

namespace galerna::solver {

/// Sets Spec::structure, where there is something to choose: what was asked for; what the run that wrote the checkpoint
/// had, for the same bits; or the fastest of the rows that are timed.
/// \param stage_shapes (inputs, outputs) of the scheme's stages \param asked name of a row, empty: none. \param team
/// that all take the row of its first rank; null: alone
void choose_structure(dg::Spec& spec, const mesh::Mesh& mesh, const std::set<std::pair<int, int>>& stage_shapes,
                      device::Device& device, const std::string& asked, const files::Checkpoint* checkpoint,
                      WallClock& clock, parallel::Team* team = nullptr);

/// Writes what a restart needs for the same bits: the row that was asked for, or the size of tiles that was measured.
void remember_structures(files::Checkpoint& checkpoint, const std::vector<dg::SetPlan>& sets, const std::string& asked);
/// The row that the run which wrote the checkpoint was asked for; empty: none.
std::string asked_structure(const files::Checkpoint& checkpoint);

/// \throws InputError where no set of the mesh can have the row: what each of them can; or where the mesh is too large
/// for it.
void require_structure(const case_file::Settings& settings, const std::string& asked, const dg::Spec& spec,
                       const mesh::Mesh& mesh, const device::Target& target);

/// Names of all rows that fit a set of the mesh, in the order of the table.
std::vector<std::string> structures_that_fit(const dg::Spec& spec, const mesh::Mesh& mesh,
                                             const device::Target& target);

/// Whether a run times several rows for these sets.
bool are_timed(const std::vector<dg::SetPlan>& sets, const dg::Spec& spec, const device::Target& target);

/// What computes each set, and why.
std::vector<files::Report::Structure> structures_of(const std::vector<dg::SetPlan>& sets);

/// "512 triangles of order 1: packs (fits, and is tried before element)"
std::string describe(const files::Report::Structure& set);

}  // namespace galerna::solver
