#include "drawing/pen_font.hpp"

#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

namespace galerna::drawing {
namespace {

/// A letter in units of 1/20 of the font size, y upward from the baseline: capitals are 14 high, small letters 10. The
/// path is a list of commands with coordinates: m begin at x y; l straight to x y; h and v along a quarter of an
/// ellipse to x y that leaves horizontally or vertically; c along a Bézier curve (two control points, end); o a whole
/// ellipse (centre, radii); d a dot at x y.
struct Glyph {
  double advance;
  const char* path;
};

constexpr double unit = 1.0 / 20;

/// Characters 32 … 126.
constexpr Glyph ascii[] = {
    {6, ""},
    {6, "m3 14 l3 4.6 d3 0.2"},
    {8, "m2.5 14 l2.5 9.8 m5.5 14 l5.5 9.8"},
    {14, "m5.2 13 l3.4 1 m10.6 13 l8.8 1 m2.2 9.2 l12.4 9.2 m1.6 4.8 l11.8 4.8"},
    {12,
     "m10.1 11.1 c9.4 12.6 8 13.4 6 13.4 h2 10.2 v6 7.1 h10.4 3.7 v5.9 0.6 c3.8 0.6 2.2 1.6 1.6 3.2 m6 15.4 l6 -1.4"},
    {17, "o4.5 10.6 3 3.4 o12.5 3.4 3 3.4 m12.6 14 l4.4 0"},
    {15, "m13.4 0 l4.7 9.1 v7 14 h9.6 11.4 v5.6 7.2 h1.8 3.6 v5.7 0 h12.5 6.2"},
    {5, "m2.5 14 l2.5 9.8"},
    {7.5, "m5.5 15.5 c3.4 13 2.3 9.5 2.3 6 c2.3 2.5 3.4 -1 5.5 -3.5"},
    {7.5, "m2 15.5 c4.1 13 5.2 9.5 5.2 6 c5.2 2.5 4.1 -1 2 -3.5"},
    {9, "m4.5 14 l4.5 8 m1.9 12.5 l7.1 9.5 m7.1 12.5 l1.9 9.5"},
    {14, "m7 2 l7 11 m2.5 6.5 l11.5 6.5"},
    {5.5, "m2.9 0.6 l1.8 -2.6"},
    {8, "m1.8 5.3 l6.2 5.3"},
    {5.5, "d2.75 0.2"},
    {8, "m1 -2 l7 15"},
    {12, "o6 7 4.3 7"},
    {12, "m2.6 11.2 l6.6 14 l6.6 0"},
    {12, "m2 10.4 v6 14 h9.8 10.3 c9.8 7.4 5.4 3.8 2 0 l10.2 0"},
    {12, "m2.2 11.2 v5.8 14 h9.6 10.8 v5.8 7.6 h10.1 3.8 v5.8 0 h1.8 3"},
    {12, "m8.2 0 l8.2 14 l1.5 4 l10.8 4"},
    {12, "m9.4 14 l3.3 14 l2.7 8.1 c3.6 8.9 4.7 9.3 5.8 9.3 h10.2 4.7 v5.8 0 h1.8 2.6"},
    {12, "m9.5 12.2 c8.7 13.4 7.6 14 6.3 14 c3.3 14 1.7 11 1.7 6.2 l1.7 4.5 o6 4.5 4.3 4.5"},
    {12, "m1.8 14 l10.2 14 l4.6 0"},
    {12, "o6 10.7 3.6 3.3 o6 3.7 4.3 3.7"},
    {12, "m2.5 1.8 c3.3 0.6 4.4 0 5.7 0 c8.7 0 10.3 3 10.3 7.8 l10.3 9.5 o6 9.5 4.3 4.5"},
    {5.5, "d2.75 8.8 d2.75 0.2"},
    {5.5, "d2.75 8.8 m2.9 0.6 l1.8 -2.6"},
    {14, "m11.5 11 l2.5 6.5 l11.5 2"},
    {14, "m2.5 8.7 l11.5 8.7 m2.5 4.3 l11.5 4.3"},
    {14, "m2.5 11 l11.5 6.5 l2.5 2"},
    {11, "m1.8 10.8 v5.3 14 h8.9 10.8 c8.9 7.8 5.3 7.8 5.3 4.4 d5.3 0.2"},
    {18, "m12 10 l12 5.4 v14 3 h16.4 7 v9.2 14 h1.7 5.8 v9 -2.5 h13.5 -1.6 o8.8 6.5 3.2 3.5"},
    {14, "m1.2 0 l7 14 l12.8 0 m3.2 4.8 l10.8 4.8"},
    {13, "m7 7.5 l2.2 7.5 l2.2 14 l7 14 h10.6 10.8 v7 7.5 h11.3 3.8 v7 0 l2.2 0 l2.2 7.5"},
    {14, "m12.4 10.9 c11.4 12.9 9.6 14 7.5 14 h1.6 7 v7.5 0 c9.6 0 11.4 1.1 12.4 3.1"},
    {14.5, "m2.2 0 l2.2 14 l6 14 h12.8 7 v6 0 l2.2 0"},
    {12, "m10.4 14 l2.2 14 l2.2 0 l10.4 0 m2.2 7.4 l9.4 7.4"},
    {11.5, "m10.2 14 l2.2 14 l2.2 0 m2.2 7.2 l9.2 7.2"},
    {15, "m12.7 11 c11.6 12.9 9.8 14 7.6 14 h1.6 7 v7.6 0 c10 0 12 1.2 13 3.2 l13 6.6 l8.2 6.6"},
    {14.5, "m2.2 0 l2.2 14 m12.3 0 l12.3 14 m2.2 7.3 l12.3 7.3"},
    {5.5, "m2.75 0 l2.75 14"},
    {10, "m7.8 14 l7.8 4 v4.5 0 h1.2 3.3"},
    {13, "m2.2 0 l2.2 14 m11.4 14 l2.2 5 m5.4 8.1 l12 0"},
    {11, "m2.2 14 l2.2 0 l10 0"},
    {17, "m2.2 0 l2.2 14 l8.5 3 l14.8 14 l14.8 0"},
    {14.5, "m2.2 0 l2.2 14 l12.3 0 l12.3 14"},
    {15.5, "o7.75 7 6.1 7"},
    {12.5, "m2.2 0 l2.2 14 l7 14 h11 10.3 v7 6.6 l2.2 6.6"},
    {15.5, "o7.75 7 6.1 7 m9 3.6 l13.6 -1"},
    {13, "m2.2 0 l2.2 14 l7 14 h11 10.4 v7 6.8 l2.2 6.8 m7 6.8 l11.6 0"},
    {12.5, "m10.4 11.4 c9.7 13 8.3 14 6.3 14 h2 10.5 v6.3 7.3 h10.8 3.7 v6.2 0 c4 0 2.2 1.2 1.6 3.2"},
    {12, "m1 14 l11 14 m6 14 l6 0"},
    {14, "m2.1 14 l2.1 4.9 v7 0 h11.9 4.9 l11.9 14"},
    {13, "m1 14 l6.5 0 l12 14"},
    {18.5, "m1 14 l5.1 0 l9.25 13 l13.4 0 l17.5 14"},
    {13, "m1.4 14 l11.6 0 m11.6 14 l1.4 0"},
    {12.5, "m1 14 l6.25 6.8 l11.5 14 m6.25 6.8 l6.25 0"},
    {12.5, "m1.7 14 l10.8 14 l1.5 0 l11 0"},
    {7, "m5.2 16 l2.4 16 l2.4 -4 l5.2 -4"},
    {8, "m1 15 l7 -2"},
    {7, "m1.8 16 l4.6 16 l4.6 -4 l1.8 -4"},
    {11, "m2 8.5 l5.5 14 l9 8.5"},
    {11, "m0.6 -3 l10.4 -3"},
    {7, "m2.5 14 l4.5 11.5"},
    {11.2, "m2 8.1 c2.8 9.4 4 10 5.4 10 h9 6.6 l9 0 m9 5.8 l5.2 5.8 h1.6 2.8 v4.6 0 c6.6 0 8.2 1 9 2.6"},
    {12, "m2 14 l2 0 o6.1 5 4.1 5"},
    {10.3, "m9 7.9 c8.3 9.3 7.1 10 5.6 10 h1.5 5 v5.6 0 c7.1 0 8.3 0.7 9 2.1"},
    {12, "m10 14 l10 0 o5.9 5 4.1 5"},
    {11.3, "m1.6 5.3 l9.8 5.3 c9.8 8.3 8.1 10 5.7 10 h1.5 5 v5.8 0 c7.4 0 8.7 0.7 9.5 2"},
    {7.5, "m7 13.8 c6.5 13.9 6.1 14 5.7 14 h3.3 11.7 l3.3 0 m1 10 l6.6 10"},
    {12, "o5.9 5 4.1 5 m10 10 l10 -0.4 v6 -4.2 c4.3 -4.2 2.9 -3.6 2.1 -2.5"},
    {11.5, "m2 14 l2 0 m2 6 c2 8.4 3.8 10 5.9 10 h9.5 6.2 l9.5 0"},
    {5, "m2.5 10 l2.5 0 d2.5 13.5"},
    {5.5, "m3 10 l3 -1.6 c3 -3.4 2 -4.2 0.2 -4.1 d3 13.5"},
    {10.5, "m2 14 l2 0 m8.8 10 l2 3.6 m4.7 6.1 l9.4 0"},
    {5, "m2.5 14 l2.5 0"},
    {17.5,
     "m2 10 l2 0 m2 6.2 c2 8.6 3.6 10 5.3 10 h8.8 6.4 l8.8 0 m8.8 6.2 c8.8 8.6 10.4 10 12.1 10 h15.6 6.4 l15.6 0"},
    {11.5, "m2 10 l2 0 m2 6 c2 8.4 3.8 10 5.9 10 h9.5 6.2 l9.5 0"},
    {12, "o6 5 4.4 5"},
    {12, "m2 10 l2 -4 o6.1 5 4.1 5"},
    {12, "m10 10 l10 -4 o5.9 5 4.1 5"},
    {7.5, "m2 10 l2 0 m2 5.8 c2 8.4 3.8 10.1 6.8 9.9"},
    {9.8, "m8.3 7.9 c7.7 9.3 6.6 10 5.1 10 h1.8 7.6 v5.1 5.3 h8.5 2.6 v5 0 c3.3 0 2 0.8 1.4 2.3"},
    {7.5, "m3.4 13 l3.4 2.8 v6 0 c6.4 0 6.7 0.05 7 0.2 m1 10 l6.7 10"},
    {11.5, "m2 10 l2 3.8 v5.6 0 c7.7 0 9.5 1.6 9.5 4 m9.5 10 l9.5 0"},
    {10.5, "m1 10 l5.25 0 l9.5 10"},
    {15, "m1 10 l4.2 0 l7.5 9.4 l10.8 0 l14 10"},
    {10.5, "m1.3 10 l9.2 0 m9.2 10 l1.3 0"},
    {10.5, "m1 10 l5.4 0 m9.5 10 l4.7 -2.4 c4.3 -3.7 3.3 -4.2 1.6 -4.1"},
    {10, "m1.5 10 l8.5 10 l1.4 0 l8.8 0"},
    {8, "m6 16 c4.2 16 3.8 15 3.8 13 l3.8 9 c3.8 7 3 6 1.5 6 c3 6 3.8 5 3.8 3 l3.8 -1 c3.8 -3 4.2 -4 6 -4"},
    {5.5, "m2.75 16 l2.75 -4"},
    {8, "m2 16 c3.8 16 4.2 15 4.2 13 l4.2 9 c4.2 7 5 6 6.5 6 c5 6 4.2 5 4.2 3 l4.2 -1 c4.2 -3 3.8 -4 2 -4"},
    {14, "m2.3 5.5 c3 7.5 4.2 8 5.3 7.6 c7 7 7.5 5.8 8.9 5.4 c10.2 5.1 11.2 6 11.7 7.5"},
};

constexpr Glyph box = {12, "m2 0 l2 14 l10 14 l10 0 l2 0"};
constexpr Glyph dash = {11, "m1.2 5.3 l9.8 5.3"};

/// Letters of Latin-1 from À on: the letter without its accent, and which accent of the table below; '.' for others.
constexpr std::string_view latin_letters = "AAAAAA.CEEEEIIII.NOOOOO..UUUUY..aaaaaa.ceeeeiiii.nooooo..uuuuy.y";
constexpr std::string_view latin_accents = "`'^~:o.,`'^:`'^:.~`'^~:..`'^:'..`'^~:o.,`'^:`'^:.~`'^~:..`'^:'.:";

/// Accents over a letter's middle at x = 0, standing on y = 0; the cedilla hangs.
const char* accent_path(char accent) {
  switch (accent) {
    case '`':
      return "m-1.8 2.4 l0.6 0";
    case '\'':
      return "m1.8 2.4 l-0.6 0";
    case '^':
      return "m-2.2 0 l0 2.4 l2.2 0";
    case '~':
      return "m-2.4 0.4 c-1.4 2.4 1.4 -0.4 2.4 1.6";
    case ':':
      return "d-1.8 1 d1.8 1";
    case 'o':
      return "o0 1.4 1.3 1.3";
    default:
      return "";
  }
}

class Writer {
 public:
  explicit Writer(double slant) : slant_(slant) {}

  double pen = 0;  // where the next letter begins, in units
  std::vector<PenMove> moves;

  void write(const Glyph& glyph) {
    draw(glyph.path, pen, 0);
    pen += glyph.advance;
  }

  /// Strokes of a path whose origin is at (x, y).
  void draw(const char* path, double x, double y) {
    x_ = x;
    y_ = y;
    for (at_ = path; *at_;) {
      const char command = *at_++;
      if (command != ' ') draw(command);
    }
  }

 private:
  double number() {
    while (*at_ == ' ') ++at_;
    double value = 0;
    at_ = std::from_chars(at_, at_ + std::string_view(at_).size(), value).ptr;
    return value;
  }
  std::array<double, 2> place() {
    const double x = number();
    return {x, number()};
  }
  /// In font size 1, y downward.
  std::array<double, 2> out(const std::array<double, 2>& p) const {
    const double x = x_ + p[0], y = y_ + p[1];
    return {unit * (x + slant_ * y), -unit * y};
  }

  void begin(const std::array<double, 2>& p) {
    const auto [x, y] = out(p);
    moves.push_back({PenMove::Kind::begin, {x, y}});
    now_ = p;
  }
  void line(const std::array<double, 2>& p) {
    const auto [x, y] = out(p);
    moves.push_back({PenMove::Kind::line, {x, y}});
    now_ = p;
  }
  void curve(const std::array<double, 2>& a, const std::array<double, 2>& b, const std::array<double, 2>& end) {
    const auto [ax, ay] = out(a);
    const auto [bx, by] = out(b);
    const auto [x, y] = out(end);
    moves.push_back({PenMove::Kind::curve, {ax, ay, bx, by, x, y}});
    now_ = end;
  }
  /// A quarter of an ellipse from the present place.
  void quarter(const std::array<double, 2>& end, bool leaves_horizontally) {
    constexpr double kappa = 0.5523;  // the usual cubic through a quarter of a circle
    const double dx = end[0] - now_[0], dy = end[1] - now_[1];
    if (leaves_horizontally)
      curve({now_[0] + kappa * dx, now_[1]}, {end[0], end[1] - kappa * dy}, end);
    else
      curve({now_[0], now_[1] + kappa * dy}, {end[0] - kappa * dx, end[1]}, end);
  }
  void ellipse() {
    const auto [x, y] = place();
    const auto [rx, ry] = place();
    begin({x + rx, y});
    quarter({x, y + ry}, false);
    quarter({x - rx, y}, true);
    quarter({x, y - ry}, false);
    quarter({x + rx, y}, true);
  }

  void draw(char command) {
    if (command == 'o') return ellipse();
    const auto p = place();
    if (command == 'm') begin(p);
    if (command == 'l') line(p);
    if (command == 'h' || command == 'v') quarter(p, command == 'h');
    if (command == 'c') {
      const auto b = place();
      curve(p, b, place());
    }
    if (command == 'd') {
      constexpr double size = 0.25;  // a little more than the pen alone draws
      begin({p[0] - size, p[1]});
      line({p[0] + size, p[1]});
      line({p[0], p[1] + size});
    }
  }

  double slant_;
  double x_ = 0, y_ = 0;
  const char* at_ = "";
  std::array<double, 2> now_ = {0, 0};
};

/// The next character of UTF-8 text; what is no UTF-8 counts byte by byte.
char32_t next_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0xc0 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  char32_t code = length == 1 ? byte(0) : byte(0) & (0x7fU >> length);
  if (length > text.size()) {
    text.remove_prefix(1);
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3fU);
  text.remove_prefix(length);
  return code;
}

void write_accented(Writer& writer, std::size_t index) {
  const char letter = latin_letters[index], accent = latin_accents[index];
  const Glyph& base = letter == 'i' ? Glyph{5, "m2.5 10 l2.5 0"} : ascii[letter - 32];
  const double middle = writer.pen + base.advance / 2;
  const bool capital = letter >= 'A' && letter <= 'Z';
  if (accent == ',')
    writer.draw("m0 0 l0 -1.2 c1.6 -1.2 1.8 -3.8 -1 -3.6", middle, 0);
  else
    writer.draw(accent_path(accent), middle, capital ? 15.4 : 11.8);
  writer.write(base);
}

void write_character(Writer& writer, char32_t c) {
  if (c >= 32 && c < 127) return writer.write(ascii[c - 32]);
  if (c >= 0xc0 && c <= 0xff && latin_letters[c - 0xc0] != '.') return write_accented(writer, c - 0xc0);
  switch (c) {
    case 0xa0:  // space that does not break
      return writer.write(ascii[0]);
    case 0xb0:  // degree
      return writer.write({7, "o3.5 12 2 2"});
    case 0xb2:  // squared
      return writer.write({6.5, "m1.2 12.2 v3.2 14 h5 12.2 c5 10.6 2.6 9.4 1.2 7.4 l5.2 7.4"});
    case 0xb7:  // dot in the middle
      return writer.write({6, "d3 6"});
    case 0xd7:  // times
      return writer.write({14, "m3.6 9.9 l10.4 3.1 m10.4 9.9 l3.6 3.1"});
    case 0xdf:  // sharp s
      return writer.write({11, "m2 0 l2 10.6 v5.4 14 h8.6 11 v6.2 7.8 h9.6 3.8 v4.8 0.2"});
    case 0xd8:
      writer.draw("m3 -0.6 l12.6 14.6", writer.pen, 0);
      return writer.write(ascii['O' - 32]);
    case 0xf8:
      writer.draw("m2 -0.6 l10 10.6", writer.pen, 0);
      return writer.write(ascii['o' - 32]);
    case 0x2010:
    case 0x2011:  // hyphens
      return writer.write(ascii['-' - 32]);
    case 0x2013:
    case 0x2014:  // dashes
      return writer.write(dash);
    case 0x2018:
    case 0x2019:
      return writer.write(ascii['\'' - 32]);
    case 0x201c:
    case 0x201d:
      return writer.write(ascii['"' - 32]);
    case 0x2026:
      return writer.write({14, "d2.5 0.2 d7 0.2 d11.5 0.2"});
    case 0x2212:  // minus
      return writer.write({14, "m2.5 6.5 l11.5 6.5"});
    default:
      return writer.write(box);
  }
}

Writer write(const std::string& text, double slant) {
  Writer writer(slant);
  for (std::string_view rest = text; !rest.empty();) write_character(writer, next_character(rest));
  return writer;
}

}  // namespace

double pen_text_width(const std::string& text) {
  return unit * write(text, 0).pen;
}

std::vector<PenMove> pen_text(const std::string& text, double slant) {
  return write(text, slant).moves;
}

}  // namespace galerna::drawing
