#include "analysis/walls.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "analysis/pieces.hpp"
#include "base/exact_sum.hpp"
#include "base/vectors.hpp"

namespace galerna::analysis {

using mesh::Index;
using mesh::Point;

namespace {

/// A side with its end nodes in the direction that has the fluid on the left.
struct SideLink {
  Link link;
  bool forward;  ///< the points along the side's own corners run in this direction
};

SideLink link_of(const mesh::Mesh& mesh, const WallSide& side) {
  const auto local = side_corners(mesh.shape(side.side.element), side.side.side);
  const std::vector<Index> corners = mesh.corners(side.side.element);
  const Index first = corners[static_cast<std::size_t>(local[0])], second = corners[static_cast<std::size_t>(local[1])];
  const Point &a = mesh.nodes[static_cast<std::size_t>(first)], &b = mesh.nodes[static_cast<std::size_t>(second)];
  // With the outward normal on the right of the way the fluid is on its left.
  const std::array<double, 3>& n = side.points[side.points.size() / 2].normal;
  const bool forward = (b[1] - a[1]) * n[0] - (b[0] - a[0]) * n[1] > 0;
  return forward ? SideLink{{first, second}, true} : SideLink{{second, first}, false};
}

/// Arc lengths of the points of one side from its beginning, in the order of the points; last its whole length. Between
/// the points the speed |dx/dξ| is that of the polynomial through them, exact for straight sides.
std::vector<double> arc_lengths(const std::vector<WallPoint>& points, const basis::Quadrature& rule) {
  const std::size_t n = points.size();
  const auto speed = [&](double xi) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double factor = points[i].length / rule.weights[i];
      for (std::size_t k = 0; k < n; ++k)
        if (k != i) factor *= (xi - rule.points[k][0]) / (rule.points[i][0] - rule.points[k][0]);
      sum += factor;
    }
    return sum;
  };
  std::vector<double> result;
  for (std::size_t q = 0; q <= n; ++q) {
    const double half = 0.5 * ((q < n ? rule.points[q][0] : 1.0) + 1);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += half * rule.weights[i] * speed(half * (rule.points[i][0] + 1) - 1);
    result.push_back(sum);
  }
  return result;
}

}  // namespace

WallForce wall_force(const Wall& wall, const Point& centre) {
  std::array<std::array<ExactSum, 6>, 2> sums;  // [pressure, viscous][force, moment]
  for (const WallSide& side : wall.sides)
    for (const WallPoint& point : side.points) {
      const std::array<double, 3>* parts[] = {&point.pressure, &point.friction};
      std::array<double, 3> arm{}, force{};
      for (std::size_t part = 0; part < 2; ++part) {
        for (std::size_t k = 0; k < 3; ++k) {
          arm[k] = point.place[k] - centre[k];
          force[k] = (*parts[part])[k] * point.length;
        }
        const std::array<double, 3> moment = cross(arm, force);
        for (std::size_t k = 0; k < 3; ++k) sums[part][k].add(force[k]), sums[part][3 + k].add(moment[k]);
      }
    }
  WallForce result;
  for (std::size_t k = 0; k < 3; ++k) {
    result.pressure[k] = sums[0][k].value();
    result.viscous[k] = sums[1][k].value();
    result.pressure_moment[k] = sums[0][3 + k].value();
    result.viscous_moment[k] = sums[1][3 + k].value();
  }
  return result;
}

WallForce& WallForce::operator+=(const WallForce& other) {
  for (std::size_t d = 0; d < 3; ++d) {
    pressure[d] += other.pressure[d];
    viscous[d] += other.viscous[d];
    pressure_moment[d] += other.pressure_moment[d];
    viscous_moment[d] += other.viscous_moment[d];
  }
  return *this;
}

ForceCoefficients coefficients(const WallForce& force, const Reference& reference) {
  const double area = reference.space ? reference.space->area : reference.length;
  const double scale = 1 / (reference.dynamic_pressure() * area);
  const double angle = reference.angle * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
  std::array<double, 3> along = {c, s, 0}, upward = {-s, c, 0}, sideward = {0, 0, -1};
  if (reference.space) {
    along = unit(reference.space->stream);
    sideward = unit(cross(reference.space->up, along));
    upward = cross(along, sideward);
  }
  std::array<double, 3> moment{};
  for (std::size_t i = 0; i < 3; ++i)
    moment[i] = scale / reference.length * (force.pressure_moment[i] + force.viscous_moment[i]);
  ForceCoefficients k;
  k.drag_pressure = scale * dot(along, force.pressure);
  k.drag_viscous = scale * dot(along, force.viscous);
  k.lift_pressure = scale * dot(upward, force.pressure);
  k.lift_viscous = scale * dot(upward, force.viscous);
  k.drag = k.drag_pressure + k.drag_viscous;
  k.lift = k.lift_pressure + k.lift_viscous;
  k.moment = dot(sideward, moment);
  if (reference.space) k.space = {scale * dot(sideward, force.total()), moment};
  return k;
}

std::vector<WallSample> sample_wall(const mesh::Mesh& mesh, const Wall& wall) {
  std::vector<Link> links;
  std::vector<bool> forward;
  for (const WallSide& side : wall.sides) {
    const SideLink link = link_of(mesh, side);
    links.push_back(link.link);
    forward.push_back(link.forward);
  }
  const auto pieces = connected_pieces(links, [&](Index node) {
    const Point& place = mesh.nodes[static_cast<std::size_t>(node)];
    return std::array<double, 2>{place[0], place[1]};
  });
  std::vector<WallSample> result;
  for (std::size_t part = 0; part < pieces.size(); ++part) {
    const std::size_t first = result.size();
    double start = 0;
    for (const std::size_t side : pieces[part]) {
      std::vector<WallPoint> points = wall.sides[side].points;
      if (!forward[side]) std::reverse(points.begin(), points.end());  // the rule is symmetric
      const std::vector<double> lengths = arc_lengths(points, wall.rules.at(Shape::line));
      for (std::size_t q = 0; q < points.size(); ++q)
        result.push_back({static_cast<int>(part), start + lengths[q], points[q]});
      start += lengths.back();
    }
    if (links[pieces[part].front()].from == links[pieces[part].back()].to)
      for (std::size_t i = first; i < result.size(); ++i) result[i].round = start;
  }
  return result;
}

namespace {

/// Where the shear changes its sign from one sample to the next one, which is `ahead` farther than its s.
std::optional<FlowPoint> sign_change(const WallSample& last, const WallSample& next, double ahead) {
  if ((last.shear() > 0) == (next.shear() > 0)) return {};
  FlowPoint point;
  point.kind = last.shear() > 0 ? FlowPoint::Kind::separation : FlowPoint::Kind::attachment;
  point.part = next.part;
  const double share = last.shear() / (last.shear() - next.shear());
  point.s = last.s + share * (next.s + ahead - last.s);
  for (std::size_t d = 0; d < 3; ++d) point.place[d] = last.at.place[d] + share * (next.at.place[d] - last.at.place[d]);
  return point;
}

}  // namespace

std::vector<FlowPoint> separation_points(const std::vector<WallSample>& wall) {
  std::vector<FlowPoint> points;
  for (auto begin = wall.begin(); begin != wall.end();) {
    const auto end = std::find_if(begin, wall.end(), [&](const WallSample& s) { return s.part != begin->part; });
    std::vector<const WallSample*> samples;  // of this piece, with friction
    for (; begin != end; ++begin)
      if (begin->shear() != 0) samples.push_back(&*begin);
    for (std::size_t i = 1; i < samples.size(); ++i)
      if (const auto point = sign_change(*samples[i - 1], *samples[i], 0)) points.push_back(*point);
    if (samples.empty() || samples[0]->round == 0) continue;
    auto point = sign_change(*samples.back(), *samples.front(), samples[0]->round);
    if (!point) continue;
    const bool at_beginning = point->s >= samples[0]->round;
    if (at_beginning) point->s -= samples[0]->round;
    const auto first =
        std::find_if(points.begin(), points.end(), [&](const FlowPoint& p) { return p.part == point->part; });
    points.insert(at_beginning ? first : points.end(), *point);
  }
  return points;
}

}  // namespace galerna::analysis
