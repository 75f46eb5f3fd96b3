#include "case/differences.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "case/keys.hpp"
#include "case/section.hpp"

namespace galerna::case_file {
namespace {

using Sections = std::vector<std::string>;
const Sections flow_sections = {"constants", "functions", "equations", "discretization", "shock", "source", "boundary"};
const Sections mesh_sections = {"mesh"};

/// Keys that may differ: files are compared by what is in them.
const std::set<std::string> free_keys = {"discretization.order", "equations.header", "mesh.file"};

/// Whole numbers as the others, so that 1 and 1.0 are one value, and numbers as people write them.
std::string text_of(const toml::node& node) {
  if (const auto number = number_of(node)) return fmt::format("{}", *number);
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  return text.str();
}

/// All values below a node, by their paths.
void collect(const toml::node& node, const std::string& path, std::map<std::string, std::string>& values) {
  const toml::table* table = node.as_table();
  if (!table) {
    if (!free_keys.contains(path)) values[path] = text_of(node);
    return;
  }
  for (const auto& [name, value] : *table) collect(value, path + "." + std::string(name.str()), values);
}

std::map<std::string, std::string> values_of(const std::string& resolved, const Sections& sections) {
  std::map<std::string, std::string> values;
  const toml::table root = toml::parse(resolved);
  for (const std::string& section : sections)
    if (const toml::node* node = root.get(section)) collect(*node, section, values);
  return values;
}

/// What the case has where it does not say: versions that wrote checkpoints knew fewer keys.
std::string fallback_of(const std::string& path) {
  const auto key =
      std::find_if(keys().begin(), keys().end(), [&](const Key& k) { return k.section + "." + k.name == path; });
  if (key == keys().end() || key->fallback.empty()) return "";
  const bool quoted = key->type == KeyType::text || key->type == KeyType::path;
  try {
    return text_of(*toml::parse("value = " + (quoted ? "\"" + key->fallback + "\"" : key->fallback)).get("value"));
  } catch (const toml::parse_error&) {
    return "";
  }
}

std::vector<Difference> differences_in(const Sections& sections, const std::string& before, const std::string& now) {
  std::vector<Difference> result;
  try {
    const std::map<std::string, std::string> old_values = values_of(before, sections),
                                             new_values = values_of(now, sections);
    std::set<std::string> paths;
    for (const auto* values : {&old_values, &new_values})
      for (const auto& [path, value] : *values) paths.insert(path);
    for (const std::string& path : paths) {
      const auto value = [&](const std::map<std::string, std::string>& values) {
        const auto found = values.find(path);
        return found == values.end() ? fallback_of(path) : found->second;
      };
      if (value(old_values) != value(new_values)) result.push_back({path, value(old_values), value(new_values)});
    }
  } catch (const toml::parse_error&) {
    result.clear();
  }
  return result;
}

}  // namespace

std::vector<Difference> differences(const std::string& before, const std::string& now) {
  return differences_in(flow_sections, before, now);
}

std::vector<Difference> mesh_differences(const std::string& before, const std::string& now) {
  return differences_in(mesh_sections, before, now);
}

}  // namespace galerna::case_file
