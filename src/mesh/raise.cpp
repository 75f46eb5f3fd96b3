#include "mesh/raise.hpp"

#include <map>

#include "mesh/lattice_values.hpp"
#include "mesh/shared_nodes.hpp"

namespace galerna::mesh {
namespace {

/// Nodes of one shape with what places and shares them.
struct Nodes {
  Table linear;  ///< [node][corner]
  std::vector<CornerWeights> corners;
};

class Raiser {
 public:
  Raiser(const Mesh& mesh, int order, const std::vector<char>& chosen)
      : mesh_(mesh),
        order_(order),
        chosen_(chosen),
        result_{mesh.without_elements(), std::vector<Index>(chosen.size())} {}

  Raised raise() {
    divide_blocks();
    for (const Boundary& boundary : mesh_.boundaries) {
      result_.mesh.boundaries.push_back(boundary);
      for (Side& side : result_.mesh.boundaries.back().sides)
        side.element = result_.numbers[static_cast<std::size_t>(side.element)];
    }
    return std::move(result_);
  }

 private:
  /// Straight blocks without the chosen elements, then the raised ones; their regions and sources go with them.
  void divide_blocks() {
    std::map<Shape, ElementBlock> raised;
    std::map<Shape, std::vector<Index>> raised_elements;
    Index element = 0, next = 0;
    for (const ElementBlock& block : mesh_.blocks) {
      ElementBlock straight{block.shape, 1, {}, {}, {}};
      for (Index e = 0; e < block.size(); ++e, ++element) {
        const bool is_chosen = chosen_[static_cast<std::size_t>(element)] != 0;
        ElementBlock& target =
            is_chosen ? raised.try_emplace(block.shape, ElementBlock{block.shape, order_, {}, {}, {}}).first->second
                      : straight;
        const std::vector<Index> corners = mesh_.corners(element),
                                 nodes = is_chosen ? raise_element(block.shape, corners) : corners;
        target.nodes.insert(target.nodes.end(), nodes.begin(), nodes.end());
        target.region.push_back(block.region[static_cast<std::size_t>(e)]);
        target.source.push_back(block.source[static_cast<std::size_t>(e)]);
        if (is_chosen)
          raised_elements[block.shape].push_back(element);
        else
          result_.numbers[static_cast<std::size_t>(element)] = next++;
      }
      if (straight.size() > 0) result_.mesh.blocks.push_back(std::move(straight));
    }
    for (auto& [shape, block] : raised) {
      for (const Index e : raised_elements[shape]) result_.numbers[static_cast<std::size_t>(e)] = next++;
      result_.mesh.blocks.push_back(std::move(block));
    }
  }

  const Nodes& nodes_of(Shape shape) {
    Nodes& nodes = nodes_[shape];
    if (!nodes.corners.empty()) return nodes;
    const std::vector<LatticePoint> lattice = node_lattice(shape, order_);
    return nodes = {lattice_values(shape, 1, lattice, order_), corner_weights(shape, lattice, order_)};
  }

  std::vector<Index> raise_element(Shape shape, const std::vector<Index>& corners) {
    const Nodes& all = nodes_of(shape);
    std::vector<Index> nodes = corners;
    for (std::size_t n = corners.size(); n < all.corners.size(); ++n) {
      const auto fresh = static_cast<Index>(result_.mesh.nodes.size());
      if (all.corners[n].size() <= 4) {
        const auto [entry, added] = shared_.emplace(node_place(all.corners[n], corners), fresh);
        nodes.push_back(entry->second);
        if (!added) continue;
      } else {
        nodes.push_back(fresh);
      }
      Point x{};
      for (const auto& [c, weight] : entries_of(all.linear, n))
        for (std::size_t k = 0; k < 3; ++k)
          x[k] += weight * mesh_.nodes[static_cast<std::size_t>(corners[static_cast<std::size_t>(c)])][k];
      result_.mesh.nodes.push_back(x);
      result_.mesh.image.push_back(fresh);
    }
    return nodes;
  }

  const Mesh& mesh_;
  int order_;
  const std::vector<char>& chosen_;
  Raised result_;
  std::map<Shape, Nodes> nodes_;
  SharedNodes shared_;
};

}  // namespace

Raised raise(const Mesh& mesh, int order, const std::vector<char>& chosen) {
  return Raiser(mesh, order, chosen).raise();
}

}  // namespace galerna::mesh
