#include "algebra/fronts.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <numeric>

#include "base/index.hpp"

namespace galerna::algebra {
namespace {

using Numbers = std::vector<std::int32_t>;

/// [new block row] old one
Numbers minimum_degree(const BlockPattern& pattern) {
  using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>;
  const auto n = static_cast<std::int64_t>(pattern.row_count());
  std::vector<Eigen::Triplet<double, std::int64_t>> entries;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = pattern.rows[at(i)]; k < pattern.rows[at(i) + 1]; ++k)
      entries.emplace_back(i, pattern.columns[at(k)], 1.0);
  Sparse graph(n, n);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, std::int64_t> order;
  Eigen::AMDOrdering<std::int64_t>()(graph, order);
  return {order.indices().data(), order.indices().data() + n};
}

Numbers inverse_of(const Numbers& order) {
  Numbers place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[at(order[k])] = static_cast<std::int32_t>(k);
  return place;
}

/// Calls visit(neighbour) for all block rows that share a block with row `row`, in the new order.
template <class Visit>
void for_neighbours(const BlockPattern& pattern, const Numbers& order, const Numbers& place, std::int32_t row,
                    const Visit& visit) {
  const auto old = at(order[at(row)]);
  for (std::int64_t k = pattern.rows[old]; k < pattern.rows[old + 1]; ++k) visit(place[at(pattern.columns[at(k)])]);
}

/// [row] the first later row that its elimination changes, −1 for none (J. W. H. Liu, SIAM J. Matrix Anal. Appl. 11
/// (1990), 134–172).
Numbers elimination_tree(const BlockPattern& pattern, const Numbers& order) {
  const Numbers place = inverse_of(order);
  const auto n = static_cast<std::int32_t>(order.size());
  Numbers parent(order.size(), -1), ancestor(order.size(), -1);
  for (std::int32_t row = 0; row < n; ++row)
    for_neighbours(pattern, order, place, row, [&](std::int32_t k) {
      while (k < row && k >= 0) {
        const std::int32_t next = ancestor[at(k)];
        ancestor[at(k)] = row;
        if (next < 0) parent[at(k)] = row;
        k = next;
      }
    });
  return parent;
}

/// [new number] old one, such that each row comes right after all that hang on it.
Numbers postorder(const Numbers& parent) {
  const std::size_t n = parent.size();
  Numbers child(n + 1, -1), sibling(n, -1);
  for (std::size_t row = n; row-- > 0;) {
    const std::size_t above = parent[row] < 0 ? n : at(parent[row]);
    sibling[row] = child[above];
    child[above] = static_cast<std::int32_t>(row);
  }
  Numbers result, open;
  for (std::int32_t root = child[n]; root >= 0; root = sibling[at(root)]) {
    open.push_back(root);
    while (!open.empty()) {
      const auto row = at(open.back());
      if (const std::int32_t next = child[row]; next >= 0) {
        child[row] = sibling[at(next)];
        open.push_back(next);
        continue;
      }
      result.push_back(open.back());
      open.pop_back();
    }
  }
  return result;
}

/// Finds the rows of each front, and puts rows of the same ones into one front.
void find_fronts(const BlockPattern& pattern, const Numbers& parent, Fronts& fronts) {
  const auto n = static_cast<std::int32_t>(parent.size());
  std::vector<Numbers> rows(parent.size()), children(parent.size());
  for (std::int32_t k = 0; k < n; ++k)
    if (parent[at(k)] >= 0) children[at(parent[at(k)])].push_back(k);
  Numbers seen(parent.size(), -1), front_of(parent.size(), -1);
  for (std::int32_t row = 0; row < n; ++row) {
    Numbers& own = rows[at(row)];
    seen[at(row)] = row;
    const auto add = [&](std::int32_t k) {
      if (k > row && seen[at(k)] != row) {
        seen[at(k)] = row;
        own.push_back(k);
      }
    };
    for_neighbours(pattern, fronts.order, fronts.place, row, add);
    for (const std::int32_t child : children[at(row)])
      std::for_each(rows[at(child)].begin(), rows[at(child)].end(), add);
    const bool joins = row > 0 && parent[at(row - 1)] == row && rows[at(row - 1)].size() == own.size() + 1;
    for (const std::int32_t child : children[at(row)]) {
      Numbers& done = rows[at(child)];
      if (joins && child == row - 1) {
        Numbers().swap(done);
        continue;
      }
      Front& front = fronts.list[at(front_of[at(child)])];
      std::sort(done.begin(), done.end());
      front.rows = std::move(done);
    }
    if (joins) {
      front_of[at(row)] = front_of[at(row - 1)];
      fronts.list[at(front_of[at(row)])].last = row + 1;
    } else {
      front_of[at(row)] = static_cast<std::int32_t>(fronts.list.size());
      fronts.list.push_back({row, row + 1, {}, -1});
    }
  }
  for (Front& front : fronts.list)
    if (const std::int32_t above = parent[at(front.last - 1)]; above >= 0) front.parent = front_of[at(above)];
}

void count_memory(Fronts& fronts) {
  std::vector<std::size_t> waiting(fronts.list.size(), 0);  // [front] unknowns squared of what its children left
  std::size_t stack = 0;
  for (std::size_t f = 0; f < fronts.list.size(); ++f) {
    const Front& front = fronts.list[f];
    const auto eliminated = at(fronts.unknown[at(front.last)] - fronts.unknown[at(front.first)]);
    std::size_t left = 0;
    for (const std::int32_t row : front.rows) left += at(fronts.unknown[at(row) + 1] - fronts.unknown[at(row)]);
    const std::size_t size = eliminated + left, whole = size * size;
    fronts.peak_bytes = std::max(fronts.peak_bytes, fronts.factor_bytes + (stack + whole) * sizeof(double));
    stack -= waiting[f];
    fronts.factor_bytes += (eliminated * size + eliminated * left) * sizeof(double);
    if (front.parent >= 0) {
      waiting[at(front.parent)] += left * left;
      stack += left * left;
    }
    fronts.peak_bytes = std::max(fronts.peak_bytes, fronts.factor_bytes + (stack + whole) * sizeof(double));
  }
}

}  // namespace

Fronts plan_fronts(const BlockPattern& pattern) {
  Fronts fronts;
  const Numbers by_degree = minimum_degree(pattern), tree = elimination_tree(pattern, by_degree),
                after_children = postorder(tree);
  for (const std::int32_t row : after_children) fronts.order.push_back(by_degree[at(row)]);
  fronts.place = inverse_of(fronts.order);
  const Numbers renumbered = inverse_of(after_children);
  Numbers parent;
  for (const std::int32_t row : after_children)
    parent.push_back(tree[at(row)] < 0 ? -1 : renumbered[at(tree[at(row)])]);
  std::vector<int> sizes;
  for (const std::int32_t row : fronts.order) sizes.push_back(pattern.sizes[at(row)]);
  fronts.unknown = first_unknowns(sizes);
  find_fronts(pattern, parent, fronts);
  count_memory(fronts);
  return fronts;
}

}  // namespace galerna::algebra
