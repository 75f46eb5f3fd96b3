/// \file
/// What every run reports, whatever its equations.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/field_faults.hpp"
#include "case/settings.hpp"
#include "device/counting.hpp"
#include "files/report.hpp"
#include "mesh/mesh.hpp"
#include "solver/run/observer.hpp"

namespace galerna::solver {

/// By the shapes' names in the plural.
std::map<std::string, std::int64_t> elements_by_shape(const mesh::Mesh& mesh);

/// Case, program, device, mesh and memory.
files::Report make_run_report(const case_file::Settings& settings, const mesh::Mesh& mesh, device::Device& device,
                              device::Precision precision, const device::MemoryPlan& memory);

/// Where a formula was no number somewhere, the report has null, and a warning that says so.
void warn_of_integrals(files::Report& report, const case_file::Settings& settings, Observer& observer);

/// Which fields have values that are no finite numbers in files and pictures.
std::vector<files::Report::Warning> field_warnings(const analysis::FieldFaults& faults, int dimension);
/// Says and notes it.
void warn_of_fields(files::Report& report, const analysis::FieldFaults& faults, int dimension, Observer& observer);

}  // namespace galerna::solver
