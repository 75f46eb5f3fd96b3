/// Boundary sides that lie upon one another: found whatever the shapes, and nothing that only comes near is.
#include "mesh/overlaps.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"
#include "parts.hpp"

namespace galerna::mesh {
namespace {

/// Prepared, and how many pairs of sides lie upon one another.
std::size_t overlaps(Mesh mesh) {
  const std::size_t reported = prepare(mesh).size(), found = find_overlaps(mesh).size();
  EXPECT_EQ(reported, found);
  return found;
}

std::string refusal(Mesh mesh, const std::vector<std::string>& plates) {
  try {
    prepare(mesh, {{}, 1e-6, plates});
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Overlaps, OfBlocksThatShareNoNodes) {
  const Mesh left = make_rectangle(2, 4, {0, 0}, {1, 1});
  for (const CellStyle style : {CellStyle::triangles, CellStyle::quadrilaterals})
    for (const Index n : {4, 8, 12, 3})  // alike, hanging nodes, and sides that cover parts of two
      EXPECT_EQ(overlaps(beside(left, make_rectangle(3, n, {1, 0}, {2, 1}, style))), n == 3 ? 6U : n) << n;
}

TEST(Overlaps, OfSolids) {
  for (const Shape a : {Shape::tetrahedron, Shape::prism, Shape::hexahedron, Shape::pyramid})
    for (const Shape b : {Shape::tetrahedron, Shape::prism, Shape::hexahedron}) {
      const Mesh mesh =
          beside(make_box({2, 2, 2}, {1, 1, 1}, 0, a), moved(make_box({2, 2, 2}, {1, 1, 1}, 0, b), {1, 0, 0}));
      EXPECT_GE(overlaps(mesh), 4U) << name(a) << name(b);
      EXPECT_GE(overlaps(beside(make_box({2, 2, 2}, {1, 1, 1}, 0, a),
                                moved(make_box({1, 3, 2}, {1, 1, 1}, 0, b), {1, 0, 0}))),
                6U);
    }
}

TEST(Overlaps, DoNotHangOnScaleAndPlace) {
  for (const double scale : {1e-6, 1.0, 1e6})
    for (const double shift : {0.0, 1e4}) {
      const auto map = [&](const Point& x) {
        return Point{scale * (0.8 * x[0] - 0.6 * x[1] + shift), scale * (0.6 * x[0] + 0.8 * x[1] - shift),
                     scale * x[2]};
      };
      Mesh plane = beside(make_rectangle(4, 4), make_rectangle(4, 8, {1, 0}, {2, 1}));
      transform(plane, map);
      EXPECT_EQ(overlaps(plane), 8U) << scale << " " << shift;
      Mesh space = beside(make_box({2, 2, 2}), moved(make_box({2, 4, 2}), {1, 0, 0}));
      transform(space, map);
      EXPECT_GE(overlaps(space), 16U) << scale << " " << shift;
    }
}

TEST(Overlaps, EndWhereGapsBegin) {
  const auto with_gap = [](double gap) {
    return std::array{overlaps(beside(make_rectangle(2, 2), make_rectangle(2, 4, {1 + gap, 0}, {2, 1}))),
                      overlaps(beside(make_box({1, 1, 1}), moved(make_box({1, 2, 1}), {1 + gap, 0, 0})))};
  };
  EXPECT_EQ(with_gap(1e-6)[0], 0U);  // a slot of that width
  EXPECT_EQ(with_gap(1e-6)[1], 0U);
  EXPECT_EQ(with_gap(1e-10)[0], 4U);
  EXPECT_GE(with_gap(1e-10)[1], 4U);
}

TEST(Overlaps, AreNotSidesThatOnlyTouch) {
  // Blocks that meet at a corner or along an edge only.
  EXPECT_EQ(overlaps(beside(make_rectangle(2, 2), make_rectangle(2, 2, {1, 1}, {2, 2}))), 0U);
  EXPECT_EQ(overlaps(beside(make_box({1, 1, 1}), moved(make_box({1, 1, 1}), {1, 1, 0}))), 0U);
  // Thin elements: both walls of a channel of height 1e-7.
  EXPECT_EQ(overlaps(make_rectangle(8, 1, {0, 0}, {1, 1e-7}, CellStyle::quadrilaterals)), 0U);
  EXPECT_EQ(overlaps(make_box({2, 2, 1}, {1, 1, 1e-6}, 0, Shape::hexahedron)), 0U);
}

/// A square with a slit from its centre to the right, whose tip is one node; it opens by an angle.
Mesh slit(double angle) {
  Mesh mesh = make_rectangle(4, 4, {-1, -1}, {1, 1});
  const auto nodes = mesh.nodes.size();
  std::vector<Index> above(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    above[n] = static_cast<Index>(n);
    if (mesh.nodes[n][1] != 0 || mesh.nodes[n][0] <= 0) continue;
    above[n] = static_cast<Index>(mesh.nodes.size());
    mesh.nodes.push_back({mesh.nodes[n][0], angle * mesh.nodes[n][0], 0});
    mesh.image.push_back(above[n]);
  }
  ElementBlock& block = mesh.blocks.front();
  for (std::size_t e = 0; e < block.nodes.size(); e += 3) {
    double y = 0;
    for (std::size_t n = e; n < e + 3; ++n) y += mesh.nodes[static_cast<std::size_t>(block.nodes[n])][1];
    for (std::size_t n = e; n < e + 3 && y > 0; ++n) block.nodes[n] = above[static_cast<std::size_t>(block.nodes[n])];
  }
  return mesh;
}

TEST(Overlaps, OfSlitsBeginWhereTheyAreClosed) {
  EXPECT_EQ(refusal(slit(1e-4), {}), "");
  EXPECT_EQ(refusal(slit(1e-7), {}), "");
  for (const double angle : {0.0, 1e-10})
    EXPECT_NE(refusal(slit(angle), {}).find("4 sides without a name lie upon one another"), std::string::npos) << angle;
}

TEST(Overlaps, OfPeriodicSidesAreNone) {
  for (const Index n : {1, 2}) {
    Mesh mesh = make_rectangle(n, 3);
    prepare(mesh, {{{"left", "right", {1, 0, 0}, {}}}});
    EXPECT_TRUE(find_overlaps(mesh).empty());
  }
}

TEST(Overlaps, OfCurvedSides) {
  for (const int order : {1, 2, 3, 4, 6}) {
    const auto block = [&](Index n, double from, double to) {
      return raised(make_rectangle(2, n, {from, 0}, {to, 1}), order, ring);
    };
    EXPECT_EQ(overlaps(beside(block(4, 0, 1), block(4, 1, 2))), 4U) << order;     // the same curve
    EXPECT_EQ(overlaps(beside(block(4, 0, 1), block(8, 1, 2))), 8U) << order;     // other nodes, off by the bend
    EXPECT_GE(overlaps(beside(block(4, 0, 1), block(5, 1, 2))), 2U) << order;     // at least where the curve begins
    EXPECT_EQ(overlaps(beside(block(4, 0, 1), block(4, 1.01, 2))), 0U) << order;  // a slot as wide as the bend
  }
}

TEST(Overlaps, AreRefusedUnlessTheyArePlates) {
  const Mesh mesh = beside(make_rectangle(2, 2), make_rectangle(2, 2, {1, 0}, {2, 1}), "2");
  const std::string text = refusal(mesh, {});
  for (const char* part : {"2 sides of boundary 'right' lie upon 2 sides of boundary 'left2', at (1, 0.25) (triangle ",
                           "Coherence", "set plate = true in [boundary.right] and [boundary.left2]"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_NE(refusal(mesh, {"right"}), "");
  EXPECT_EQ(refusal(mesh, {"right", "left2"}), "");
  Mesh open = mesh;
  for (Boundary& boundary : open.boundaries)
    if (boundary.name == "right") boundary.sides.clear();
  EXPECT_NE(refusal(open, {"right", "left2", ""}).find("without a name"), std::string::npos);
}

TEST(Overlaps, OfElementsThatLieOverOneAnotherAreNoPlates) {
  const std::string text = refusal(beside(make_rectangle(2, 2), make_rectangle(2, 2), "2"),
                                   {"left", "right", "top", "bottom", "left2", "right2", "top2", "bottom2"});
  EXPECT_NE(text.find("The elements lie over one another"), std::string::npos) << text;
}

TEST(Prepare, RefusesSidesThatAreBentDifferently) {
  Mesh mesh = raised(make_rectangle(2, 1), 2, [](const Point& x) { return x; });
  // The middle edge of the second element gets a node of its own beside the common one.
  const Mesh good = mesh;
  ElementBlock& block = mesh.blocks.front();
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    if (mesh.nodes[n] == Point{0.5, 0.5, 0}) {
      mesh.nodes.push_back({0.53, 0.5, 0});
      mesh.image.push_back(static_cast<Index>(mesh.image.size()));
      *std::find(block.nodes.rbegin(), block.nodes.rend(), static_cast<Index>(n)) =
          static_cast<Index>(mesh.nodes.size()) - 1;
      break;
    }
  Mesh whole = good;
  prepare(whole);
  try {
    prepare(mesh);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("at (0.5, 0.5), but bend it differently, by 0.03"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace galerna::mesh
