#include "files/vtu_data.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "files/text.hpp"
#include "files/vtk_cells.hpp"

namespace galerna::files {
namespace {

constexpr std::size_t stream_bytes = std::size_t{1} << 20;

void append_numbers(std::string& text, std::span<const std::uint64_t> numbers) {
  text.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

/// Appends the data as one zlib stream. The fastest level: floating-point data hardly shrink further at higher ones.
std::uint64_t append_compressed(std::string& text, std::span<const std::byte> data) {
  const std::size_t begin = text.size();
  uLongf size = compressBound(static_cast<uLong>(data.size()));
  text.resize(begin + size);
  if (compress2(reinterpret_cast<Bytef*>(text.data() + begin), &size, reinterpret_cast<const Bytef*>(data.data()),
                static_cast<uLong>(data.size()), Z_BEST_SPEED) != Z_OK)
    throw std::runtime_error("zlib could not compress an array");
  text.resize(begin + size);
  return size;
}

}  // namespace

std::string vtu_opening(const std::vector<std::uint8_t>& types, bool compressed) {
  const bool hexahedra = std::find(types.begin(), types.end(), vtk_lagrange_hexahedron) != types.end();
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"{}\" byte_order=\"{}\" "
      "header_type=\"UInt64\"{}>\n<UnstructuredGrid>\n",
      hexahedra ? "2.2" : "1.0", std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian",
      compressed ? " compressor=\"vtkZLibDataCompressor\"" : "");
}

std::string encode_vtk_array(std::span<const std::byte> data, bool compressed) {
  std::string text;
  if (!compressed) {
    append_numbers(text, std::array{static_cast<std::uint64_t>(data.size())});
    text.append(reinterpret_cast<const char*>(data.data()), data.size());
    return text;
  }
  const std::size_t streams = (data.size() + stream_bytes - 1) / stream_bytes;
  std::vector<std::uint64_t> header = {streams, stream_bytes, data.size() % stream_bytes};
  std::string body;
  for (std::size_t begin = 0; begin < data.size(); begin += stream_bytes)
    header.push_back(append_compressed(body, data.subspan(begin, std::min(stream_bytes, data.size() - begin))));
  append_numbers(text, header);
  return text += body;
}

std::string VtkArrays::add(const std::string& name, const char* type, std::span<const std::byte> data, int components) {
  // meshio gives values with a stated number of components as a table, of one column where there is one.
  const std::string count = components == 1 ? "" : fmt::format("NumberOfComponents=\"{}\" ", components);
  const std::string element = fmt::format("<DataArray type=\"{}\" Name=\"{}\" {}format=\"appended\" offset=\"{}\"/>\n",
                                          type, escape_xml(name), count, offset_);
  blocks_.push_back(encode_vtk_array(data, compressed_));
  offset_ += blocks_.back().size();
  return element;
}

}  // namespace galerna::files
