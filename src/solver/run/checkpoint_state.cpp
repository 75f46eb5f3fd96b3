#include "solver/run/checkpoint_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "analysis/source_order.hpp"
#include "base/error.hpp"

namespace galerna::solver {
namespace {

/// Which are counts, kept as doubles.
const std::vector<std::string> counts = {"level_step", "recoveries",      "tile_elements",
                                         "rejected",   "rhs_evaluations", "steps_since_best"};

/// How many numbers there are under each name that has a fixed number of them.
std::map<std::string, std::size_t> lengths_in(const files::Checkpoint& checkpoint) {
  const std::size_t variables = checkpoint.variables.size();
  std::map<std::string, std::size_t> lengths = {{"limiter", 3},
                                                {"average", 2},
                                                {"average_integral", checkpoint.coefficients.size()},
                                                {"boundary_flux", variables},
                                                {"boundary_flux_before", variables}};
  for (const std::string& count : counts) lengths[count] = 1;
  return lengths;
}

bool is_count(double value) {
  constexpr double largest = 9007199254740992.0;  // 2^53: up to there doubles hold all integers
  return std::abs(value) <= largest;
}

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what) {
  throw InputError({file.string()}, fmt::format("is damaged: {}; take another checkpoint", what));
}

}  // namespace

void require_whole_state(const files::Checkpoint& checkpoint, const std::filesystem::path& file) {
  const auto require = [&](bool holds, const std::string& what) {
    if (!holds) refuse(file, what);
  };
  const auto& state = checkpoint.state;
  for (const auto& [name, length] : lengths_in(checkpoint))
    if (const auto found = state.find(name); found != state.end())
      require(found->second.size() == length,
              fmt::format("state/{} holds {} numbers and not {}", name, found->second.size(), length));
  for (const std::string& name : counts)
    if (const auto found = state.find(name); found != state.end())
      require(is_count(found->second[0]), fmt::format("state/{} is {}, which is no count", name, found->second[0]));
  if (state.contains("average"))
    for (const char* name : {"average_integral", "average_forces"})
      require(state.contains(name), fmt::format("it lacks state/{}", name));
  for (const std::string& variable : checkpoint.variables)
    require(checkpoint.conservation_start.contains(variable), "it lacks conservation_start/" + variable);
}

void require_whole_flow(const files::Checkpoint& checkpoint, const mesh::Mesh& mesh,
                        const std::filesystem::path& file) {
  const std::vector<int> counts_of_blocks =
      analysis::coefficients_per_element(mesh, checkpoint.degree, checkpoint.variables.size());
  std::size_t needed = 0;
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
    needed += static_cast<std::size_t>(mesh.blocks[b].size()) * static_cast<std::size_t>(counts_of_blocks[b]);
  if (checkpoint.coefficients.size() != needed)
    refuse(file, fmt::format("it holds {} coefficients, and its mesh needs {} at degree {}",
                             checkpoint.coefficients.size(), needed, checkpoint.degree));
}

}  // namespace galerna::solver
