#include "mesh/plane_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/vectors.hpp"
#include "mesh/geometry.hpp"

namespace galerna::mesh {
namespace {

double plane_distance(const Point& a, const Point& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1]);
}

class CircleCurve final : public PlaneCurve {
 public:
  CircleCurve(const Point& centre, double radius)
      : PlaneCurve(0, 2 * M_PI, Ends::periodic), centre_(centre), radius_(radius) {
    if (!(radius > 0)) throw std::invalid_argument("the radius of a circle must be positive");
  }
  Point at(double t) const override {
    return {centre_[0] + radius_ * std::cos(t), centre_[1] + radius_ * std::sin(t), 0};
  }
  Point derivative(double t) const override { return {-radius_ * std::sin(t), radius_ * std::cos(t), 0}; }
  double parameter(const Point& x) const override { return std::atan2(x[1] - centre_[1], x[0] - centre_[0]); }
  std::string name() const override {
    return fmt::format("circle of radius {:g} about {}", radius_, to_text(centre_, 2));
  }

 private:
  Point centre_;
  double radius_;
};

class Naca4 final : public PlaneCurve {
 public:
  Naca4(const std::string& code, double chord, const Point& leading_edge, TrailingEdge edge)
      : PlaneCurve(-1, 1, edge == TrailingEdge::closed ? Ends::joined : Ends::open),
        code_(code),
        chord_(chord),
        origin_(leading_edge),
        last_coefficient_(edge == TrailingEdge::closed ? 0.1036 : 0.1015) {
    const bool digits = code.size() == 4 && code.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || code.substr(2) == "00" || !(chord > 0))
      throw std::invalid_argument("a NACA section has a code of four digits, such as 0012, and a positive chord");
    camber_ = (code[0] - '0') / 100.0;
    place_ = (code[1] - '0') / 10.0;
    thickness_ = std::stoi(code.substr(2)) / 100.0;
    sample(1000);
  }

  Point at(double s) const override {
    const Section c = section(s);
    return {origin_[0] + chord_ * (c.x - c.y * std::sin(c.angle)),
            origin_[1] + chord_ * (c.line + c.y * std::cos(c.angle)), 0};
  }

  Point derivative(double s) const override {
    const Section c = section(s);
    const double sine = std::sin(c.angle), cosine = std::cos(c.angle);
    return {chord_ * (2 * s - c.slope * sine - c.y * cosine * c.turning),
            chord_ * (std::tan(c.angle) * 2 * s + c.slope * cosine - c.y * sine * c.turning), 0};
  }

  std::string name() const override {
    return fmt::format("NACA {} of chord {:g} at {}", code_, chord_, to_text(origin_, 2));
  }

 protected:
  /// On the base between the ends of a blunt trailing edge.
  bool is_straight(const Point& a, const Point& b) const override {
    const Point lower = at(-1), upper = at(1);
    const auto on_base = [&](const Point& x) {
      const double detour = plane_distance(lower, x) + plane_distance(x, upper) - plane_distance(lower, upper);
      return detour <= 1e-6 * chord_;
    };
    return plane_distance(lower, upper) > 1e-9 * chord_ && on_base(a) && on_base(b);
  }

 private:
  /// At s = ±√x, all in chords: half thickness y (negative below) and its derivative, mean line, its angle and the
  /// derivative of the angle.
  struct Section {
    double x, y, slope, line, angle, turning;
  };

  Section section(double s) const {
    Section c{};
    const double x = c.x = s * s, side = s < 0 ? -1 : 1;
    c.y = 5 * thickness_ * (0.2969 * s + side * x * (-0.1260 + x * (-0.3516 + x * (0.2843 - x * last_coefficient_))));
    c.slope = 5 * thickness_ *
              (0.2969 + side * 2 * s * (-0.1260 + x * (-2 * 0.3516 + x * (3 * 0.2843 - 4 * x * last_coefficient_))));
    if (camber_ == 0 || place_ == 0) return c;
    const double p = place_, scale = camber_ / (x < p ? p * p : (1 - p) * (1 - p));
    c.line = scale * ((x < p ? 0 : 1 - 2 * p) + 2 * p * x - x * x);
    const double tangent = scale * 2 * (p - x);
    c.angle = std::atan(tangent);
    c.turning = -2 * scale / (1 + tangent * tangent) * 2 * s;
    return c;
  }

  std::string code_;
  double chord_;
  Point origin_;
  double last_coefficient_, camber_ = 0, place_ = 0, thickness_ = 0;
};

std::vector<double> polygon_lengths(const std::vector<Point>& points) {
  std::vector<double> lengths{0};
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double step = plane_distance(points[i - 1], points[i]), before = lengths.back();
    lengths.push_back(before + step);
    if (!std::isfinite(lengths.back())) throw std::invalid_argument("a point of a spline is not finite");
    if (!(lengths.back() > before)) throw std::invalid_argument("two points of a spline behind one another are equal");
  }
  return lengths;
}

/// Whether the last point is the first one again, up to rounding.
bool repeats_first(const std::vector<Point>& points) {
  double extent = 0;
  for (const Point& x : points) extent = std::max(extent, plane_distance(points.front(), x));
  return plane_distance(points.front(), points.back()) <= 1e-9 * extent;
}

/// Tridiagonal system with corners, by elimination: the first and last unknown are equal where `periodic`.
class SplineSystem {
 public:
  SplineSystem(const std::vector<double>& t, bool periodic) : t_(t), periodic_(periodic) {}

  /// Second derivatives [point] of the spline through the values.
  std::vector<double> solve(const std::vector<double>& y) const {
    const std::size_t n = t_.size() - 1;
    if (!periodic_) return natural(right_side(y), 0, 0);
    // With m_n = m_0 given, the others follow; m_0 is chosen so that the slope is continuous there.
    const std::vector<double> base = natural(right_side(y), 0, 0);
    const std::vector<double> unit = natural(std::vector<double>(n + 1, 0.0), 1, 1);
    const double gap = jump(y, base), change = jump(std::vector<double>(n + 1, 0.0), unit);
    std::vector<double> m(n + 1);
    for (std::size_t i = 0; i <= n; ++i) m[i] = base[i] - gap / change * unit[i];
    return m;
  }

 private:
  double step(std::size_t i) const { return t_[i + 1] - t_[i]; }

  std::vector<double> right_side(const std::vector<double>& y) const {
    std::vector<double> r(y.size(), 0.0);
    for (std::size_t i = 1; i + 1 < y.size(); ++i)
      r[i] = 6 * ((y[i + 1] - y[i]) / step(i) - (y[i] - y[i - 1]) / step(i - 1));
    return r;
  }

  /// h_{i−1} m_{i−1} + 2 (h_{i−1} + h_i) m_i + h_i m_{i+1} = r_i with both ends given.
  std::vector<double> natural(std::vector<double> r, double first, double last) const {
    const std::size_t n = t_.size() - 1;
    std::vector<double> m(n + 1), diagonal(n + 1, 1.0);
    m[0] = first, m[n] = last;
    for (std::size_t i = 1; i < n; ++i) {
      diagonal[i] = 2 * (step(i - 1) + step(i));
      if (i == 1) {
        r[1] -= step(0) * first;
        continue;
      }
      const double factor = step(i - 1) / diagonal[i - 1];
      diagonal[i] -= factor * step(i - 1);
      r[i] -= factor * r[i - 1];
    }
    for (std::size_t i = n - 1; i >= 1; --i) m[i] = (r[i] - step(i) * m[i + 1]) / diagonal[i];
    return m;
  }

  /// Slope at the beginning minus slope at the end.
  double jump(const std::vector<double>& y, const std::vector<double>& m) const {
    const std::size_t n = t_.size() - 1;
    const double begin = (y[1] - y[0]) / step(0) - step(0) * (2 * m[0] + m[1]) / 6;
    const double end = (y[n] - y[n - 1]) / step(n - 1) + step(n - 1) * (m[n - 1] + 2 * m[n]) / 6;
    return begin - end;
  }

  const std::vector<double>& t_;
  bool periodic_;
};

class Spline final : public PlaneCurve {
 public:
  Spline(std::vector<Point> points, const std::vector<double>& t, bool closed)
      : PlaneCurve(0, t.back(),
                   closed                                                              ? Ends::periodic
                   : plane_distance(points.front(), points.back()) <= 1e-12 * t.back() ? Ends::joined
                                                                                       : Ends::open),
        points_(std::move(points)),
        t_(t),
        closed_(closed) {
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<double> values;
      for (const Point& x : points_) values.push_back(x[k]);
      second_[k] = SplineSystem(t_, closed_).solve(values);
    }
    sample(static_cast<int>(std::min<std::size_t>(20000, 8 * points_.size())));
  }

  Point at(double t) const override {
    const auto [i, h, a, b] = locate(t);
    Point x{};
    for (std::size_t k = 0; k < 2; ++k)
      x[k] = a * points_[i][k] + b * points_[i + 1][k] +
             h * h / 6 * (a * (a * a - 1) * second_[k][i] + b * (b * b - 1) * second_[k][i + 1]);
    return x;
  }

  Point derivative(double t) const override {
    const auto [i, h, a, b] = locate(t);
    Point x{};
    for (std::size_t k = 0; k < 2; ++k)
      x[k] = (points_[i + 1][k] - points_[i][k]) / h +
             h / 6 * ((1 - 3 * a * a) * second_[k][i] + (3 * b * b - 1) * second_[k][i + 1]);
    return x;
  }

  std::string name() const override { return fmt::format("spline through {} points", points_.size()); }

 private:
  /// Interval, its length, and the weights of its ends.
  struct Place {
    std::size_t i;
    double h, a, b;
  };

  Place locate(double t) const {
    if (closed_) t -= last() * std::floor(t / last());
    const auto above = std::upper_bound(t_.begin() + 1, t_.end() - 1, t);
    const auto i = static_cast<std::size_t>(above - t_.begin()) - 1;
    const double h = t_[i + 1] - t_[i];
    return {i, h, (t_[i + 1] - t) / h, (t - t_[i]) / h};
  }

  std::vector<Point> points_;
  std::vector<double> t_;
  bool closed_;
  std::array<std::vector<double>, 2> second_;
};

}  // namespace

void PlaneCurve::sample(int count) {
  for (int i = 0; i <= count; ++i) {
    parameters_.push_back(i == count ? last_ : first_ + (last_ - first_) * i / count);
    samples_.push_back(at(parameters_.back()));
  }
}

double PlaneCurve::distance_to(const Point& x, double t) const {
  return plane_distance(x, at(t));
}

/// Where (x(t) − x)·x'(t) changes its sign between two parameters; the nearer end where it does not.
double PlaneCurve::improve(const Point& x, double low, double high) const {
  const auto slope = [&](double t) {
    const Point here = at(t), along = derivative(t);
    return (here[0] - x[0]) * along[0] + (here[1] - x[1]) * along[1];
  };
  if (slope(low) >= 0 || slope(high) <= 0) return distance_to(x, low) < distance_to(x, high) ? low : high;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (slope(middle) < 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double PlaneCurve::parameter(const Point& x) const {
  double best = first_, least = std::numeric_limits<double>::infinity();
  const auto consider = [&](double t) {
    if (const double distance = distance_to(x, t); distance < least) best = t, least = distance;
  };
  const std::size_t n = samples_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double here = plane_distance(x, samples_[i]);
    if (i > 0 && plane_distance(x, samples_[i - 1]) < here) continue;
    if (i + 1 < n && plane_distance(x, samples_[i + 1]) < here) continue;
    consider(parameters_[i]);
    if (i > 0) consider(improve(x, parameters_[i - 1], parameters_[i]));
    if (i + 1 < n) consider(improve(x, parameters_[i], parameters_[i + 1]));
  }
  return best;
}

/// The nearest point's parameter; both ends' where they are joined and nearest.
std::vector<double> PlaneCurve::parameters_of(const Point& x) const {
  const double t = parameter(x);
  if (ends_ == Ends::periodic) return {t - (last_ - first_), t, t + (last_ - first_)};
  if (ends_ == Ends::joined &&
      plane_distance(at(t), at(first_)) <= 1e-9 * plane_distance(at(first_), at(0.5 * (first_ + last_))))
    return {first_, last_};
  return {t};
}

std::optional<std::array<double, 2>> PlaneCurve::span(const Point& a, const Point& b) const {
  if (is_straight(a, b)) return {};
  std::optional<std::array<double, 2>> shortest;
  for (const double from : ends_ == Ends::periodic ? std::vector{parameter(a)} : parameters_of(a))
    for (const double to : parameters_of(b))
      if (!shortest || std::abs(to - from) < std::abs((*shortest)[1] - (*shortest)[0])) shortest = {from, to};
  return shortest;
}

std::optional<Point> PlaneCurve::nearest(const Point& x) const {
  const Point y = at(parameter(x));
  return Point{y[0], y[1], x[2]};
}

std::optional<Point> PlaneCurve::normal(const Point& x) const {
  const Point along = derivative(parameter(x));
  if (!(std::hypot(along[0], along[1]) > 0)) return {};
  return unit({along[1], -along[0], 0});
}

std::vector<Point> PlaneCurve::between(const Point& a, const Point& b, int order) const {
  const auto range = span(a, b);
  std::vector<Point> points;
  for (int i = 1; i < order; ++i) {
    const double share = static_cast<double>(i) / order;
    Point x = plus(a, times(share, minus(b, a)));
    if (range) {
      const Point y = at((*range)[0] + share * ((*range)[1] - (*range)[0]));
      x = {y[0], y[1], x[2]};
    }
    points.push_back(x);
  }
  return points;
}

void check_boundary_names(const Mesh& mesh, const Curves& curves) {
  for (const auto& [name, shape] : curves) require_boundary(mesh, name, "to put onto a " + shape->name());
}

std::shared_ptr<const PlaneCurve> make_circle(const Point& centre, double radius) {
  return std::make_shared<CircleCurve>(centre, radius);
}

std::shared_ptr<const PlaneCurve> make_naca4(const std::string& code, double chord, const Point& leading_edge,
                                             TrailingEdge trailing_edge) {
  return std::make_shared<Naca4>(code, chord, leading_edge, trailing_edge);
}

std::shared_ptr<const PlaneCurve> make_spline(std::vector<Point> points, bool closed) {
  if (closed && points.size() > 1 && repeats_first(points)) points.pop_back();
  if (closed && !points.empty()) points.push_back(points.front());
  if (points.size() < 3) throw std::invalid_argument("a spline needs three points");
  const std::vector<double> lengths = polygon_lengths(points);
  return std::make_shared<Spline>(std::move(points), lengths, closed);
}

}  // namespace galerna::mesh
