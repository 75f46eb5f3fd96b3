#include "files/wall_csv.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "solutions.hpp"

namespace galerna::files {
namespace {

using analysis::Reference;
using analysis::WallPoint;
using analysis::WallSample;

TEST(WallCsv, HasCoefficientsWhereThereIsAReference) {
  WallPoint point;
  point.normal = {0, -1};
  point.pressure = {0, -1.5};
  point.friction = {0.25, 0};
  point.density = 2, point.velocity = {3, -4}, point.mach = 5;
  point.temperature = 6, point.heat = 7;
  const std::vector<WallSample> wall = {{0, 0.5, point}};
  tests::Folder folder;
  Reference reference;
  reference.pressure = 0.5;
  const auto first_row = [&](const std::optional<Reference>& given, std::string& header) {
    write_wall(wall, given, folder / "wall.csv");
    std::ifstream stream(folder / "wall.csv");
    std::string row, cell;
    std::getline(stream, header);
    std::getline(stream, row);
    std::vector<double> values;
    for (std::istringstream cells(row); std::getline(cells, cell, ',');) values.push_back(std::stod(cell));
    return values;
  };
  std::string header;
  EXPECT_EQ(first_row({}, header).size(), 15u);
  const std::vector<double> values = first_row(reference, header);
  EXPECT_EQ(header,
            "part,s,x,y,normal_x,normal_y,pressure,shear,cp,cf,density,velocity_x,velocity_y,velocity_s,mach,"
            "temperature,heat_flux");
  ASSERT_EQ(values.size(), 17u);
  const std::vector<double> expected = {1.5, 0.25, 2, 0.5, 2, 3, -4, 3, 5, 6, 7};
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(values[6 + k], expected[k], 1e-13) << k;
}

}  // namespace
}  // namespace galerna::files
