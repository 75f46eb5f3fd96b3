#include "files/number_pieces.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "files/atomic_file.hpp"

namespace galerna::files {
namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 23;
constexpr std::size_t piece_numbers = piece_bytes / sizeof(double);

[[noreturn]] void throw_read_error(const std::filesystem::path& file) {
  throw SystemError(file.string() + ": cannot be read to its end; check the disk");
}

void read_at(const Descriptor& open, const std::filesystem::path& file, void* to, std::uint64_t bytes,
             std::uint64_t offset) {
  auto* next = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t count = ::pread(open.number(), next, bytes, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw_read_error(file);
    next += count;
    offset += static_cast<std::uint64_t>(count);
    bytes -= static_cast<std::uint64_t>(count);
  }
}

std::uint32_t sum_of(const void* bytes, std::uint64_t count) {
  return static_cast<std::uint32_t>(crc32_z(crc32(0, nullptr, 0), static_cast<const Bytef*>(bytes), count));
}

}  // namespace

std::vector<PieceSum> write_pieces(const std::filesystem::path& file, const std::filesystem::path& target,
                                   std::span<const PlacedNumbers> lists) {
  const Descriptor open(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  if (!open.is_open()) throw_write_error(target, errno);
  std::vector<PieceSum> sums;
  for (const PlacedNumbers& list : lists) {
    const auto& numbers = list.numbers;
    const std::size_t first = sums.size();
    sums.resize(first + (numbers.size + piece_numbers - 1) / piece_numbers);
    in_parallel(static_cast<std::int64_t>(numbers.size), piece_numbers, [&](std::int64_t begin, std::int64_t end) {
      const auto from = static_cast<std::size_t>(begin), to = static_cast<std::size_t>(end);
      const auto values = std::make_unique_for_overwrite<double[]>(to - from);
      numbers.fill(from, to, values.get());
      const std::uint64_t at = list.offset + from * sizeof(double), bytes = (to - from) * sizeof(double);
      sums[first + from / piece_numbers] = {at, bytes, sum_of(values.get(), bytes)};
      write_at(open, target, {reinterpret_cast<const char*>(values.get()), bytes}, at);
    });
  }
  return sums;
}

std::vector<PieceSum> sums_of(const std::filesystem::path& file, std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return {};
  const Descriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!open.is_open()) throw_read_error(file);
  std::vector<PieceSum> sums((end - begin + piece_bytes - 1) / piece_bytes);
  in_parallel(std::ssize(sums), 1, [&](std::int64_t k, std::int64_t) {
    const std::uint64_t at = begin + static_cast<std::uint64_t>(k) * piece_bytes;
    const std::uint64_t bytes = std::min(piece_bytes, end - at);
    const auto buffer = std::make_unique_for_overwrite<char[]>(bytes);
    read_at(open, file, buffer.get(), bytes, at);
    sums[static_cast<std::size_t>(k)] = {at, bytes, sum_of(buffer.get(), bytes)};
  });
  return sums;
}

std::uint32_t join(std::span<const PieceSum> pieces) {
  uLong crc = crc32(0, nullptr, 0);
  for (const PieceSum& piece : pieces) crc = crc32_combine(crc, piece.crc, static_cast<z_off_t>(piece.bytes));
  return static_cast<std::uint32_t>(crc);
}

Numbers stored_numbers(const std::filesystem::path& file, std::uint64_t offset, std::size_t count) {
  const auto open = std::make_shared<const Descriptor>(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!open->is_open()) throw_read_error(file);
  return {count, [open, file, offset](std::size_t begin, std::size_t end, double* to) {
            read_at(*open, file, to, (end - begin) * sizeof(double), offset + begin * sizeof(double));
          }};
}

}  // namespace galerna::files
