/// \file
/// What the fluid does to walls: forces and moments, pressure, friction and heat; in the plane along the wall, with
/// separation.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "basis/basis.hpp"
#include "mesh/mesh.hpp"

namespace galerna::analysis {

/// A point of a wall, and what the discretization lets through it.
struct WallPoint {
  mesh::Point place = {};
  std::array<double, 3> normal = {};    ///< unit, out of the fluid; z of vectors is 0 in the plane
  double length = 0;                    ///< (in space area) that it stands for: Σ length = length of the side
  std::array<double, 3> pressure = {};  ///< force by the inviscid flux of momentum, per length
  std::array<double, 3> friction = {};  ///< force by the viscous one
  double heat = 0;                      ///< heat flux out of the fluid, without the work of friction
  // Of the solution inside:
  double density = 0, mach = 0, temperature = 0;
  std::array<double, 3> velocity = {};
};

/// A side of a wall with the points of the rule on such sides, as they lie along its own corners (base/shape.hpp).
struct WallSide {
  mesh::Side side;
  std::vector<WallPoint> points;
};

struct Wall {
  std::string name;
  bool sticks = false;  ///< whether the fluid does: there is friction, and separation to look for
  /// On sides of each shape: weights that add up to 1; in the plane symmetric points of [−1, 1].
  std::map<Shape, basis::Quadrature> rules;
  std::vector<WallSide> sides;
};

/// Force of the fluid on a wall, in the plane per unit depth, and its moment about a point (in the plane about z:
/// counterclockwise positive). Integrated as the residual is: momentum that leaves the fluid through the wall.
struct WallForce {
  std::array<double, 3> pressure = {}, viscous = {};  ///< by the inviscid flux and by the viscous one
  std::array<double, 3> pressure_moment = {}, viscous_moment = {};

  std::array<double, 3> total() const {
    return {pressure[0] + viscous[0], pressure[1] + viscous[1], pressure[2] + viscous[2]};
  }
  WallForce& operator+=(const WallForce& other);
};

WallForce wall_force(const Wall& wall, const mesh::Point& moment_centre = {});

/// What coefficients are formed with: forces by ½ρU²A, moments by ½ρU²AL, pressures by ½ρU²; in the plane A is L.
struct Reference {
  double density = 1, velocity = 1, length = 1;
  double pressure = 0;  ///< subtracted for Cp
  double angle = 0;     ///< of attack in the plane, degrees: drag is along (cos, sin), lift along (−sin, cos)
  mesh::Point moment_centre = {};
  /// Of flows in space. Lift is across the stream towards `up`, the side force along up × stream.
  struct Space {
    double area = 1;
    std::array<double, 3> stream = {1, 0, 0}, up = {0, 0, 1};
  };
  std::optional<Space> space = {};

  double dynamic_pressure() const { return 0.5 * density * velocity * velocity; }
  double cp(double wall_pressure) const { return (wall_pressure - pressure) / dynamic_pressure(); }
};

/// Coefficients of a wall, or of several together.
struct ForceCoefficients {
  double drag = 0, drag_pressure = 0, drag_viscous = 0;
  double lift = 0, lift_pressure = 0, lift_viscous = 0;
  /// About Reference::moment_centre, nose up: about up × stream, which in the plane is −z (clockwise where the stream
  /// comes from the left).
  double moment = 0;
  /// In space.
  struct Space {
    double side = 0;
    std::array<double, 3> moment = {};  ///< about x, y, z
  };
  std::optional<Space> space = {};
};
ForceCoefficients coefficients(const WallForce& force, const Reference& reference);

/// One point of a wall, on the way along it.
struct WallSample {
  int part = 0;  ///< number of the connected piece of the wall
  double s = 0;  ///< arc length from where the piece begins
  WallPoint at;
  double round = 0;  ///< of a closed piece its whole length, of an open one 0

  /// Forces per length: along the normal, and of friction along growing s, in which direction `velocity` is, too.
  double pressure() const { return across(at.pressure); }
  double shear() const { return along(at.friction); }
  double velocity() const { return along(at.velocity); }

 private:
  double across(const std::array<double, 3>& v) const { return v[0] * at.normal[0] + v[1] * at.normal[1]; }
  double along(const std::array<double, 3>& v) const { return v[1] * at.normal[0] - v[0] * at.normal[1]; }
};

/// The wall in arc-length order, of a mesh in the plane. s grows with the fluid on the left, clockwise round a body. An
/// open piece begins at the end that this direction begins at; a closed one at its corner of largest x (of several the
/// one of smallest y): the trailing edge of an airfoil, whose lower side comes first. Pieces are ordered by x, then y,
/// of where they begin.
std::vector<WallSample> sample_wall(const mesh::Mesh& mesh, const Wall& wall);

/// Where the friction changes sign.
struct FlowPoint {
  enum class Kind { separation, attachment } kind = Kind::separation;
  int part = 0;
  double s = 0;
  mesh::Point place = {};
};

/// Sign changes of the shear along each piece of a wall, interpolated linearly between neighbouring samples: separation
/// where the flows along the wall meet, attachment where they part. Stagnation points are among them, and the trailing
/// edge of an airfoil; the last sample of a closed piece is the neighbour of its first. Of each piece in the order of
/// s.
std::vector<FlowPoint> separation_points(const std::vector<WallSample>& wall);

}  // namespace galerna::analysis
