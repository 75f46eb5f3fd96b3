/// \file
/// The sections of an MSH file, and what the formats 2.2 and 4.1 share.
#include <fmt/format.h>

#include <algorithm>

#include "mesh/gmsh_raw.hpp"

namespace galerna::mesh {

void NodeNumbers::add(std::int64_t number, std::size_t position) {
  numbers_.push_back(number);
  positions_.push_back(position);
}

std::size_t NodeNumbers::grow(std::size_t count) {
  const std::size_t first = numbers_.size();
  shrink(first + count);
  return first;
}

void NodeNumbers::set(std::size_t node, std::int64_t number, std::size_t position) {
  numbers_[node] = number;
  positions_[node] = position;
}

void NodeNumbers::shrink(std::size_t size) {
  numbers_.resize(size);
  positions_.resize(size);
}

void NodeNumbers::finish(const GmshCursor& cursor) {
  std::int64_t highest = -1;
  for (const std::int64_t number : numbers_) highest = std::max(highest, number);
  const auto count = static_cast<std::int64_t>(numbers_.size());
  const bool dense = highest < 4 * count + 1024;
  if (dense) dense_.assign(static_cast<std::size_t>(highest + 1), -1);
  for (Index node = 0; node < count; ++node) {
    const std::int64_t number = numbers_[static_cast<std::size_t>(node)];
    Index& entry = dense ? dense_[static_cast<std::size_t>(number)] : sparse_.emplace(number, -1).first->second;
    if (entry >= 0)
      cursor.fail_at(positions_[static_cast<std::size_t>(node)],
                     fmt::format("node {} is defined twice: node numbers must be unique", number));
    entry = node;
  }
  positions_ = {};
}

Index NodeNumbers::find(std::int64_t number) const {
  if (number >= 0 && number < static_cast<std::int64_t>(dense_.size())) return dense_[static_cast<std::size_t>(number)];
  const auto found = sparse_.find(number);
  return found == sparse_.end() ? -1 : found->second;
}

int group_set(RawMesh& raw, const std::vector<int>& groups) {
  if (raw.group_sets.back() == groups) return static_cast<int>(raw.group_sets.size()) - 1;
  const auto [entry, fresh] = raw.group_set_index.emplace(groups, static_cast<int>(raw.group_sets.size()));
  if (fresh) raw.group_sets.push_back(groups);
  return entry->second;
}

GmshElement known_type(const GmshCursor& cursor, int type) {
  const auto element = gmsh_element(type);
  if (!element) cursor.fail(refuse_gmsh_type(type));
  return *element;
}

Index known_node(const GmshCursor& cursor, const RawMesh& raw, std::int64_t number, const std::string& user) {
  const Index node = raw.numbers.find(number);
  if (node < 0) cursor.fail(fmt::format("{} names node {}, which the file does not define", user, number));
  return node;
}

namespace {

/// Text in the binary format too.
void read_names(GmshCursor& cursor, RawMesh& raw) {
  const std::size_t count = cursor.count<std::int64_t>("physical names", 5, 5);
  for (std::size_t i = 0; i < count; ++i) {
    const int dimension = cursor.integer<int>("the dimension of a physical group");
    if (dimension < 0 || dimension > 3)
      cursor.fail(fmt::format("a physical group has dimension {}: allowed are 0 to 3", dimension));
    const int group = cursor.integer<int>("the number of a physical group");
    const std::string name(cursor.quoted());
    const auto [entry, fresh] = raw.group_names.emplace(std::pair(dimension, group), name);
    if (!fresh && entry->second != name)
      cursor.fail(fmt::format("physical group {} of dimension {} is named '{}' and '{}'", group, dimension,
                              entry->second, name));
  }
}

/// Moves to the numbers of a section of format 4.1.
void begin_numbers(GmshCursor& cursor, bool binary) {
  if (binary) cursor.end_line();
  cursor.set_binary(binary);
}

void read_nodes(GmshCursor& cursor, int version, bool binary, RawMesh& raw) {
  if (!raw.nodes.empty()) cursor.fail("a second $Nodes section: a file holds one mesh");
  if (version == 4) {
    begin_numbers(cursor, binary);
    gmsh_4::read_nodes(cursor, raw);
  } else {
    cursor.set_binary(binary);
    gmsh_2::read_nodes(cursor, raw);
  }
  raw.numbers.finish(cursor);
}

void read_elements(GmshCursor& cursor, int version, bool binary, RawMesh& raw) {
  if (raw.nodes.empty()) cursor.fail("$Elements stands before $Nodes, or there are no nodes");
  if (!raw.elements.empty()) cursor.fail("a second $Elements section: a file holds one mesh");
  if (version == 4) {
    begin_numbers(cursor, binary);
    gmsh_4::read_elements(cursor, raw);
  } else {
    cursor.set_binary(binary);
    gmsh_2::read_elements(cursor, raw);
  }
}

void read_periodic(GmshCursor& cursor, int version, bool binary, RawMesh& raw) {
  if (raw.nodes.empty()) cursor.fail("$Periodic stands before $Nodes, or there are no nodes");
  if (version != 4) return gmsh_2::read_periodic(cursor, raw);  // text in the binary format too
  begin_numbers(cursor, binary);
  gmsh_4::read_periodic(cursor, raw);
}

/// Reads the section; false where it is one that holds nothing of the mesh.
bool read_section(GmshCursor& cursor, const std::string& section, int version, bool binary, RawMesh& raw) {
  if (section == "PhysicalNames") {
    read_names(cursor, raw);
  } else if (section == "Entities" && version == 4) {
    begin_numbers(cursor, binary);
    gmsh_4::read_entities(cursor, raw);
  } else if (section == "Nodes") {
    read_nodes(cursor, version, binary, raw);
  } else if (section == "Elements") {
    read_elements(cursor, version, binary, raw);
  } else if (section == "Periodic") {
    read_periodic(cursor, version, binary, raw);
  } else if (section == "PartitionedEntities") {
    cursor.fail("the mesh is partitioned: save it without partitions (in Gmsh: Mesh.NbPartitions = 0)");
  } else if (section == "ParametricNodes") {
    cursor.fail(
        "$ParametricNodes is not supported: save without parametric coordinates (in Gmsh: Mesh.SaveParametric = 0)");
  } else {
    return false;
  }
  return true;
}

}  // namespace

void read_gmsh_sections(GmshCursor& cursor, int version, bool binary, RawMesh& raw) {
  bool nodes = false, elements = false;
  while (!cursor.at_end()) {
    const std::string_view head = cursor.word();
    if (head[0] != '$' || head.size() < 2 || head.starts_with("$End"))
      cursor.fail("expected the beginning of a section ($Nodes, $Elements, …) after the end of the one before");
    const std::string section(head.substr(1));
    cursor.set_section(head.substr(1));
    if (read_section(cursor, section, version, binary, raw)) {
      const std::size_t last = cursor.position();
      const bool binary_section = cursor.binary();
      if (cursor.at_end()) cursor.word();  // throws: the end of the section is missing
      const std::string_view end = cursor.word();
      if (end != "$End" + section)
        cursor.fail_at(
            binary_section ? last : cursor.position(),
            fmt::format("expected $End{}: the section holds more than it announces, or its end is missing", section));
      cursor.set_binary(false);
    } else {
      cursor.skip_section(binary);
    }
    nodes |= section == "Nodes";
    elements |= section == "Elements";
    cursor.set_section({});
  }
  if (!nodes) cursor.fail("the file has no $Nodes section");
  if (!elements) cursor.fail("the file has no $Elements section");
}

}  // namespace galerna::mesh
