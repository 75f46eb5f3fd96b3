#include "case/files_read.hpp"

namespace galerna::case_file {

std::vector<std::filesystem::path> files_read(const MeshSettings& mesh) {
  std::vector<std::filesystem::path> files{mesh.file};
  if (mesh.cad) files.push_back(mesh.cad->file);
  for (const CurveSettings& curve : mesh.curves)
    if (!curve.file.empty()) files.push_back(curve.file);
  return files;
}

std::vector<std::filesystem::path> files_read(const Settings& settings) {
  std::vector<std::filesystem::path> files = files_read(settings.mesh);
  files.push_back(settings.file);
  if (settings.equations.user) files.push_back(settings.equations.user->header);
  if (settings.polytopic && !settings.polytopic->agglomerate.file.empty())
    files.push_back(settings.polytopic->agglomerate.file);
  return files;
}

}  // namespace galerna::case_file
