#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <sstream>

#include "app/commands.hpp"
#include "app/options.hpp"
#include "app/terminal.hpp"
#include "base/error.hpp"
#include "base/file_kind.hpp"
#include "base/interruption.hpp"
#include "base/toml_key.hpp"
#include "case/files_read.hpp"
#include "case/reader.hpp"
#include "files/atomic_file.hpp"
#include "mesh/gmsh_writer.hpp"
#include "solver/curved_mesh.hpp"

namespace galerna::app {
namespace {

struct CurveWords {
  std::string file, output, held;
  int order = 0;    ///< 0: not given
  std::string cad;  ///< "": not given
  std::vector<std::string> boundaries;
  std::vector<std::string> set;
};

case_file::MeshSettings settings_of(const CurveWords& words) {
  std::vector<std::string> set = words.set;
  const bool is_case = kind_of(words.file) == FileKind::case_file;
  if (!words.cad.empty() && words.boundaries.empty() && !is_case)
    throw InputError({words.file}, "--cad needs --boundary NAME, a boundary of the mesh that follows the CAD");
  if (!words.cad.empty()) {
    set.push_back("mesh.cad.file=" + toml_string(std::filesystem::absolute(words.cad).string()));
    for (const std::string& name : words.boundaries)
      set.push_back(fmt::format("mesh.curve.{}.shape=cad", toml_key(name)));
  }
  if (words.order > 0) set.push_back(fmt::format("mesh.geometry_order={}", words.order));
  if (is_case) return case_file::read_case(words.file, set).mesh;
  return case_file::read_mesh_settings(words.file, set);
}

int write(const CurveWords& words) {
  case_file::MeshSettings settings = settings_of(words);
  std::vector<std::filesystem::path> read = case_file::files_read(settings);
  read.emplace_back(words.file);
  require_other_file("--output", words.output, read);
  require_other_file("--held", words.held, read);
  if (!words.held.empty() && is_same_file(words.held, words.output))
    throw InputError({"--held"}, "the list and the mesh cannot be one file: give another for one of them");
  if (settings.curves.empty())
    throw InputError({words.file},
                     "no boundary has a true shape: give one by [mesh.curve.NAME] in a case, or by --set "
                     "mesh.curve.NAME.shape=…");
  if (!settings.elasticity) settings.elasticity.emplace();
  files::AtomicFile output(words.output);  // what cannot be written is refused before what takes long
  std::optional<files::AtomicFile> held;
  if (!words.held.empty()) held.emplace(words.held);
  catch_signals();
  const Terminal terminal(true);
  const Interruptible interruptible("curving the mesh");
  const solver::CurvedMesh curved = solver::make_curved_mesh(settings, [](solver::MeshStage) {});
  std::ostringstream text;
  mesh::write_gmsh(curved.mesh, text, solver::notes_of(curved, ""));
  output.write(text.view());
  output.commit();
  if (held) {
    held->write(curving::held_as_csv(curved.held));
    held->commit();
  }
  fmt::print("{}{}\n", curved.curving.text, words.output);
  return 0;
}

}  // namespace

Action add_curve(CLI::App& app) {
  CLI::App* command = app.add_subcommand("curve", "Put the walls of a straight mesh onto their true shapes");
  auto words = std::make_shared<CurveWords>();
  command->add_option("file", words->file, "a case (.toml) with sections [mesh.curve.NAME], or a Gmsh mesh (.msh)")
      ->required();
  command->add_option("--order", words->order, "geometry order of the elements at the walls, 2 to 4")
      ->check(CLI::Range(2, 4));
  CLI::Option* cad = command->add_option("--cad", words->cad, "a STEP, IGES or BREP file that --boundary follows");
  cad->type_name("FILE.step");
  command->add_option("--boundary", words->boundaries, "a boundary of the mesh that follows --cad; may be repeated")
      ->type_name("NAME")
      ->needs(cad);
  command->add_option("--set", words->set, "a key of the case, such as mesh.curve.wall.shape=sphere")
      ->type_name("KEY=VALUE");
  command->add_option("-o,--output", words->output, "the curved mesh, in Gmsh's format 4.1")
      ->required()
      ->type_name("FILE.msh");
  command->add_option("--held", words->held, "a list of the nodes of walls that were held back, with their distances")
      ->type_name("FILE.csv");
  return [words] { return write(*words); };
}

}  // namespace galerna::app
