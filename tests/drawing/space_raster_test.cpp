#include "drawing/space_raster.hpp"

#include <cmath>

#include "base/error.hpp"
#include "dg/curved_solids.hpp"
#include "drawing/picture.hpp"
#include "mesh/box.hpp"
#include "solutions.hpp"

namespace galerna::drawing {
namespace {

using analysis::Solution;
using tests::contains;
using tests::project;

double plane(double x, double y, double z) {
  return x + 2 * y - 3 * z;
}

/// The unit cube, straight, and with elements of order 2 that fill the same cube.
mesh::Mesh cube(int order) {
  mesh::Mesh mesh = tests::raise_solids(mesh::make_box({2, 3, 2}, {1, 1, 1}, 0.1), order, [](const mesh::Point& x) {
    const double bump = 0.1 * x[0] * (1 - x[0]) * x[1] * (1 - x[1]) * x[2] * (1 - x[2]);
    return mesh::Point{x[0] + bump, x[1] - bump, x[2] + bump};
  });
  mesh::prepare(mesh);
  return mesh;
}

/// Of the place where the sight of a cell meets w.
mesh::Point place_in(const Scene& scene, const Window& window, const Raster& raster, int row, int column, double w) {
  const double u = window.x0 + (column + 0.5) * window.width() / raster.columns,
               v = window.y1 - (row + 0.5) * window.height() / raster.rows;
  mesh::Point place{};
  for (std::size_t k = 0; k < 3; ++k)
    place[k] = u * scene.frame.right[k] + v * scene.frame.up[k] + w * scene.frame.toward[k];
  return place;
}

TEST(SpaceRaster, CutsShowTheFieldWhereTheyAre) {
  for (const int order : {1, 2}) {
    const mesh::Mesh mesh = cube(order);
    const Solution solution = project(mesh, 2, plane);
    // Along sides of elements, between them, and across.
    for (const Scene& scene : {cut_scene({0, 0, 0.5}, {0, 0, 1}), cut_scene({0, 0.4, 0}, {0, -2, 0}),
                               cut_scene({0.5, 0.5, 0.5}, {1, 0.7, -0.4})}) {
      const Window window = window_of(mesh, scene);
      const Raster raster = rasterize(solution, 0, scene, window, 40, 40, 0);
      int inside = 0, covered = 0;
      for (int row = 0; row < 40; ++row)
        for (int column = 0; column < 40; ++column) {
          const mesh::Point x =
              place_in(scene, window, raster, row, column, scene.frame.project(scene.planes[0].point)[2]);
          const bool within = std::all_of(x.begin(), x.end(), [](double c) { return c > 1e-3 && c < 1 - 1e-3; });
          const std::size_t at = static_cast<std::size_t>(row) * 40 + column;
          inside += within;
          covered += within && raster.covered[at];
          if (!within || !raster.covered[at]) continue;
          EXPECT_NEAR(raster.values[at], plane(x[0], x[1], x[2]), order == 1 ? 1e-12 : 2e-3);
        }
      EXPECT_GT(inside, 500);
      EXPECT_EQ(covered, inside) << order;
    }
  }
}

TEST(SpaceRaster, AxesOfCutsRunAsTheyDoInSpace) {
  const auto is = [](const mesh::Point& a, const mesh::Point& b) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-15);
  };
  for (const double sign : {1.0, -1.0}) {
    is(cut_scene({}, {0, 0, sign}).frame.right, {1, 0, 0});
    is(cut_scene({}, {0, 0, sign}).frame.up, {0, 1, 0});
    is(cut_scene({}, {0, sign, 0}).frame.right, {1, 0, 0});
    is(cut_scene({}, {0, sign, 0}).frame.up, {0, 0, 1});
    is(cut_scene({}, {sign, 0, 0}).frame.right, {0, 1, 0});
    is(cut_scene({}, {sign, 0, 0}).frame.up, {0, 0, 1});
  }
  EXPECT_THROW(cut_scene({}, {0, 0, 0}), InputError);
  EXPECT_TRUE(meets(cube(1), plane_through({0, 0, 0.9}, {0, 0, 1})));
  EXPECT_FALSE(meets(cube(1), plane_through({0, 0, 1.1}, {0, 0, 1})));
}

TEST(SpaceRaster, CutsInTheBoundaryShowItFromInside) {
  const mesh::Mesh mesh = cube(1);
  const Solution solution = project(mesh, 2, plane);
  for (const mesh::Point& normal :
       {mesh::Point{0, 0, 1}, mesh::Point{0, 0, -1}, mesh::Point{0, 1, 0}, mesh::Point{1, 0, 0}})
    for (const double at : {0.0, 1.0}) {
      const Scene scene = cut_scene({at, at, at}, normal);
      ASSERT_TRUE(meets(mesh, scene.planes[0]));
      const Window window = window_of(mesh, scene);
      const Raster raster = rasterize(solution, 0, scene, window, 20, 20, 0);
      for (int row = 0; row < 20; ++row)
        for (int column = 0; column < 20; ++column) {
          const mesh::Point x =
              place_in(scene, window, raster, row, column, scene.frame.project(scene.planes[0].point)[2]);
          const std::size_t cell = static_cast<std::size_t>(row) * 20 + column;
          ASSERT_TRUE(raster.covered[cell]) << row << ' ' << column;
          EXPECT_NEAR(raster.values[cell], plane(x[0], x[1], x[2]), 1e-7);
        }
    }
  EXPECT_FALSE(meets(mesh, plane_through({0, 0, -1e-6}, {0, 0, 1})));
}

TEST(SpaceRaster, WhatIsHiddenIsNotSeen) {
  const mesh::Mesh mesh = cube(2);
  const Solution solution = project(mesh, 2, plane);
  for (const double from : {1.0, -1.0}) {
    const Scene scene = view_scene(mesh, {"top", "bottom"}, {}, {0, 0, -from}, {0, 1, 0});
    const Window window = window_of(mesh, scene);
    const Raster raster = rasterize(solution, 0, scene, window, 30, 30, 0);
    for (int row = 0; row < 30; ++row)
      for (int column = 0; column < 30; ++column) {
        const mesh::Point x = place_in(scene, window, raster, row, column, from > 0 ? 1 : 0);
        const std::size_t at = static_cast<std::size_t>(row) * 30 + column;
        ASSERT_TRUE(raster.covered[at]);
        EXPECT_NEAR(raster.values[at], plane(x[0], x[1], from > 0 ? 1 : 0), 1e-6);
      }
  }
  EXPECT_THROW(view_scene(mesh, {"nowhere"}, {}, {0, 0, 1}, {0, 1, 0}), InputError);
  EXPECT_THROW(view_scene(mesh, {"top"}, {}, {0, 0, 1}, {0, 0, 1}), InputError);
}

TEST(SpaceRaster, PlanesAndBoundariesHideEachOther) {
  const mesh::Mesh mesh = cube(2);
  const Solution solution = project(mesh, 2, plane);
  // From above: the plane z = x/2 + 1/4 is in front where it lies above the one at z = 1/2, that is for x > 1/2; the
  // bottom is behind both.
  const std::vector<Plane> planes = {plane_through({0, 0, 0.5}, {0, 0, 1}), plane_through({0, 0, 0.25}, {-1, 0, 2})};
  const Scene scene = view_scene(mesh, {"bottom"}, planes, {0, 0, -1}, {0, 1, 0});
  const Window window = window_of(mesh, scene);
  EXPECT_NEAR(window.width(), 1, 1e-6);
  const Raster raster = rasterize(solution, 0, scene, window, 40, 40, 0);
  for (int row = 0; row < 40; ++row)
    for (int column = 0; column < 40; ++column) {
      const std::size_t at = static_cast<std::size_t>(row) * 40 + column;
      const double x = window.x0 + (column + 0.5) * window.width() / 40,
                   y = window.y1 - (row + 0.5) * window.height() / 40;
      ASSERT_TRUE(raster.covered[at]);
      EXPECT_NEAR(raster.values[at], plane(x, y, std::max(0.5, x / 2 + 0.25)), 2e-3) << x;
    }
  // The plane alone, seen from its edge's side: as wide as it lies in the mesh.
  const Window part = window_of(mesh, view_scene(mesh, {}, {planes[1]}, {0, 1, 0}, {0, 0, 1}));
  EXPECT_NEAR(part.y0, 0.25, 1e-9);
  EXPECT_NEAR(part.y1, 0.75, 1e-9);
}

TEST(SpaceRaster, LinesOfTheMeshAndOfEqualValue) {
  const mesh::Mesh mesh = cube(1);
  const Solution solution = project(mesh, 1, plane);
  const Scene scene = cut_scene({0, 0, 0.3}, {0, 0, 1});
  const Window window = {0, 1, 0, 1};
  const Raster raster = rasterize(solution, 0, scene, window, 100, 100, 2);
  const auto lines = std::count(raster.lines.begin(), raster.lines.end(), 1);
  EXPECT_GT(lines, 500);
  EXPECT_LT(lines, 5000);
  EXPECT_EQ(raster.lines[50], 1) << "the outer edge";
  const auto segments = raster_isolines(raster, window, {0.8});
  EXPECT_GT(segments.size(), 40U);
  for (const Segment& s : segments) {
    EXPECT_NEAR(plane(s.x0, s.y0, 0.3), 0.8, 1e-9);
    EXPECT_NEAR(plane(s.x1, s.y1, 0.3), 0.8, 1e-9);
  }
}

TEST(SpacePicture, StandsBesideOthersInAFigure) {
  const mesh::Mesh mesh = cube(1);
  const Solution solution = project(mesh, 1, plane);
  PictureOptions cut, view;
  cut.width = view.width = 300;
  cut.scene = cut_scene({0, 0.5, 0}, {0, 1, 0});
  view.scene = view_scene(mesh, {"left", "top"}, {}, {1, 1, -1}, {0, 0, 1});
  const auto size_of = [](const std::string& png, std::size_t at) {
    int size = 0;
    for (std::size_t k = 0; k < 4; ++k) size = size * 256 + static_cast<unsigned char>(png[at + k]);
    return size;
  };
  // Two rows of two: the second is as high as what stands alone in it.
  const std::string figure = render_figure(solution, {{cut, view, view}, 2, 600}, PictureFormat::png);
  const int above = std::max(layout_picture(mesh, cut).height, layout_picture(mesh, view).height);
  EXPECT_EQ(size_of(figure, 16), 600);
  EXPECT_EQ(size_of(figure, 20), above + layout_picture(mesh, view).height);
  EXPECT_EQ(render_figure(solution, {{cut}, 1, 300}, PictureFormat::png),
            render_picture(solution, cut, PictureFormat::png));
}

TEST(SpacePicture, IsDrawnOfCutsAndBoundaries) {
  const mesh::Mesh mesh = cube(2);
  const Solution solution = project(mesh, 2, plane);
  PictureOptions options;
  options.width = 300;
  options.mesh_lines = true;
  options.isolines = PictureOptions::Isolines{-2, 2, 5};
  EXPECT_THROW(render_picture(solution, options, PictureFormat::png), InputError) << "what of it?";
  options.scene = cut_scene({0, 0.5, 0}, {0, 1, 0});
  EXPECT_TRUE(render_picture(solution, options, PictureFormat::png).starts_with("\x89PNG"));
  EXPECT_EQ(layout_picture(mesh, options).upward, "z");
  options.scene = view_scene(mesh, {"left", "top"}, {plane_through({0, 0, 0.5}, {1, 0, 2})}, {1, 1, -1}, {0, 0, 1});
  EXPECT_TRUE(render_picture(solution, options, PictureFormat::png).starts_with("\x89PNG"));
  EXPECT_EQ(layout_picture(mesh, options).upward, "");
  options.window = Window{10, 11, 10, 11};
  try {
    render_picture(solution, options, PictureFormat::png);
    FAIL() << "a picture of nothing";
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "the window shows nothing of the mesh"));
  }
}

}  // namespace
}  // namespace galerna::drawing
