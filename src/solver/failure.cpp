#include "solver/failure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>

#include "mesh/geometry.hpp"
#include "solver/fields.hpp"

namespace galerna::solver {

BadElement inspect(const output::Solution& solution, const dg::Operators& operators, double gamma,
                   mesh::Index element) {
  const mesh::Mesh& mesh = *solution.mesh;
  BadElement bad;
  bad.element = element;
  const auto [block, position] = mesh.locate(element);
  bad.source = mesh.blocks[static_cast<std::size_t>(block)].source[static_cast<std::size_t>(position)];
  bad.centroid = mesh::centroid(mesh, element);
  bad.smallest = std::numeric_limits<double>::infinity();

  const int variables = static_cast<int>(solution.variables.size()), modes = operators.modes;
  const double* c = solution.coefficients.data() + element * variables * modes;
  std::vector<double> u(static_cast<std::size_t>(variables));
  const auto consider = [&](const char* name, double value) {
    if (std::isfinite(bad.smallest) && bad.variable.starts_with("not")) return;
    if (!std::isfinite(value)) {
      bad.variable = fmt::format("not a number in {}", name);
      bad.smallest = value;
    } else if (value < bad.smallest && value <= 0) {
      bad.variable = name;
      bad.smallest = value;
    }
  };
  for (int q = 0; q < operators.volume.size(); ++q) {
    for (int v = 0; v < variables; ++v) {
      u[static_cast<std::size_t>(v)] = 0;
      for (int j = 0; j < modes; ++j) u[static_cast<std::size_t>(v)] += operators.volume_basis(q, j) * c[v * modes + j];
    }
    consider("density", u[0]);
    consider("pressure", euler_pressure(u.data(), mesh.dimension, gamma));
  }
  for (const mesh::Face& face : mesh.faces)
    if (face.left.element == element && face.boundary >= 0)
      bad.boundaries.push_back(mesh.boundaries[static_cast<std::size_t>(face.boundary)].name);
  return bad;
}

std::string describe(const BadElement& bad) {
  std::string what = bad.variable.starts_with("not") ? bad.variable
                     : bad.variable.empty()          ? std::string("a state that is not finite")
                                                     : fmt::format("{} {:.4g}", bad.variable, bad.smallest);
  std::string text = fmt::format("{} in element {} of the mesh file, at ({:.6g}, {:.6g})", what, bad.source,
                                 bad.centroid[0], bad.centroid[1]);
  for (const std::string& boundary : bad.boundaries) text += fmt::format(", beside boundary {}", boundary);
  return text;
}

std::vector<mesh::Index> neighbourhood(const mesh::Mesh& mesh, mesh::Index element) {
  std::set<mesh::Index> found = {element};
  for (int ring = 0; ring < 2; ++ring) {
    const std::set<mesh::Index> before = found;
    for (const mesh::Face& face : mesh.faces) {
      if (face.right.element < 0) continue;
      if (before.count(face.left.element)) found.insert(face.right.element);
      if (before.count(face.right.element)) found.insert(face.left.element);
    }
  }
  return {found.begin(), found.end()};
}

std::vector<std::string> advice(const case_file::Settings& settings, const BadElement& bad) {
  std::vector<std::string> result;
  if (settings.time.cfl && *settings.time.cfl > 0.9)
    result.push_back(fmt::format("time.cfl = {:g} is large; try 0.5", *settings.time.cfl));
  else if (settings.time.cfl)
    result.push_back(
        fmt::format("halve time.cfl (now {:g}); if the run then fails at the same time, the step is not the cause",
                    *settings.time.cfl));
  if (settings.time.step) result.push_back("use time.cfl in place of time.step, so that the step follows the flow");
  if (!bad.boundaries.empty())
    result.push_back("check the boundary condition beside the element: does it suit the flow there?");
  if (settings.discretization.order > 0)
    result.push_back("shocks or strong gradients: refine the mesh there or lower discretization.order");
  result.push_back("look at the initial state: a jump at a wall or inflow starts a shock");
  return result;
}

}  // namespace galerna::solver
