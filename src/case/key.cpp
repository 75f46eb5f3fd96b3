#include "case/key.hpp"

namespace galerna::case_file {

std::string type_name(KeyType type) {
  using enum KeyType;
  switch (type) {
    case text:
      return "string";
    case path:
      return "path (string)";
    case boolean:
      return "true or false";
    case integer:
      return "integer";
    case number:
      return "number";
    case formula:
      return "number or formula (string)";
    case formulas:
      return "formula, or list of formulas";
    case names:
      return "list of strings";
    case numbers:
      return "list of numbers";
    case points:
      return "list of [x, y]";
    case tables:
      return "list of tables";
    case circle:
      return "table {centre, radius}";
    case cylinder:
      return "table {point, direction, radius}";
    case isolines:
      return "table {min, max, count}";
  }
  return "";
}

std::vector<Key> in(const std::string& section, std::vector<Key> keys) {
  for (Key& key : keys) key.section = section;
  return keys;
}

}  // namespace galerna::case_file
