/// \file
/// The problems of data/errors.csv (see the README there).
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "mesh/mesh.hpp"
#include "polytopic/spec.hpp"

namespace galerna::tests {

/// A function with this body, in terms of V, x, y, z, t.
inline polytopic::FunctionText function(const std::string& body) {
  return [body](const std::string& name) {
    return fmt::format(
        "template <class V> V {}(const V& x, const V& y, const V& z, const V& t) {{\n"
        "  [[maybe_unused]] const V pi = number<V>(3.14159265358979323846);\n  {}\n}}\n",
        name, body);
  };
}

inline polytopic::FunctionText constant(double value) {
  return function(fmt::format("return number<V>({:a});", value));
}

inline polytopic::Spec with_penalty(const std::string& name, double factor) {
  polytopic::Spec spec;
  spec.penalty = *polytopic::find_penalty(name);
  spec.factor = factor;
  return spec;
}

/// a = 1, u = Π sin(π x_i), u given everywhere.
inline polytopic::Spec poisson(int dimension, const mesh::Mesh& mesh, const std::string& penalty, double factor) {
  polytopic::Spec spec = with_penalty(penalty, factor);
  spec.space.dimension = dimension;
  const bool plane = dimension == 2;
  for (int k = 0; k < dimension; ++k)
    for (int l = k; l < dimension; ++l) spec.diffusion.push_back(constant(k == l));
  const std::string sines = plane ? "sin(pi * x) * sin(pi * y)" : "sin(pi * x) * sin(pi * y) * sin(pi * z)";
  spec.exact = function("return " + sines + ";");
  spec.source = function(fmt::format("return number<V>({}) * pi * pi * {};", dimension, sines));
  const std::string last = plane ? "" : " * sin(pi * z)";
  spec.exact_gradient = {function("return pi * cos(pi * x) * sin(pi * y)" + last + ";"),
                         function("return pi * sin(pi * x) * cos(pi * y)" + last + ";")};
  if (!plane) spec.exact_gradient.push_back(function("return pi * sin(pi * x) * sin(pi * y) * cos(pi * z);"));
  for (std::size_t b = 0; b < mesh.boundaries.size(); ++b) spec.boundaries.push_back({true, spec.exact});
  return spec;
}

/// The solution s of advection() and its derivatives.
inline const std::string advection_values =
    "const V s = exp(x) * sin(pi * y + x / V(2)), c = exp(x) * cos(pi * y + x / V(2)), h = V(0.5);\n"
    "  [[maybe_unused]] const V ux = s + h * c, uy = pi * c, uxx = V(0.75) * s + c, uyy = -pi * pi * s,\n"
    "      uxy = pi * (c - h * s);\n  ";

/// Full tensor, flow and reaction, a flux given on the right.
inline polytopic::Spec advection(const mesh::Mesh& mesh, const std::string& penalty, double factor) {
  polytopic::Spec spec = with_penalty(penalty, factor);
  const std::string& values = advection_values;
  spec.diffusion = {function("return V(1) + x * x;"), function("return x * y / V(2);"),
                    function("return V(1) + y * y;")};
  spec.velocity = {function("return V(2) - y * y + x / V(2);"), function("return V(1) + x / V(2);")};
  spec.divergence = {constant(0.5), constant(0)};
  spec.reaction = function("return V(1) + x + y;");
  spec.exact = function(values + "return s;");
  spec.exact_gradient = {function(values + "return ux;"), function(values + "return uy;")};
  spec.source = function(
      values +
      "const V diffusion = V(2) * x * ux + (V(1) + x * x) * uxx + h * y * uy + h * x * y * uxy + h * x * ux +\n"
      "      h * x * y * uxy + V(2) * y * uy + (V(1) + y * y) * uyy;\n"
      "  return -diffusion + (V(2) - y * y + h * x) * ux + (V(1) + h * x) * uy + (V(1) + x + y) * s;");
  for (const mesh::Boundary& boundary : mesh.boundaries)
    if (boundary.name == "right")
      spec.boundaries.push_back({false, function(values + "return (V(1) + x * x) * ux + h * x * y * uy;")});
    else
      spec.boundaries.push_back({true, spec.exact});
  return spec;
}

/// The same with n·a∇u + h u given on the left, where the flow enters, and on the right, where it leaves.
inline polytopic::Spec exchange(const mesh::Mesh& mesh, const std::string& penalty, double factor) {
  polytopic::Spec spec = advection(mesh, penalty, factor);
  const std::string flux = advection_values + "const V flux = (V(1) + x * x) * ux + h * x * y * uy;\n  ";
  for (std::size_t b = 0; b < mesh.boundaries.size(); ++b)
    if (mesh.boundaries[b].name == "left")
      spec.boundaries[b] = {false, function(flux + "return -flux + (V(3) - y) * s;"), function("return V(3) - y;")};
    else if (mesh.boundaries[b].name == "right")
      spec.boundaries[b] = {false, function(flux + "return flux + (V(1) + y) * s;"), function("return V(1) + y;")};
  return spec;
}

/// −Δu + b·∇u + u = f in space with u = eˣ sin(πy + z), and ∂_n u + h u given on the left, where the flow enters, and
/// on the top, along which it goes.
inline polytopic::Spec exchange_in_space(const mesh::Mesh& mesh, const std::string& penalty, double factor) {
  polytopic::Spec spec = poisson(3, mesh, penalty, factor);
  spec.velocity = {constant(1), constant(0.5), constant(0)};
  spec.reaction = constant(1);
  const std::string values =
      "const V s = exp(x) * sin(pi * y + z);\n  [[maybe_unused]] const V c = exp(x) * cos(pi * y + z);\n  ";
  spec.exact = function(values + "return s;");
  spec.exact_gradient = {function(values + "return s;"), function(values + "return pi * c;"),
                         function(values + "return c;")};
  spec.source = function(values + "return (pi * pi + V(2)) * s + number<V>(0.5) * pi * c;");
  for (std::size_t b = 0; b < mesh.boundaries.size(); ++b)
    if (mesh.boundaries[b].name == "left")
      spec.boundaries[b] = {false, function(values + "return (V(1) + y) * s;"), function("return V(2) + y;")};
    else if (mesh.boundaries[b].name == "top")
      spec.boundaries[b] = {false, function(values + "return c + s / V(2);"), constant(0.5)};
    else
      spec.boundaries[b] = {true, spec.exact};
  return spec;
}

/// advection() without diffusion, u given where the flow enters.
inline polytopic::Spec transport(const mesh::Mesh& mesh) {
  polytopic::Spec spec = advection(mesh, "certified", 2);
  spec.diffusion = {constant(0), constant(0), constant(0)};
  spec.source =
      function(advection_values + "return (V(2) - y * y + h * x) * ux + (V(1) + h * x) * uy + (V(1) + x + y) * s;");
  for (polytopic::Spec::Boundary& boundary : spec.boundaries) boundary = {true, spec.exact, {}};
  return spec;
}

/// exchange_in_space() without diffusion, u given where the flow enters.
inline polytopic::Spec transport_in_space(const mesh::Mesh& mesh) {
  polytopic::Spec spec = exchange_in_space(mesh, "certified", 2);
  for (polytopic::FunctionText& a : spec.diffusion) a = constant(0);
  spec.source = function("return V(2) * exp(x) * sin(pi * y + z) + number<V>(0.5) * pi * exp(x) * cos(pi * y + z);");
  for (polytopic::Spec::Boundary& boundary : spec.boundaries) boundary = {true, spec.exact, {}};
  return spec;
}

}  // namespace galerna::tests
