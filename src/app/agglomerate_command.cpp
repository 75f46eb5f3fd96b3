#include <fmt/format.h>

#include <algorithm>

#include "app/commands.hpp"
#include "mesh/agglomeration.hpp"
#include "mesh/polytopes.hpp"
#include "mesh/prepare.hpp"
#include "mesh/read.hpp"

namespace galerna::app {
namespace {

struct AgglomerateWords {
  std::string mesh, output;
  mesh::Index simplices = 0, polytopes = 0;  ///< 0: not given
  bool groups = false;
};

mesh::Agglomeration agglomerate(const mesh::Mesh& mesh, const AgglomerateWords& words) {
  if (words.polytopes > 0) return mesh::make_agglomeration(mesh, words.polytopes);
  if (words.simplices > 0)
    return mesh::make_agglomeration(mesh, std::max<mesh::Index>(1, mesh.element_count() / words.simplices));
  return mesh::group_agglomeration(mesh);
}

int write(const AgglomerateWords& words) {
  mesh::Mesh mesh = mesh::read(words.mesh);
  mesh::prepare(mesh);
  const mesh::Agglomeration agglomeration = agglomerate(mesh, words);
  mesh::write_agglomeration(words.output, agglomeration, mesh);
  fmt::print("{}\n{}", words.output, mesh::describe_polytopes(mesh, agglomeration));
  return 0;
}

}  // namespace

Action add_agglomerate(CLI::App& app) {
  CLI::App* command = app.add_subcommand("agglomerate", "Join the elements of a mesh to polytopes");
  auto words = std::make_shared<AgglomerateWords>();
  command->add_option("mesh", words->mesh, "a Gmsh mesh (.msh)")->required();
  command->add_option("-o,--output", words->output, "one integer an element, in the order of the mesh's file")
      ->required()
      ->type_name("FILE.agg");
  CLI::Option_group* how = command->add_option_group("how");
  how->add_option("--simplices", words->simplices, "about so many simplices (elements) in a polytope")
      ->check(CLI::PositiveNumber);
  how->add_option("--polytopes", words->polytopes, "about so many polytopes")->check(CLI::PositiveNumber);
  how->add_flag("--groups", words->groups, "the connected pieces of every physical group");
  how->require_option(1);
  return [words] { return write(*words); };
}

}  // namespace galerna::app
