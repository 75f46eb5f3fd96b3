/// \file
/// Outputs that are written again and again while a run goes on: VTU files, monitor, probes.
#pragma once

#include <memory>

#include "solver/outputs/output.hpp"

namespace galerna::solver {

/// solution_STEP.vtu and solution.pvd, without time solution.vtu alone; average.vtu at the end.
std::unique_ptr<Output> make_solution_output(const case_file::Settings& settings, const mesh::Mesh& mesh);
/// monitor.csv, with integrals of formulas and forces.
std::unique_ptr<Output> make_monitor_output(const case_file::Settings& settings, const mesh::Mesh& mesh);
/// probe_NAME.csv
std::unique_ptr<Output> make_probes_output(const case_file::Settings& settings, const mesh::Mesh& mesh);

/// VTU of a solution as the case wants them. \param elements the only ones that are written, if not empty \param
/// options what the file has beside fields
void write_state(const case_file::OutputSettings& settings, const analysis::Solution& solution, const std::string& name,
                 const std::vector<mesh::Index>& elements = {}, files::VtuOptions options = {});

}  // namespace galerna::solver
