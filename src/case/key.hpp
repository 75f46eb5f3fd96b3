/// \file
/// A key of a case file.
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

std::string type_name(KeyType type);

}  // namespace galerna::case_file
