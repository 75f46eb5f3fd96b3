#include <fmt/format.h>

#include <filesystem>

#include "app/commands.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"
#include "mesh/quality.hpp"
#include "output/checkpoint.hpp"

namespace galerna::app {

Action add_info(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "What is in a mesh or a checkpoint");
  auto file = std::make_shared<std::string>();
  command->add_option("file", *file, "a Gmsh mesh (.msh) or a checkpoint (.h5)")->required();
  return [file] {
    if (std::filesystem::path(*file).extension() == ".h5") {
      fmt::print("{}", output::describe_checkpoint(output::read_checkpoint(*file)));
      return 0;
    }
    mesh::Mesh mesh = mesh::read_gmsh(*file);
    mesh::prepare(mesh);
    fmt::print("{}", mesh::describe(mesh));
    return 0;
  };
}

}  // namespace galerna::app
