#include "files/vtu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "base/error.hpp"
#include "files/vtu_data.hpp"
#include "files/vtu_file.hpp"
#include "mesh/box.hpp"
#include "solutions.hpp"

namespace galerna::files {
namespace {

using analysis::Solution;
using tests::contains;
using tests::Folder;
using tests::VtuFile;

double cubic(double x, double y, double z) {
  return 1 + x - 2 * y + x * y * y - 0.5 * x * x * x + 0.7 * z * x;
}

/// Reads lattice indices "000 100 …" in VTK's order; the last digit is unused in 2D.
std::vector<std::array<int, 3>> indices(const std::string& text) {
  std::vector<std::array<int, 3>> result;
  for (std::size_t i = 0; i < text.size(); i += 4)
    result.push_back({text[i] - '0', text[i + 1] - '0', text[i + 2] - '0'});
  return result;
}

/// Orders of nodes as vtkLagrange{Triangle,Quadrilateral,Tetra,Hexahedron,Wedge} of VTK 9.7 report them.
TEST(VtkCells, NodeOrdersAreThoseOfVtk) {
  const std::vector<std::tuple<Shape, int, int, std::string>> known = {
      {Shape::triangle, 69, 4, "000 400 040 100 200 300 310 220 130 030 020 010 110 210 120"},
      {Shape::quadrilateral, 70, 3, "000 300 330 030 100 200 310 320 130 230 010 020 110 210 120 220"},
      {Shape::tetrahedron, 71, 4,
       "000 400 040 004 100 200 300 310 220 130 030 020 010 001 002 003 301 202 103 031 022 013 101 201 102 121 112 "
       "211 "
       "011 012 021 110 120 210 111"},
      {Shape::hexahedron, 72, 2,
       "000 200 220 020 002 202 222 022 100 210 120 010 102 212 122 012 001 201 221 021 011 211 101 121 110 112 111"},
      {Shape::prism, 73, 3,
       "000 300 030 003 303 033 100 200 210 120 020 010 103 203 213 123 023 013 001 002 301 302 031 032 110 113 101 "
       "201 "
       "102 202 211 121 212 122 021 011 022 012 111 112"}};
  for (const auto& [shape, type, order, text] : known) {
    const CellPattern pattern = cell_pattern(shape, order, VtkCells::lagrange);
    ASSERT_EQ(pattern.cells.size(), 1u);
    EXPECT_EQ(pattern.cells[0].type, type);
    const auto expected = indices(text);
    ASSERT_EQ(pattern.cells[0].nodes.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      for (std::size_t d = 0; d < static_cast<std::size_t>(dimension(shape)); ++d) {
        const double share = static_cast<double>(expected[i][d]) / order;
        const bool centred =
            shape == Shape::quadrilateral || shape == Shape::hexahedron || (shape == Shape::prism && d == 2);
        EXPECT_NEAR(pattern.points[pattern.cells[0].nodes[i]][d], centred ? 2 * share - 1 : share, 1e-14)
            << name(shape) << " node " << i << " coordinate " << d;
      }
  }
}

double signed_tetrahedron(const basis::Point& a, const basis::Point& b, const basis::Point& c, const basis::Point& d) {
  Eigen::Matrix3d m;
  for (std::size_t i = 0; i < 3; ++i) m.row(static_cast<Eigen::Index>(i)) << b[i] - a[i], c[i] - a[i], d[i] - a[i];
  return m.determinant() / 6;
}

/// Signed measure of a linear VTK cell.
double measure(const CellPattern& pattern, const CellPattern::Cell& cell) {
  const auto p = [&](int i) { return pattern.points[cell.nodes[i]]; };
  switch (cell.type) {
    case 5:
    case 9: {
      double area = 0;
      for (std::size_t i = 0; i < cell.nodes.size(); ++i) {
        const auto a = pattern.points[cell.nodes[i]], b = pattern.points[cell.nodes[(i + 1) % cell.nodes.size()]];
        area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
      }
      return area;
    }
    case 10:
      return signed_tetrahedron(p(0), p(1), p(2), p(3));
    case 12: {
      double volume = 0;
      for (const auto& t : {std::array{0, 1, 3, 4}, {1, 2, 3, 6}, {1, 3, 4, 6}, {4, 6, 5, 1}, {3, 6, 7, 4}})
        volume += signed_tetrahedron(p(t[0]), p(t[1]), p(t[2]), p(t[3]));
      return volume;
    }
    case 13:
      return signed_tetrahedron(p(0), p(1), p(2), p(3)) + signed_tetrahedron(p(1), p(2), p(3), p(4)) +
             signed_tetrahedron(p(2), p(3), p(4), p(5));
    case 14:
      return signed_tetrahedron(p(0), p(1), p(2), p(4)) + signed_tetrahedron(p(0), p(2), p(3), p(4));
    default:
      ADD_FAILURE() << "type " << int(cell.type);
      return 0;
  }
}

TEST(VtkCells, LinearCellsFillTheElementAndArePositive) {
  for (Shape shape :
       {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron})
    for (int order = 1; order <= 6; ++order) {
      const CellPattern pattern = cell_pattern(shape, order, VtkCells::subdivided);
      double sum = 0;
      for (const CellPattern::Cell& cell : pattern.cells) {
        const double size = measure(pattern, cell);
        if (cell.type != 13) {
          EXPECT_GT(size, 0) << name(shape) << " order " << order << " type " << int(cell.type);
        }
        sum += std::abs(size);
      }
      EXPECT_NEAR(sum, reference_measure(shape), 1e-12) << name(shape) << " order " << order;
    }
}

void expect_values(const VtuFile& file, double tolerance) {
  const auto points = file.numbers("Points"), density = file.numbers("density");
  ASSERT_EQ(points.size(), 3 * density.size());
  for (std::size_t i = 0; i < density.size(); ++i)
    ASSERT_NEAR(density[i], cubic(points[3 * i], points[3 * i + 1], points[3 * i + 2]), tolerance) << "point " << i;
}

TEST(Vtu, HoldsThePolynomialOfEveryShape) {
  const Folder folder;
  for (Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron, Shape::prism}) {
    const mesh::Mesh mesh = tests::one_element(shape);
    for (bool compressed : {false, true}) {
      VtuOptions options;
      options.compressed = compressed;
      options.precision = VtuOptions::Precision::double_precision;
      write_vtu(tests::project(mesh, 3, cubic), folder / "a.vtu", options);
      const VtuFile file(folder / "a.vtu");
      EXPECT_EQ(file.numbers("density").size(), static_cast<std::size_t>(node_count(shape, 3)));
      expect_values(file, 1e-11);
    }
  }
}

TEST(Vtu, TrianglesAreWrittenPositivelyOriented) {
  const Folder folder;
  const mesh::Mesh mesh = tests::triangles(3, 2);
  write_vtu(tests::project(mesh, 3, cubic), folder / "a.vtu", {});
  const VtuFile file(folder / "a.vtu");
  EXPECT_TRUE(contains(file.header(), "NumberOfPoints=\"120\" NumberOfCells=\"12\""));
  EXPECT_EQ(file.attribute("density", "type"), "Float32");
  expect_values(file, 1e-5);
  const auto connectivity = file.read<std::int64_t>("connectivity");
  const auto points = file.numbers("Points");
  ASSERT_EQ(connectivity.size(), 120u);
  for (std::size_t cell = 0; cell < 12; ++cell) {
    const auto p = [&](std::size_t corner, std::size_t d) { return points[3 * connectivity[10 * cell + corner] + d]; };
    EXPECT_GT((p(1, 0) - p(0, 0)) * (p(2, 1) - p(0, 1)) - (p(2, 0) - p(0, 0)) * (p(1, 1) - p(0, 1)), 0) << cell;
  }
  const auto source = file.read<std::int64_t>("element");
  EXPECT_EQ(source.front(), 12);
  EXPECT_EQ(source.back(), 1);
}

TEST(Vtu, MixedMeshesAndOffsets) {
  const Folder folder;
  const mesh::Mesh mesh = tests::mixed(4, 3);
  for (int degree : {0, 1, 2, 3}) {
    write_vtu(tests::project(mesh, degree, cubic), folder / "a.vtu", {});
    const VtuFile file(folder / "a.vtu");
    const auto offsets = file.read<std::int64_t>("offsets");
    const auto types = file.read<std::uint8_t>("types");
    ASSERT_EQ(types.size(), 18u);
    const int order = std::max(degree, 1);
    for (std::size_t cell = 0; cell < types.size(); ++cell) {
      EXPECT_EQ(types[cell], cell < 6 ? 70 : 69);
      EXPECT_EQ(offsets[cell] - (cell > 0 ? offsets[cell - 1] : 0),
                node_count(cell < 6 ? Shape::quadrilateral : Shape::triangle, order));
    }
    const auto connectivity = file.read<std::int64_t>("connectivity");
    std::vector<std::int64_t> sorted = connectivity, all(sorted.size());
    std::sort(sorted.begin(), sorted.end());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(sorted, all);
  }
}

TEST(Vtu, DegreeZeroIsConstantInEachElement) {
  const Folder folder;
  const mesh::Mesh mesh = tests::triangles(2, 1);
  write_vtu(tests::project(mesh, 0, [](double x, double, double) { return x; }), folder / "a.vtu", {});
  const auto density = VtuFile(folder / "a.vtu").numbers("density");
  ASSERT_EQ(density.size(), 12u);
  for (std::size_t i = 0; i < 12; i += 3) {
    EXPECT_EQ(density[i], density[i + 1]);
    EXPECT_EQ(density[i], density[i + 2]);
  }
  EXPECT_NE(density[0], density[3]);
}

TEST(Vtu, VectorsTimeAndRegions) {
  const Folder folder;
  mesh::Mesh mesh = tests::triangles(2, 2);
  mesh.region_names = {"fluid"};
  for (int& region : mesh.blocks[0].region) region = 0;
  Solution solution =
      tests::project(mesh, 1,
                     {[](double, double, double) { return 2; }, [](double x, double, double) { return x; },
                      [](double, double y, double) { return -y; }, [](double, double, double) { return 9; }});
  solution.time = 0.1;
  write_vtu(solution, folder / "a.vtu", {});
  const VtuFile file(folder / "a.vtu");
  EXPECT_TRUE(contains(file.header(), "Scalars=\"density\" Vectors=\"velocity\""));
  EXPECT_EQ(file.attribute("velocity", "NumberOfComponents"), "3");
  EXPECT_EQ(file.attribute("TimeValue", "NumberOfTuples"), "1");
  EXPECT_EQ(file.read<double>("TimeValue"), std::vector<double>{0.1});
  EXPECT_EQ(file.read<std::int32_t>("region"), std::vector<std::int32_t>(8, 0));
  const auto velocity = file.numbers("velocity"), x = file.numbers("velocity_x"), points = file.numbers("Points");
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(velocity[3 * i], x[i]);
    EXPECT_NEAR(velocity[3 * i + 1], -points[3 * i + 1] / 2, 1e-6);
    EXPECT_EQ(velocity[3 * i + 2], 0);
  }
}

TEST(Vtu, SubsetsAndLinearCells) {
  const Folder folder;
  const mesh::Mesh mesh = tests::mixed(4, 2);
  VtuOptions options;
  options.elements = {1, 6};
  options.cells = VtkCells::subdivided;
  write_vtu(tests::project(mesh, 3, cubic), folder / "a.vtu", options);
  const VtuFile file(folder / "a.vtu");
  const auto types = file.read<std::uint8_t>("types");
  EXPECT_TRUE(contains(file.header(), "version=\"1.0\" byte_order"));
  EXPECT_EQ(std::count(types.begin(), types.end(), 9), 9);
  EXPECT_EQ(std::count(types.begin(), types.end(), 5), 9);
  EXPECT_EQ(file.numbers("density").size(), 26u);
}

/// Programs that know nothing newer than version 1.0 open all but Lagrange hexahedra.
TEST(Vtu, OnlyLagrangeHexahedraAskForVersion2) {
  const auto version = [](const mesh::Mesh& mesh, VtkCells cells = VtkCells::lagrange) {
    const Folder folder;
    VtuOptions options;
    options.cells = cells;
    write_vtu(tests::project(mesh, 2, cubic), folder / "a.vtu", options);
    const std::string text = VtuFile(folder / "a.vtu").header();
    EXPECT_TRUE(contains(text, "header_type=\"UInt64\""));
    const std::size_t at = text.find(" version=\"", text.find("<VTKFile"));
    return text.substr(at + 10, 3);
  };
  EXPECT_EQ(version(tests::mixed(4, 2)), "1.0");
  for (const Shape shape : {Shape::tetrahedron, Shape::prism, Shape::pyramid})
    EXPECT_EQ(version(mesh::make_box({1, 1, 1}, {1, 1, 1}, 0, shape)), "1.0");
  const mesh::Mesh hexahedra = mesh::make_box({1, 1, 1}, {1, 1, 1}, 0, Shape::hexahedron);
  EXPECT_EQ(version(hexahedra), "2.2");
  EXPECT_EQ(version(hexahedra, VtkCells::subdivided), "1.0");
}

TEST(Vtu, LargeArraysTakeSeveralStreams) {
  const Folder folder;
  const mesh::Mesh mesh = tests::triangles(80, 40);  // 1.5 streams of points
  VtuOptions options;
  options.precision = VtuOptions::Precision::double_precision;
  write_vtu(tests::project(mesh, 3, cubic), folder / "a.vtu", options);
  const VtuFile file(folder / "a.vtu");
  EXPECT_EQ(file.numbers("Points").size(), 192000u);
  expect_values(file, 1e-10);
}

/// Elements of both shapes of a mesh lie across the ends of streams.
TEST(Vtu, IsTheSameFileWhateverTheThreads) {
  const Folder folder;
  const mesh::Mesh mesh = tests::mixed(80, 60);
  const Solution solution =
      tests::project(mesh, 4,
                     {cubic, [](double x, double, double) { return x; }, [](double, double y, double) { return -y; },
                      [](double, double, double) { return 9; }});
  std::vector<std::string> files;
  for (const char* threads : {"1", "2", "5"}) {
    setenv("OMP_NUM_THREADS", threads, 1);
    write_vtu(solution, folder / "a.vtu", {});
    unsetenv("OMP_NUM_THREADS");
    files.push_back(read_file(folder / "a.vtu"));
  }
  EXPECT_TRUE(files[0] == files[1] && files[0] == files[2]);
  const VtuFile file(folder / "a.vtu");
  expect_values(file, 2e-4);
  const auto points = file.numbers("Points"), x = file.numbers("velocity_x"), joined = file.numbers("velocity");
  ASSERT_GT(x.size() * sizeof(float), 2 * VtkArrays::stream_bytes);
  ASSERT_EQ(joined.size(), 3 * x.size());
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(joined[3 * i], x[i]) << i;
  std::vector<std::int64_t> connectivity = file.read<std::int64_t>("connectivity"), all(x.size());
  std::sort(connectivity.begin(), connectivity.end());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(connectivity, all);
}

TEST(Vtu, IsTheSameFileWhateverWaitsOnTheDisk) {
  const Folder folder;
  const mesh::Mesh mesh = tests::triangles(80, 40);
  const Solution solution = tests::project(mesh, 3, cubic);
  write_vtu(solution, folder / "a.vtu", {});
  VtuOptions options;
  for (const std::size_t memory : {std::size_t{0}, std::size_t{200000}}) {
    options.memory = memory;
    write_vtu(solution, folder / "b.vtu", options);
    EXPECT_TRUE(read_file(folder / "a.vtu") == read_file(folder / "b.vtu")) << memory;
  }
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.vtu", "b.vtu"}));
}

/// Arrays of more than 4 GB: what their headers say, without data.
TEST(VtkArrays, LieBehindTheEndOf32Bits) {
  VtkArrays arrays(false);
  const std::size_t first = arrays.reserve<double>("first", 700'000'000), second = arrays.reserve<float>("second", 1);
  EXPECT_EQ(arrays.streams(first), (5'600'000'000 + VtkArrays::stream_bytes - 1) / VtkArrays::stream_bytes);
  EXPECT_NE(arrays.element(first).find("offset=\"0\""), std::string::npos);
  EXPECT_NE(vtu_opening(false, false).find("header_type=\"UInt64\""), std::string::npos);
  EXPECT_NE(arrays.element(second).find("offset=\"5600000008\""), std::string::npos) << arrays.element(second);
}

TEST(Vtu, CurvedElementsFollowTheirGeometry) {
  const Folder folder;
  const mesh::Mesh mesh = tests::curved_triangle();
  write_vtu(tests::project(mesh, 1, [](double, double, double) { return 1; }), folder / "a.vtu", {});
  const auto points = VtuFile(folder / "a.vtu").numbers("Points");
  ASSERT_EQ(points.size(), 18u);
  EXPECT_NEAR(points[3 * 4], 0.65, 1e-6);  // lattice point (1, 1): middle of the hypotenuse
  EXPECT_NEAR(points[3 * 4 + 1], 0.65, 1e-6);
}

TEST(Vtu, AFullDiskKeepsTheLastGoodFile) {
  const Folder folder;
  const mesh::Mesh mesh = tests::triangles(20, 20);
  const Solution solution = tests::project(mesh, 2, cubic);
  write_vtu(solution, folder / "a.vtu", {});
  const std::string good = read_file(folder / "a.vtu");
  {
    const tests::FullDisk full(5000);
    EXPECT_THROW(write_vtu(solution, folder / "a.vtu", {}), SystemError);
  }
  EXPECT_EQ(read_file(folder / "a.vtu"), good);
  EXPECT_EQ(folder.names().size(), 1u);
}

TEST(Pvd, IsWholeAfterEveryCallAndContinues) {
  const Folder folder;
  {
    PvdSeries series(folder / "s.pvd");
    EXPECT_FALSE(std::filesystem::exists(folder / "s.pvd"));
    for (int i = 0; i < 4; ++i) series.add(0.1 * i, "a<&" + std::to_string(i) + ".vtu");
  }
  PvdSeries series(folder / "s.pvd", 0.2);
  ASSERT_EQ(series.entries().size(), 3u);
  EXPECT_EQ(series.entries()[1].time, 0.1);
  EXPECT_EQ(series.entries()[1].file, "a<&1.vtu");
  series.add(0.2, "a<&2.vtu");
  series.add(0.3, "b.vtu");
  EXPECT_EQ(series.entries().size(), 4u);
  EXPECT_TRUE(contains(read_file(folder / "s.pvd"), "timestep=\"0.3\" group=\"\" part=\"0\" file=\"b.vtu\""));
  EXPECT_FALSE(contains(read_file(folder / "s.pvd"), "a&lt;&amp;3.vtu"));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"s.pvd"});
}

TEST(Pvd, DoesNotContinueWhatItDoesNotUnderstand) {
  const Folder folder;
  write_file(folder / "s.pvd", "something else");
  EXPECT_THROW(PvdSeries(folder / "s.pvd", 1.0), InputError);
  write_file(folder / "s.pvd", "<Collection>\n<DataSet timestep=\"soon\" file=\"a\"/>");
  EXPECT_THROW(PvdSeries(folder / "s.pvd", 1.0), InputError);
  EXPECT_NO_THROW(PvdSeries(folder / "s.pvd"));
}

}  // namespace
}  // namespace galerna::files
