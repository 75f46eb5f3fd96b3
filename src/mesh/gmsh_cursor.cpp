#include "mesh/gmsh_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"

namespace galerna::mesh {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f';
}

/// Text from the file as it may stand in a message: short and printable.
std::string shown(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 40)) result += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > 40 ? result + "…" : result;
}

}  // namespace

void GmshCursor::skip_blanks() {
  while (at_ < bytes_.size() && blank(bytes_[at_])) ++at_;
}

bool GmshCursor::at_end() {
  skip_blanks();
  return at_ == bytes_.size();
}

std::string_view GmshCursor::word() {
  skip_blanks();
  item_ = at_;
  if (at_ == bytes_.size()) fail_end();
  while (at_ < bytes_.size() && !blank(bytes_[at_])) ++at_;
  return bytes_.substr(item_, at_ - item_);
}

std::string_view GmshCursor::quoted() {
  skip_blanks();
  if (at_ == bytes_.size() || bytes_[at_] != '"') return word();
  item_ = at_;
  const std::size_t line_end = std::min(bytes_.find('\n', at_), bytes_.size());
  const std::size_t close = bytes_.substr(0, line_end).find('"', at_ + 1);
  if (close == std::string_view::npos) fail("a name in quotation marks is not closed on its line");
  const std::string_view text = bytes_.substr(at_ + 1, close - at_ - 1);
  at_ = close + 1;
  return text;
}

void GmshCursor::end_line() {
  item_ = at_;
  while (at_ < bytes_.size() && (bytes_[at_] == ' ' || bytes_[at_] == '\r')) ++at_;
  if (at_ == bytes_.size()) fail_end();
  if (bytes_[at_] != '\n') fail("expected the end of the line before binary data");
  ++at_;
}

std::size_t GmshCursor::behind_section(std::string_view section, std::size_t from, bool anywhere) const {
  const std::string mark = "$End" + std::string(section);
  const auto begins_line = [&](std::size_t at) {
    while (at > 0 && (bytes_[at - 1] == ' ' || bytes_[at - 1] == '\t')) --at;
    return at == 0 || bytes_[at - 1] == '\n' || bytes_[at - 1] == '\r';
  };
  for (std::size_t at = bytes_.find(mark, from); at != std::string_view::npos; at = bytes_.find(mark, at + 1)) {
    const std::size_t end = at + mark.size();
    if ((anywhere || begins_line(at)) && (end == bytes_.size() || blank(bytes_[end]))) return end;
  }
  return std::string_view::npos;
}

void GmshCursor::skip_section(bool binary) {
  std::size_t end = behind_section(section_, at_, false);
  if (end == std::string_view::npos && binary) end = behind_section(section_, at_, true);
  if (end == std::string_view::npos) {
    item_ = bytes_.size();
    fail_end();
  }
  at_ = end;
}

bool GmshCursor::find_section(std::string_view section) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::size_t line = bytes_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  while (line < bytes_.size()) {
    const std::size_t next = std::min(bytes_.find('\n', line), bytes_.size() - 1) + 1;
    std::string_view word = bytes_.substr(line, next - line);
    word.remove_prefix(std::min(word.find_first_not_of(" \t\r\n"), word.size()));
    word = word.substr(0, word.find_first_of(" \t\r\n"));
    if (word.starts_with('$') && word.substr(1) == section) {
      at_ = line;
      return true;
    }
    const std::size_t behind =
        word.size() > 1 && word[0] == '$' ? behind_section(word.substr(1), next, false) : std::string_view::npos;
    line = behind == std::string_view::npos ? next : behind;
  }
  return false;
}

void GmshCursor::check_count(std::size_t count, const char* what, std::size_t text_bytes,
                             std::size_t binary_bytes) const {
  if (count <= (remaining() + 1) / (binary_ ? binary_bytes : text_bytes)) return;
  fail(fmt::format(
      "section ${} announces {} {}, more than the {} bytes left in the file can hold: the file is truncated or "
      "damaged",
      section_, count, what, remaining()));
}

std::optional<double> real_of(std::string_view text) {
  if (text.size() > 1 && text[0] == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

double GmshCursor::real(const char* what) {
  double value = 0;
  if (binary_) {
    value = raw<double>();
    if (!std::isfinite(value)) fail(fmt::format("{} is not a finite number", what));
    return value;
  }
  std::string_view text = word();
  if (text.size() > 1 && text[0] == '+') text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Out of range with a tiny magnitude is an underflow, which rounds to zero.
  if (code == std::errc::result_out_of_range && text.find("e-") == std::string_view::npos &&
      text.find("E-") == std::string_view::npos)
    fail_out_of_range(what, text);
  if (code == std::errc::result_out_of_range) return 0;
  if (code != std::errc{} || end != text.data() + text.size()) fail_number(what, text);
  if (!std::isfinite(value)) fail(fmt::format("{} is '{}', which is not a finite number", what, shown(text)));
  return value;
}

std::string_view GmshCursor::items(std::size_t count, std::size_t size) {
  if (count == 0 || count > remaining() / size) return {};
  const std::string_view all = bytes_.substr(at_, count * size);
  at_ += count * size;
  item_ = at_ - size;
  return all;
}

bool GmshCursor::for_each_word(std::size_t count,
                               const std::function<bool(std::size_t, std::string_view, std::size_t)>& take) {
  constexpr std::size_t piece = 1 << 18, least = 64;
  // Pieces end between words: a word belongs to the piece in which it begins.
  const auto begins = [&](std::size_t i, std::size_t from) {
    return !blank(bytes_[i]) && (i == from || blank(bytes_[i - 1]));
  };
  std::size_t done = 0, at = at_, last = item_;
  while (done < count) {
    // Where words are long there are fewer of them than thought: then the rest follows. A file may have a list for
    // each element, so that no more is looked at than a list may have.
    const std::size_t window = std::min(bytes_.size() - at, std::max(least, 12 * (count - done)));
    if (window == 0) return false;
    std::vector<std::size_t> first(window / piece + 2, 0), ends(first.size(), 0);
    const auto in_window = [&](const auto& body) {
      in_parallel(static_cast<std::int64_t>(window), static_cast<std::int64_t>(piece),
                  [&](std::int64_t begin, std::int64_t end) {
                    body(static_cast<std::size_t>(begin) / piece, at + static_cast<std::size_t>(begin),
                         at + static_cast<std::size_t>(end));
                  });
    };
    in_window([&](std::size_t k, std::size_t begin, std::size_t end) {
      std::size_t words = 0;
      for (std::size_t i = begin; i < end; ++i) words += begins(i, at);
      first[k + 1] = words;
    });
    for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
    std::atomic<bool> good = true;
    std::atomic<std::size_t> last_word = 0, behind = at + window;
    in_window([&](std::size_t k, std::size_t begin, std::size_t end) {
      std::size_t index = done + first[k];
      for (std::size_t i = begin; i < end && index < count && good.load(std::memory_order_relaxed); ++i) {
        if (!begins(i, at)) continue;
        std::size_t word_end = i + 1;
        while (word_end < bytes_.size() && !blank(bytes_[word_end])) ++word_end;
        if (!take(index, bytes_.substr(i, word_end - i), i)) good = false;
        if (++index == count || index == done + first.back()) last_word = i, behind = word_end;
        i = word_end - 1;
      }
    });
    if (!good) return false;
    if (first.back() > 0) last = last_word;
    done += std::min(count - done, first.back());
    at = behind;
  }
  item_ = last;
  at_ = at;
  return true;
}

void GmshCursor::fail_at(std::size_t position, const std::string& text) const {
  if (binary_) throw InputError({name_}, fmt::format("{} (at byte {}, in section ${})", text, position, section_));
  const auto line = 1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(position), '\n');
  throw InputError({name_, static_cast<int>(line), 0}, text);
}

void GmshCursor::fail_end() const {
  fail(section_.empty()
           ? "the file ends early: it is truncated"
           : fmt::format("the file ends inside section ${}: it is truncated (no $End{})", section_, section_));
}

void GmshCursor::fail_out_of_range(const char* what, std::string_view text) const {
  fail(fmt::format("{} is '{}', which is out of range", what, shown(text)));
}

void GmshCursor::fail_number(const char* what, std::string_view text) const {
  fail(fmt::format("expected {}, found '{}'", what, shown(text)));
}

}  // namespace galerna::mesh
