/// \file
/// Small meshes and solutions for the tests of analysis, files and drawing.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analysis/solution.hpp"
#include "folder.hpp"

namespace galerna::tests {

using Function = std::function<double(double x, double y, double z)>;

/// nx × ny squares of [0, 2] × [0, 1], each cut in two triangles. Every second triangle is negatively oriented; the
/// elements come from the mesh file in reverse order. Boundaries: bottom, right, top, left.
mesh::Mesh triangles(int nx, int ny);
/// The same squares as quadrilaterals; interior nodes are moved, so that they are no parallelograms.
mesh::Mesh quadrilaterals(int nx, int ny);
/// The left half of quadrilaterals(), then the right half as triangles.
mesh::Mesh mixed(int nx, int ny);
/// One element of any shape, its reference domain sheared and scaled.
mesh::Mesh one_element(Shape shape, bool mirrored = false);
/// One curved triangle of geometry order 2 whose hypotenuse bulges outward.
mesh::Mesh curved_triangle();

/// Variables density, momentum_x, momentum_y, energy as L2 projections of functions of space; fields density,
/// velocity_x, velocity_y, pressure (γ = 1.4), energy.
analysis::Solution project(const mesh::Mesh& mesh, int degree, const std::vector<Function>& functions);
/// One variable and field, density.
analysis::Solution project(const mesh::Mesh& mesh, int degree, const Function& function);

/// Is `part` in `text`? Shows both if not.
::testing::AssertionResult contains(const std::string& text, const std::string& part);

/// Limits the size of files that this process writes while it lives, as a disk that gets full does.
class FullDisk {
 public:
  explicit FullDisk(std::size_t bytes);
  ~FullDisk();

 private:
  std::size_t former_;
  void (*handler_)(int);
};

}  // namespace galerna::tests
