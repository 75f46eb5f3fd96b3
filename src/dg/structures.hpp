/// \file
/// The table of structures: all ways in which kernels compute the residual of a set of elements, and the choice among
/// them. `galerna structures` prints it (docs/structures.md).
#pragma once

#include <string>
#include <vector>

#include "dg/structure.hpp"

namespace galerna::dg {

/// All rows, in the order in which they are tried. The last one, `element`, fits everything.
const std::vector<Structure>& structures();

/// \throws InputError for a name that no row has, which says those that there are.
const Structure& find_structure(const std::string& name);

/// What the structure asks for and does not find; null where it fits.
const Condition* missing(const Structure& structure, const Elements& elements, const Spec& spec,
                         const device::Target& target);

/// Rows that fit, the one first that is taken where nothing is asked for or measured.
std::vector<const Structure*> fitting_structures(const Elements& elements, const Spec& spec,
                                                 const device::Target& target);

/// What Spec::structure asks for where it fits, or else the first row that does.
Choice choose_structure(const Elements& elements, const Spec& spec, const device::Target& target);

/// The table and how a row is chosen, Markdown.
std::string structures_markdown();

}  // namespace galerna::dg
