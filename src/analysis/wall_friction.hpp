/// \file
/// Friction and heat at any point of a wall, from what the discretization lets through at the points of the rule.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "analysis/walls.hpp"
#include "basis/basis.hpp"
#include "mesh/mesh.hpp"

namespace galerna::analysis {

/// On each side of a wall the polynomial in reference coordinates that is nearest to the values at the points of the
/// rule, by its weights: with a rule that is exact to twice the degree it has their mean.
class WallFriction {
 public:
  struct Value {
    std::array<double, 3> force = {};  ///< by the viscous flux of momentum, on the wall, per area
    double heat = 0;                   ///< out of the fluid, per area

    /// Magnitude of the force along a wall of this unit normal.
    double along(const std::array<double, 3>& normal) const;
  };

  /// \param degree of the solution, and of the polynomials where the rule can tell so many apart.
  /// Mesh and wall must outlive this.
  WallFriction(const mesh::Mesh& mesh, const Wall& wall, int degree);

  /// [point] \param points of the reference shape of the side, which is one of the wall
  std::vector<Value> at(const mesh::Side& side, const std::vector<basis::Point>& points);

 private:
  struct Fit {
    int degree;
    basis::Matrix modes;               // [mode][point of the rule]
    std::vector<basis::Point> points;  // where values were asked for last
    basis::Matrix values;              // [point][point of the rule], there
  };

  const mesh::Mesh& mesh_;
  std::map<std::pair<mesh::Index, int>, const WallSide*> sides_;  // by element and side
  std::map<Shape, Fit> fits_;
};

}  // namespace galerna::analysis
