/// \file
/// Every key of a case file, declared once: this table drives reading, error messages and the reference in
/// docs/case-file.md.
#pragma once

#include <string>
#include <vector>

#include "case/key.hpp"

namespace galerna::case_file {

const std::vector<Key>& keys();
/// Those of one section.
std::vector<Key> keys_of(const std::string& section, const std::vector<Key>& all = keys());
/// Those of [equations] for viscous gases, and those for a user's header.
const std::vector<Key>& viscosity_keys();
const std::vector<Key>& user_keys();
/// Names of all sections.
std::vector<std::string> sections();
/// "[output.solution] and [output.monitor]": where a key or a sub-section of this name stands, which `section` does not
/// have; "" where none does, or so many that it says nothing.
std::string sections_with(const std::string& name, const std::string& section, const std::vector<Key>& all = keys());

}  // namespace galerna::case_file
