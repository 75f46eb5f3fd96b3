#include "mesh/lattice_values.hpp"

#include <cmath>

#include "mesh/bernstein.hpp"
#include "mesh/pyramid_values.hpp"

namespace galerna::mesh {

Table lattice_values(Shape shape, int order, const std::vector<LatticePoint>& points, int steps) {
  std::vector<Unit> places;
  for (const LatticePoint& p : points)
    if (shape == Shape::pyramid)
      places.push_back(collapsed(steps, p));
    else
      places.push_back({p[0] / double(steps), p[1] / double(steps), p[2] / double(steps)});
  Table values = shape == Shape::pyramid
                     ? pyramid_values(order, places)
                     : product(bernstein_values(shape, order, places), bernstein_from_nodes(shape, order));
  for (double& value : values.values)
    if (std::abs(value) < 1e-9) value = 0;  // far below all values that are not zero
  return values;
}

std::vector<std::pair<int, double>> entries_of(const Table& table, std::size_t row) {
  std::vector<std::pair<int, double>> entries;
  for (std::size_t c = 0; c < table.columns; ++c)
    if (table(row, c) != 0) entries.emplace_back(static_cast<int>(c), table(row, c));
  return entries;
}

}  // namespace galerna::mesh
