#include "analysis/pieces.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace galerna::analysis {
namespace {

using mesh::Index;

class Pieces {
 public:
  using Place = std::function<std::array<double, 2>(Index)>;

  Pieces(const std::vector<Link>& links, const Place& place) : links_(links), place_(place) {
    for (std::size_t i = 0; i < links.size(); ++i) {
      after_[links[i].from].push_back(i);
      ++arriving_[links[i].to];
    }
    // Open pieces first: they begin at points that nothing arrives at.
    std::vector<Index> starts;
    for (const auto& [point, leaving] : after_)
      for (std::size_t i = static_cast<std::size_t>(arriving_[point]); i < leaving.size(); ++i) starts.push_back(point);
    for (const Index point : starts) walk(point);
    while (const std::optional<Index> point = rightmost()) walk(*point);
    std::sort(pieces_.begin(), pieces_.end(), [&](const auto& a, const auto& b) {
      return place_(links_[a.front()].from) < place_(links_[b.front()].from);
    });
  }

  std::vector<std::vector<std::size_t>> all() && { return std::move(pieces_); }

 private:
  /// Of the points that links leave from, the one of largest x, then smallest y.
  std::optional<Index> rightmost() const {
    std::optional<Index> best;
    for (const auto& [point, leaving] : after_) {
      if (leaving.empty()) continue;
      const auto p = place_(point);
      if (!best || p[0] > place_(*best)[0] || (p[0] == place_(*best)[0] && p[1] < place_(*best)[1])) best = point;
    }
    return best;
  }

  void walk(Index point) {
    std::vector<std::size_t> piece;
    for (auto* leaving = &after_[point]; !leaving->empty(); leaving = &after_[point]) {
      piece.push_back(leaving->back());
      leaving->pop_back();
      point = links_[piece.back()].to;
    }
    if (!piece.empty()) pieces_.push_back(std::move(piece));
  }

  const std::vector<Link>& links_;
  const Place& place_;
  std::map<Index, std::vector<std::size_t>> after_;
  std::map<Index, int> arriving_;
  std::vector<std::vector<std::size_t>> pieces_;
};

}  // namespace

std::vector<std::vector<std::size_t>> connected_pieces(const std::vector<Link>& links,
                                                       const std::function<std::array<double, 2>(Index)>& place) {
  return Pieces(links, place).all();
}

}  // namespace galerna::analysis
