#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/file_kind.hpp"
#include "cad/load.hpp"
#include "files/checkpoint.hpp"
#include "mesh/agglomeration.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/near_nodes.hpp"
#include "mesh/overlaps.hpp"
#include "mesh/polytopes.hpp"
#include "mesh/prepare.hpp"
#include "mesh/quality.hpp"
#include "mesh/read.hpp"

namespace galerna::app {
namespace {

/// \param agglomeration a file of polytopes of the mesh's elements, "" for none
/// \throws InputError for a mesh that cannot be computed on, after what is in it has been printed.
void print_mesh(const std::string& file, const std::string& agglomeration) {
  mesh::Mesh mesh = mesh::read(file);
  std::vector<mesh::Overlap> overlaps;
  try {
    overlaps = mesh::prepare(mesh);
  } catch (const InputError&) {
    fmt::print("{}", mesh::describe(mesh::read(file)));
    std::fflush(stdout);  // before the problem, which goes to stderr
    throw;
  }
  fmt::print("{}", mesh::describe(mesh));
  std::vector<std::string> warnings = mesh::describe_overlaps(mesh, overlaps, {});
  for (std::string text : {mesh::describe_unnamed(mesh), mesh::describe_near_nodes(mesh, mesh::find_near_nodes(mesh))})
    if (!text.empty()) warnings.push_back(std::move(text));
  for (const std::string& text : warnings) fmt::print("warning: {}\n", text);
  if (agglomeration.empty()) return;
  std::fflush(stdout);
  fmt::print("{}\n{}", agglomeration, mesh::describe_polytopes(mesh, mesh::read_agglomeration(agglomeration, mesh)));
}

}  // namespace

Action add_info(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "What is in a mesh, a checkpoint or a CAD file");
  auto file = std::make_shared<std::string>();
  command->add_option("file", *file, "a Gmsh mesh (.msh), a checkpoint (.h5) or CAD (.step, .iges, .brep)")->required();
  auto agglomeration = std::make_shared<std::string>();
  command->add_option("--agglomeration", *agglomeration, "polytopes of the mesh's elements, to be counted and measured")
      ->type_name("FILE.agg");
  return [file, agglomeration] {
    if (kind_of(*file) == FileKind::cad) {
      fmt::print("{}", cad::describe(*cad::load(*file)));
      return 0;
    }
    if (kind_of(*file) == FileKind::checkpoint) {
      fmt::print("{}", files::describe_checkpoint(files::open_checkpoint(*file)));
      return 0;
    }
    print_mesh(*file, *agglomeration);
    return 0;
  };
}

}  // namespace galerna::app
