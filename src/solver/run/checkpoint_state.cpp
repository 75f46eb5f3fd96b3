#include "solver/run/checkpoint_state.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "analysis/source_order.hpp"
#include "base/error.hpp"

namespace galerna::solver {
namespace {

constexpr double largest_int = std::numeric_limits<int>::max();
constexpr double largest_long = 9007199254740992.0;  // 2^53: up to there doubles hold all integers

/// A list of groups of numbers, in which one at the same place of each group is a count, kept as a double.
struct Count {
  const char* name;
  std::size_t group, place;
  double largest;
};
constexpr Count single_counts[] = {{"level_step", 1, 0, largest_long},
                                   {"recoveries", 1, 0, largest_int},
                                   {"tile_elements", 1, 0, largest_int},
                                   {"rejected", 1, 0, largest_long},
                                   {"rhs_evaluations", 1, 0, largest_long},
                                   {"steps_since_best", 1, 0, largest_long},
                                   {"newton_start", 1, 0, largest_long},
                                   {"frozen", 1, 0, 1},
                                   {"level_over", 1, 0, 1}};
constexpr Count counts_in_lists[] = {{"levels", 3, 0, largest_int},
                                     {"levels", 3, 1, largest_long},
                                     {"level_evaluations", 1, 0, largest_long},
                                     {"steady_forces", 4, 0, largest_long},
                                     {"newton_degrees", 5, 0, largest_int},
                                     {"newton_degrees", 5, 1, largest_long},
                                     {"newton_degrees", 5, 2, largest_long},
                                     {"newton_degrees", 5, 3, largest_long},
                                     {"newton_degrees", 5, 4, largest_long}};

/// How many numbers there are under each name that has a fixed number of them.
std::map<std::string, std::size_t> lengths_in(const files::Checkpoint& checkpoint) {
  const std::size_t variables = checkpoint.variables.size();
  std::map<std::string, std::size_t> lengths = {{"limiter", 3},
                                                {"average", 2},
                                                {"average_integral", checkpoint.coefficient_count()},
                                                {"boundary_flux", variables},
                                                {"boundary_flux_before", variables}};
  for (const Count& count : single_counts) lengths[count.name] = 1;
  return lengths;
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
  const auto& pieces = checkpoint.state_pieces;
  for (const auto& [name, length] : lengths_in(checkpoint)) {
    if (!state.contains(name) && !pieces.contains(name)) continue;
    const std::size_t size = state_numbers(checkpoint, name).size;
    require(size == length, fmt::format("state/{} holds {} numbers and not {}", name, size, length));
  }
  const auto require_count = [&](const Count& count) {
    const auto found = state.find(count.name);
    if (found == state.end()) return;
    for (std::size_t i = count.place; i < found->second.size(); i += count.group)
      require(std::abs(found->second[i]) <= count.largest,
              fmt::format("state/{} has {} in place of a count", count.name, found->second[i]));
  };
  for (const Count& count : single_counts) require_count(count);
  for (const Count& count : counts_in_lists) require_count(count);
  if (state.contains("average"))
    for (const char* name : {"average_integral", "average_forces"})
      require(state.contains(name) || pieces.contains(name), fmt::format("it lacks state/{}", name));
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
  if (checkpoint.coefficient_count() != needed)
    refuse(file, fmt::format("it holds {} coefficients, and its mesh needs {} at degree {}",
                             checkpoint.coefficient_count(), needed, checkpoint.degree));
}

files::Numbers in_source_order(std::shared_ptr<const analysis::Solution> solution) {
  const auto ordered = std::make_shared<const analysis::SourceOrdered>(*solution);
  return {ordered->size(),
          [solution, ordered](std::size_t begin, std::size_t end, double* to) { ordered->fill(begin, end, to); }};
}

files::Numbers state_numbers(const files::Checkpoint& checkpoint, const std::string& name) {
  const auto pieces = checkpoint.state_pieces.find(name);
  return pieces != checkpoint.state_pieces.end() ? pieces->second : files::numbers_of(checkpoint.state.at(name));
}

}  // namespace galerna::solver
