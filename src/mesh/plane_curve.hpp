/// \file
/// True shapes of walls in the plane: circles, NACA sections, splines.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mesh/surface.hpp"

namespace galerna::mesh {

/// A curve x(t), first ≤ t ≤ last, smooth but for a few points, in the plane z = 0.
class PlaneCurve : public Surface {
 public:
  virtual Point at(double t) const = 0;
  virtual Point derivative(double t) const = 0;

  /// Parameter of the point of the curve that is nearest to x (z is ignored).
  virtual double parameter(const Point& x) const;

  using Surface::nearest;
  std::optional<Point> nearest(const Point& x) const override;
  std::optional<Point> normal(const Point& x) const override;
  /// Evenly spaced in the parameter.
  std::vector<Point> between(const Point& a, const Point& b, int order) const override;

  /// Parameters between which the curve runs from its point nearest to `a` to that nearest to `b`, the shorter way; on
  /// closed curves the second one may lie beyond the last. Nothing where the wall is straight between them.
  std::optional<std::array<double, 2>> span(const Point& a, const Point& b) const;

 protected:
  enum class Ends { open, joined, periodic };  ///< joined: in one point, with a corner there

  PlaneCurve(double first, double last, Ends ends) : first_(first), last_(last), ends_(ends) {}
  /// To be called at the end of constructors, for parameter(). \param count intervals between the samples
  void sample(int count);
  virtual bool is_straight(const Point&, const Point&) const { return false; }
  double first() const { return first_; }
  double last() const { return last_; }

 private:
  double distance_to(const Point& x, double t) const;
  double improve(const Point& x, double low, double high) const;
  std::vector<double> parameters_of(const Point& x) const;

  double first_, last_;
  Ends ends_;
  std::vector<double> parameters_;
  std::vector<Point> samples_;
};

/// Boundary name -> its true shape.
using Curves = std::map<std::string, std::shared_ptr<const PlaneCurve>>;

/// \throws InputError where the mesh has no boundary of one of the names.
void check_boundary_names(const Mesh& mesh, const Curves& curves);

/// \throws std::invalid_argument unless radius > 0.
std::shared_ptr<const PlaneCurve> make_circle(const Point& centre, double radius);

/// A NACA four-digit section (E. N. Jacobs, K. E. Ward, R. M. Pinkerton, NACA Report 460, 1933), its chord along x.
/// Thickness: y = 5 τ (0.2969 √x − 0.1260 x − 0.3516 x² + 0.2843 x³ − c x⁴), with c = 0.1015, which leaves a trailing
/// edge of finite thickness, or 0.1036, which closes it. The parameter is ±√x, in which both surfaces are smooth up to
/// the leading edge, where the curvature is continuous and its derivative is not.
enum class TrailingEdge { blunt, closed };
/// \throws std::invalid_argument for a code that is not four digits with thickness > 0, or chord ≤ 0.
std::shared_ptr<const PlaneCurve> make_naca4(const std::string& code, double chord, const Point& leading_edge,
                                             TrailingEdge trailing_edge);

/// The cubic spline through the points, over the length of the polygon between them. Its second derivative is 0 at the
/// ends (natural), which may be one point (a corner); or it closes smoothly, from the last point to the first. Of a
/// closed one the last point may repeat the first, up to rounding: it is left out.
/// \throws std::invalid_argument for less than three points, equal ones behind one another, or such as are not finite.
std::shared_ptr<const PlaneCurve> make_spline(std::vector<Point> points, bool closed);

}  // namespace galerna::mesh
