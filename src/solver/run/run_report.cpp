#include "solver/run/run_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/version.hpp"
#include "mesh/geometry.hpp"

namespace galerna::solver {

std::map<std::string, std::int64_t> elements_by_shape(const mesh::Mesh& mesh) {
  std::map<std::string, std::int64_t> counts;
  for (const mesh::ElementBlock& block : mesh.blocks) counts[std::string(plural_name(block.shape))] += block.size();
  return counts;
}

files::Report make_run_report(const case_file::Settings& settings, const mesh::Mesh& mesh, device::Device& device,
                              device::Precision precision, const device::MemoryPlan& memory) {
  files::Report r;
  r.case_file = settings.file.string();
  r.resolved_case = settings.resolved;
  r.galerna_version = version_commit();
  r.build = build();
  r.device = device.name();
  r.precision = precision == device::Precision::double_precision ? "double" : "single";
  r.mesh_file = mesh.file;
  r.dimension = mesh.dimension;
  r.elements = elements_by_shape(mesh);
  r.faces = static_cast<std::int64_t>(mesh.faces.size());
  for (const mesh::Boundary& boundary : mesh.boundaries)
    r.boundaries[boundary.name] = static_cast<std::int64_t>(boundary.sides.size());
  r.performance.device_memory_bytes = static_cast<std::int64_t>(device.memory_used());
  for (const device::PlannedArray& array : memory.arrays)
    r.memory.emplace_back(array.purpose, static_cast<std::int64_t>(array.bytes));
  return r;
}

void warn_of_integrals(files::Report& report, const case_file::Settings& settings, Observer& observer) {
  for (std::size_t i = 0; i < report.integrals.size(); ++i) {
    const auto& [name, value] = report.integrals[i];
    if (std::isfinite(value)) continue;
    const std::string message =
        fmt::format("the integral {} of \"{}\" is {}: the formula has no finite value somewhere", name,
                    settings.output.integrals[i].formula.text(), value);
    report.warnings.push_back({"integral-is-no-number", "output.integral." + name, message});
    observer.message("warning: " + message);
  }
}

std::vector<files::Report::Warning> field_warnings(const analysis::FieldFaults& faults, int dimension) {
  std::vector<files::Report::Warning> warnings;
  for (const auto& [field, fault] : faults.found()) {
    const std::string place = fault.place == mesh::Point{} ? "" : "at " + mesh::to_text(fault.place, dimension) + ", ";
    warnings.push_back(
        {"field-is-no-number",
         field,
         fmt::format("the field {} is {} in files or pictures, first {}t = {:.6g}: give a formula that is finite there",
                     field, std::isnan(fault.value) ? "not a number" : "infinite", place, fault.time),
         {{"time", fault.time}}});
  }
  return warnings;
}

void warn_of_fields(files::Report& report, const analysis::FieldFaults& faults, int dimension, Observer& observer) {
  for (files::Report::Warning& warning : field_warnings(faults, dimension)) {
    observer.message("warning: " + warning.message);
    report.warnings.push_back(std::move(warning));
  }
}

}  // namespace galerna::solver
