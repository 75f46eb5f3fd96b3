#include "drawing/picture.hpp"

#include <cairo.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <random>

#include "base/error.hpp"
#include "drawing/canvas.hpp"
#include "drawing/colormap.hpp"
#include "drawing/isolines.hpp"
#include "drawing/pen_font.hpp"
#include "drawing/rasterize.hpp"
#include "drawing/ticks.hpp"
#include "files/atomic_file.hpp"
#include "solutions.hpp"

namespace galerna::drawing {
namespace {

using analysis::Solution;
using files::read_file;
using tests::contains;
using tests::Folder;

double ramp(double x, double, double) {
  return x;
}
double bowl(double x, double y, double) {
  return (x - 1) * (x - 1) + (y - 0.5) * (y - 0.5);
}

/// A decoded PNG.
class Image {
 public:
  explicit Image(const std::string& png)
      : rest_(png), surface_(cairo_image_surface_create_from_png_stream(read, this)) {
    EXPECT_EQ(cairo_surface_status(surface_.get()), CAIRO_STATUS_SUCCESS);
  }
  int width() const { return cairo_image_surface_get_width(surface_.get()); }
  int height() const { return cairo_image_surface_get_height(surface_.get()); }
  std::array<int, 3> at(int x, int y) const {
    std::uint32_t pixel = 0;
    std::memcpy(
        &pixel,
        cairo_image_surface_get_data(surface_.get()) + y * cairo_image_surface_get_stride(surface_.get()) + 4 * x, 4);
    return {static_cast<int>(pixel >> 16 & 255), static_cast<int>(pixel >> 8 & 255), static_cast<int>(pixel & 255)};
  }

 private:
  static cairo_status_t read(void* self, unsigned char* data, unsigned int length) {
    std::string& rest = static_cast<Image*>(self)->rest_;
    if (rest.size() < length) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(data, rest.data(), length);
    rest.erase(0, length);
    return CAIRO_STATUS_SUCCESS;
  }
  struct Destroy {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  };
  std::string rest_;
  std::unique_ptr<cairo_surface_t, Destroy> surface_;
};

void expect_colour(const Image& image, int x, int y, const std::array<double, 3>& colour) {
  const auto pixel = image.at(x, y);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(pixel[i], 255 * colour[i], 2.5) << "channel " << i << " at " << x << ", " << y;
}

PictureOptions options_for_tests() {
  PictureOptions options;
  options.width = 600;
  options.range = {{0, 2}};
  return options;
}

TEST(Picture, ShowsALinearFieldWhereItIs) {
  for (const mesh::Mesh& mesh : {tests::triangles(5, 3), tests::quadrilaterals(5, 3), tests::mixed(6, 4)}) {
    const PictureOptions options = options_for_tests();
    const Image image(render_picture(tests::project(mesh, 1, ramp), options, PictureFormat::png));
    const PictureLayout layout = layout_picture(mesh, options);
    EXPECT_EQ(image.width(), 600);
    EXPECT_EQ(image.height(), layout.height);
    EXPECT_NEAR(static_cast<double>(layout.plot_width) / layout.plot_height, 2, 0.02);
    for (int i = 3; i < layout.plot_width - 3; i += 17)
      for (int j = 3; j < layout.plot_height - 3; j += 13)
        expect_colour(image, layout.left + i, layout.top + j, colour_of((i + 0.5) / layout.plot_width));
    expect_colour(image, 1, 1, {1, 1, 1});
  }
}

TEST(Picture, IsWhiteOutsideTheMesh) {
  const mesh::Mesh mesh = tests::triangles(4, 4);
  PictureOptions options = options_for_tests();
  options.window = Window{-1, 3, -1, 2};
  const Image image(render_picture(tests::project(mesh, 1, ramp), options, PictureFormat::png));
  const PictureLayout layout = layout_picture(mesh, options);
  expect_colour(image, static_cast<int>(layout.x(-0.5)), static_cast<int>(layout.y(0.5)), {1, 1, 1});
  expect_colour(image, static_cast<int>(layout.x(1)), static_cast<int>(layout.y(1.5)), {1, 1, 1});
  expect_colour(image, static_cast<int>(layout.x(1)), static_cast<int>(layout.y(0.5)), colour_of(0.5));
}

TEST(Picture, ANumberThatIsNoneIsRed) {
  const mesh::Mesh mesh = tests::triangles(1, 1);
  Solution solution = tests::project(mesh, 1, ramp);
  for (std::size_t i = 0; i < 3; ++i) solution.pieces[0].coefficients[i] = std::nan("");  // the lower right triangle
  const Image image(render_picture(solution, options_for_tests(), PictureFormat::png));
  const PictureLayout layout = layout_picture(mesh, options_for_tests());
  expect_colour(image, static_cast<int>(layout.x(1.5)), static_cast<int>(layout.y(0.25)), {0.85, 0.1, 0.1});
  const int x = static_cast<int>(layout.x(0.5));
  expect_colour(image, x, static_cast<int>(layout.y(0.75)), colour_of((x + 0.5 - layout.left) / layout.plot_width));
}

TEST(Picture, IsolinesAreWhereTheFieldHasTheLevel) {
  const mesh::Mesh mesh = tests::triangles(5, 3);
  PictureOptions options = options_for_tests();
  options.colours = false;
  options.isolines = PictureOptions::Isolines{0.37, 0.37, 1};
  const Image image(render_picture(tests::project(mesh, 1, ramp), options, PictureFormat::png));
  const PictureLayout layout = layout_picture(mesh, options);
  const int y = layout.top + layout.plot_height / 2 + 5;
  double weight = 0, centre = 0;
  for (int x = layout.left + 5; x < layout.left + layout.plot_width - 5; ++x) {
    const double darkness = 255 - image.at(x, y)[1];
    weight += darkness;
    centre += darkness * (x + 0.5);
  }
  EXPECT_GT(weight, 50);
  EXPECT_NEAR(centre / weight, layout.x(0.37), 0.3);
}

TEST(Isolines, FollowAQuadraticFieldInsideElements) {
  for (const mesh::Mesh& mesh : {tests::triangles(2, 1), tests::quadrilaterals(2, 1)}) {
    const auto segments = isolines(tests::project(mesh, 2, bowl), 0, {0.04, 0.16}, {0, 2, 0, 1}, 0.002);
    double length = 0;
    for (const Segment& s : segments) {
      const double value = bowl(s.x0, s.y0, 0);
      EXPECT_LT(std::min(std::abs(value - 0.04), std::abs(value - 0.16)), 2e-3);
      length += std::hypot(s.x1 - s.x0, s.y1 - s.y0);
    }
    EXPECT_NEAR(length, 2 * std::acos(-1.0) * (0.2 + 0.4), 0.02);
  }
}

TEST(Isolines, ThereAreNoneWhereTheLevelIsNot) {
  const mesh::Mesh mesh = tests::triangles(4, 4);
  EXPECT_TRUE(isolines(tests::project(mesh, 1, ramp), 0, {-1, 2.5}, {0, 2, 0, 1}, 0.01).empty());
  EXPECT_TRUE(isolines(tests::project(mesh, 0, ramp), 0, {0.5}, {0, 2, 0, 1}, 0.01).empty());
  EXPECT_TRUE(isolines(tests::project(mesh, 1, ramp), 0, {0.25}, {1, 2, 0, 1}, 0.01).empty());
}

TEST(Raster, CoversEveryCellOnce) {
  for (const mesh::Mesh& mesh : {tests::triangles(37, 23), tests::quadrilaterals(37, 23), tests::triangles(300, 200)}) {
    const Raster raster = rasterize(tests::project(mesh, 1, ramp), 0, {0, 2, 0, 1}, 200, 100);
    for (std::size_t i = 0; i < raster.values.size(); ++i) {
      ASSERT_EQ(raster.covered[i], 1) << i;
      ASSERT_NEAR(raster.values[i], (static_cast<double>(i % 200) + 0.5) / 100, 1e-9);
    }
    EXPECT_NEAR(raster.range()[0], 0.005, 1e-9);
    EXPECT_NEAR(raster.range()[1], 1.995, 1e-9);
  }
}

TEST(Picture, IsTheSameWhateverTheThreads) {
  const mesh::Mesh mesh = tests::mixed(40, 20), curved = tests::curved_triangle();
  PictureOptions options = options_for_tests();
  options.isolines = {0.05, 0.9, 12};
  for (const Solution& solution : {tests::project(mesh, 2, bowl), tests::project(curved, 3, bowl)}) {
    std::vector<std::string> pictures;
    for (const char* threads : {"1", "2", "5"}) {
      setenv("OMP_NUM_THREADS", threads, 1);
      pictures.push_back(render_picture(solution, options, PictureFormat::png));
      unsetenv("OMP_NUM_THREADS");
    }
    EXPECT_TRUE(pictures[0] == pictures[1] && pictures[0] == pictures[2]);
  }
}

/// At degree 0 values jump between elements: a cell on a side shows the same one of them whatever the threads.
TEST(Raster, IsTheSameWhateverTheThreads) {
  const mesh::Mesh mesh = tests::mixed(40, 20);
  const Solution solution = tests::project(mesh, 0, bowl);
  std::vector<Raster> rasters;
  for (const char* threads : {"1", "2", "5"}) {
    setenv("OMP_NUM_THREADS", threads, 1);
    rasters.push_back(rasterize(solution, 0, {0, 2, 0, 1}, 200, 100));  // sides go through centres of cells
    unsetenv("OMP_NUM_THREADS");
  }
  EXPECT_EQ(rasters[0].values, rasters[1].values);
  EXPECT_EQ(rasters[0].values, rasters[2].values);
}

TEST(Raster, CurvedElements) {
  const mesh::Mesh mesh = tests::curved_triangle();
  const Raster raster =
      rasterize(tests::project(mesh, 0, [](double, double, double) { return 1; }), 0, {0, 1.2, 0, 1.2}, 300, 300);
  double area = 0;
  for (std::uint8_t covered : raster.covered) area += covered * 0.004 * 0.004;
  EXPECT_NEAR(area, 0.7, 2e-3);
}

TEST(Picture, MeshLinesAreDrawn) {
  const mesh::Mesh mesh = tests::triangles(2, 2);
  EXPECT_EQ(mesh_lines(mesh, false, {0, 2, 0, 1}).size(), 16u);
  PictureOptions options = options_for_tests();
  const Solution solution = tests::project(mesh, 1, ramp);
  const std::string without = render_picture(solution, options, PictureFormat::png);
  options.mesh_lines = true;
  EXPECT_NE(render_picture(solution, options, PictureFormat::png), without);
}

/// Dark pixels in a rectangle.
int ink_in(const Image& image, double x0, double x1, double y0, double y1) {
  int count = 0;
  for (int y = std::max(0, static_cast<int>(y0)); y < std::min<double>(y1, image.height()); ++y)
    for (int x = std::max(0, static_cast<int>(x0)); x < std::min<double>(x1, image.width()); ++x)
      count += image.at(x, y)[1] < 140;
  return count;
}

TEST(Picture, HasTitleLabelsAndTheFieldsNameAtTheBar) {
  const mesh::Mesh mesh = tests::triangles(4, 4);
  Solution solution = tests::project(mesh, 1, ramp);
  PictureOptions options = options_for_tests();
  options.title = "Ramp";
  const PictureLayout layout = layout_picture(mesh, options);
  const double f = layout.font, right = layout.left + layout.plot_width;
  const Image image(render_picture(solution, options, PictureFormat::png));
  EXPECT_GT(ink_in(image, layout.left, right, 0, layout.top - 2), 40);  // title
  EXPECT_GT(ink_in(image, layout.left - 2 * f, right, layout.top + layout.plot_height + f, image.height()), 40);
  EXPECT_GT(ink_in(image, 0, layout.left - f, layout.top, layout.top + layout.plot_height), 20);  // y axis
  EXPECT_GT(ink_in(image, right + 3.2 * f, right + 5.5 * f, layout.top, layout.top + layout.plot_height), 20);
  EXPECT_GT(ink_in(image, right + 6 * f, image.width(), layout.top, layout.top + layout.plot_height), 40);  // name
  // Another name makes other ink there, and there alone.
  solution.fields.names[0] = options.field = "d";
  const Image renamed(render_picture(solution, options, PictureFormat::png));
  EXPECT_LT(ink_in(renamed, right + 6 * f, image.width(), 0, image.height()),
            ink_in(image, right + 6 * f, image.width(), 0, image.height()));
  EXPECT_EQ(ink_in(renamed, 0, right, 0, image.height()), ink_in(image, 0, right, 0, image.height()));
}

TEST(Picture, SaysNoTimeAfterLocalTimeSteps) {
  const mesh::Mesh mesh = tests::triangles(2, 2);
  Solution solution = tests::project(mesh, 1, ramp);
  const PictureOptions options = options_for_tests();
  const PictureLayout layout = layout_picture(mesh, options);
  const auto title_ink = [&] {
    const Image image(render_picture(solution, options, PictureFormat::png));
    return ink_in(image, layout.left, layout.left + layout.plot_width, 0, layout.top - 2);
  };
  EXPECT_GT(title_ink(), 0);
  solution.accurate = false;
  EXPECT_EQ(title_ink(), 0);
}

TEST(Picture, RefusesIsolinesOfConstants) {
  const mesh::Mesh mesh = tests::triangles(2, 2);
  PictureOptions options = options_for_tests();
  options.isolines = PictureOptions::Isolines{0, 1, 3};
  try {
    render_picture(tests::project(mesh, 0, ramp), options, PictureFormat::png);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "isolines need degree 1 or more"));
  }
}

TEST(Picture, StreamlinesAreDrawnAlongTheFlow) {
  const auto along_x = [](double, double, double) { return 1.0; };
  const auto none = [](double, double, double) { return 0.0; };
  const mesh::Mesh mesh = tests::triangles(4, 2);
  const Solution solution = tests::project(mesh, 1, {along_x, along_x, none, along_x});
  PictureOptions options;
  options.colours = false;
  options.streamlines = 4;  // spacing 0.5: two rows, at y = 0.25 and 0.75
  const Image image(render_picture(solution, options, PictureFormat::png));
  const PictureLayout layout = layout_picture(mesh, options);
  const auto dark = [&](double y) {
    int count = 0;
    for (int x = layout.left + 5; x < layout.left + layout.plot_width - 5; ++x)
      for (int row = -1; row <= 1; ++row) count += image.at(x, static_cast<int>(layout.y(y)) + row)[0] < 200;
    return count;
  };
  EXPECT_GT(dark(0.25), layout.plot_width / 2);
  EXPECT_GT(dark(0.75), layout.plot_width / 2);
  EXPECT_EQ(dark(0.5), 0);
  options.streamlines = -1;
  EXPECT_THROW(render_picture(solution, options, PictureFormat::png), InputError);
}

TEST(Picture, SvgHoldsImageAndVectorLines) {
  const Folder folder;
  const mesh::Mesh mesh = tests::triangles(3, 2);
  PictureOptions options = options_for_tests();
  options.isolines = PictureOptions::Isolines{0.1, 1.9, 7};
  write_picture(tests::project(mesh, 2, ramp), folder / "a.svg", options);
  const std::string text = read_file(folder / "a.svg");
  EXPECT_TRUE(contains(text, "<svg"));
  EXPECT_TRUE(contains(text, "</svg>"));
  EXPECT_TRUE(contains(text, "data:image/png;base64"));
  EXPECT_TRUE(contains(text, "<path"));
  EXPECT_EQ(text.find("<text"), std::string::npos);  // letters are paths: no font is needed to look at it
  EXPECT_EQ(text.find("glyph"), std::string::npos);
}

TEST(Picture, LayoutFitsExtremeWindows) {
  const mesh::Mesh mesh = tests::triangles(1, 1);
  PictureOptions options;
  for (const Window& window :
       {Window{0, 100, 0, 1}, Window{0, 1, 0, 100}, Window{0, 1, 0, 1}, Window{0, 1e-9, 0, 1e-9}}) {
    options.window = window;
    const PictureLayout layout = layout_picture(mesh, options);
    EXPECT_EQ(layout.width, 1200);
    EXPECT_GT(layout.plot_width, 0);
    EXPECT_GT(layout.plot_height, 0);
    EXPECT_LE(layout.left + layout.plot_width, layout.width);
    EXPECT_LE(layout.height, 2 * layout.width);
    EXPECT_NO_THROW(render_picture(tests::project(mesh, 1, ramp), options, PictureFormat::png));
  }
}

TEST(Picture, ConstantFieldsHaveARange) {
  const mesh::Mesh mesh = tests::triangles(1, 1);
  PictureOptions options;
  options.width = 300;
  for (double value : {0.0, 1.0, -1e30, 1e-30})
    EXPECT_NO_THROW(render_picture(tests::project(mesh, 1, [value](double, double, double) { return value; }), options,
                                   PictureFormat::png));
}

TEST(Picture, RefusesWhatMakesNoSense) {
  const Folder folder;
  const mesh::Mesh mesh = tests::triangles(2, 2), solid = tests::one_element(Shape::tetrahedron);
  const Solution solution = tests::project(mesh, 1, ramp);
  const auto refused = [&](auto change) {
    PictureOptions options;
    change(options);
    EXPECT_THROW(render_picture(solution, options, PictureFormat::png), InputError);
  };
  refused([](PictureOptions& o) { o.field = "densty"; });
  refused([](PictureOptions& o) { o.range = {{1, 1}}; });
  refused([](PictureOptions& o) { o.window = Window{1, 0, 0, 1}; });
  refused([](PictureOptions& o) { o.width = 1; });
  refused([](PictureOptions& o) { o.isolines = PictureOptions::Isolines{0, 1, 0}; });
  EXPECT_THROW(render_picture(tests::project(solid, 1, ramp), {}, PictureFormat::png), InputError);
  EXPECT_THROW(write_picture(solution, folder / "a.jpg"), InputError);
  EXPECT_THROW(write_picture(solution, folder / "none/a.png"), SystemError);
  EXPECT_TRUE(folder.names().empty());
}

TEST(Ticks, AreRoundAndInside) {
  const Ticks ticks = make_ticks(0.3, 7.9, 5);
  EXPECT_EQ(ticks.values, (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(ticks.label(2), "2");
  EXPECT_EQ(ticks.apart(1.9), ticks.values);
  EXPECT_EQ(ticks.apart(2.1), (std::vector<double>{2, 6}));
  EXPECT_EQ(ticks.apart(100), std::vector<double>{2});
  const Ticks fine = make_ticks(-0.02, 0.02, 5);
  ASSERT_EQ(fine.values.size(), 5u);
  EXPECT_EQ(fine.label(fine.values[0]), "-0.02");
  EXPECT_EQ(fine.label(fine.values[2]), "0.00");
  EXPECT_EQ(make_ticks(0, 3e6, 4).label(2e6), "2e6");
  EXPECT_EQ(make_ticks(0, 3e-6, 6).label(5e-7), "5.0e-7");
}

TEST(Ticks, AreTwoAtLeast) {
  EXPECT_EQ(make_ticks(0.17, 1.92, 2).values, (std::vector<double>{0.5, 1, 1.5}));
  EXPECT_EQ(make_ticks(0.9, 1.1, 2).values.size(), 3u);
  EXPECT_EQ(make_ticks(-1e308, 1e308, 5).values, (std::vector<double>{-1e308, 1e308})) << "too wide for doubles";
  EXPECT_EQ(make_ticks(1, 1 + 4e-16, 5).values, (std::vector<double>{1, 1 + 4e-16})) << "too narrow";
}

/// Ranges of all sizes at all places: 0.17 … 1.92 and its like, 1 ± 1e-9, −3e200 … 5e200, ….
std::vector<std::array<double, 2>> many_ranges() {
  std::vector<std::array<double, 2>> ranges = {{0.17, 1.92}, {0, 5e-320}, {-1e300, 1e300}, {1, 1 + 5e-16}, {-1e-9, 0}};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(0, 1);
  for (int i = 0; i < 4000; ++i) {
    const double width = std::pow(10.0, 24 * share(random) - 12) * (i % 50 == 0 ? 1e150 : 1);
    const double low = (share(random) - 0.5) * width * std::pow(10.0, 11 * share(random));
    if (low + width > low) ranges.push_back({low, low + width});
  }
  return ranges;
}

TEST(ColourBar, BearsTwoNumbersForEveryRange) {
  const mesh::Mesh square = tests::triangles(2, 2);
  std::vector<PictureLayout> layouts;
  for (const double height : {2.0, 0.26, 0.24, 0.01})
    for (const int width : {200, 777, 20000}) {
      PictureOptions options;
      options.window = Window{0, 1, 0, height};
      options.width = width;
      layouts.push_back(layout_picture(square, options));
    }
  const std::vector<std::array<double, 2>> ranges = many_ranges();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const PictureLayout& layout = layouts[i % layouts.size()];
    const auto [low, high] = ranges[i];
    const BarNumbers numbers = bar_numbers(layout, ranges[i]);
    ASSERT_GE(numbers.written.size(), 2u) << low << " " << high;
    const double length = layout.bar_below ? layout.plot_width : layout.plot_height;
    ASSERT_GT(numbers.size, 0.15 * layout.font) << low << " " << high;
    for (std::size_t k = 0; k < numbers.written.size(); ++k) {
      const std::string text = numbers.ticks.label(numbers.written[k]);
      EXPECT_GE(numbers.written[k], low - 1e-6 * (high - low));
      EXPECT_LE(numbers.written[k], high + 1e-6 * (high - low));
      EXPECT_NEAR(std::strtod(text.c_str(), nullptr), numbers.written[k], 0.01 * (high - low) + 1e-320)
          << low << " " << high;
      if (k == 0) continue;
      EXPECT_NE(text, numbers.ticks.label(numbers.written[k - 1])) << low << " " << high;
      const double apart = (numbers.written[k] - numbers.written[k - 1]) / (high - low) * length;
      EXPECT_GE(apart, layout.bar_below ? numbers.size * pen_text_width(text) : numbers.size) << low << " " << high;
    }
  }
}

TEST(Colormap, RunsFromDarkVioletToYellow) {
  // The ends and the middle of viridis (matplotlib).
  const std::array<std::array<double, 4>, 3> known = {
      {{0, 0.267, 0.005, 0.329}, {0.5, 0.128, 0.567, 0.551}, {1, 0.993, 0.906, 0.144}}};
  for (const auto& [share, red, green, blue] : known) {
    const auto colour = colour_of(share);
    EXPECT_NEAR(colour[0], red, 0.015);
    EXPECT_NEAR(colour[1], green, 0.015);
    EXPECT_NEAR(colour[2], blue, 0.015);
  }
  EXPECT_EQ(colour_of(-1), colour_of(0));
  EXPECT_EQ(colour_of(7), colour_of(1));
  for (int i = 0; i < 100; ++i) {  // luminance rises
    const auto a = colour_of(i / 100.0), b = colour_of((i + 1) / 100.0);
    EXPECT_LT(0.2126 * a[0] + 0.7152 * a[1] + 0.0722 * a[2], 0.2126 * b[0] + 0.7152 * b[1] + 0.0722 * b[2]);
  }
}

}  // namespace
}  // namespace galerna::drawing
