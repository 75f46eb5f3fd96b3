#include "mesh/metis.hpp"

#ifdef GALERNA_HAS_METIS

#include <metis.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/index.hpp"

namespace galerna::mesh {
namespace {

/// Neighbours of element i are neighbours[starts[i]] … neighbours[starts[i + 1] − 1].
struct Graph {
  std::vector<idx_t> starts;      ///< [element + 1]
  std::vector<idx_t> neighbours;  ///< each once
  std::vector<idx_t> sides;       ///< [neighbour] how many the two have in common
};

template <class Visit>
void for_each_pair(const Mesh& mesh, const Visit& visit) {
  for (const Face& face : mesh.faces)
    if (face.right.element >= 0 && face.right.element != face.left.element)
      visit(face.left.element, face.right.element);
}

/// Closes the gaps behind each element's neighbours. \param ends [element] where they end
void close_gaps(Graph& graph, const std::vector<idx_t>& ends) {
  idx_t to = 0;
  for (std::size_t e = 0; e < ends.size(); ++e) {
    const idx_t begin = graph.starts[e];
    graph.starts[e] = to;
    for (idx_t k = begin; k < ends[e]; ++k, ++to) {
      graph.neighbours[at(to)] = graph.neighbours[at(k)];
      graph.sides[at(to)] = graph.sides[at(k)];
    }
  }
  graph.starts.back() = to;
}

Graph make_graph(const Mesh& mesh) {
  Graph graph;
  graph.starts.assign(at(mesh.element_count()) + 1, 0);
  for_each_pair(mesh, [&](Index a, Index b) { ++graph.starts[at(a) + 1], ++graph.starts[at(b) + 1]; });
  for (std::size_t e = 1; e < graph.starts.size(); ++e) graph.starts[e] += graph.starts[e - 1];
  graph.neighbours.resize(at(graph.starts.back()));
  graph.sides.resize(graph.neighbours.size());
  std::vector<idx_t> ends(graph.starts.begin(), graph.starts.end() - 1);
  const auto add = [&](Index element, Index neighbour) {
    idx_t& end = ends[at(element)];
    idx_t k = graph.starts[at(element)];
    while (k < end && graph.neighbours[at(k)] != neighbour) ++k;
    if (k == end) ++end;
    graph.neighbours[at(k)] = static_cast<idx_t>(neighbour);
    graph.sides[at(k)] += 1;
  };
  for_each_pair(mesh, [&](Index a, Index b) { add(a, b), add(b, a); });
  close_gaps(graph, ends);
  return graph;
}

/// [element] weights as whole numbers, the sum of which METIS can hold; empty where all are equal.
std::vector<idx_t> whole_weights(const Mesh& mesh, const std::vector<double>& weights) {
  const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
  if (*least == *most) return {};
  const double scale =
      std::min(1000.0, std::floor(static_cast<double>(1 << 30) / static_cast<double>(mesh.element_count())));
  std::vector<idx_t> result;
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const auto weight = static_cast<idx_t>(std::lround(weights[b] / *most * scale));
    result.insert(result.end(), at(mesh.blocks[b].size()), std::max<idx_t>(1, weight));
  }
  return result;
}

/// METIS_PartGraphKway or METIS_PartGraphRecursive.
using Cut = decltype(METIS_PartGraphKway);

/// [element] its part; nothing where METIS gives up. \param weights [element], or none
std::optional<std::vector<idx_t>> call(Cut* cut, Graph& graph, int parts, std::vector<idx_t>& weights) {
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = 5;  // thousandths by which a part may be too heavy
  auto elements = static_cast<idx_t>(graph.starts.size()) - 1;
  std::vector<idx_t> part(at(elements));
  idx_t constraints = 1, pieces = parts, sides = 0;
  const int status = cut(&elements, &constraints, graph.starts.data(), graph.neighbours.data(),
                         weights.empty() ? nullptr : weights.data(), nullptr, graph.sides.data(), &pieces, nullptr,
                         nullptr, options.data(), &sides, part.data());
  if (status != METIS_OK) return std::nullopt;
  return part;
}

/// Whether no part is empty, and none too heavy by more than one per cent or one element.
bool is_balanced(const std::vector<idx_t>& part, int parts, const std::vector<idx_t>& weights) {
  std::vector<double> sums(at(parts), 0);
  double total = 0, most = 1;
  for (std::size_t e = 0; e < part.size(); ++e) {
    const double weight = weights.empty() ? 1 : weights[e];
    sums[at(part[e])] += weight;
    total += weight;
    most = std::max(most, weight);
  }
  const double mean = total / parts;
  const auto [lightest, heaviest] = std::minmax_element(sums.begin(), sums.end());
  return *lightest > 0 && *heaviest - mean <= std::max(0.01 * mean, most);
}

}  // namespace

bool has_metis() {
  return true;
}

std::optional<std::vector<int>> cut_by_metis(const Mesh& mesh, int parts, const std::vector<double>& weights) {
  constexpr Index least_elements = 16;  // of a part: with fewer, METIS prints complaints and leaves parts empty
  const Index elements = mesh.element_count();
  if (parts < 2 || elements < least_elements * parts) return std::nullopt;
  if (2 * static_cast<Index>(mesh.faces.size()) > std::numeric_limits<idx_t>::max()) return std::nullopt;

  Graph graph = make_graph(mesh);
  std::vector<idx_t> whole = whole_weights(mesh, weights);
  // The second is slower, cuts some more sides, and balances what the first does not.
  for (Cut* one : {METIS_PartGraphKway, METIS_PartGraphRecursive})
    if (const auto part = call(one, graph, parts, whole); part && is_balanced(*part, parts, whole))
      return std::vector<int>(part->begin(), part->end());
  return std::nullopt;
}

}  // namespace galerna::mesh

#else

namespace galerna::mesh {

bool has_metis() {
  return false;
}

std::optional<std::vector<int>> cut_by_metis(const Mesh&, int, const std::vector<double>&) {
  return std::nullopt;
}

}  // namespace galerna::mesh

#endif
