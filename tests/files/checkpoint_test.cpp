#include "files/checkpoint.hpp"

#include <hdf5.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "base/error.hpp"
#include "files/atomic_file.hpp"
#include "solutions.hpp"

namespace galerna::files {
namespace {

using tests::contains;
using tests::Folder;

Checkpoint example() {
  Checkpoint c;
  c.galerna_version = "0.1.0";
  c.build = "GCC 12";
  c.resolved_case = "[mesh]\nfile = \"m.msh\"\n";
  c.mesh_hash = 0xfedcba9876543210;
  c.mesh_file = "m.msh";
  c.elements = {{"triangles", 3}};
  c.degree = 2;
  c.variables = {"density", "energy"};
  c.precision = "single";
  c.time = 0.1 + 0.2;
  c.step = 123456789012;
  c.rhs_evaluations = 42;
  c.dt = 1.0 / 3;
  c.state = {{"previous_error", {0.25}}, {"averages", {1, 2, 3}}, {"nothing", {}}};
  c.conservation_start = {{"density", 1.5}, {"energy", -2}};
  for (int i = 0; i < 3 * 2 * 6; ++i) c.coefficients.push_back(std::sin(i) * std::pow(10.0, i % 7 - 3));
  return c;
}

std::string input_error(const std::filesystem::path& file) {
  try {
    read_checkpoint(file);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return "";
}

TEST(Checkpoint, GivesBackEveryBit) {
  const Folder folder;
  const Checkpoint c = example();
  write_checkpoint(c, folder / "a.h5");
  const Checkpoint r = read_checkpoint(folder / "a.h5");
  EXPECT_EQ(r.format_version, Checkpoint::current_format);
  EXPECT_EQ(r.galerna_version, c.galerna_version);
  EXPECT_EQ(r.build, c.build);
  EXPECT_EQ(r.resolved_case, c.resolved_case);
  EXPECT_EQ(r.mesh_hash, c.mesh_hash);
  EXPECT_EQ(r.mesh_file, c.mesh_file);
  EXPECT_EQ(r.elements, c.elements);
  EXPECT_EQ(r.degree, c.degree);
  EXPECT_EQ(r.variables, c.variables);
  EXPECT_EQ(r.precision, c.precision);
  EXPECT_EQ(r.time, c.time);
  EXPECT_EQ(r.step, c.step);
  EXPECT_EQ(r.rhs_evaluations, c.rhs_evaluations);
  EXPECT_EQ(r.dt, c.dt);
  EXPECT_EQ(r.state, c.state);
  EXPECT_EQ(r.conservation_start, c.conservation_start);
  EXPECT_EQ(r.coefficients, c.coefficients);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.h5"});
}

TEST(Checkpoint, KeepsNumbersThatAreNone) {
  const Folder folder;
  Checkpoint c = example();
  c.coefficients[5] = std::numeric_limits<double>::quiet_NaN();
  c.state["x"] = {-std::numeric_limits<double>::infinity(), -0.0};
  write_checkpoint(c, folder / "a.h5");
  const Checkpoint r = read_checkpoint(folder / "a.h5");
  EXPECT_TRUE(std::isnan(r.coefficients[5]));
  EXPECT_EQ(r.state.at("x")[0], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::signbit(r.state.at("x")[1]));
}

TEST(Checkpoint, IsAnHdf5FileForOthers) {
  const Folder folder;
  write_checkpoint(example(), folder / "a.h5");
  EXPECT_GT(H5Fis_hdf5((folder / "a.h5").c_str()), 0);
}

TEST(Checkpoint, IsRefusedWhenTruncated) {
  const Folder folder;
  write_checkpoint(example(), folder / "a.h5");
  const std::string whole = read_file(folder / "a.h5");
  for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{511}, std::size_t{512},
                           std::size_t{513}, std::size_t{1024}, whole.size() / 2, whole.size() - 1}) {
    write_file(folder / "b.h5", whole.substr(0, size));
    const std::string message = input_error(folder / "b.h5");
    EXPECT_TRUE(contains(message, "b.h5")) << size;
    EXPECT_TRUE(contains(message, "another checkpoint")) << size;
  }
  write_file(folder / "b.h5", whole + "x");
  EXPECT_TRUE(contains(input_error(folder / "b.h5"), "damaged"));
}

TEST(Checkpoint, IsRefusedWhenAnyByteIsFlipped) {
  const Folder folder;
  write_checkpoint(example(), folder / "a.h5");
  const std::string whole = read_file(folder / "a.h5");
  std::mt19937 random(1);
  for (int i = 0; i < 400; ++i) {
    std::string bad = whole;
    const std::size_t at = i < 200 ? random() % 512 : random() % whole.size();
    bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
    write_file(folder / "b.h5", bad);
    EXPECT_TRUE(contains(input_error(folder / "b.h5"), "b.h5")) << "byte " << at;
  }
}

TEST(Checkpoint, OfTheSameStateIsTheSameFileWhenever) {
  const Folder folder;
  write_checkpoint(example(), folder / "a.h5");
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 counts seconds
  write_checkpoint(example(), folder / "b.h5");
  EXPECT_EQ(read_file(folder / "a.h5"), read_file(folder / "b.h5"));
}

/// More numbers than a piece has.
std::vector<double> many_numbers() {
  std::vector<double> numbers(3 * 700000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::sin(static_cast<double>(i));
  return numbers;
}

Checkpoint large_example() {
  Checkpoint c = example();
  c.elements = {{"triangles", 175000}};
  c.coefficients = many_numbers();
  c.state["average_integral"] = many_numbers();
  return c;
}

TEST(Checkpoint, InPiecesIsTheSameFile) {
  const Folder folder;
  const Checkpoint whole = large_example();
  write_checkpoint(whole, folder / "a.h5");
  Checkpoint pieces = whole;
  pieces.coefficient_pieces = numbers_of(whole.coefficients);
  pieces.coefficients.clear();
  pieces.state_pieces["average_integral"] = numbers_of(whole.state.at("average_integral"));
  pieces.state.erase("average_integral");
  write_checkpoint(pieces, folder / "b.h5");
  EXPECT_TRUE(read_file(folder / "a.h5") == read_file(folder / "b.h5"));
}

TEST(Checkpoint, IsReadInPieces) {
  const Folder folder;
  const Checkpoint whole = large_example();
  write_checkpoint(whole, folder / "a.h5");
  const Checkpoint opened = open_checkpoint(folder / "a.h5");
  EXPECT_TRUE(opened.coefficients.empty());
  ASSERT_TRUE(opened.coefficient_pieces);
  EXPECT_EQ(opened.coefficient_count(), whole.coefficients.size());
  EXPECT_FALSE(opened.state.contains("average_integral"));
  std::vector<double> piece(1234);
  const Numbers& averages = opened.state_pieces.at("average_integral");
  for (const Numbers* numbers : {&*opened.coefficient_pieces, &averages}) {
    numbers->fill(1048000, 1048000 + piece.size(), piece.data());
    EXPECT_TRUE(std::equal(piece.begin(), piece.end(), whole.coefficients.begin() + 1048000));
  }
}

TEST(Checkpoint, OfNumbersThatCannotBeMadeIsNotThere) {
  const Folder folder;
  Checkpoint c = example();
  c.coefficient_pieces = Numbers{36, [](std::size_t, std::size_t end, double* to) {
                                   if (end > 1) throw SystemError("no more");
                                   *to = 1;
                                 }};
  EXPECT_THROW(write_checkpoint(c, folder / "a.h5"), SystemError);
  EXPECT_TRUE(folder.names().empty());
}

TEST(Checkpoint, OtherFilesAreRefusedByName) {
  const Folder folder;
  write_file(folder / "text", "hello");
  EXPECT_TRUE(contains(input_error(folder / "text"), "not a checkpoint of galerna"));
  EXPECT_TRUE(contains(input_error(folder / "none"), "no such checkpoint"));
  EXPECT_TRUE(contains(input_error(folder.path()), "folder"));
  EXPECT_TRUE(contains(input_error("/dev/null"), "is a pipe or a device"));
  H5Fclose(H5Fcreate((folder / "foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_TRUE(contains(input_error(folder / "foreign.h5"), "not a checkpoint of galerna"));
}

TEST(Checkpoint, ANewerFormatSaysSo) {
  const Folder folder;
  write_checkpoint(example(), folder / "a.h5");
  std::string text = read_file(folder / "a.h5");
  text.replace(text.find(" 1\n"), 3, " 9\n");
  write_file(folder / "a.h5", text);
  EXPECT_TRUE(contains(input_error(folder / "a.h5"), "format 9"));
}

TEST(Checkpoint, MustNotContradictItself) {
  const Folder folder;
  Checkpoint c = example();
  c.coefficients.pop_back();
  write_checkpoint(c, folder / "a.h5");
  EXPECT_TRUE(contains(input_error(folder / "a.h5"), "35 coefficients for 2 variables of degree 2"));
  c = example();
  c.elements = {{"circles", 3}};
  write_checkpoint(c, folder / "a.h5");
  EXPECT_TRUE(contains(input_error(folder / "a.h5"), "circles"));
  c = example();
  c.variables = {};
  write_checkpoint(c, folder / "a.h5");
  EXPECT_TRUE(contains(input_error(folder / "a.h5"), "no variables"));
  c = example();
  c.time = std::numeric_limits<double>::quiet_NaN();
  write_checkpoint(c, folder / "a.h5");
  EXPECT_TRUE(contains(input_error(folder / "a.h5"), "time nan"));
  for (const std::int64_t step : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    c = example();
    c.step = step;
    write_checkpoint(c, folder / "a.h5");
    EXPECT_TRUE(contains(input_error(folder / "a.h5"), std::to_string(step) + " steps"));
  }
}

TEST(Checkpoint, AFullDiskKeepsTheLastGoodOne) {
  const Folder folder;
  Checkpoint c = example();
  write_checkpoint(c, folder / "a.h5");
  const std::string good = read_file(folder / "a.h5");
  c.time = 9;
  for (std::size_t limit : {std::size_t{1000}, std::size_t{40000}}) {
    const tests::FullDisk full(limit);
    EXPECT_THROW(write_checkpoint(c, folder / "a.h5"), SystemError);
  }
  EXPECT_EQ(read_file(folder / "a.h5"), good);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.h5"});
  EXPECT_THROW(write_checkpoint(c, folder / "a.h5/x.h5"), SystemError);
  EXPECT_THROW(write_checkpoint(c, "/dev/full"), SystemError);
}

TEST(Checkpoint, DescribesItself) {
  const std::string text = describe_checkpoint(example());
  for (const char* part :
       {"t = 0.3", "step 123456789012", "density, energy", "3 triangles", "fedcba9876543210", "36", "single"})
    EXPECT_TRUE(contains(text, part));
}

}  // namespace
}  // namespace galerna::files
