/// \file
/// Derivatives of formulas in space, by the rules of differentiation.
#pragma once

#include "case/formula_node.hpp"

namespace galerna::case_file {

/// ∂/∂x (direction 0), ∂/∂y (1) or ∂/∂z (2) of a graph that is a function of x, y, z, t and of `count` variables, which
/// are functions of place themselves: the derivative of variable v is variable (1 + direction)·count + v. At kinks (of
/// min, where, …) the derivative of one of the sides, 0 at that of abs; of floor, ceil and sign 0. Null if the graph
/// has variables from `count` on, such as derivatives, or is a condition.
NodePointer derivative(const NodePointer& root, int direction, std::size_t count);

}  // namespace galerna::case_file
