/// \file
/// A tree of boxes around triangles, which finds those that may be nearest to a point.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/vectors.hpp"

namespace galerna::cad {

/// A triangle near a face, or with two equal corners a piece of an edge.
struct Facet {
  std::array<Vector, 3> corners;
  std::int32_t part;   ///< face or edge that it belongs to
  std::int32_t index;  ///< which of the part's
  double off;          ///< how far the part may be away from it
};

/// The point of a facet that is nearest to x, and its distance.
struct FacetPoint {
  std::array<double, 3> weights{};  ///< of the corners
  double distance = 0;
};
FacetPoint nearest_on(const Facet& facet, const Vector& x);

class TriangleTree {
 public:
  explicit TriangleTree(std::vector<Facet> facets);

  /// Calls visit(facet, point) for the facets whose parts may have the nearest point to x, near ones first; others may
  /// be among them. \param takes says of a part whether it is looked at \return within which distance the nearest point
  /// lies, if the parts are no farther from their triangles than these say: no others had to be visited
  double search(const Vector& x, const std::function<bool(std::int32_t)>& takes,
                const std::function<void(const Facet&, const FacetPoint&)>& visit) const;

  /// Calls visit(facet, point) for all facets whose parts may come nearer to x than `distance`.
  void search_within(const Vector& x, double distance,
                     const std::function<void(const Facet&, const FacetPoint&)>& visit) const;

 private:
  struct Node {
    Vector lower, upper;
    std::int32_t first, last;  ///< facets
    std::int32_t children;     ///< two of them from here on, −1: none
  };

  void build(std::size_t node);
  static double distance(const Node& node, const Vector& x);

  std::vector<Facet> facets_;
  std::vector<Node> nodes_;
};

}  // namespace galerna::cad
