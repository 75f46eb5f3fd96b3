#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "app/commands.hpp"
#include "base/error.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"
#include "mesh/quality.hpp"
#include "output/checkpoint.hpp"

namespace galerna::app {
namespace {

/// \throws InputError for a mesh that cannot be computed on, after what is in it has been printed.
void print_mesh(const std::string& file) {
  mesh::Mesh mesh = mesh::read_gmsh(file);
  try {
    mesh::prepare(mesh);
  } catch (const InputError&) {
    fmt::print("{}", mesh::describe(mesh::read_gmsh(file)));
    std::fflush(stdout);  // before the problem, which goes to stderr
    throw;
  }
  fmt::print("{}", mesh::describe(mesh));
}

}  // namespace

Action add_info(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "What is in a mesh or a checkpoint");
  auto file = std::make_shared<std::string>();
  command->add_option("file", *file, "a Gmsh mesh (.msh) or a checkpoint (.h5)")->required();
  return [file] {
    if (std::filesystem::path(*file).extension() == ".h5") {
      fmt::print("{}", output::describe_checkpoint(output::read_checkpoint(*file)));
      return 0;
    }
    print_mesh(*file);
    return 0;
  };
}

}  // namespace galerna::app
