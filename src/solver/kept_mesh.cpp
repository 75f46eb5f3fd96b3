#include "solver/kept_mesh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <fstream>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "base/phases.hpp"
#include "base/version.hpp"
#include "files/atomic_file.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/gmsh_writer.hpp"

namespace galerna::solver {
namespace {

namespace fs = std::filesystem;
using case_file::MeshSettings;

/// Programs whose commit does not say what they are differ by when they were linked.
std::string program() {
  const bool known = !commit().empty() && !commit().ends_with("-dirty");
  std::error_code error;
  const auto linked = fs::last_write_time(fs::read_symlink("/proc/self/exe", error), error);
  return version_commit() + (known ? "" : fmt::format(" {}", linked.time_since_epoch().count()));
}

std::string text_of(const std::string& boundary, const case_file::Surface& surface) {
  const auto& [kind, point, direction, radius] = surface;
  return fmt::format("{} {} {} {} {}\n", boundary, kind, point, direction, radius);
}

/// All settings that change the mesh, a line each.
std::string text_of(const MeshSettings& settings) {
  std::string text =
      fmt::format("refine {} order {} {}\n", settings.refine, settings.geometry_order, settings.surface_order);
  for (const auto* surfaces : {&settings.snap, &settings.round})
    for (const auto& [boundary, surface] : *surfaces) text += "surface " + text_of(boundary, surface);
  for (const case_file::CurveSettings& c : settings.curves)
    text += fmt::format("curve {} {} {} {} {} {} {} {} {}\n", c.boundary, c.shape, c.place_of, c.direction, c.size,
                        c.code, c.closed, c.points, c.faces);
  if (settings.cad) text += fmt::format("scale {}\n", settings.cad->scale);
  const case_file::ElasticitySettings elasticity = settings.elasticity.value_or(case_file::ElasticitySettings{});
  text += fmt::format("elasticity {} {} {} {}\n", settings.elasticity.has_value(), elasticity.layers,
                      elasticity.poisson, elasticity.split);
  for (const MeshSettings::PeriodicPair& pair : settings.periodic)
    text += fmt::format("periodic {} {} {}\n", pair.from, pair.to, pair.translation);
  return text;
}

std::uint64_t hash_of(const std::string& text) {
  return XXH3_64bits(text.data(), text.size());
}

constexpr std::string_view held_line = "nodes held back: ", end_of_comments = "$EndComments";

std::string comment_of(const CurvingText& curving) {
  const std::string_view text = curving.text;
  return fmt::format("curved by galerna {}\n{}{}\n{}", version_commit(), held_line, curving.held_back,
                     text.substr(0, text.find_last_not_of('\n') + 1));
}

/// What comment_of() wrote; nothing in other files.
std::optional<CurvingText> read_curving(const fs::path& file) {
  std::ifstream stream(file);
  CurvingText curving;
  std::string line;
  while (!line.starts_with(held_line))
    if (!std::getline(stream, line) || line == end_of_comments) return {};
  curving.held_back = std::strtoull(line.c_str() + held_line.size(), nullptr, 10);
  while (std::getline(stream, line) && line != end_of_comments) curving.text += line + "\n";
  return curving;
}

/// Ends a kept file: a section that readers of meshes pass over. A damaged file is told by it.
std::string seal_of(std::string_view text) {
  return fmt::format("$GalernaHash\n{:016x}\n$EndGalernaHash\n", XXH3_64bits(text.data(), text.size()));
}

bool is_whole(std::string_view text) {
  const std::size_t length = seal_of("").size();
  return text.size() > length && text.ends_with(seal_of(text.substr(0, text.size() - length)));
}

std::optional<CurvedMesh> read_kept(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};
  const Phase phase("reading the curved mesh");
  try {
    if (!is_whole(files::read_file(file))) return {};
    std::optional<CurvingText> curving = read_curving(file);
    if (!curving) return {};
    return CurvedMesh{mesh::read_gmsh(file), std::move(*curving), {}};
  } catch (const InputError&) {  // of another user, say
    return {};
  }
}

void keep(const CurvedMesh& made, const fs::path& file) {
  std::ostringstream text;
  mesh::write_gmsh(made.mesh, text, notes_of(made, comment_of(made.curving)));
  files::AtomicFile kept(file);
  kept.write(text.view());
  kept.write(seal_of(text.view()));
  kept.commit();
}

}  // namespace

fs::path kept_mesh_file(const MeshSettings& settings) {
  std::string all = program() + "\n" + text_of(settings);
  for (const fs::path& file : {settings.file, settings.cad ? settings.cad->file : fs::path{}})
    if (!file.empty()) all += fmt::format("{:016x}\n", hash_of(files::read_file(file)));
  fs::path kept = settings.file;
  return kept.replace_extension(fmt::format(".curved-{:016x}.msh", hash_of(all)));
}

CurvedMesh find_or_make_curved_mesh(const MeshSettings& settings, const std::function<void(MeshStage)>& enter) {
  if (settings.curves.empty()) return make_curved_mesh(settings, enter);
  const fs::path file = kept_mesh_file(settings);
  enter(MeshStage::read);
  const auto with_place = [&](CurvedMesh curved, const char* text) {
    curved.curving.text += fmt::format("{}: {}\n", text, file.string());
    return curved;
  };
  if (auto kept = read_kept(file)) return with_place(std::move(*kept), "taken from an earlier run");
  CurvedMesh made = make_curved_mesh(settings, enter);
  if (made.curving.text.empty()) return made;  // elasticity had nothing to do
  std::error_code error;
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) return made;  // a pipe would wait for its reader
  try {
    keep(made, file);
  } catch (const SystemError&) {
    return made;
  }
  auto kept = read_kept(file);
  return kept ? with_place(std::move(*kept), "kept for later runs") : made;
}

}  // namespace galerna::solver
