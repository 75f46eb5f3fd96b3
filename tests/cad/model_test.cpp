#include "cad/model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "cad/cad_surface.hpp"
#include "cad/load.hpp"
#include "folder.hpp"

namespace galerna::cad {
namespace {

namespace fs = std::filesystem;

fs::path data(const std::string& name) {
  return fs::path(GALERNA_TEST_DIR) / "data" / name;
}

/// Skipped, with a line, where the program was built without OpenCASCADE.
class Cad : public ::testing::Test {
 protected:
  void SetUp() override {
    if (module.empty()) GTEST_SKIP() << "built without OpenCASCADE";
  }

  std::shared_ptr<const Model> read(const fs::path& file, double scale = 1) const {
    return load(file, {.scale = scale, .module = module});
  }

  void expect_refused(const fs::path& file, const std::string& text) const {
    try {
      read(file);
      ADD_FAILURE() << file << " was read";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  }

  fs::path module = GALERNA_CAD_MODULE;
  tests::Folder folder;
};

std::vector<Vector> random_points(int count, double size) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> some(-size, size);
  std::vector<Vector> points;
  for (int i = 0; i < count; ++i) points.push_back({some(random), some(random), some(random)});
  points.push_back({0, 0, 0.7});    // above the pole, where all u are one point
  points.push_back({0.6, 0, 0.1});  // beside the seam
  points.push_back({0.6, -1e-9, 0.1});
  return points;
}

TEST_F(Cad, NearestPointsOfASphereAreExact) {
  for (const char* name : {"sphere.step", "sphere.brep"}) {
    const auto model = read(data(name));
    ASSERT_EQ(model->face_count(), 1);
    for (const Vector& x : random_points(500, 1)) {
      const Foot foot = model->nearest(x);
      EXPECT_LT(norm(minus(foot.x, times(0.5 / norm(x), x))), 1e-12) << name << " " << mesh::to_text(x, 3);
      EXPECT_NEAR(foot.distance, std::abs(norm(x) - 0.5), 1e-13);
    }
    const Vector n = model->normal(model->nearest({1, 1, 1})).value();
    EXPECT_NEAR(std::abs(n[0] + n[1] + n[2]), std::sqrt(3), 1e-12);
  }
}

TEST_F(Cad, UnitAndScaleAreThoseOfTheFile) {
  EXPECT_EQ(read(data("sphere.step"))->unit(), "millimetre");
  EXPECT_NEAR(read(data("sphere.step"))->box().upper[2], 0.5, 1e-12) << "numbers of the file";
  EXPECT_NEAR(read(data("sphere.step"), 1000)->box().upper[2], 500, 1e-9);
  std::ifstream stream(data("sphere.step"));
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t at = text.find(".MILLI.");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 7, "$");
  std::ofstream(folder / "metres.step") << text;
  const auto metres = read(folder / "metres.step");
  EXPECT_EQ(metres->unit(), "metre");
  EXPECT_NEAR(metres->box().upper[2], 0.5, 1e-12);
}

/// A block of 2 × 1 × 1 with a hole of radius 0.3 through it, round the axis (1, 0.5, z).
TEST_F(Cad, NearestPointsOfABlockAreOnFacesAndEdges) {
  const auto model = read(data("block.step"));
  EXPECT_EQ(model->face_count(), 7);
  const auto nearest = [&](const Vector& x) { return model->nearest(x).x; };
  EXPECT_LT(norm(minus(nearest({0.3, 0.4, 1.2}), {0.3, 0.4, 1})), 1e-13);
  EXPECT_LT(norm(minus(nearest({2.5, 1.5, 1.5}), {2, 1, 1})), 1e-13) << "a corner";
  EXPECT_LT(norm(minus(nearest({0.7, 1.3, 1.4}), {0.7, 1, 1})), 1e-13) << "an edge";
  EXPECT_LT(norm(minus(nearest({1.1, 0.5, 0.4}), {1.3, 0.5, 0.4})), 1e-12) << "in the hole";
  EXPECT_LT(norm(minus(nearest({1, 0.6, 1.5}), {1, 0.8, 1})), 1e-12) << "above it: on its rim";
  int sharp = 0;
  for (const EdgeData& edge : model->geometry().edges()) sharp += edge.angle > 89;
  EXPECT_EQ(sharp, 14) << "twelve of the box and two rims";
  const std::string text = describe(*model);
  EXPECT_NE(text.find("faces             7, area 1 to 2, 0 slivers"), std::string::npos) << text;
  EXPECT_NE(text.find("edges             15, length 1 to 2, 14 sharper than 10 degrees"), std::string::npos) << text;
}

/// A box of 3 × 4 × 2, all edges rounded with radius 0.4 (bench/cad_bodies.cpp). Its corners are eighths of spheres,
/// with a pole in each: there derivatives of the surface vanish.
TEST_F(Cad, NearestPointsOfRoundedCornersAreExact) {
  const auto model = read(data("filleted.step"));
  ASSERT_EQ(model->face_count(), 26);
  constexpr double radius = 0.4;
  const Vector size{3, 4, 2};
  std::vector<Vector> points;
  for (const Vector& x : random_points(300, 1)) points.push_back({1.5 + 2 * x[0], 2 + 2.5 * x[1], 1 + 1.5 * x[2]});
  for (int corner = 0; corner < 8; ++corner)  // at the poles, above them and beside them
    for (std::size_t k = 0; k < 3; ++k)
      for (const auto& [beside, above] : {std::pair{0., 0.},
                                          {0., 0.1},
                                          {0., 1e-16},
                                          {1e-16, 1e-17},
                                          {1e-13, 0.},
                                          {1e-9, 0.},
                                          {1e-9, 0.1},
                                          {1e-3, 0.1}}) {
        Vector x;
        for (std::size_t j = 0; j < 3; ++j) x[j] = corner >> j & 1 ? size[j] - radius : radius;
        x[(k + 1) % 3] += beside;
        x[k] = corner >> k & 1 ? size[k] + above : -above;
        points.push_back(x);
      }
  for (int i = 0; i <= 26; ++i) points.push_back({3, 4. * i / 26, radius});  // where a rounding begins
  for (const Vector& x : points) {
    Vector inner = x;
    for (std::size_t k = 0; k < 3; ++k) inner[k] = std::clamp(x[k], radius, size[k] - radius);
    const Vector off = minus(x, inner);
    if (norm(off) < 1e-12) continue;  // deep inside, where the nearest face decides
    EXPECT_LT(norm(minus(model->nearest(x).x, plus(inner, times(radius / norm(off), off)))), 1e-9)
        << mesh::to_text(x, 3);
  }
}

TEST_F(Cad, EdgesOfTheMeshKeepToSharpOnesOfTheCad) {
  const auto surface = make_surface(read(data("block.step")), {});
  const auto on_rim = [](double angle) { return Vector{1 + 0.3 * std::cos(angle), 0.5 + 0.3 * std::sin(angle), 1}; };
  for (const Vector& x : surface->between(on_rim(0.2), on_rim(0.9), 4)) {
    EXPECT_NEAR(std::hypot(x[0] - 1, x[1] - 0.5), 0.3, 1e-12);
    EXPECT_NEAR(x[2], 1, 1e-12);
  }
  // Across the top, straight.
  const std::vector<Vector> straight = surface->between({0.1, 0.1, 1}, {0.1, 0.9, 1}, 2);
  EXPECT_LT(norm(minus(straight[0], {0.1, 0.5, 1})), 1e-12);
  // Just beside the face that is asked for, its rim is nearest.
  const Vector beside = surface->nearest({1.29, 0.5, 1}, std::vector<Vector>{{0.1, 0.1, 1}, {1.9, 0.1, 1}}).value();
  EXPECT_LT(norm(minus(beside, {1.3, 0.5, 1})), 1e-12);
  // Of a point near two faces, the one that all corners lie on.
  const std::vector<Vector> corners = {{0.1, 0, 0.9}, {0.4, 0, 0.9}, {0.2, 0, 1}};
  EXPECT_LT(norm(minus(surface->nearest({0.2, 0.1, 0.95}, corners).value(), {0.2, 0, 0.95})), 1e-12);
}

TEST_F(Cad, FacesAreChosenByNumberAndUnknownOnesAreRefused) {
  const auto model = read(data("block.step"));
  const auto hole = make_surface(model, {"7"});
  EXPECT_NEAR(std::hypot(hole->nearest({0, 0, 0.5}).value()[0] - 1, hole->nearest({0, 0, 0.5}).value()[1] - 0.5), 0.3,
              1e-12);
  EXPECT_THROW(make_surface(model, {"8"}), std::invalid_argument);
}

/// Half axes of 0.5 and 0.3.
TEST_F(Cad, EdgesInThePlaneAreShapesThere) {
  const auto ellipse = make_plane_surface(read(data("ellipse.step")));
  EXPECT_LT(norm(minus(ellipse->nearest({1, 0, 7}).value(), {0.5, 0, 7})), 1e-12) << "z is kept";
  EXPECT_LT(norm(minus(ellipse->nearest({0, -1, 0}).value(), {0, -0.3, 0})), 1e-12);
  const Vector n = ellipse->normal({0.5, 0, 0}).value();
  EXPECT_NEAR(std::abs(n[0]), 1, 1e-9);
  for (const Vector& x : ellipse->between({0.5, 0, 0}, {0, 0.3, 0}, 4))
    EXPECT_NEAR(x[0] * x[0] / 0.25 + x[1] * x[1] / 0.09, 1, 1e-12);
}

TEST_F(Cad, WrongFilesAreRefusedWithTheirReason) {
  expect_refused(folder / "none.step", "no such CAD file");
  std::ofstream(folder / "empty.step") << "";
  expect_refused(folder / "empty.step", "is empty");
  std::ofstream(folder / "text.step") << "a letter\n";
  expect_refused(folder / "text.step", "is no STEP, IGES or BREP file");
  std::ofstream(folder / "header.step") << "ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n";
  expect_refused(folder / "header.step", "");
  fs::create_directory(folder / "folder.step");
  expect_refused(folder / "folder.step", "is no file");
  EXPECT_THROW(load(data("sphere.step"), {.module = folder / "no.so"}), SystemError);
}

/// Whatever is wrong, it is an error with a message, or what is left is read.
TEST_F(Cad, DamagedFilesNeverEndTheProgram) {
  std::mt19937 random(3);
  for (const char* name : {"block.step", "sphere.brep"}) {
    std::ifstream stream(data(name), std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(stream), {}};
    for (int i = 0; i < 20; ++i) {
      std::string text = whole;
      if (i % 2 == 0)
        text.resize(whole.size() * static_cast<std::size_t>(i + 1) / 21);
      else
        for (int flip = 0; flip < i; ++flip) text[random() % text.size()] = static_cast<char>(random() % 128);
      std::ofstream(folder / "damaged", std::ios::binary) << text;
      try {
        const auto model = load(folder / "damaged", {.module = module, .seconds = 3});
        EXPECT_GT(model->face_count(), 0);
        model->nearest({1, 2, 3});
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()), "") << i;
      }
    }
  }
}

TEST(CadModule, ThatIsMissingSaysWhatToInstall) {
  try {
    load(data("sphere.step"), {.module = {}});
    GTEST_SKIP() << "the module lies beside the test";
  } catch (const SystemError& error) {
    EXPECT_NE(std::string(error.what()).find("install libocct-data-exchange-dev"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace galerna::cad
