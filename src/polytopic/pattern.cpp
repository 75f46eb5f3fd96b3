#include <algorithm>

#include "polytopic/discretization.hpp"

namespace galerna::polytopic {

algebra::BlockPattern make_pattern(const Mesh& mesh, const basis::BoxSpace& space, std::span<const int> degrees) {
  algebra::BlockPattern pattern;
  std::vector<int> modes;
  for (int degree = 0; degree <= *std::max_element(degrees.begin(), degrees.end()); ++degree)
    modes.push_back(basis::box_mode_count(space, degree));
  pattern.sizes.reserve(degrees.size());
  for (const int degree : degrees) pattern.sizes.push_back(modes[static_cast<std::size_t>(degree)]);
  const auto count = static_cast<std::size_t>(mesh.polytopes);
  pattern.rows.assign(count + 1, 0);
  for (std::size_t row = 0; row < count; ++row) pattern.rows[row + 1] = 1;
  for (const std::int32_t polytope : mesh.interfaces) ++pattern.rows[static_cast<std::size_t>(polytope) + 1];
  for (std::size_t row = 0; row < count; ++row) pattern.rows[row + 1] += pattern.rows[row];
  pattern.columns.resize(static_cast<std::size_t>(pattern.rows[count]));
  std::vector<std::int64_t> next(pattern.rows.begin(), pattern.rows.end() - 1);
  const auto add = [&](std::int32_t row, std::int32_t column) {
    pattern.columns[static_cast<std::size_t>(next[static_cast<std::size_t>(row)]++)] = column;
  };
  // Interfaces are sorted by lower, then higher polytope: columns below a row's own come in their order, then those
  // above.
  for (std::size_t k = 0; k < mesh.interfaces.size(); k += 2) add(mesh.interfaces[k + 1], mesh.interfaces[k]);
  for (std::size_t row = 0; row < count; ++row) add(static_cast<std::int32_t>(row), static_cast<std::int32_t>(row));
  for (std::size_t k = 0; k < mesh.interfaces.size(); k += 2) add(mesh.interfaces[k], mesh.interfaces[k + 1]);
  algebra::set_offsets(pattern);
  return pattern;
}

}  // namespace galerna::polytopic
