/// \file
/// What the fluid does to walls of two-dimensional meshes: forces and moments, pressure and friction along the wall,
/// separation.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "output/integrals.hpp"
#include "output/side_sampler.hpp"

namespace galerna::output {

/// τ·n of a state and gradients [direction][variable] of conservative variables, for a unit normal n.
using Traction =
    std::function<std::array<double, 2>(const double* variables, const double* gradients, std::array<double, 2> n)>;

/// How forces follow from the variables. Without `traction` there is no friction.
struct WallModel {
  Pressure pressure;
  Traction traction;
};

/// Force of the fluid on a wall per unit depth, and its moment about a point (counterclockwise positive).
struct WallForce {
  std::array<double, 3> pressure = {}, viscous = {};  ///< ∫ p n ds and −∫ τn ds with n out of the fluid; z is 0
  double pressure_moment = 0, viscous_moment = 0;

  std::array<double, 3> total() const {
    return {pressure[0] + viscous[0], pressure[1] + viscous[1], pressure[2] + viscous[2]};
  }
};

/// Integrated with p + 2 Gauss–Legendre points on each side. \throws InputError when the mesh has no boundary of that
/// name or is not two-dimensional.
WallForce wall_force(const Solution& solution, const std::string& boundary, const WallModel& model,
                     const std::array<double, 2>& moment_centre = {0, 0});

/// What coefficients are formed with: forces by ½ρU²L, moments by ½ρU²L², pressures by ½ρU².
struct Reference {
  double density = 1, velocity = 1, length = 1;
  double pressure = 0;  ///< subtracted for Cp
  double angle = 0;     ///< of attack, degrees: drag is along (cos, sin), lift along (−sin, cos)
  std::array<double, 2> moment_centre = {0, 0};

  double dynamic_pressure() const { return 0.5 * density * velocity * velocity; }
};

/// Coefficients of a wall, or of several together.
struct ForceCoefficients {
  double drag = 0, drag_pressure = 0, drag_viscous = 0;
  double lift = 0, lift_pressure = 0, lift_viscous = 0;
  double moment = 0;  ///< about Reference::moment_centre, counterclockwise positive
};
ForceCoefficients coefficients(const WallForce& force, const Reference& reference);

/// One point of a wall.
struct WallSample {
  int part = 0;  ///< number of the connected piece of the wall
  double s = 0;  ///< arc length from where the piece begins
  mesh::Point place = {};
  std::array<double, 2> normal = {};  ///< out of the fluid
  double pressure = 0;
  double shear = 0;  ///< friction of the fluid on the wall along growing s
};

/// The wall in arc-length order, p + 2 Gauss–Legendre points a side. s grows with the fluid on the left, clockwise
/// round a body. An open piece begins at the end that this direction begins at; a closed one at its corner of largest
/// x (of several the one of smallest y): the trailing edge of an airfoil, whose lower side comes first. Pieces are
/// ordered by x, then y, of where they begin. \throws InputError as wall_force.
std::vector<WallSample> sample_wall(const Solution& solution, const std::string& boundary, const WallModel& model);

/// Where the friction changes sign.
struct FlowPoint {
  enum class Kind { separation, attachment } kind = Kind::separation;
  int part = 0;
  double s = 0;
  mesh::Point place = {};
};

/// Sign changes of the shear along each piece of a wall, interpolated linearly between neighbouring samples: separation
/// where the flows along the wall meet, attachment where they part. Stagnation points are among them; a change between
/// the last sample of a closed piece and its first is not looked for.
std::vector<FlowPoint> separation_points(const std::vector<WallSample>& wall);

/// CSV: part, s, x, y, normal_x, normal_y, pressure, shear, cp, cf; cp and cf only with a reference.
/// \throws SystemError when the file cannot be written.
void write_wall(const std::vector<WallSample>& wall, const std::optional<Reference>& reference,
                const std::filesystem::path& file);

}  // namespace galerna::output
