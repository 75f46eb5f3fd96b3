/// \file
/// The programs of the element kernels (kernels/element), for elements of all shapes.
#pragma once

#include <optional>

#include "dg/programs/simplex_programs.hpp"
#include "dg/set_plan.hpp"

namespace galerna::dg {

/// Kernels with the case's formulas in them: ghosts and others of boundary faces, by their rule, the same for all sets;
/// and where they are wanted those of formulas, of all sets (write_formulas()). \param operators of any set
std::vector<device::ProgramSource> element_case_programs(const Spec& spec, const Operators& operators,
                                                         const basis::Quadrature& side_rule, bool with_formulas,
                                                         const device::Target& target);

/// All programs that a discretization loads.
struct Programs {
  struct Labelled {
    device::ProgramSource source;
    std::string label;  ///< behind the names of its kernels
  };
  std::vector<Labelled> labelled;
  std::optional<Sequence> sequence;
};
Programs make_programs(const std::vector<SetPlan>& sets, const Spec& spec, const device::Target& target,
                       const std::set<std::pair<int, int>>& stage_shapes);
/// Their texts alone.
std::vector<device::ProgramSource> sources_of(const Programs& programs);
/// Behind the names of the kernels of boundary faces of a shape: empty for the first shape of sides in the mesh.
std::string face_label(const std::vector<SetPlan>& sets, Shape shape);

}  // namespace galerna::dg
