#include "drawing/pen_font.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace galerna::drawing {
namespace {

/// Corners of the box around all ends and control points: x0, y0, x1, y1; y downward.
std::array<double, 4> box_of(const std::vector<PenMove>& moves) {
  std::array<double, 4> box = {1e9, 1e9, -1e9, -1e9};
  for (const PenMove& move : moves)
    for (std::size_t i = 0; i < (move.kind == PenMove::Kind::curve ? 6u : 2u); i += 2)
      box = {std::min(box[0], move.to[i]), std::min(box[1], move.to[i + 1]), std::max(box[2], move.to[i]),
             std::max(box[3], move.to[i + 1])};
  return box;
}

TEST(PenFont, DrawsEveryCharacterWithinItsWidthAndLine) {
  for (char c = ' ' + 1; c < 127; ++c) {
    const std::string text(1, c);
    const auto moves = pen_text(text);
    ASSERT_FALSE(moves.empty()) << c;
    EXPECT_EQ(moves.front().kind, PenMove::Kind::begin) << c;
    const auto [x0, y0, x1, y1] = box_of(moves);
    EXPECT_GE(x0, 0) << c;
    EXPECT_LE(x1, pen_text_width(text)) << c;
    EXPECT_GE(y0, -0.85) << c;
    EXPECT_LE(y1, 0.25) << c;
  }
  EXPECT_TRUE(pen_text(" ").empty());
}

TEST(PenFont, HasLettersOfTheirHeight) {
  for (const char* capital : {"A", "E", "H", "O", "S", "Z", "0", "8"})
    EXPECT_NEAR(box_of(pen_text(capital))[1], -0.7, 1e-9) << capital;
  for (const char* small : {"a", "e", "o", "x", "z"}) EXPECT_NEAR(box_of(pen_text(small))[1], -0.5, 1e-9) << small;
  // No two characters look the same.
  for (char a = '!'; a < 127; ++a)
    for (char b = '!'; b < a; ++b) {
      const auto first = pen_text(std::string(1, a)), second = pen_text(std::string(1, b));
      const bool same = std::equal(first.begin(), first.end(), second.begin(), second.end(),
                                   [](const PenMove& m, const PenMove& n) { return m.to == n.to; });
      EXPECT_FALSE(same) << a << b;
    }
}

TEST(PenFont, PutsLettersOneBehindTheOther) {
  const double width = pen_text_width("Ma");
  EXPECT_NEAR(width, pen_text_width("M") + pen_text_width("a"), 1e-12);
  EXPECT_GT(box_of(pen_text("Ma"))[2], pen_text_width("M"));
  const double leaning = box_of(pen_text("l", 0.2))[2] - box_of(pen_text("l"))[2];
  EXPECT_NEAR(leaning, 0.2 * 0.7, 1e-12);
}

TEST(PenFont, ReadsUtf8) {
  EXPECT_EQ(pen_text_width("é"), pen_text_width("e"));
  EXPECT_GT(pen_text("é").size(), pen_text("e").size());
  EXPECT_EQ(pen_text("–").size(), 2u);
  EXPECT_EQ(pen_text("漢").size(), 5u);  // a box
  // Cut off and stray bytes are boxes, too.
  EXPECT_EQ(pen_text("\xe6\xbc").size(), 10u);
  EXPECT_EQ(pen_text("\xff").size(), 5u);
}

}  // namespace
}  // namespace galerna::drawing
