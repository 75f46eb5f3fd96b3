/// \file
/// What several rows of the table of structures ask for (Structure::needs), in the words in which people read it. What
/// one row asks for stands in its file.
#pragma once

#include "dg/structure.hpp"

namespace galerna::dg::conditions {

inline constexpr Condition gpu = {"a GPU", [](const Elements&, const Spec&, const device::Target& target) {
                                    return target.kind == device::Kind::cuda;
                                  }};
inline constexpr Condition matrix_units = {
    "matrix units for fp64 (compute capability 9.0 or later)",
    [](const Elements&, const Spec&, const device::Target& t) { return t.matrix_units; }};
inline constexpr Condition straight_triangles = {
    "straight triangles", [](const Elements& elements, const Spec&, const device::Target&) {
      return elements.operators.shape == Shape::triangle && elements.geometry_order == 1;
    }};
inline constexpr Condition straight_simplices = {
    "straight triangles or tetrahedra", [](const Elements& elements, const Spec&, const device::Target&) {
      return is_simplex(elements.operators.shape) && elements.geometry_order == 1;
    }};
inline constexpr Condition straight_tetrahedra = {
    "straight tetrahedra", [](const Elements& elements, const Spec&, const device::Target&) {
      return elements.operators.shape == Shape::tetrahedron && elements.geometry_order == 1;
    }};
inline constexpr Condition curved_tetrahedra = {
    "curved tetrahedra", [](const Elements& elements, const Spec&, const device::Target&) {
      return elements.operators.shape == Shape::tetrahedron && elements.geometry_order > 1;
    }};
inline constexpr Condition inviscid = {
    "a flow without viscosity",
    [](const Elements&, const Spec& spec, const device::Target&) { return !spec.diffuses(); }};
inline constexpr Condition viscous = {
    "viscosity", [](const Elements&, const Spec& spec, const device::Target&) { return spec.viscous; }};
inline constexpr Condition no_shock_viscosity = {
    "no artificial viscosity",
    [](const Elements&, const Spec& spec, const device::Target&) { return !spec.has_shock_viscosity(); }};
inline constexpr Condition no_source = {
    "equations without source terms",
    [](const Elements&, const Spec& spec, const device::Target&) { return !spec.has_source(); }};
inline constexpr Condition in_double = {"double precision",
                                        [](const Elements&, const Spec& spec, const device::Target&) {
                                          return spec.precision == device::Precision::double_precision;
                                        }};
inline constexpr Condition from_order_2 = {
    "order 2 or higher", [](const Elements&, const Spec& spec, const device::Target&) { return spec.degree >= 2; }};
inline constexpr Condition from_order_3 = {
    "order 3 or higher", [](const Elements&, const Spec& spec, const device::Target&) { return spec.degree >= 3; }};

}  // namespace galerna::dg::conditions
