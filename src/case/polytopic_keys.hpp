/// \file
/// The keys of cases of advection, diffusion and reaction, as keys.hpp has those of all others.
#pragma once

#include "case/keys.hpp"

namespace galerna::case_file {

const std::vector<Key>& polytopic_keys();

}  // namespace galerna::case_file
