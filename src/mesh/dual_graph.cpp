#include "mesh/dual_graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/index.hpp"
#include "mesh/geometry.hpp"
#include "mesh/side_key.hpp"

namespace galerna::mesh {
namespace {

struct Edge {
  Index node, neighbour;
  double area;
};

/// Sorts the neighbours of every node and joins equal ones.
void fill(DualGraph& graph, Index nodes, const std::vector<Edge>& edges) {
  graph.starts.assign(at(nodes) + 1, 0);
  for (const Edge& edge : edges) ++graph.starts[at(edge.node) + 1];
  for (std::size_t n = 0; n < at(nodes); ++n) graph.starts[n + 1] += graph.starts[n];
  std::vector<std::pair<Index, double>> sorted(edges.size());
  std::vector<Index> next(graph.starts.begin(), graph.starts.end() - 1);
  for (const Edge& edge : edges) sorted[at(next[at(edge.node)]++)] = {edge.neighbour, edge.area};
  graph.neighbours.reserve(edges.size());
  graph.areas.reserve(edges.size());
  Index begin = 0;
  for (std::size_t n = 0; n < at(nodes); ++n) {
    const Index end = graph.starts[n + 1];
    std::sort(sorted.begin() + begin, sorted.begin() + end);
    const std::size_t first = graph.neighbours.size();
    for (Index k = begin; k < end; ++k) {
      const auto& [neighbour, area] = sorted[at(k)];
      if (graph.neighbours.size() > first && graph.neighbours.back() == neighbour) {
        graph.areas.back() += area;
      } else {
        graph.neighbours.push_back(neighbour);
        graph.areas.push_back(area);
      }
    }
    begin = end;
    graph.starts[n + 1] = static_cast<Index>(graph.neighbours.size());
  }
}

}  // namespace

double side_area(const Mesh& mesh, const Side& side) {
  const std::vector<Index> corners = corners_of(mesh, side);
  const auto x = [&](std::size_t c) -> const Point& { return mesh.nodes[at(corners[c])]; };
  if (corners.size() == 2) return distance(x(0), x(1));
  Point a{}, b{};
  for (std::size_t k = 0; k < 3; ++k) {
    a[k] = corners.size() == 4 ? x(2)[k] - x(0)[k] : x(1)[k] - x(0)[k];
    b[k] = corners.size() == 4 ? x(3)[k] - x(1)[k] : x(2)[k] - x(0)[k];
  }
  return 0.5 * std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

DualGraph dual_graph(const Mesh& mesh) {
  DualGraph graph;
  const Index nodes = mesh.element_count();
  graph.centres.reserve(at(nodes));
  for (Index e = 0; e < nodes; ++e) graph.centres.push_back(centroid(mesh, e));
  std::vector<Edge> edges;
  edges.reserve(2 * mesh.faces.size());
  for (const Face& face : mesh.faces) {
    if (face.right.element < 0) continue;
    if (side_key(corners_of(mesh, face.left)) != side_key(corners_of(mesh, face.right))) continue;  // periodic
    const double area = side_area(mesh, face.left);
    edges.push_back({face.left.element, face.right.element, area});
    edges.push_back({face.right.element, face.left.element, area});
  }
  fill(graph, nodes, edges);
  return graph;
}

DualGraph contract(const DualGraph& graph, const std::vector<Index>& parts, Index count) {
  DualGraph result;
  result.centres.assign(at(count), {});
  std::vector<double> members(at(count), 0);
  std::vector<Edge> edges;
  for (Index n = 0; n < graph.size(); ++n) {
    const Index part = parts[at(n)];
    for (std::size_t k = 0; k < 3; ++k) result.centres[at(part)][k] += graph.centres[at(n)][k];
    members[at(part)] += 1;
    for (Index k = graph.starts[at(n)]; k < graph.starts[at(n) + 1]; ++k) {
      const Index other = parts[at(graph.neighbours[at(k)])];
      if (other != part) edges.push_back({part, other, graph.areas[at(k)]});
    }
  }
  for (std::size_t p = 0; p < at(count); ++p)
    for (double& x : result.centres[p]) x /= members[p];
  fill(result, count, edges);
  return result;
}

std::vector<Index> connected_pieces(const DualGraph& graph, const std::vector<Index>& labels) {
  std::vector<Index> piece(at(graph.size()), -1), stack;
  Index pieces = 0;
  for (Index seed = 0; seed < graph.size(); ++seed) {
    if (piece[at(seed)] >= 0) continue;
    piece[at(seed)] = pieces;
    stack.assign(1, seed);
    while (!stack.empty()) {
      const Index node = stack.back();
      stack.pop_back();
      for (Index k = graph.starts[at(node)]; k < graph.starts[at(node) + 1]; ++k) {
        const Index other = graph.neighbours[at(k)];
        if (piece[at(other)] >= 0 || labels[at(other)] != labels[at(node)]) continue;
        piece[at(other)] = pieces;
        stack.push_back(other);
      }
    }
    ++pieces;
  }
  return piece;
}

}  // namespace galerna::mesh
