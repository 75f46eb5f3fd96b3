/// \file
/// Where a run on polytopes stands, slab by slab, and how it is kept in checkpoints.
#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
#include <vector>

#include "case/settings.hpp"
#include "files/checkpoint.hpp"
#include "files/polytopic_report.hpp"
#include "polytopic/discretization.hpp"
#include "solver/polytopic/polytopic_mesh.hpp"

namespace galerna::solver {

/// Sums over what has been solved; a stationary problem is one slab.
struct PolytopicProgress {
  long slabs = 0;                ///< solved
  std::vector<double> solution;  ///< of the last one
  polytopic::SquaredErrors errors;
  double energy = 0;
  double least_penalty = INFINITY, largest_penalty = 0;
  std::vector<files::PolytopicReport::Solve> solves;  ///< [slab]
  std::vector<polytopic::Balance::Outflow> outflows;  ///< [boundary]
  files::PolytopicReport::Conservation conservation;

  void add(const polytopic::SquaredErrors& slab);
  void add(const polytopic::Balance& slab);
};

/// \param time at which the last slab ended
files::Checkpoint make_polytopic_checkpoint(const PolytopicProgress& progress, const case_file::Settings& settings,
                                            const PolytopicMesh& mesh, const basis::BoxSpace& space,
                                            const std::vector<int>& degrees, device::Precision precision, double time);

/// \param begin_of(slab) when it begins
/// \throws InputError where the file is no checkpoint, or one of another case
PolytopicProgress read_polytopic_checkpoint(const std::filesystem::path& file, const case_file::Settings& settings,
                                            const PolytopicMesh& mesh, const basis::BoxSpace& space,
                                            const std::vector<int>& degrees,
                                            const std::function<double(long slab)>& begin_of);

}  // namespace galerna::solver
