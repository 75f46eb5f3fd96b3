/// \file
/// Long lists of numbers in files, made, written and read piece by piece on all cores: no list is ever in memory as a
/// whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

namespace galerna::files {

/// A list of numbers by what gives a piece of it.
struct Numbers {
  std::size_t size = 0;
  /// Writes the numbers from `begin` to `end`, from any thread.
  std::function<void(std::size_t begin, std::size_t end, double* to)> fill;
};

/// \param values must outlive what is returned.
inline Numbers numbers_of(const std::vector<double>& values) {
  return {values.size(), [&values](std::size_t begin, std::size_t end, double* to) {
            std::copy(values.begin() + static_cast<std::ptrdiff_t>(begin),
                      values.begin() + static_cast<std::ptrdiff_t>(end), to);
          }};
}

/// A list and where it begins in a file, bytes.
struct PlacedNumbers {
  std::uint64_t offset;
  Numbers numbers;
};

/// The CRC-32 of some bytes of a file.
struct PieceSum {
  std::uint64_t offset, bytes;
  std::uint32_t crc;
};

/// Writes the lists to their places in a file that has these bytes. \param target names the file in errors \returns
/// the sums of all pieces, list behind list \throws SystemError
std::vector<PieceSum> write_pieces(const std::filesystem::path& file, const std::filesystem::path& target,
                                   std::span<const PlacedNumbers> lists);

/// The sums of the bytes from `begin` to `end`. \throws SystemError where the file cannot be read
std::vector<PieceSum> sums_of(const std::filesystem::path& file, std::uint64_t begin, std::uint64_t end);

/// The sum of pieces that follow each other.
std::uint32_t join(std::span<const PieceSum> pieces);

/// Numbers that stay in a file and are read when they are asked for. \throws SystemError, as `fill` does
Numbers stored_numbers(const std::filesystem::path& file, std::uint64_t offset, std::size_t count);

}  // namespace galerna::files
