/// \file
/// Arrays in the appended section of VTK XML files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace galerna::files {

/// Encodes an array as VTK does: uncompressed [bytes] + data, or compressed as zlib streams of at most 1 MiB of data
/// each behind [streams] [bytes in a full one] [bytes in the last one if it is not full, else 0] [compressed bytes of
/// each]; all numbers UInt64.
std::string encode_vtk_array(std::span<const std::byte> data, bool compressed);

/// How a file of an unstructured grid begins. Its version is the lowest that says all, which most programs accept: 1.0,
/// and 2.2 where Lagrange hexahedra are among the cells, whose nodes along edges are numbered in another way since.
/// \param types VTK's number of each cell's type
std::string vtu_opening(const std::vector<std::uint8_t>& types, bool compressed);

/// Collects arrays: gives each its element in the XML header and its place in the appended data.
class VtkArrays {
 public:
  explicit VtkArrays(bool compressed) : compressed_(compressed) {}

  /// \returns the <DataArray> element that refers to the array; components are interleaved.
  template <typename Number>
  std::string add(const std::string& name, const std::vector<Number>& values, int components = 1) {
    return add(name, type_name(Number{}), std::as_bytes(std::span(values)), components);
  }

  /// What was added, in order: the content of <AppendedData encoding="raw"> after its underscore.
  const std::vector<std::string>& blocks() const { return blocks_; }

 private:
  static const char* type_name(float) { return "Float32"; }
  static const char* type_name(double) { return "Float64"; }
  static const char* type_name(std::int64_t) { return "Int64"; }
  static const char* type_name(std::int32_t) { return "Int32"; }
  static const char* type_name(std::uint8_t) { return "UInt8"; }
  std::string add(const std::string& name, const char* type, std::span<const std::byte> data, int components);

  bool compressed_;
  std::size_t offset_ = 0;
  std::vector<std::string> blocks_;
};

}  // namespace galerna::files
