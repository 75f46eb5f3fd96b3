/// \file
/// States and source terms by formulas, in the names of the case's equations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// Keys of a section that takes a state: the primitives and variables of the equations, each once.
std::vector<Key> state_keys(const EquationSettings& equations, const std::string& section);

/// A state from the keys of `s`; nothing where it is not whole (then problems were reported). \param what needs it, for
/// messages.
std::optional<StateSettings> read_state(Reading& reading, Section& s, const EquationSettings& equations,
                                        const std::string& what);

/// [source]: what is added to each variable, 0 where nothing is said; empty where the section is absent.
std::vector<Formula> read_source(Reading& reading, const toml::table& root, const EquationSettings& equations);

}  // namespace galerna::case_file
