/// \file
/// Sections of the MSH format 2.2 (Gmsh reference manual, "MSH file format version 2"), text and binary.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "mesh/gmsh_raw.hpp"

namespace galerna::mesh::gmsh_2 {
namespace {

/// Counts are text in the binary format too.
template <class Content>
void counted(GmshCursor& cursor, const char* what, std::size_t text_bytes, std::size_t binary_bytes,
             const Content& content) {
  const bool binary = cursor.binary();
  cursor.set_binary(false);
  const std::size_t count = cursor.count<std::int64_t>(what, std::min(text_bytes, binary_bytes), 1);
  if (binary) cursor.end_line();
  cursor.set_binary(binary);
  cursor.check_count(count, what, text_bytes, binary_bytes);
  content(count);
}

/// Number, tags and nodes of one element. \param tags number of tags: physical group, entity, partitions
void read_element(GmshCursor& cursor, RawMesh& raw, std::int64_t number, std::size_t position, GmshElement type,
                  std::size_t tags) {
  int group = 0;
  for (std::size_t t = 0; t < tags; ++t) {
    const int tag = cursor.integer<int>("a tag of an element");
    if (t == 0) group = tag;
  }
  if (group == std::numeric_limits<int>::min()) cursor.fail("the number of a physical group is out of range");
  // The sign is the orientation of the entity in the group.
  const int groups = group == 0 ? 0 : group_set(raw, {std::abs(group)});
  raw.elements.push_back({number, type, groups, static_cast<Index>(raw.element_nodes.size()), position});
  for (int n = 0; n < node_count(type.shape, type.order); ++n) {
    const auto node = cursor.integer<int>("the number of a node");
    raw.element_nodes.push_back(raw.numbers.find(node));
    if (raw.element_nodes.back() < 0) known_node(cursor, raw, node, fmt::format("element {}", number));
  }
}

void read_text_elements(GmshCursor& cursor, RawMesh& raw, std::size_t count) {
  for (std::size_t e = 0; e < count; ++e) {
    const auto number = cursor.integer<std::int64_t>("the number of an element");
    const std::size_t position = cursor.position();
    const GmshElement type = known_type(cursor, cursor.integer<int>("the type of an element"));
    const std::size_t tags = cursor.count<int>("tags of an element", 2, 4);
    read_element(cursor, raw, number, position, type, tags);
  }
}

/// Elements of one type follow a header of their own.
void read_binary_elements(GmshCursor& cursor, RawMesh& raw, std::size_t count) {
  for (std::size_t e = 0; e < count;) {
    const GmshElement type = known_type(cursor, cursor.integer<int>("the type of elements"));
    const std::size_t group = cursor.count<int>("elements of one type", 1, 4);
    const std::size_t tags = cursor.count<int>("tags of an element", 1, 4);
    if (group == 0 || group > count - e)
      cursor.fail("the numbers of elements by type do not add up to the section's number");
    cursor.check_count(group, "elements", 1,
                       4 * (1 + tags + static_cast<std::size_t>(node_count(type.shape, type.order))));
    for (std::size_t i = 0; i < group; ++i) {
      const auto number = cursor.integer<int>("the number of an element");
      read_element(cursor, raw, number, cursor.position(), type, tags);
    }
    e += group;
  }
}

std::span<const Index> nodes_of(const RawMesh& raw, const RawElement& e) {
  return std::span(raw.element_nodes)
      .subspan(static_cast<std::size_t>(e.first_node),
               static_cast<std::size_t>(node_count(e.type.shape, e.type.order)));
}

/// The format has one group an element. Those of several groups are written once for each, under a number of its own.
void join_copies(RawMesh& raw, int highest) {
  struct Entry {
    std::size_t hash, element;
  };
  std::vector<Entry> entries;
  for (std::size_t e = 0; e < raw.elements.size(); ++e) {
    const RawElement& element = raw.elements[e];
    if (dimension(element.type.shape) != highest || element.groups == 0) continue;
    const auto nodes = nodes_of(raw, element);
    std::size_t hash = nodes.size();
    for (const Index node : nodes) hash = (hash ^ static_cast<std::size_t>(node)) * 0x100000001b3 ^ hash >> 29;
    entries.push_back({hash, e});
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.hash != b.hash ? a.hash < b.hash : a.element < b.element; });
  std::vector<char> copies(raw.elements.size(), 0);
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (std::size_t j = i + 1; j < entries.size() && entries[j].hash == entries[i].hash; ++j) {
      RawElement &first = raw.elements[entries[i].element], &other = raw.elements[entries[j].element];
      std::vector<int> groups = raw.group_sets[static_cast<std::size_t>(first.groups)];
      const int group = raw.group_sets[static_cast<std::size_t>(other.groups)].front();
      if (copies[entries[i].element] || std::find(groups.begin(), groups.end(), group) != groups.end() ||
          !std::ranges::equal(nodes_of(raw, first), nodes_of(raw, other)))
        continue;
      groups.push_back(group);
      first.groups = group_set(raw, groups);
      copies[entries[j].element] = 1;
    }
  std::size_t kept = 0;
  for (std::size_t e = 0; e < raw.elements.size(); ++e)
    if (!copies[e]) raw.elements[kept++] = raw.elements[e];
  raw.elements.resize(kept);
}

/// Elements of the highest dimension are looked for copies where they are in more than one group.
void join_copies(RawMesh& raw) {
  int highest = 0;
  std::set<int> groups;
  for (const RawElement& e : raw.elements) {
    if (dimension(e.type.shape) > highest) groups.clear();
    highest = std::max(highest, dimension(e.type.shape));
    if (dimension(e.type.shape) == highest) groups.insert(e.groups);
  }
  if (groups.size() > 1) join_copies(raw, highest);
}

}  // namespace

void read_nodes(GmshCursor& cursor, RawMesh& raw) {
  counted(cursor, "nodes", 7, 28, [&](std::size_t count) {
    raw.nodes.reserve(count);
    for (std::size_t n = 0; n < count; ++n) {
      const auto number = cursor.integer<int>("the number of a node");
      if (number < 0) cursor.fail(fmt::format("a node has the number {}: node numbers are positive", number));
      raw.numbers.add(number, cursor.position());
      Point x{};
      for (double& coordinate : x) coordinate = cursor.real("a coordinate");
      raw.nodes.push_back(x);
    }
  });
}

void read_elements(GmshCursor& cursor, RawMesh& raw) {
  counted(cursor, "elements", 7, 8, [&](std::size_t count) {
    raw.elements.reserve(count);
    if (cursor.binary())
      read_binary_elements(cursor, raw, count);
    else
      read_text_elements(cursor, raw, count);
  });
  join_copies(raw);
}

void read_periodic(GmshCursor& cursor, RawMesh& raw) {
  const std::size_t links = cursor.count<std::int64_t>("periodic entities", 5, 1);
  for (std::size_t l = 0; l < links; ++l) {
    PeriodicLink link;
    for (const char* what :
         {"the dimension of a periodic entity", "a periodic entity", "the entity that it is the image of"})
      cursor.integer<int>(what);
    link.position = cursor.position();
    // An optional line "Affine a b c …" holds the transformation.
    GmshCursor ahead = cursor;
    if (ahead.word() == "Affine") {
      cursor.word();
      for (int i = 0; i < 16; ++i) cursor.real("a coefficient of an affine transformation");
    }
    const std::size_t count = cursor.count<std::int64_t>("periodic nodes", 3, 1);
    for (std::size_t n = 0; n < count; ++n) {
      const Index node = known_node(cursor, raw, cursor.integer<std::int64_t>("the number of a node"), "$Periodic");
      const Index of = known_node(cursor, raw, cursor.integer<std::int64_t>("the number of a node"), "$Periodic");
      link.nodes.emplace_back(node, of);
    }
    raw.periodic.push_back(std::move(link));
  }
}

}  // namespace galerna::mesh::gmsh_2
