#include <array>
#include <concepts>
#include <cstring>
#include <string>
#include <type_traits>

#include "base/error.hpp"
#include "mesh/mesh_part.hpp"

namespace galerna::mesh {
namespace {

/// Values without gaps between their bytes, which are copied as they are.
template <class T>
constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, Point>;

/// Counts the bytes that a Writer will write.
class Counter {
 public:
  template <class T>
  void plain(const T*, std::size_t count) {
    bytes_ += count * sizeof(T);
  }
  template <class List>
  void resize(const List&) {
    bytes_ += sizeof(std::uint64_t);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

class Writer {
 public:
  explicit Writer(std::byte* to) : to_(to) {}

  template <class T>
  void plain(const T* values, std::size_t count) {
    if (count > 0) std::memcpy(to_, values, count * sizeof(T));
    to_ += count * sizeof(T);
  }
  template <class List>
  void resize(const List& list) {
    const std::uint64_t count = list.size();
    plain(&count, 1);
  }

 private:
  std::byte* to_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  void plain(T* values, std::size_t count) {
    if (rest_.size() / sizeof(T) < count) refuse();
    if (count > 0) std::memcpy(values, rest_.data(), count * sizeof(T));
    rest_ = rest_.subspan(count * sizeof(T));
  }
  template <class List>
  void resize(List& list) {
    std::uint64_t count = 0;
    plain(&count, 1);
    // A wrong count must not ask for memory without end: what is not plain takes eight bytes at least.
    constexpr std::size_t least = is_plain<typename List::value_type> ? sizeof(typename List::value_type) : 8;
    if (rest_.size() / least < count) refuse();
    list.resize(count);
  }
  void finish() const {
    if (!rest_.empty()) refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw SystemError("a part of the mesh did not arrive as it was sent: its bytes are too few, too many, or changed");
  }

  std::span<const std::byte> rest_;
};

// The same functions count, write and read, so that all see the same things in the same order; what is written is
// const.

template <class Bytes, class T>
requires is_plain<std::remove_const_t<T>>
void pass(Bytes& bytes, T& value) {
  bytes.plain(&value, 1);
}

template <class Bytes, class List>
requires requires {
  typename List::value_type;
} &&(!is_plain<std::remove_const_t<List>>)void pass(Bytes& bytes, List& list);

template <class T, class Wanted>
concept is_a = std::same_as<std::remove_const_t<T>, Wanted>;

template <class Bytes, is_a<Side> T>
void pass(Bytes& bytes, T& side) {
  pass(bytes, side.element);
  pass(bytes, side.side);
}

template <class Bytes, is_a<Face> T>
void pass(Bytes& bytes, T& face) {
  pass(bytes, face.left);
  pass(bytes, face.right);
  pass(bytes, face.boundary);
}

template <class Bytes, is_a<Boundary> T>
void pass(Bytes& bytes, T& boundary) {
  pass(bytes, boundary.name);
  pass(bytes, boundary.sides);
}

template <class Bytes, is_a<InnerSides> T>
void pass(Bytes& bytes, T& inner) {
  pass(bytes, inner.name);
  pass(bytes, inner.count);
  pass(bytes, inner.corner);
}

template <class Bytes, is_a<ElementBlock> T>
void pass(Bytes& bytes, T& block) {
  pass(bytes, block.shape);
  pass(bytes, block.order);
  pass(bytes, block.nodes);
  pass(bytes, block.region);
  pass(bytes, block.source);
}

template <class Bytes, is_a<MeshPart::Link> T>
void pass(Bytes& bytes, T& link) {
  pass(bytes, link.rank);
  pass(bytes, link.send);
  pass(bytes, link.receive);
}

template <class Bytes, is_a<Mesh> T>
void pass(Bytes& bytes, T& mesh) {
  pass(bytes, mesh.file);
  pass(bytes, mesh.dimension);
  pass(bytes, mesh.nodes);
  pass(bytes, mesh.blocks);
  pass(bytes, mesh.region_names);
  pass(bytes, mesh.shared_regions);
  pass(bytes, mesh.other_names);
  pass(bytes, mesh.inner_sides);
  pass(bytes, mesh.numbers);
  pass(bytes, mesh.boundaries);
  pass(bytes, mesh.image);
  pass(bytes, mesh.faces);
  pass(bytes, mesh.boundary_faces);
  pass(bytes, mesh.turned);
}

template <class Bytes, is_a<MeshPart> T>
void pass(Bytes& bytes, T& part) {
  pass(bytes, part.mesh);
  pass(bytes, part.owned);
  pass(bytes, part.whole);
  pass(bytes, part.whole_boundary_face);
  pass(bytes, part.ghost_faces);
  pass(bytes, part.whole_ghost_face);
  pass(bytes, part.links);
}

template <class Bytes, class List>
requires requires {
  typename List::value_type;
} &&(!is_plain<std::remove_const_t<List>>)void pass(Bytes& bytes, List& list) {
  bytes.resize(list);
  if constexpr (is_plain<typename List::value_type>)
    bytes.plain(list.data(), list.size());
  else
    for (auto& item : list) pass(bytes, item);
}

}  // namespace

std::vector<std::byte> to_bytes(const MeshPart& part) {
  Counter counter;
  pass(counter, part);
  std::vector<std::byte> bytes(counter.bytes());
  Writer writer(bytes.data());
  pass(writer, part);
  return bytes;
}

MeshPart from_bytes(std::span<const std::byte> bytes) {
  MeshPart part;
  Reader reader(bytes);
  pass(reader, part);
  reader.finish();
  return part;
}

}  // namespace galerna::mesh
