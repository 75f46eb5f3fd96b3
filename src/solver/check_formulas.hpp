/// \file
/// Whether the formulas of a flow can be computed with where they are used.
#pragma once

#include <limits>
#include <vector>

#include "base/error.hpp"
#include "case/settings.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// What of the formulas is looked at.
enum class FormulaUse {
  start,    ///< all, at the begin of a run; sources that use the solution take the initial state's formulas
  restart,  ///< sources that use the solution are left out
  failure   ///< nor is [exact] looked at
};

/// Elements of every shape that a run looks at before it begins, spread evenly: 10⁵ evaluations take 0.1 s.
inline constexpr mesh::Index sampled_elements = 2000;

/// Evaluates the formulas of boundary conditions at the points of their sides, and those of [source] and, at the end,
/// [exact] at points in elements. \return where one is no finite number, is not positive although it must be, or gives
/// no direction: the first such point of every boundary and section
/// \param time of the first evaluation
/// \param most elements of every shape to look at, spread evenly
std::vector<Problem> unusable_formulas(const case_file::Settings& settings, const mesh::Mesh& mesh, double time,
                                       FormulaUse use, mesh::Index most = std::numeric_limits<mesh::Index>::max());

/// \throws InputError with what unusable_formulas() finds
void require_usable_formulas(const case_file::Settings& settings, const mesh::Mesh& mesh, double time, FormulaUse use,
                             mesh::Index most = std::numeric_limits<mesh::Index>::max());

}  // namespace galerna::solver
