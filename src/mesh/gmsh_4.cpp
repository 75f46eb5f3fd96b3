/// \file
/// Sections of the MSH format 4.1 (Gmsh reference manual, "MSH file format"), text and binary.
#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/parallel.hpp"
#include "mesh/gmsh_raw.hpp"

namespace galerna::mesh::gmsh_4 {
namespace {

using Size = std::uint64_t;

std::int64_t read_number(GmshCursor& cursor, const char* what) {
  const Size number = cursor.integer<Size>(what);
  if (number > static_cast<Size>(std::numeric_limits<std::int64_t>::max()))
    cursor.fail(fmt::format("{} is out of range", what));
  return static_cast<std::int64_t>(number);
}

int read_dimension(GmshCursor& cursor) {
  const int dimension = cursor.integer<int>("the dimension of an entity");
  if (dimension < 0 || dimension > 3)
    cursor.fail(fmt::format("an entity has dimension {}: allowed are 0 to 3", dimension));
  return dimension;
}

void read_entity(GmshCursor& cursor, RawMesh& raw, int dimension) {
  const int entity = cursor.integer<int>("the number of an entity");
  for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) cursor.real("a bound of an entity");
  std::vector<int> groups(cursor.count<Size>("physical groups of an entity", 2, 4));
  // The sign is the orientation of the entity in the group.
  for (int& group : groups) {
    group = cursor.integer<int>("the number of a physical group");
    if (group == std::numeric_limits<int>::min()) cursor.fail("the number of a physical group is out of range");
    group = std::abs(group);
  }
  raw.entity_groups[{dimension, entity}] = group_set(raw, groups);
  if (dimension == 0) return;
  const std::size_t bounding = cursor.count<Size>("bounding entities", 2, 4);
  for (std::size_t i = 0; i < bounding; ++i) cursor.integer<int>("the number of a bounding entity");
}

/// The three numbers after the number of blocks: total, smallest and largest number.
std::size_t read_totals(GmshCursor& cursor, const char* what, std::size_t text_bytes, std::size_t binary_bytes) {
  const std::size_t total = cursor.count<Size>(what, text_bytes, binary_bytes);
  cursor.integer<Size>("the smallest number");
  cursor.integer<Size>("the largest number");
  return total;
}

void check_total(const GmshCursor& cursor, const char* what, std::size_t found, std::size_t announced) {
  if (found != announced)
    cursor.fail(fmt::format("the section announces {} {}, its blocks hold {}", announced, what, found));
}

/// The item of eight bytes with this index.
template <class T>
T item_at(std::string_view bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

/// What the whole text is; −1 for what is none.
std::int64_t number_of(std::string_view text) {
  std::int64_t value = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() ? value : -1;
}

/// Reads `count` items by all threads: take(index, item, position), where the item is a number as `item_of` makes it of
/// text, or of eight bytes. \returns false where take() does for one: then the cursor has not moved, and they must be
/// read one after the other, which says what is wrong
template <class T, class Take>
bool read_all(GmshCursor& cursor, std::size_t count, T (*item_of)(std::string_view), const Take& take) {
  if (!cursor.binary())
    return cursor.for_each_word(count, [&](std::size_t index, std::string_view text, std::size_t position) {
      return take(index, item_of(text), position);
    });
  GmshCursor ahead = cursor;
  const std::size_t first = ahead.place();
  const std::string_view bytes = ahead.items(count, sizeof(T));
  if (bytes.empty()) return count == 0;
  std::atomic<bool> good = true;
  in_parallel(static_cast<std::int64_t>(count), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end) && good; ++i)
      if (!take(i, item_at<T>(bytes, i), first + i * sizeof(T))) good = false;
  });
  if (good) cursor = ahead;
  return good;
}

double coordinate_of(std::string_view text) {
  return real_of(text).value_or(std::numeric_limits<double>::quiet_NaN());
}

void read_node_numbers(GmshCursor& cursor, RawMesh& raw, std::size_t count) {
  const std::size_t first = raw.numbers.grow(count);
  if (read_all<std::int64_t>(cursor, count, number_of, [&](std::size_t n, std::int64_t number, std::size_t position) {
        raw.numbers.set(first + n, number, position);
        return number >= 0;
      }))
    return;
  raw.numbers.shrink(first);
  for (std::size_t n = 0; n < count; ++n) {
    const std::int64_t number = read_number(cursor, "the number of a node");
    raw.numbers.add(number, cursor.position());
  }
}

void read_coordinates(GmshCursor& cursor, RawMesh& raw, std::size_t count) {
  const std::size_t first = raw.nodes.size();
  raw.nodes.resize(first + count);
  if (read_all<double>(cursor, 3 * count, coordinate_of, [&](std::size_t i, double value, std::size_t) {
        raw.nodes[first + i / 3][i % 3] = value;
        return std::isfinite(value);
      }))
    return;
  for (std::size_t n = first; n < first + count; ++n)
    for (double& coordinate : raw.nodes[n]) coordinate = cursor.real("a coordinate");
}

/// Elements of one block.
void read_block(GmshCursor& cursor, RawMesh& raw, GmshElement type, int groups, std::size_t count) {
  const auto nodes = static_cast<std::size_t>(node_count(type.shape, type.order)), numbers = nodes + 1;
  const std::size_t first = raw.elements.size(), first_node = raw.element_nodes.size();
  raw.elements.resize(first + count);
  raw.element_nodes.resize(first_node + count * nodes);
  if (read_all<std::int64_t>(cursor, count * numbers, number_of,
                             [&](std::size_t i, std::int64_t number, std::size_t position) {
                               const std::size_t e = i / numbers, n = i % numbers, node = first_node + e * nodes;
                               if (n == 0) {
                                 raw.elements[first + e] = {number, type, groups, static_cast<Index>(node), position};
                                 return number >= 0;
                               }
                               raw.element_nodes[node + n - 1] = raw.numbers.find(number);
                               return raw.element_nodes[node + n - 1] >= 0;
                             }))
    return;
  raw.elements.resize(first);
  raw.element_nodes.resize(first_node);
  for (std::size_t e = 0; e < count; ++e) {
    const std::int64_t number = read_number(cursor, "the number of an element");
    raw.elements.push_back({number, type, groups, static_cast<Index>(raw.element_nodes.size()), cursor.position()});
    for (std::size_t n = 0; n < nodes; ++n) {
      const std::int64_t node = read_number(cursor, "the number of a node");
      raw.element_nodes.push_back(raw.numbers.find(node));
      if (raw.element_nodes.back() < 0) known_node(cursor, raw, node, fmt::format("element {}", number));
    }
  }
}

}  // namespace

void read_entities(GmshCursor& cursor, RawMesh& raw) {
  std::array<std::size_t, 4> counts{};
  for (std::size_t& count : counts) count = cursor.count<Size>("entities", 9, 36);
  for (int dimension = 0; dimension < 4; ++dimension)
    for (std::size_t i = 0; i < counts[static_cast<std::size_t>(dimension)]; ++i) read_entity(cursor, raw, dimension);
}

void read_nodes(GmshCursor& cursor, RawMesh& raw) {
  const std::size_t blocks = cursor.count<Size>("blocks of nodes", 7, 20);
  const std::size_t total = read_totals(cursor, "nodes", 7, 32);
  raw.nodes.reserve(total);
  for (std::size_t b = 0; b < blocks; ++b) {
    read_dimension(cursor);
    cursor.integer<int>("the number of an entity");
    if (cursor.integer<int>("the mark of parametric coordinates") != 0)
      cursor.fail("parametric coordinates are not supported: save without them (in Gmsh: Mesh.SaveParametric = 0)");
    const std::size_t count = cursor.count<Size>("nodes of a block", 7, 32);
    read_node_numbers(cursor, raw, count);
    read_coordinates(cursor, raw, count);
  }
  check_total(cursor, "nodes", raw.nodes.size(), total);
}

void read_elements(GmshCursor& cursor, RawMesh& raw) {
  const std::size_t blocks = cursor.count<Size>("blocks of elements", 7, 20);
  const std::size_t total = read_totals(cursor, "elements", 3, 16);
  raw.elements.reserve(total);
  for (std::size_t b = 0; b < blocks; ++b) {
    const int entity_dimension = read_dimension(cursor);
    const int entity = cursor.integer<int>("the number of an entity");
    const GmshElement type = known_type(cursor, cursor.integer<int>("the type of elements"));
    if (dimension(type.shape) != entity_dimension)
      cursor.fail(
          fmt::format("{} stand in entity {} of dimension {}", plural_name(type.shape), entity, entity_dimension));
    const auto nodes = static_cast<std::size_t>(node_count(type.shape, type.order));
    const std::size_t count = cursor.count<Size>("elements of a block", 2 * nodes + 1, 8 * (nodes + 1));
    const auto groups = raw.entity_groups.find({entity_dimension, entity});
    const int set = groups == raw.entity_groups.end() ? 0 : groups->second;
    read_block(cursor, raw, type, set, count);
  }
  check_total(cursor, "elements", raw.elements.size(), total);
}

void read_periodic(GmshCursor& cursor, RawMesh& raw) {
  const std::size_t links = cursor.count<Size>("periodic entities", 9, 28);
  for (std::size_t l = 0; l < links; ++l) {
    PeriodicLink link;
    read_dimension(cursor);
    cursor.integer<int>("a periodic entity");
    cursor.integer<int>("the entity that it is the image of");
    link.position = cursor.position();
    const std::size_t coefficients = cursor.count<Size>("coefficients of an affine transformation", 2, 8);
    for (std::size_t i = 0; i < coefficients; ++i) cursor.real("a coefficient of an affine transformation");
    const std::size_t count = cursor.count<Size>("periodic nodes", 3, 16);
    for (std::size_t n = 0; n < count; ++n) {
      const Index node = known_node(cursor, raw, read_number(cursor, "the number of a node"), "$Periodic");
      const Index of = known_node(cursor, raw, read_number(cursor, "the number of a node"), "$Periodic");
      link.nodes.emplace_back(node, of);
    }
    raw.periodic.push_back(std::move(link));
  }
}

}  // namespace galerna::mesh::gmsh_4
