// The reader of VTU files that the user guide gives, run by Python.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "files/atomic_file.hpp"
#include "files/vtu.hpp"
#include "files/vtu_file.hpp"
#include "solutions.hpp"

namespace galerna::files {
namespace {

using analysis::Solution;

/// The Python code of the guide's section on VTU files.
std::string reader_of_the_guide() {
  const std::string guide = read_file(std::filesystem::path(GALERNA_SOURCE_DIR) / "docs" / "user-guide.md");
  const std::size_t section = guide.find("## The layout of VTU files"), fence = guide.find("```python\n", section);
  const std::size_t begin = fence + 10;
  return guide.substr(begin, guide.find("```", begin) - begin);
}

std::string output_of(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string output;
  char buffer[4096];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, n);
  pclose(pipe);
  return output;
}

TEST(VtuReader, OfTheGuideReadsEveryArray) {
  if (std::system("python3 -c pass > /dev/null 2>&1") != 0) GTEST_SKIP() << "no python3";
  const tests::Folder folder;
  // More than a mebibyte of points: several blocks of compressed data.
  const mesh::Mesh mesh = tests::mixed(90, 60);
  const Solution solution = tests::project(mesh, 3, [](double x, double y, double) { return 1 + x * y * y; });
  for (const auto precision : {VtuOptions::Precision::single_precision, VtuOptions::Precision::double_precision}) {
    VtuOptions options;
    options.precision = precision;
    write_vtu(solution, folder / "a.vtu", options);
    write_file(folder / "read.py",
               reader_of_the_guide() +
                   "\nfor name in ('density', 'Points', 'connectivity', 'offsets', 'types', 'element'):\n"
                   "    values = arrays[name]\n"
                   "    print(name, len(values), repr(values[7]), repr(values[-1]))\n");
    const std::string output =
        output_of("python3 " + (folder / "read.py").string() + " " + (folder / "a.vtu").string());
    const tests::VtuFile file(folder / "a.vtu");
    std::istringstream lines(output.substr(output.find('\n') + 1));
    const auto expect = [&](const std::string& name, const auto& values) {
      std::string word;
      std::size_t count = 0;
      double seventh = 0, last = 0;
      lines >> word >> count >> seventh >> last;
      EXPECT_EQ(word, name) << output;
      EXPECT_EQ(count, values.size());
      EXPECT_EQ(seventh, static_cast<double>(values[7]));
      EXPECT_EQ(last, static_cast<double>(values.back()));
    };
    expect("density", file.numbers("density"));
    expect("Points", file.numbers("Points"));
    EXPECT_GT(file.numbers("Points").size(), (1u << 20) / sizeof(float));
    expect("connectivity", file.read<std::int64_t>("connectivity"));
    expect("offsets", file.read<std::int64_t>("offsets"));
    expect("types", file.read<std::uint8_t>("types"));
    expect("element", file.read<std::int64_t>("element"));
  }
}

}  // namespace
}  // namespace galerna::files
