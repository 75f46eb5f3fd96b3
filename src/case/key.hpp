/// \file
/// A key of a case file.
#pragma once

#include <limits>
#include <string>
#include <utility>
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

/// What a value may be.
struct Values {
  std::vector<std::string> allowed = {};  ///< of a text; empty: any
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool exclusive = false;  ///< the value must be larger than `least`, not equal
  bool finite = true;      ///< of numbers; false where whoever uses them says better what is wrong
};

struct Key {
  std::string name;
  KeyType type;
  std::string fallback;  ///< default in words, "" if required or absent
  std::string unit;
  std::string help;
  Values values = {};
  std::string section = {};  ///< "time"; "" for the top level; "boundary.NAME", … for named tables
};

inline Values one_of(std::vector<std::string> words) {
  return {std::move(words)};
}
inline Values at_least(double least) {
  return {{}, least};
}
inline Values above(double least) {
  return {.least = least, .exclusive = true};
}
/// Numbers that are looked at where they are drawn.
inline Values of_pictures() {
  return {.finite = false};
}
inline Values within(double least, double most, bool exclusive = false) {
  return {{}, least, most, exclusive};
}

/// Keys of one section.
std::vector<Key> in(const std::string& section, std::vector<Key> keys);

std::string type_name(KeyType type);

}  // namespace galerna::case_file
