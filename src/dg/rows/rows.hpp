/// \file
/// The rows of the table of structures (dg/structures.hpp). Each has a file of its own, or shares one with its
/// variants: what it needs, its entry points, launches and operators.
#pragma once

#include "dg/structure.hpp"

namespace galerna::dg {

Structure packs();
Structure threads();
Structure tiles_of_32();
Structure tiles_of_64();
Structure viscous_tiles();
Structure warp_tiles();
Structure curved_warp_tiles();
Structure viscous_warp_tiles();
Structure curved_viscous_warp_tiles();
Structure lines();
Structure viscous_lines();
Structure element();

}  // namespace galerna::dg
