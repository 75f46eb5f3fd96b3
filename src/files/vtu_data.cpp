#include "files/vtu_data.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <new>
#include <stdexcept>

#include "base/parallel.hpp"
#include "files/text.hpp"

namespace galerna::files {
namespace {

struct FreeCompressor {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
};

/// The data as one zlib stream. The fastest level: floating-point data hardly shrink further at higher ones. libdeflate
/// is 2.4 times as fast as zlib at the same size.
std::string compressed(std::span<const std::byte> data) {
  constexpr int fastest = 1;
  thread_local const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor(
      libdeflate_alloc_compressor(fastest));
  if (!compressor) throw std::bad_alloc();
  thread_local std::vector<char> room;
  room.resize(libdeflate_zlib_compress_bound(compressor.get(), data.size()));
  const std::size_t size =
      libdeflate_zlib_compress(compressor.get(), data.data(), data.size(), room.data(), room.size());
  if (size == 0) throw std::runtime_error("libdeflate could not compress an array");
  return {room.data(), size};
}

}  // namespace

std::string vtu_opening(bool lagrange_hexahedra, bool compressed) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"{}\" byte_order=\"{}\" "
      "header_type=\"UInt64\"{}>\n<UnstructuredGrid>\n",
      lagrange_hexahedra ? "2.2" : "1.0", std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian",
      compressed ? " compressor=\"vtkZLibDataCompressor\"" : "");
}

std::size_t VtkArrays::reserve(const std::string& name, const char* type, std::size_t bytes, int components) {
  arrays_.push_back({name, type, bytes, components, std::vector<Stream>((bytes + stream_bytes - 1) / stream_bytes)});
  return arrays_.size() - 1;
}

void VtkArrays::put(std::size_t array, std::size_t stream, std::span<const std::byte> data) {
  Stream& to = arrays_[array].streams[stream];
  std::string bytes =
      compressed_ ? compressed(data) : std::string(reinterpret_cast<const char*>(data.data()), data.size());
  to.size = bytes.size();
  if (scratch_ && in_memory_.fetch_add(bytes.size()) + bytes.size() > most_in_memory_)
    to.place = scratch_->keep(bytes);
  else
    to.bytes = std::move(bytes);
}

void VtkArrays::keep_at_most(std::size_t bytes, const std::filesystem::path& target) {
  scratch_ = std::make_unique<ScratchFile>(target);
  if (!scratch_->is_open()) scratch_.reset();
  most_in_memory_ = bytes;
}

void VtkArrays::put_all(std::size_t array, std::span<const std::byte> data) {
  in_parallel(static_cast<std::int64_t>(streams(array)), 1, [&](std::int64_t begin, std::int64_t) {
    const auto stream = static_cast<std::size_t>(begin);
    const std::size_t at = stream * stream_bytes;
    put(array, stream, data.subspan(at, std::min(stream_bytes, data.size() - at)));
  });
}

std::vector<std::uint64_t> VtkArrays::header(const Array& array) const {
  if (!compressed_) return {array.bytes};
  std::vector<std::uint64_t> header = {array.streams.size(), stream_bytes, array.bytes % stream_bytes};
  for (const Stream& stream : array.streams) header.push_back(stream.size);
  return header;
}

std::size_t VtkArrays::encoded_bytes(const Array& array) const {
  std::size_t bytes = header(array).size() * sizeof(std::uint64_t);
  if (!compressed_) return bytes + array.bytes;
  for (const Stream& stream : array.streams) bytes += stream.size;
  return bytes;
}

std::string VtkArrays::element(std::size_t array) const {
  const Array& of = arrays_[array];
  std::size_t offset = 0;
  for (std::size_t before = 0; before < array; ++before) offset += encoded_bytes(arrays_[before]);
  // meshio gives values with a stated number of components as a table, of one column where there is one.
  const std::string count = of.components == 1 ? "" : fmt::format("NumberOfComponents=\"{}\" ", of.components);
  return fmt::format("<DataArray type=\"{}\" Name=\"{}\" {}format=\"appended\" offset=\"{}\"/>\n", of.type,
                     escape_xml(of.name), count, offset);
}

void VtkArrays::write(AtomicFile& file) const {
  for (const Array& array : arrays_) {
    const std::vector<std::uint64_t> numbers = header(array);
    file.write(numbers.data(), numbers.size() * sizeof(std::uint64_t));
    for (const Stream& stream : array.streams)
      if (stream.bytes.empty())
        scratch_->copy(stream.place, stream.size, file);
      else
        file.write(stream.bytes);
  }
}

}  // namespace galerna::files
