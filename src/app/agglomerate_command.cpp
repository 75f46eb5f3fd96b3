#include <fmt/format.h>

#include <algorithm>

#include "app/commands.hpp"
#include "app/options.hpp"
#include "base/error.hpp"
#include "files/atomic_file.hpp"
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

/// CLI11's own check says how large numbers may be, in 309 digits.
std::string require_positive(const std::string& word) {
  const bool digits = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  return digits && word.find_first_not_of('0') != std::string::npos ? "" : "must be a positive integer, not " + word;
}

mesh::Agglomeration agglomerate(const mesh::Mesh& mesh, const AgglomerateWords& words) {
  if (words.polytopes > mesh.element_count())
    throw InputError({"--polytopes"}, fmt::format("{} polytopes, but the mesh has {} elements: give at most that many",
                                                  words.polytopes, mesh.element_count()));
  if (words.polytopes > 0) return mesh::make_agglomeration(mesh, words.polytopes);
  if (words.simplices > 0)
    return mesh::make_agglomeration(mesh, std::max<mesh::Index>(1, mesh.element_count() / words.simplices));
  return mesh::group_agglomeration(mesh);
}

int write(const AgglomerateWords& words) {
  require_other_file("--output", words.output, {words.mesh});
  files::AtomicFile output(words.output);  // what cannot be written is refused before what takes long
  mesh::Mesh mesh = mesh::read(words.mesh);
  mesh::prepare(mesh);
  const mesh::Agglomeration agglomeration = agglomerate(mesh, words);
  output.write(mesh::agglomeration_text(agglomeration, mesh));
  output.commit();
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
  const CLI::Validator positive(require_positive, "");
  CLI::Option_group* how = command->add_option_group("how");
  how->add_option("--simplices", words->simplices, "about so many simplices (elements) in a polytope")->check(positive);
  how->add_option("--polytopes", words->polytopes, "about so many polytopes")->check(positive);
  how->add_flag("--groups", words->groups, "the connected pieces of every physical group");
  how->require_option(1);
  return [words] { return write(*words); };
}

}  // namespace galerna::app
