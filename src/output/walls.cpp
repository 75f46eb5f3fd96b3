#include "output/walls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/error.hpp"
#include "output/files.hpp"
#include "output/sum.hpp"

namespace galerna::output {

using mesh::Index;
using mesh::Point;

namespace {

/// A side with its end nodes in the direction that has the fluid on the left.
struct Link {
  mesh::Side side;
  Index from, to;
  bool forward;  ///< the points along the side's own corners run in this direction
};

Link link_of(const mesh::Mesh& mesh, const mesh::Side& side) {
  const mesh::Mesh::Location where = mesh.locate(side.element);
  const mesh::ElementBlock& block = mesh.blocks[static_cast<std::size_t>(where.block)];
  const auto local = side_corners(block.shape, side.side);
  const std::vector<Index> corners = mesh.corners(side.element);
  const Index a = corners[static_cast<std::size_t>(local[0])], b = corners[static_cast<std::size_t>(local[1])];
  const auto from = reference_corner(block.shape, local[0]), to = reference_corner(block.shape, local[1]);
  const basis::Point centre = reference_centre(block.shape);
  const double away = (to[1] - from[1]) * (from[0] - centre[0]) - (to[0] - from[0]) * (from[1] - centre[1]);
  // With the outward normal on the right of the tangent the fluid is on its left.
  const bool forward = away * orientation(mesh, block, where.position) > 0;
  return forward ? Link{side, a, b, true} : Link{side, b, a, false};
}

bool before(const Point& a, const Point& b) {
  return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

/// The connected pieces of a boundary, each in order.
class Pieces {
 public:
  Pieces(const mesh::Mesh& mesh, const mesh::Boundary& boundary) : mesh_(mesh) {
    for (const mesh::Side& side : boundary.sides) {
      const Link link = link_of(mesh, side);
      after_[link.from].push_back(link);
      ++arriving_[link.to];
    }
    // Open pieces first: they begin at nodes that nothing arrives at.
    std::vector<Index> starts;
    for (const auto& [node, links] : after_)
      for (std::size_t i = static_cast<std::size_t>(arriving_[node]); i < links.size(); ++i) starts.push_back(node);
    for (const Index node : starts) walk(node);
    while (const std::optional<Index> node = rightmost()) walk(*node);
    std::sort(pieces_.begin(), pieces_.end(),
              [&](const auto& a, const auto& b) { return before(place(a.front().from), place(b.front().from)); });
  }

  const std::vector<std::vector<Link>>& all() const { return pieces_; }

 private:
  const Point& place(Index node) const { return mesh_.nodes[static_cast<std::size_t>(node)]; }

  /// Of the nodes that sides are left at, the one of largest x, then smallest y.
  std::optional<Index> rightmost() const {
    std::optional<Index> best;
    for (const auto& [node, links] : after_) {
      if (links.empty()) continue;
      const Point& p = place(node);
      if (!best || p[0] > place(*best)[0] || (p[0] == place(*best)[0] && p[1] < place(*best)[1])) best = node;
    }
    return best;
  }

  void walk(Index node) {
    std::vector<Link> piece;
    for (auto* links = &after_[node]; !links->empty(); links = &after_[node]) {
      piece.push_back(links->back());
      links->pop_back();
      node = piece.back().to;
    }
    if (!piece.empty()) pieces_.push_back(std::move(piece));
  }

  const mesh::Mesh& mesh_;
  std::map<Index, std::vector<Link>> after_;
  std::map<Index, int> arriving_;
  std::vector<std::vector<Link>> pieces_;
};

std::array<double, 2> traction(const WallModel& model, const SidePoint& point) {
  if (!model.traction) return {0, 0};
  return model.traction(point.variables.data(), point.gradients.data(), point.normal);
}

WallSample wall_sample(const WallModel& model, const SidePoint& point, int part) {
  WallSample sample;
  sample.part = part;
  sample.place = point.place;
  sample.normal = point.normal;
  sample.pressure = model.pressure(point.variables.data());
  const auto t = traction(model, point);
  // The wall feels −τn; s grows along (−n_y, n_x).
  sample.shear = t[0] * point.normal[1] - t[1] * point.normal[0];
  return sample;
}

/// Arc lengths of the points of one side from its beginning, in the order of the points; last its whole length. Between
/// the points the speed |dx/dξ| is that of the polynomial through them, exact for straight sides.
std::vector<double> arc_lengths(const std::vector<SidePoint>& points, const basis::Quadrature& rule) {
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

WallForce wall_force(const Solution& solution, const std::string& name, const WallModel& model,
                     const std::array<double, 2>& centre) {
  const mesh::Boundary& boundary = find_boundary(*solution.mesh, name);
  MeshSides sides(solution, basis::gauss_legendre(solution.degree + 2));
  std::array<std::array<Sum, 3>, 2> sums;  // [pressure, viscous][x, y, moment]
  for (const mesh::Side& side : boundary.sides)
    for (const SidePoint& point : sides.sample(side)) {
      const double p = model.pressure(point.variables.data()) * point.length;
      const auto t = traction(model, point);
      const std::array<std::array<double, 2>, 2> parts = {
          {{p * point.normal[0], p * point.normal[1]}, {-t[0] * point.length, -t[1] * point.length}}};
      for (std::size_t part = 0; part < 2; ++part) {
        const auto& f = parts[part];
        sums[part][0].add(f[0]);
        sums[part][1].add(f[1]);
        sums[part][2].add((point.place[0] - centre[0]) * f[1] - (point.place[1] - centre[1]) * f[0]);
      }
    }
  WallForce force;
  force.pressure = {sums[0][0].value(), sums[0][1].value(), 0};
  force.viscous = {sums[1][0].value(), sums[1][1].value(), 0};
  force.pressure_moment = sums[0][2].value();
  force.viscous_moment = sums[1][2].value();
  return force;
}

ForceCoefficients coefficients(const WallForce& force, const Reference& reference) {
  const double scale = 1 / (reference.dynamic_pressure() * reference.length);
  const double angle = reference.angle * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
  ForceCoefficients k;
  k.drag_pressure = scale * (c * force.pressure[0] + s * force.pressure[1]);
  k.drag_viscous = scale * (c * force.viscous[0] + s * force.viscous[1]);
  k.lift_pressure = scale * (c * force.pressure[1] - s * force.pressure[0]);
  k.lift_viscous = scale * (c * force.viscous[1] - s * force.viscous[0]);
  k.drag = k.drag_pressure + k.drag_viscous;
  k.lift = k.lift_pressure + k.lift_viscous;
  k.moment = scale / reference.length * (force.pressure_moment + force.viscous_moment);
  return k;
}

std::vector<WallSample> sample_wall(const Solution& solution, const std::string& name, const WallModel& model) {
  const basis::Quadrature rule = basis::gauss_legendre(solution.degree + 2);
  MeshSides sides(solution, rule);
  const Pieces pieces(*solution.mesh, find_boundary(*solution.mesh, name));
  std::vector<WallSample> result;
  for (std::size_t part = 0; part < pieces.all().size(); ++part) {
    double start = 0;
    for (const Link& link : pieces.all()[part]) {
      std::vector<SidePoint> points = sides.sample(link.side);
      if (!link.forward) std::reverse(points.begin(), points.end());  // the rule is symmetric
      const std::vector<double> lengths = arc_lengths(points, rule);
      for (std::size_t q = 0; q < points.size(); ++q) {
        result.push_back(wall_sample(model, points[q], static_cast<int>(part)));
        result.back().s = start + lengths[q];
      }
      start += lengths.back();
    }
  }
  return result;
}

std::vector<FlowPoint> separation_points(const std::vector<WallSample>& wall) {
  std::vector<FlowPoint> points;
  const WallSample* last = nullptr;  // the last sample of this piece with friction
  for (const WallSample& sample : wall) {
    if (last && last->part != sample.part) last = nullptr;
    if (sample.shear == 0) continue;
    if (last && (last->shear > 0) != (sample.shear > 0)) {
      FlowPoint point;
      point.kind = last->shear > 0 ? FlowPoint::Kind::separation : FlowPoint::Kind::attachment;
      point.part = sample.part;
      const double share = last->shear / (last->shear - sample.shear);
      point.s = last->s + share * (sample.s - last->s);
      for (std::size_t d = 0; d < 3; ++d) point.place[d] = last->place[d] + share * (sample.place[d] - last->place[d]);
      points.push_back(point);
    }
    last = &sample;
  }
  return points;
}

void write_wall(const std::vector<WallSample>& wall, const std::optional<Reference>& reference,
                const std::filesystem::path& file) {
  std::string text = "part,s,x,y,normal_x,normal_y,pressure,shear";
  text += reference ? ",cp,cf\n" : "\n";
  for (const WallSample& w : wall) {
    text += fmt::format("{},{},{},{},{},{},{},{}", w.part, w.s, w.place[0], w.place[1], w.normal[0], w.normal[1],
                        w.pressure, w.shear);
    if (reference) {
      const double q = reference->dynamic_pressure();
      text += fmt::format(",{},{}", (w.pressure - reference->pressure) / q, w.shear / q);
    }
    text += "\n";
  }
  write_file(file, text);
}

}  // namespace galerna::output
