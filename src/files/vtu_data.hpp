/// \file
/// Arrays in the appended section of VTK XML files.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "files/atomic_file.hpp"
#include "files/scratch_file.hpp"

namespace galerna::files {

/// How a file of an unstructured grid begins. Its version is the lowest that says all, which most programs accept: 1.0,
/// and 2.2 where Lagrange hexahedra are among the cells, whose nodes along edges are numbered in another way since.
std::string vtu_opening(bool lagrange_hexahedra, bool compressed);

/// Collects arrays: gives each its element in the XML header and its place in the appended data. There an array is, as
/// VTK has it, [bytes] + data, or zlib streams of at most stream_bytes of data each behind [streams] [bytes in a full
/// one] [bytes in the last one if it is not full, else 0] [compressed bytes of each]; all numbers UInt64.
class VtkArrays {
 public:
  /// Small enough that a few hundred thousand numbers keep all threads busy, large enough that none compresses worse.
  static constexpr std::size_t stream_bytes = std::size_t{1} << 17;

  explicit VtkArrays(bool compressed) : compressed_(compressed) {}

  /// From now on at most so many bytes of streams stay in memory; what comes then waits on the disk of the target.
  void keep_at_most(std::size_t bytes, const std::filesystem::path& target);

  /// A place for `size` values, behind those of the arrays before. \returns the number of the array
  template <typename Number>
  std::size_t reserve(const std::string& name, std::size_t size, int components = 1) {
    return reserve(name, type_name(Number{}), size * sizeof(Number), components);
  }
  /// Fills the stream: stream_bytes of the array, or what is left of it. Different streams at the same time.
  void put(std::size_t array, std::size_t stream, std::span<const std::byte> data);

  /// reserve() and put() of all values. \returns element()
  template <typename Number>
  std::string add(const std::string& name, const std::vector<Number>& values, int components = 1) {
    const std::size_t array = reserve<Number>(name, values.size(), components);
    put_all(array, std::as_bytes(std::span(values)));
    return element(array);
  }

  std::size_t streams(std::size_t array) const { return arrays_[array].streams.size(); }
  /// The <DataArray> element that refers to the array; components are interleaved. Once all arrays before are filled.
  std::string element(std::size_t array) const;
  /// Writes all that was put: the content of <AppendedData encoding="raw"> after its underscore.
  void write(AtomicFile& file) const;

 private:
  struct Stream {
    std::string bytes;  ///< empty: in the scratch file
    std::uint64_t place = 0, size = 0;
  };
  struct Array {
    std::string name;
    const char* type;
    std::size_t bytes;
    int components;
    std::vector<Stream> streams;
  };

  static const char* type_name(float) { return "Float32"; }
  static const char* type_name(double) { return "Float64"; }
  static const char* type_name(std::int64_t) { return "Int64"; }
  static const char* type_name(std::int32_t) { return "Int32"; }
  static const char* type_name(std::uint8_t) { return "UInt8"; }
  std::size_t reserve(const std::string& name, const char* type, std::size_t bytes, int components);
  void put_all(std::size_t array, std::span<const std::byte> data);
  std::vector<std::uint64_t> header(const Array& array) const;
  std::size_t encoded_bytes(const Array& array) const;

  bool compressed_;
  std::vector<Array> arrays_;
  std::unique_ptr<ScratchFile> scratch_;
  std::size_t most_in_memory_ = 0;
  std::atomic<std::size_t> in_memory_ = 0;
};

}  // namespace galerna::files
