#include "cad/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/index.hpp"

namespace galerna::cad {
namespace {

constexpr int most_iterations = 50;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Foot nowhere = {{infinity, infinity, infinity}, infinity};

bool is_no_step(double step, double size) {
  return std::abs(step) <= 1e-15 * size;
}

/// Distances say nothing about steps so small, since they are least where the steps lead. Newton's method needs few.
bool is_last_step(double step, double size) {
  return std::abs(step) <= 1e-5 * size;
}
constexpr int last_steps = 4;

double within(double value, double low, double high) {
  return std::clamp(value, low, high);
}

/// OpenCASCADE counts periods one by one, so that parameters far outside would keep it busy for ever.
double in_period(double value, double low, double period) {
  return value - period * std::floor((value - low) / period);
}

}  // namespace

Model::Model(std::unique_ptr<Geometry> geometry, std::string file, std::string unit,
             std::vector<std::string> face_names)
    : geometry_(std::move(geometry)),
      file_(std::move(file)),
      unit_(std::move(unit)),
      face_names_(std::move(face_names)) {
  face_names_.resize(geometry_->faces().size());
  add_facets();
}

/// How far a face is from its triangles, at their middles, with some room.
double Model::face_off(std::size_t face) const {
  const FaceData& data = geometry_->faces()[face];
  double off = 0;
  for (const auto& triangle : data.triangles) {
    Vector middle{};
    double u = 0, v = 0;
    for (const int corner : triangle) {
      middle = plus(middle, times(1. / 3, data.points[at(corner)]));
      u += data.parameters[at(corner)][0] / 3;
      v += data.parameters[at(corner)][1] / 3;
    }
    off = std::max(off, norm(minus(middle, geometry_->surface(face, u, v).x)));
  }
  return 2 * off;
}

/// How far the boundary of a face may be from that of its triangles: chords turn by 0.2 at most.
double Model::boundary_off(const FaceData& face, std::size_t triangle) {
  constexpr double sagitta = 0.05;
  double longest = 0;
  for (std::size_t c = 0; c < 3; ++c)
    longest = std::max(longest, norm(minus(face.points[at(face.triangles[triangle][c])],
                                           face.points[at(face.triangles[triangle][(c + 1) % 3])])));
  return sagitta * longest;
}

void Model::add_facets() {
  std::vector<Facet> facets;
  for (std::size_t f = 0; f < geometry_->faces().size(); ++f) {
    const FaceData& face = geometry_->faces()[f];
    const double off = face_off(f);
    for (std::size_t t = 0; t < face.triangles.size(); ++t) {
      const auto& [a, b, c] = face.triangles[t];
      facets.push_back({{face.points[at(a)], face.points[at(b)], face.points[at(c)]},
                        static_cast<std::int32_t>(f),
                        static_cast<std::int32_t>(t),
                        off + boundary_off(face, t)});
    }
  }
  for (std::size_t e = 0; e < geometry_->edges().size(); ++e) {
    const EdgeData& edge = geometry_->edges()[e];
    for (std::size_t i = 0; i + 1 < edge.points.size(); ++i) {
      const Vector &a = edge.points[i], &b = edge.points[i + 1];
      const Vector middle = geometry_->curve(e, 0.5 * (edge.parameters[i] + edge.parameters[i + 1])).x;
      facets.push_back({{a, b, b},
                        face_count() + static_cast<std::int32_t>(e),
                        static_cast<std::int32_t>(i),
                        2 * norm(minus(middle, times(0.5, plus(a, b))))});
    }
  }
  const auto [lower, upper] = geometry_->box();
  box_ = {lower, upper};
  rounding_ = 1e-14 * norm(minus(upper, lower));
  tree_ = std::make_unique<TriangleTree>(std::move(facets));
}

Model::Start Model::start_of(const Facet& facet, const FacetPoint& point) const {
  Start start{facet.part, point.distance, 0, 0};
  if (is_edge(facet.part)) {
    const EdgeData& edge = geometry_->edges()[at(facet.part - face_count())];
    const double share = point.weights[1] + point.weights[2];
    start.u = (1 - share) * edge.parameters[at(facet.index)] + share * edge.parameters[at(facet.index) + 1];
    return start;
  }
  const FaceData& face = geometry_->faces()[at(facet.part)];
  for (std::size_t c = 0; c < 3; ++c) {
    const auto& [u, v] = face.parameters[at(face.triangles[at(facet.index)][c])];
    start.u += point.weights[c] * u;
    start.v += point.weights[c] * v;
  }
  return start;
}

Foot Model::nearest(const Vector& x, const std::vector<std::int32_t>& faces) const {
  const auto takes = [&](std::int32_t part) {
    if (faces.empty()) return true;
    const auto among = [&](std::int32_t face) { return std::binary_search(faces.begin(), faces.end(), face); };
    if (!is_edge(part)) return among(part);
    const auto& own = geometry_->edges()[at(part - face_count())].faces;
    return among(own[0]) || among(own[1]);  // −1 is none of them
  };
  std::vector<Start> starts;
  const double bound =
      tree_->search(x, takes, [&](const Facet& facet, const FacetPoint& point) { keep(starts, facet, point); });
  Foot best = nowhere;
  const auto take = [&](const Start& start) {
    if (const auto foot = refine(start, x, best)) best = *foot;
  };
  sort(starts);
  for (const Start& start : starts) take(start);
  if (starts.empty() || best.distance <= bound) return best;
  // A face that seemed near may have no such point: then others count again.
  std::vector<Start> others;
  tree_->search_within(x, best.distance, [&](const Facet& facet, const FacetPoint& point) {
    const bool known = std::any_of(starts.begin(), starts.end(), [&](const Start& s) { return s.part == facet.part; });
    if (!known && takes(facet.part)) keep(others, facet, point);
  });
  for (const Start& start : others) take(start);
  return best;
}

void Model::keep(std::vector<Start>& starts, const Facet& facet, const FacetPoint& point) const {
  const auto found = std::find_if(starts.begin(), starts.end(), [&](const Start& s) { return s.part == facet.part; });
  if (found == starts.end())
    starts.push_back(start_of(facet, point));
  else if (point.distance < found->distance)
    *found = start_of(facet, point);
}

/// Edges first: a face need not be asked whether it contains a point of its edge, which is slow.
void Model::sort(std::vector<Start>& starts) const {
  const auto key = [this](const Start& start) { return std::tuple(!is_edge(start.part), start.distance, start.part); };
  std::sort(starts.begin(), starts.end(), [&](const Start& s, const Start& t) { return key(s) < key(t); });
}

std::optional<Foot> Model::refine(const Start& start, const Vector& x, const Foot& best) const {
  const bool edge = is_edge(start.part);
  const Foot foot = edge ? refine_on_edge(at(start.part - face_count()), start.u, x)
                         : refine_on_face(at(start.part), start.u, start.v, x);
  if (!(foot.distance < best.distance) || norm(minus(foot.x, best.x)) <= rounding_) return {};
  return edge || geometry_->contains(at(start.part), foot.u, foot.v) ? std::optional(foot) : std::nullopt;
}

/// Newton's method for the gradient of |S(u, v) − x|²/2, with that of Gauss where its matrix is not positive definite,
/// and steps that are halved until they come nearer.
Foot Model::refine_on_face(std::size_t face, double u, double v, const Vector& x) const {
  const FaceData& data = geometry_->faces()[face];
  const auto inside = [&](double value, std::size_t k) {
    return data.periods[k] > 0 ? in_period(value, data.bounds[2 * k], data.periods[k])
                               : within(value, data.bounds[2 * k], data.bounds[2 * k + 1]);
  };
  Derivatives d = geometry_->surface(face, u, v);
  double distance = norm(minus(d.x, x));
  const double size_u = data.bounds[1] - data.bounds[0], size_v = data.bounds[3] - data.bounds[2];
  for (int iteration = 0, small = 0; iteration < most_iterations && small < last_steps; ++iteration) {
    const Vector off = minus(d.x, x);
    const double gu = dot(off, d.du), gv = dot(off, d.dv);
    double huu = dot(d.du, d.du), hvv = dot(d.dv, d.dv), huv = dot(d.du, d.dv);
    const double nuu = huu + dot(off, d.duu), nvv = hvv + dot(off, d.dvv), nuv = huv + dot(off, d.duv);
    if (nuu > 0 && nuu * nvv - nuv * nuv > 1e-12 * huu * hvv) huu = nuu, hvv = nvv, huv = nuv;
    const double damping = 1e-14 * (huu + hvv) + std::numeric_limits<double>::min();
    const double determinant = (huu + damping) * (hvv + damping) - huv * huv;
    double du = (-gu * (hvv + damping) + gv * huv) / determinant, dv = (-gv * (huu + damping) + gu * huv) / determinant;
    const double share = std::min(std::min(1.0, size_u / std::abs(du)), size_v / std::abs(dv));  // near a pole
    du *= share, dv *= share;
    bool nearer = false;
    for (int half = 0; half < 30 && !nearer; ++half, du *= 0.5, dv *= 0.5) {
      const double next_u = inside(u + du, 0), next_v = inside(v + dv, 1);
      if (is_no_step(next_u - u, size_u) && is_no_step(next_v - v, size_v)) break;
      const bool last = is_last_step(du, size_u) && is_last_step(dv, size_v);
      small += last;
      const Derivatives next = geometry_->surface(face, next_u, next_v);
      const double left = norm(minus(next.x, x));
      if (!(left < distance) && !last) continue;
      nearer = true;
      u = next_u, v = next_v, d = next, distance = left;
    }
    if (!nearer) break;
  }
  return {d.x, distance, static_cast<std::int32_t>(face), u, v};
}

Foot Model::refine_on_edge(std::size_t edge, double t, const Vector& x) const {
  const EdgeData& data = geometry_->edges()[edge];
  const double first = data.parameters.front(), last = data.parameters.back();
  Derivatives d = geometry_->curve(edge, t);
  double distance = norm(minus(d.x, x));
  for (int iteration = 0, small = 0; iteration < most_iterations && small < last_steps; ++iteration) {
    const Vector off = minus(d.x, x);
    const double gradient = dot(off, d.du), gauss = dot(d.du, d.du), newton = gauss + dot(off, d.duu);
    double step = -gradient / (newton > 1e-6 * gauss ? newton : gauss);
    bool nearer = false;
    for (int half = 0; half < 30 && !nearer; ++half, step *= 0.5) {
      const double next = within(t + step, first, last);
      if (is_no_step(next - t, last - first)) break;
      const bool is_last = is_last_step(step, last - first);
      small += is_last;
      const Derivatives there = geometry_->curve(edge, next);
      const double left = norm(minus(there.x, x));
      if (!(left < distance) && !is_last) continue;
      nearer = true;
      t = next, d = there, distance = left;
    }
    if (!nearer) break;
  }
  return {d.x, distance, face_count() + static_cast<std::int32_t>(edge), t, 0};
}

Foot Model::nearest_on_edge(std::int32_t part, const Vector& x) const {
  const EdgeData& edge = geometry_->edges()[at(part - face_count())];
  std::size_t best = 0;
  for (std::size_t i = 1; i < edge.points.size(); ++i)
    if (norm(minus(edge.points[i], x)) < norm(minus(edge.points[best], x))) best = i;
  return refine_on_edge(at(part - face_count()), edge.parameters[best], x);
}

std::vector<std::int32_t> Model::near(const Vector& x, double distance) const {
  std::vector<Start> starts;
  tree_->search_within(x, distance, [&](const Facet& facet, const FacetPoint& point) { keep(starts, facet, point); });
  std::vector<std::int32_t> parts;
  sort(starts);
  for (const Start& start : starts) {
    if (std::find(parts.begin(), parts.end(), start.part) != parts.end()) continue;  // at an edge of it
    const auto foot = refine(start, x, nowhere);
    if (!foot || foot->distance > distance) continue;
    parts.push_back(start.part);
    if (is_edge(start.part))
      for (const int face : geometry_->edges()[at(start.part - face_count())].faces)
        if (face >= 0) parts.push_back(face);
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

std::optional<Vector> Model::normal(const Foot& foot) const {
  std::size_t face = at(foot.part);
  double u = foot.u, v = foot.v;
  if (is_edge(foot.part)) {
    if (geometry_->edges()[at(foot.part - face_count())].faces[0] < 0) return {};
    face = at(geometry_->edges()[at(foot.part - face_count())].faces[0]);
    const FaceData& data = geometry_->faces()[face];
    const auto nearest = std::min_element(
        data.points.begin(), data.points.end(),
        [&](const Vector& a, const Vector& b) { return norm(minus(a, foot.x)) < norm(minus(b, foot.x)); });
    const auto& start = data.parameters[at(nearest - data.points.begin())];
    const Foot on_face = refine_on_face(face, start[0], start[1], foot.x);
    u = on_face.u, v = on_face.v;
  }
  const Derivatives d = geometry_->surface(face, u, v);
  const Vector n = cross(d.du, d.dv);
  return norm(n) > 1e-12 * norm(d.du) * norm(d.dv) ? std::optional(galerna::unit(n)) : std::nullopt;
}

}  // namespace galerna::cad
