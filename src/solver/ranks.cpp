#include "solver/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "mesh/cut.hpp"
#include "mesh/mesh_part.hpp"

namespace galerna::solver {

void require_ranks_possible(const case_file::Settings& settings) {
  std::vector<Problem> problems;
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    problems.push_back(
        {{settings.file.string()}, fmt::format("{} does not go with several ranks: take {}one rank", what, remedy)});
  };
  if (settings.polytopic) refuse(fmt::format("equations.type = \"{}\"", case_file::polytopic_equations), "");
  if (settings.time.newton) refuse("time.scheme = \"newton\"", "a Runge-Kutta scheme with time.local = true, or ");
  if (settings.time.sequence_by_residual) refuse("time.sequence = \"automatic\"", "a list of degrees, or ");
  if (!problems.empty()) throw InputError(problems);
}

std::string describe_cut(const mesh::Mesh& mesh, int ranks) {
  const mesh::PartMaker maker(mesh, mesh::cut_all_blocks(mesh, ranks), mesh::GhostLayer::sides);
  mesh::PartSize most;
  for (int rank = 0; rank < ranks; ++rank) {
    const mesh::PartSize size = maker.size(rank);
    most.owned = std::max(most.owned, size.owned);
    most.cut_sides = std::max(most.cut_sides, size.cut_sides);
    most.neighbours = std::max(most.neighbours, size.neighbours);
  }
  return fmt::format("cut among {} ranks, of which each has at most {} elements, {} sides at cuts and {} neighbour{}\n",
                     ranks, most.owned, most.cut_sides, most.neighbours, most.neighbours == 1 ? "" : "s");
}

}  // namespace galerna::solver
