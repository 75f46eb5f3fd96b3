#include "files/number_pieces.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <numeric>

#include "base/error.hpp"
#include "files/atomic_file.hpp"
#include "folder.hpp"

namespace galerna::files {
namespace {

using tests::Folder;

std::uint32_t sum_of(const std::string& text) {
  return static_cast<std::uint32_t>(
      crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

TEST(NumberPieces, AreWrittenToTheirPlacesWithTheirSums) {
  const Folder folder;
  std::vector<double> numbers(2500000);
  std::iota(numbers.begin(), numbers.end(), 0.5);
  const std::size_t bytes = numbers.size() * sizeof(double);
  write_file(folder / "a", std::string(bytes + 30, 'x'));
  const std::vector<PlacedNumbers> lists = {{16, numbers_of(numbers)}};
  const std::vector<PieceSum> sums = write_pieces(folder / "a", folder / "a", lists);
  EXPECT_GT(sums.size(), 1u);
  const std::string text = read_file(folder / "a");
  const std::string content(reinterpret_cast<const char*>(numbers.data()), bytes);
  EXPECT_TRUE(text == std::string(16, 'x') + content + std::string(14, 'x'));
  EXPECT_EQ(join(sums), sum_of(content));
  EXPECT_EQ(join(sums_of(folder / "a", 3, text.size() - 2)), sum_of(text.substr(3, text.size() - 5)));
  EXPECT_EQ(join({}), sum_of(""));
}

TEST(NumberPieces, AreReadFromTheirPlaces) {
  const Folder folder;
  const std::vector<double> numbers = {1, 2, 3, 4, 5};
  write_file(folder / "a", "head" + std::string(reinterpret_cast<const char*>(numbers.data()), 40));
  const Numbers stored = stored_numbers(folder / "a", 4, 5);
  std::vector<double> read(3);
  stored.fill(1, 4, read.data());
  EXPECT_EQ(read, (std::vector<double>{2, 3, 4}));
  EXPECT_THROW(stored.fill(3, 6, read.data()), SystemError);
  EXPECT_THROW(stored_numbers(folder / "none", 0, 1), SystemError);
}

/// Places behind 2³² bytes, in a file that has no storage there.
TEST(NumberPieces, LieBehindTheEndOf32Bits) {
  const Folder folder;
  write_file(folder / "a", "");
  constexpr std::uint64_t far = 5'000'000'000;
  std::error_code error;
  std::filesystem::resize_file(folder / "a", far + 64, error);
  if (error) GTEST_SKIP() << "the file system has no large files";
  const std::vector<double> numbers = {1, 2, 3};
  const std::vector<PlacedNumbers> lists = {{far, numbers_of(numbers)}};
  const std::vector<PieceSum> sums = write_pieces(folder / "a", folder / "a", lists);
  EXPECT_EQ(sums.front().offset, far);
  std::vector<double> read(3);
  stored_numbers(folder / "a", far, 3).fill(0, 3, read.data());
  EXPECT_EQ(read, numbers);
}

}  // namespace
}  // namespace galerna::files
