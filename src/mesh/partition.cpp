#include "mesh/partition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <stdexcept>

#include "base/index.hpp"
#include "base/interruption.hpp"

namespace galerna::mesh {
namespace {

constexpr const char* doing = "joining elements to polytopes";

/// Nodes of one group are first in `nodes`, then those of the next.
std::vector<Index> nodes_by_group(const std::vector<Index>& groups) {
  std::vector<Index> nodes(groups.size());
  std::iota(nodes.begin(), nodes.end(), Index{0});
  std::stable_sort(nodes.begin(), nodes.end(), [&](Index a, Index b) { return groups[at(a)] < groups[at(b)]; });
  return nodes;
}

/// The direction in which the centres of the nodes reach farthest.
std::size_t longest_axis(const std::vector<Point>& centres, std::span<const Index> nodes) {
  Point lower = centres[at(nodes[0])], upper = lower;
  for (const Index node : nodes)
    for (std::size_t k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], centres[at(node)][k]);
      upper[k] = std::max(upper[k], centres[at(node)][k]);
    }
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (upper[k] - lower[k] > upper[axis] - lower[axis]) axis = k;
  return axis;
}

/// Recursive coordinate bisection: gives the nodes parts first … first + count − 1. \param nodes at least `count`;
/// their order changes
void bisect(const std::vector<Point>& centres, std::span<Index> nodes, Index first, Index count,
            std::vector<Index>& part) {
  if (count == 1) {
    for (const Index node : nodes) part[at(node)] = first;
    return;
  }
  const std::size_t axis = longest_axis(centres, nodes);
  const Index half = count / 2, total = static_cast<Index>(nodes.size());
  const Index cut = std::clamp(static_cast<Index>(std::llround(static_cast<double>(total) * static_cast<double>(half) /
                                                               static_cast<double>(count))),
                               half, total - (count - half));
  std::nth_element(nodes.begin(), nodes.begin() + cut, nodes.end(), [&](Index a, Index b) {
    const double x = centres[at(a)][axis], y = centres[at(b)][axis];
    return x != y ? x < y : a < b;
  });
  bisect(centres, nodes.first(at(cut)), first, half, part);
  bisect(centres, nodes.subspan(at(cut)), first + half, count - half, part);
}

/// Bisects every group into its share of the parts, at least one each.
Parts bisect_groups(const DualGraph& graph, const std::vector<Index>& groups, Index count) {
  Parts result{std::vector<Index>(at(graph.size())), 0};
  std::vector<Index> nodes = nodes_by_group(groups);
  for (std::size_t begin = 0, end = 0; begin < nodes.size(); begin = end) {
    while (end < nodes.size() && groups[at(nodes[end])] == groups[at(nodes[begin])]) ++end;
    const auto size = static_cast<Index>(end - begin);
    const double share = static_cast<double>(count) * static_cast<double>(size) / static_cast<double>(nodes.size());
    const Index parts = std::clamp(static_cast<Index>(std::llround(share)), Index{1}, size);
    bisect(graph.centres, std::span(nodes).subspan(begin, end - begin), result.count, parts, result.part);
    result.count += parts;
  }
  return result;
}

/// What the node has in common with each part it touches; at most as many as it has neighbours.
class Contacts {
 public:
  void collect(const DualGraph& graph, const std::vector<Index>& part, Index node) {
    entries_.clear();
    for (Index k = graph.starts[at(node)]; k < graph.starts[at(node) + 1]; ++k) {
      const Index other = part[at(graph.neighbours[at(k)])];
      const auto known =
          std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.part == other; });
      if (known == entries_.end())
        entries_.push_back({other, 1, graph.areas[at(k)]});
      else
        *known = {other, known->neighbours + 1, known->area + graph.areas[at(k)]};
    }
  }
  struct Entry {
    Index part;
    int neighbours;
    double area;
  };
  Entry of(Index part) const {
    for (const Entry& entry : entries_)
      if (entry.part == part) return entry;
    return {part, 0, 0};
  }
  /// The one with most in common among those that `allowed` accepts; part −1 where there is none.
  template <class Allowed>
  Entry best(const Allowed& allowed) const {
    Entry best{-1, 0, 0};
    for (const Entry& entry : entries_)
      if (allowed(entry.part) && (entry.area > best.area || (entry.area == best.area && entry.part < best.part)))
        best = entry;
    return best;
  }

 private:
  std::vector<Entry> entries_;
};

/// Bounds of the sizes of parts, about their mean.
struct Bounds {
  Index least, most;
};

Bounds bounds(Index nodes, Index parts) {
  const double mean = static_cast<double>(nodes) / static_cast<double>(parts);
  return {static_cast<Index>(std::ceil(0.5 * mean)), static_cast<Index>(std::floor(1.5 * mean))};
}

/// Gives the pieces that are too small to be parts to neighbours: to the one that they have most in common with, if
/// possible one that does not become too large. Pieces without neighbours are parts, whatever their size.
/// \param size [piece]; so is the result
Parts join_small_pieces(const DualGraph& pieces, const std::vector<Index>& size, const Bounds& allowed) {
  Parts parts{std::vector<Index>(size.size(), -1), 0};
  std::vector<Index> part_size;
  const auto found = [&](Index piece) {
    parts.part[at(piece)] = parts.count++;
    part_size.push_back(size[at(piece)]);
  };
  for (Index piece = 0; piece < pieces.size(); ++piece)
    if (size[at(piece)] >= allowed.least) found(piece);
  Contacts contacts;
  for (bool changed = true; changed;) {
    changed = false;
    for (Index piece = 0; piece < pieces.size(); ++piece) {
      Index& part = parts.part[at(piece)];
      if (part >= 0) continue;
      contacts.collect(pieces, parts.part, piece);
      part = contacts.best([&](Index p) { return p >= 0 && part_size[at(p)] + size[at(piece)] <= allowed.most; }).part;
      if (part < 0) part = contacts.best([](Index p) { return p >= 0; }).part;
      if (part < 0) continue;
      part_size[at(part)] += size[at(piece)];
      changed = true;
    }
  }
  for (Index piece = 0; piece < pieces.size(); ++piece)
    if (parts.part[at(piece)] < 0) found(piece);
  return parts;
}

/// Makes every part connected. \param allowed sizes
void join_pieces(const DualGraph& graph, const Bounds& allowed, Parts& parts) {
  const std::vector<Index> piece = connected_pieces(graph, parts.part);
  const Index count = 1 + *std::max_element(piece.begin(), piece.end());
  if (count == parts.count) return;
  std::vector<Index> size(at(count), 0);
  for (const Index p : piece) ++size[at(p)];
  const Parts joined = join_small_pieces(contract(graph, piece, count), size, allowed);
  for (std::size_t n = 0; n < piece.size(); ++n) parts.part[n] = joined.part[at(piece[n])];
  parts.count = joined.count;
}

/// A node that touches its own part in one neighbour only can leave it without cutting it: it goes where it has more in
/// common, as long as parts keep between half and one and a half of their mean size.
void smooth(const DualGraph& graph, Parts& parts) {
  std::vector<Index> size(at(parts.count), 0);
  for (const Index part : parts.part) ++size[at(part)];
  const Bounds allowed = bounds(graph.size(), parts.count);
  Contacts contacts;
  constexpr int sweeps = 4;  // later ones move next to nothing
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    stop_if_interrupted(doing);
    for (Index node = 0; node < graph.size(); ++node) {
      Index& own = parts.part[at(node)];
      if (size[at(own)] <= allowed.least) continue;
      contacts.collect(graph, parts.part, node);
      const Contacts::Entry here = contacts.of(own);
      if (here.neighbours != 1) continue;
      const Contacts::Entry there =
          contacts.best([&](Index part) { return part != own && size[at(part)] < allowed.most; });
      if (there.part < 0 || there.area <= here.area) continue;
      --size[at(own)];
      ++size[at(there.part)];
      own = there.part;
    }
  }
}

/// Counts the parts in the order of their first nodes.
void number_by_nodes(Parts& parts) {
  std::vector<Index> fresh(at(parts.count), -1);
  Index next = 0;
  for (Index& part : parts.part) {
    Index& number = fresh[at(part)];
    if (number < 0) number = next++;
    part = number;
  }
}

/// The graph without the edges between groups.
DualGraph inside_groups(const DualGraph& graph, const std::vector<Index>& groups) {
  DualGraph result{graph.centres, {0}, {}, {}};
  for (Index node = 0; node < graph.size(); ++node) {
    for (Index k = graph.starts[at(node)]; k < graph.starts[at(node) + 1]; ++k) {
      if (groups[at(graph.neighbours[at(k)])] != groups[at(node)]) continue;
      result.neighbours.push_back(graph.neighbours[at(k)]);
      result.areas.push_back(graph.areas[at(k)]);
    }
    result.starts.push_back(static_cast<Index>(result.neighbours.size()));
  }
  return result;
}

double distance(Index count, Index asked) {
  return std::abs(static_cast<double>(count) / static_cast<double>(asked) - 1);
}

/// Parts that hang together, made of `count` halves of halves.
Parts connected_parts(const DualGraph& graph, const std::vector<Index>& groups, Index count) {
  Parts parts = bisect_groups(graph, groups, count);
  join_pieces(graph, bounds(graph.size(), parts.count), parts);
  return parts;
}

/// The same with a number of them nearer to `count`, where it is too large by more than three per cent: parts of few
/// nodes fall into pieces that are large enough to be parts. At least one remains for each group.
Parts closer_parts(const DualGraph& graph, const std::vector<Index>& groups, Index count, Parts parts) {
  constexpr double close = 0.03;
  const Bounds allowed = bounds(graph.size(), count);
  auto asked = static_cast<double>(count);
  Index last = parts.count;
  if (last < count) return parts;
  for (int attempt = 0; attempt < 5 && distance(last, count) > close; ++attempt) {
    stop_if_interrupted(doing);
    asked *= static_cast<double>(count) / static_cast<double>(last);
    if (asked < 1) break;
    Parts next = bisect_groups(graph, groups, std::llround(asked));
    join_pieces(graph, allowed, next);
    last = next.count;
    if (distance(last, count) < distance(parts.count, count)) parts = std::move(next);
  }
  return parts;
}

}  // namespace

Parts partition(const DualGraph& graph, const std::vector<Index>& groups, Index count, Count precision) {
  if (count < 1) throw std::invalid_argument("a partition has at least one part");
  const DualGraph inside = inside_groups(graph, groups);
  const std::vector<Index> pieces = connected_pieces(inside, groups);
  Parts parts = connected_parts(inside, pieces, count);
  if (precision == Count::close) parts = closer_parts(inside, pieces, count, std::move(parts));
  smooth(inside, parts);
  number_by_nodes(parts);
  return parts;
}

}  // namespace galerna::mesh
