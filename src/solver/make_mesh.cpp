#include "solver/make_mesh.hpp"

#include "case/reader.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/prepare.hpp"
#include "solver/kept_mesh.hpp"

namespace galerna::solver {

mesh::Mesh make_mesh(const case_file::Settings& settings, const std::function<void(MeshStage)>& stage,
                     CurvingText* curving) {
  const auto enter = [&](MeshStage next) {
    if (stage) stage(next);
  };
  CurvedMesh made = find_or_make_curved_mesh(settings.mesh, enter);
  mesh::Mesh mesh = std::move(made.mesh);
  if (curving) *curving = std::move(made.curving);
  enter(MeshStage::prepare);
  mesh::PrepareOptions options;
  for (const auto& pair : settings.mesh.periodic)
    options.periodic.push_back({pair.from, pair.to, pair.translation, pair.place});
  options.plates.emplace();
  for (const case_file::BoundarySettings& boundary : settings.boundaries)
    if (boundary.plate) options.plates->push_back(boundary.name);
  mesh::prepare(mesh, options);
  return mesh;
}

std::vector<Problem> check_boundaries(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                      const std::vector<std::string>& periodic) {
  std::vector<Problem> problems = case_file::check_boundaries(settings, mesh::boundary_names(mesh), periodic);
  if (const std::string text = mesh::describe_unnamed(mesh); !text.empty()) problems.push_back({{mesh.file}, text});
  return problems;
}

}  // namespace galerna::solver
