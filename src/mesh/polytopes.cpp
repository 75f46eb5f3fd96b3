#include "mesh/polytopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/index.hpp"
#include "mesh/dual_graph.hpp"
#include "mesh/geometry.hpp"

namespace galerna::mesh {
namespace {

struct Polytope {
  double measure = 0, surface = 0;
  Index elements = 0, first = -1;
  Box box;
};

std::vector<Polytope> gather(const Mesh& mesh, const Agglomeration& agglomeration) {
  std::vector<Polytope> polytopes(at(agglomeration.count));
  for (Index e = 0; e < mesh.element_count(); ++e) {
    Polytope& polytope = polytopes[at(agglomeration.polytope[at(e)])];
    polytope.measure += measure(mesh, e);
    const std::vector<Index> corners = mesh.corners(e);
    if (polytope.elements++ == 0) {
      polytope.first = e;
      polytope.box = {mesh.nodes[at(corners[0])], mesh.nodes[at(corners[0])]};
    }
    for (const Index corner : corners)
      for (std::size_t k = 0; k < 3; ++k) {
        polytope.box.lower[k] = std::min(polytope.box.lower[k], mesh.nodes[at(corner)][k]);
        polytope.box.upper[k] = std::max(polytope.box.upper[k], mesh.nodes[at(corner)][k]);
      }
  }
  return polytopes;
}

/// Counts facets and interfaces and adds the facets up as the polytopes' surfaces.
void add_facets(const Mesh& mesh, const Agglomeration& agglomeration, PolytopeShapes& shapes,
                std::vector<Polytope>& polytopes) {
  std::vector<std::pair<Index, Index>> pairs;
  for (const Face& face : mesh.faces) {
    const double area = side_area(mesh, face.left);
    const Index left = agglomeration.polytope[at(face.left.element)];
    if (face.right.element < 0) {
      ++shapes.outer_facets;
      polytopes[at(left)].surface += area;
      continue;
    }
    const Index right = agglomeration.polytope[at(face.right.element)];
    if (left == right) continue;
    ++shapes.inner_facets;
    polytopes[at(left)].surface += area;
    polytopes[at(right)].surface += area;
    pairs.push_back(std::minmax(left, right));
  }
  std::sort(pairs.begin(), pairs.end());
  shapes.interfaces = std::unique(pairs.begin(), pairs.end()) - pairs.begin();
}

double box_ratio(const Polytope& polytope, int dimension) {
  double box = 1;
  for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k)
    box *= polytope.box.upper[k] - polytope.box.lower[k];
  return box / polytope.measure;
}

double roundness(const Polytope& polytope, int dimension) {
  using std::numbers::pi;
  const double ball =
      dimension == 2 ? 2 * std::sqrt(pi * polytope.measure) : std::cbrt(36 * pi * polytope.measure * polytope.measure);
  return polytope.surface / ball;
}

void update(PolytopeShapes::Ratio& ratio, double value, Index polytope, Index count) {
  ratio.mean += value / static_cast<double>(count);
  if (value <= ratio.worst) return;
  ratio.worst = value;
  ratio.polytope = polytope;
}

std::string line(const std::string& label, const std::string& text) {
  return fmt::format("  {:<18}{}\n", label, text);
}

}  // namespace

PolytopeShapes polytope_shapes(const Mesh& mesh, const Agglomeration& agglomeration) {
  std::vector<Polytope> polytopes = gather(mesh, agglomeration);
  PolytopeShapes shapes;
  add_facets(mesh, agglomeration, shapes, polytopes);
  shapes.least_elements = polytopes[0].elements;
  for (Index p = 0; p < agglomeration.count; ++p) {
    const Polytope& polytope = polytopes[at(p)];
    shapes.least_elements = std::min(shapes.least_elements, polytope.elements);
    shapes.most_elements = std::max(shapes.most_elements, polytope.elements);
    update(shapes.box, box_ratio(polytope, mesh.dimension), p, agglomeration.count);
    update(shapes.roundness, roundness(polytope, mesh.dimension), p, agglomeration.count);
  }
  return shapes;
}

std::string describe_polytopes(const Mesh& mesh, const Agglomeration& agglomeration) {
  const PolytopeShapes shapes = polytope_shapes(mesh, agglomeration);
  const auto shown = [&](const PolytopeShapes::Ratio& ratio) {
    const auto first = std::find(agglomeration.polytope.begin(), agglomeration.polytope.end(), ratio.polytope);
    return fmt::format("{:.4g} in the mean, {:.4g} at worst: polytope {}, {}", ratio.mean, ratio.worst, ratio.polytope,
                       place_of(mesh, first - agglomeration.polytope.begin()));
  };
  return line("polytopes", fmt::format("{} of {} to {} elements", agglomeration.count, shapes.least_elements,
                                       shapes.most_elements)) +
         line("interfaces", std::to_string(shapes.interfaces)) +
         line("facets", fmt::format("{} inner, {} outer", shapes.inner_facets, shapes.outer_facets)) +
         line("box by polytope", shown(shapes.box)) + line("surface by ball's", shown(shapes.roundness));
}

}  // namespace galerna::mesh
