#include "cad/cad_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>

#include "base/index.hpp"

namespace galerna::cad {
namespace {

using mesh::Point;
using Parts = std::vector<std::int32_t>;

constexpr double near_by = 1e-3;  // of a side's length: what counts as at its corner
constexpr double sharp = 10;      // degrees between faces: mesh edges along such an edge keep to it

std::string name_of(const Model& model) {
  const mesh::Box box = model.box();
  return fmt::format("CAD of {} (unit {}, from {} to {})", model.file(), model.unit(), mesh::to_text(box.lower, 3),
                     mesh::to_text(box.upper, 3));
}

class CadSurface final : public mesh::Surface {
 public:
  CadSurface(std::shared_ptr<const Model> model, Parts faces) : model_(std::move(model)), faces_(std::move(faces)) {}

  std::optional<Point> nearest(const Point& x) const override { return model_->nearest(x, faces_).x; }

  /// On the faces that are at all corners; where there is none, at any.
  std::optional<Point> nearest(const Point& x, std::span<const Point> corners) const override {
    Parts all, any;
    for (std::size_t c = 0; c < corners.size(); ++c) {
      const Parts here = only_faces(parts_at(corners[c], size_of(corners)));
      all = c == 0 ? here : common(all, here);
      any.insert(any.end(), here.begin(), here.end());
    }
    std::sort(any.begin(), any.end());
    any.erase(std::unique(any.begin(), any.end()), any.end());
    return model_->nearest(x, !all.empty() ? all : !any.empty() ? any : faces_).x;
  }

  std::optional<Point> normal(const Point& x) const override { return model_->normal(model_->nearest(x, faces_)); }

  /// Along a sharp edge of the CAD that both ends lie on, the nodes keep to it.
  std::vector<Point> between(const Point& a, const Point& b, int order) const override {
    const std::int32_t edge = edge_between(a, b);
    if (edge < 0) return Surface::between(a, b, order);
    std::vector<Point> points;
    for (int i = 1; i < order; ++i)
      points.push_back(model_->nearest_on_edge(edge, plus(a, times(static_cast<double>(i) / order, minus(b, a)))).x);
    return points;
  }

  std::string name() const override {
    const mesh::Box box = model_->box();
    return fmt::format("CAD of {} (unit {}, from {} to {})", model_->file(), model_->unit(),
                       mesh::to_text(box.lower, 3), mesh::to_text(box.upper, 3));
  }

 private:
  static double size_of(std::span<const Point> corners) {
    double size = 0;
    for (const Point& x : corners) size = std::max(size, mesh::distance(x, corners[0]));
    return size;
  }

  static Parts common(const Parts& a, const Parts& b) {
    Parts both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
  }

  Parts only_faces(const Parts& parts) const {
    Parts faces;
    for (const std::int32_t part : parts)
      if (!model_->is_edge(part) && (faces_.empty() || std::binary_search(faces_.begin(), faces_.end(), part)))
        faces.push_back(part);
    return faces;
  }

  /// Corners are asked for by all sides around them.
  Parts parts_at(const Point& corner, double size) const {
    const std::lock_guard guard(lock_);
    std::pair<double, Parts>& known = known_[corner];
    if (known.first == 0 || known.first < 0.5 * size || known.first > 2 * size)
      known = {size, model_->near(corner, near_by * size)};
    return known.second;
  }

  /// −1: none.
  std::int32_t edge_between(const Point& a, const Point& b) const {
    constexpr double along = 0.3;  // of the length: how far the edge's middle may bulge
    const double length = mesh::distance(a, b);
    std::int32_t best = -1;
    double least = along * length;
    for (const std::int32_t part : common(parts_at(a, length), parts_at(b, length))) {
      if (!model_->is_edge(part) || model_->geometry().edges()[at(part - model_->face_count())].angle <= sharp)
        continue;
      const double off = model_->nearest_on_edge(part, times(0.5, plus(a, b))).distance;
      if (off < least) best = part, least = off;
    }
    return best;
  }

  std::shared_ptr<const Model> model_;
  Parts faces_;
  mutable std::mutex lock_;
  mutable std::map<Point, std::pair<double, Parts>> known_;  ///< corner -> size of a side, and what is near
};

/// There are few edges of a section: all of them are looked at.
class PlaneCadCurve final : public mesh::Surface {
 public:
  PlaneCadCurve(std::shared_ptr<const Model> model, Parts edges) : model_(std::move(model)), edges_(std::move(edges)) {}

  using Surface::nearest;
  std::optional<Point> nearest(const Point& x) const override { return foot(x, edges_).x; }

  std::optional<Point> normal(const Point& x) const override {
    const Foot at_curve = foot(x, edges_);
    const Vector along = model_->geometry().curve(at(at_curve.part - model_->face_count()), at_curve.u).du;
    if (!(std::hypot(along[0], along[1]) > 0)) return {};
    return unit({along[1], -along[0], 0});
  }

  /// On one edge, if both ends lie on it.
  std::vector<Point> between(const Point& a, const Point& b, int order) const override {
    const double tolerance = near_by * mesh::distance(a, b);
    Parts common;
    for (const std::int32_t edge : edges_)
      if (foot(a, {edge}).distance <= tolerance && foot(b, {edge}).distance <= tolerance) common.push_back(edge);
    std::vector<Point> points;
    for (int i = 1; i < order; ++i)
      points.push_back(
          foot(plus(a, times(static_cast<double>(i) / order, minus(b, a))), common.empty() ? edges_ : common).x);
    return points;
  }

  std::string name() const override { return name_of(*model_); }

 private:
  /// With the z of x, in the plane of each edge.
  Foot foot(const Point& x, const Parts& edges) const {
    Foot best;
    best.distance = std::numeric_limits<double>::infinity();
    for (const std::int32_t edge : edges) {
      const double z = model_->geometry().edges()[at(edge - model_->face_count())].points[0][2];
      Foot there = model_->nearest_on_edge(edge, {x[0], x[1], z});
      there.x[2] = x[2];
      if (there.distance < best.distance) best = there;
    }
    return best;
  }

  std::shared_ptr<const Model> model_;
  Parts edges_;
};

}  // namespace

std::shared_ptr<const mesh::Surface> make_surface(std::shared_ptr<const Model> model,
                                                  const std::vector<std::string>& faces) {
  Parts chosen;
  for (const std::string& name : faces) {
    bool found = false;
    for (std::int32_t f = 0; f < model->face_count(); ++f)
      if (name == std::to_string(f + 1) || (!name.empty() && name == model->face_name(at(f))))
        chosen.push_back(f), found = true;
    if (!found)
      throw std::invalid_argument(fmt::format("{} has no face '{}': galerna info {} lists names and numbers",
                                              model->file(), name, model->file()));
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return std::make_shared<CadSurface>(std::move(model), std::move(chosen));
}

std::shared_ptr<const mesh::Surface> make_plane_surface(std::shared_ptr<const Model> model) {
  Parts edges;
  const std::vector<EdgeData>& all = model->geometry().edges();
  for (std::size_t e = 0; e < all.size(); ++e) {
    const auto [low, high] = std::minmax_element(all[e].points.begin(), all[e].points.end(),
                                                 [](const Vector& a, const Vector& b) { return a[2] < b[2]; });
    if ((*high)[2] - (*low)[2] <= 1e-9 * all[e].length)
      edges.push_back(model->face_count() + static_cast<std::int32_t>(e));
  }
  if (edges.empty())
    throw std::invalid_argument(
        fmt::format("{} has no edge in a plane z = const, which a mesh in the plane could follow", model->file()));
  return std::make_shared<PlaneCadCurve>(std::move(model), std::move(edges));
}

}  // namespace galerna::cad
