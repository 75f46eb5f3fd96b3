/// \file
/// Every key of a case file, declared once: this table drives reading, error messages and the reference in
/// docs/case-file.md.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace galerna::case_file {

enum class KeyType {
  text,
  path,
  boolean,
  integer,
  number,
  formula,
  formulas,
  names,
  numbers,
  points,
  tables,
  circle,
  cylinder,
  isolines
};

struct Key {
  std::string section;  ///< "time"; "" for the top level; "boundary.NAME", "output.picture.NAME", … for named tables
  std::string name;
  KeyType type;
  std::string fallback;  ///< default in words, "" if required or absent
  std::string unit;
  std::string help;
  std::vector<std::string> allowed = {};  ///< of a text
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool exclusive = false;  ///< the value must be larger than `least`, not equal
};

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
std::string type_name(KeyType type);

/// The reference of all keys as Markdown tables.
std::string reference_markdown();

}  // namespace galerna::case_file
