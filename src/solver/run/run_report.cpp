#include "solver/run/run_report.hpp"

#include "base/version.hpp"

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

}  // namespace galerna::solver
