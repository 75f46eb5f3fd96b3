/// \file
/// Reads back what write_vtu() writes.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "files/atomic_file.hpp"

namespace galerna::tests {

/// A .vtu file with appended raw data.
class VtuFile {
 public:
  explicit VtuFile(const std::filesystem::path& file) : text_(files::read_file(file)) {
    data_ = text_.find("<AppendedData encoding=\"raw\">\n_") + std::strlen("<AppendedData encoding=\"raw\">\n_");
    header_ = text_.substr(0, data_);
  }

  const std::string& header() const { return header_; }
  bool has(const std::string& array) const { return header_.find("Name=\"" + array + "\"") != std::string::npos; }

  /// Value of an attribute of the <DataArray> of this name.
  std::string attribute(const std::string& array, const std::string& name) const {
    const std::size_t at = header_.find("Name=\"" + array + "\""), begin = header_.rfind('<', at);
    const std::string element = header_.substr(begin, header_.find("/>", at) - begin);
    const std::size_t value = element.find(" " + name + "=\"") + name.size() + 3;
    return element.substr(value, element.find('"', value) - value);
  }

  template <typename Number>
  std::vector<Number> read(const std::string& array) const {
    const std::string bytes = decode(data_ + std::stoull(attribute(array, "offset")));
    std::vector<Number> values(bytes.size() / sizeof(Number));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  /// Floating-point arrays of either precision.
  std::vector<double> numbers(const std::string& array) const {
    if (attribute(array, "type") == "Float64") return read<double>(array);
    const std::vector<float> values = read<float>(array);
    return {values.begin(), values.end()};
  }

 private:
  std::uint64_t number(std::size_t at) const {
    std::uint64_t value = 0;
    std::memcpy(&value, text_.data() + at, sizeof value);
    return value;
  }

  std::string decode(std::size_t at) const {
    if (header_.find("compressor=\"vtkZLibDataCompressor\"") == std::string::npos)
      return text_.substr(at + 8, number(at));
    const std::uint64_t streams = number(at), full = number(at + 8), last = number(at + 16);
    std::size_t begin = at + 24 + 8 * streams;
    std::string bytes;
    for (std::uint64_t i = 0; i < streams; ++i) {
      std::string piece(i + 1 == streams && last > 0 ? last : full, '\0');
      uLongf size = piece.size();
      const std::uint64_t packed = number(at + 24 + 8 * i);
      EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(piece.data()), &size,
                           reinterpret_cast<const Bytef*>(text_.data() + begin), packed),
                Z_OK);
      EXPECT_EQ(size, piece.size());
      bytes += piece;
      begin += packed;
    }
    return bytes;
  }

  std::string text_, header_;
  std::size_t data_ = 0;
};

}  // namespace galerna::tests
