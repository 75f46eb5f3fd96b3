/// Fields of the gradient in VTU files.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "files/vtu.hpp"
#include "files/vtu_file.hpp"
#include "further_fields.hpp"

namespace galerna::files {
namespace {

using analysis::Solution;
using tests::contains;
using tests::Folder;
using tests::quadratic_on;
using tests::slope_x;
using tests::slope_y;

TEST(FurtherFields, StandInVtuFilesAsListed) {
  const Folder folder;
  const mesh::Mesh mesh = tests::mixed(4, 2);
  const Solution solution = quadratic_on(mesh, 2);
  write_vtu(solution, folder / "listed.vtu");
  const tests::VtuFile listed(folder / "listed.vtu");
  EXPECT_TRUE(listed.has("density"));
  EXPECT_TRUE(listed.has("mixed"));
  EXPECT_FALSE(listed.has("slope_x"));
  VtuOptions options;
  options.precision = VtuOptions::Precision::double_precision;
  options.fields = {"slope_x", "slope_y"};
  write_vtu(solution, folder / "chosen.vtu", options);
  const tests::VtuFile chosen(folder / "chosen.vtu");
  EXPECT_FALSE(chosen.has("density"));
  const auto points = chosen.numbers("Points"), along_x = chosen.numbers("slope_x"), joined = chosen.numbers("slope");
  ASSERT_EQ(joined.size(), points.size());
  for (std::size_t i = 0; i < along_x.size(); ++i) {
    EXPECT_NEAR(along_x[i], slope_x(points[3 * i], points[3 * i + 1]), 1e-10);
    EXPECT_NEAR(joined[3 * i + 1], slope_y(points[3 * i], points[3 * i + 1]), 1e-10);
  }
  options.fields = {"slop_x"};
  try {
    write_vtu(solution, folder / "wrong.vtu", options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "did you mean \"slope_x\"?"));
  }
}

}  // namespace
}  // namespace galerna::files
