/// \file
/// A bounds-checked cursor over a whole MSH file in memory; numbers are read from text or from binary by the same
/// calls.
#pragma once

#include <charconv>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace galerna::mesh {

/// The finite number that the whole text is; none where it is something else.
std::optional<double> real_of(std::string_view text);

/// Every read throws InputError where the file ends early or holds something else; the message names the line (text) or
/// the byte (binary) and the section.
class GmshCursor {
 public:
  GmshCursor(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  void set_section(std::string_view section) { section_ = section; }
  /// Whether numbers that follow are binary.
  void set_binary(bool binary) { binary_ = binary; }
  bool binary() const { return binary_; }

  std::size_t position() const { return item_; }  ///< byte where the item read last begins
  std::size_t remaining() const { return bytes_.size() - at_; }

  /// Skips blanks; true where nothing else follows.
  bool at_end();
  /// The next word of text, whatever the mode.
  std::string_view word();
  /// The quoted text that follows on this line (or a plain word).
  std::string_view quoted();
  /// Ends a line of text before binary data: blanks, then exactly one line break.
  void end_line();
  /// Moves behind the next "$End<section>"; the section's content is ignored. \param binary whether that may be
  /// binary data, behind which the end need not begin a line
  void skip_section(bool binary);
  /// Moves to the first line that begins with "$<section>", past other text and other sections; false, and nothing
  /// moves, where there is none.
  bool find_section(std::string_view section);

  /// An integer of the file's type T (binary: sizeof(T) bytes); `what` names it in messages.
  template <class T>
  T integer(const char* what) {
    if (binary_) return raw<T>();
    return text_integer<T>(what);
  }

  /// A count of type T of items that take at least `text_bytes` or `binary_bytes` bytes each: refused where it is
  /// negative or more than the rest of the file can hold, so that no memory is allocated for a hostile count.
  template <class T>
  std::size_t count(const char* what, std::size_t text_bytes, std::size_t binary_bytes) {
    const T value = integer<T>(what);
    if (value < T{0}) fail("the number of " + std::string(what) + " is negative");
    check_count(static_cast<std::size_t>(value), what, text_bytes, binary_bytes);
    return static_cast<std::size_t>(value);
  }
  void check_count(std::size_t count, const char* what, std::size_t text_bytes, std::size_t binary_bytes) const;

  /// A finite number.
  double real(const char* what);

  /// Calls take(index, text, position) for the next `count` words of text, from any thread, and moves behind them.
  /// \returns false, and nothing moves, where there are fewer words or take() returns false for one: whoever reads them
  /// one after the other then finds out what is wrong
  bool for_each_word(std::size_t count,
                     const std::function<bool(std::size_t index, std::string_view text, std::size_t position)>& take);
  /// The next `count` items of `size` bytes; moves behind them. \returns none, and nothing moves, where there are fewer
  std::string_view items(std::size_t count, std::size_t size);
  /// Where the next item begins, but for blanks.
  std::size_t place() const { return at_; }

  [[noreturn]] void fail(const std::string& text) const { fail_at(item_, text); }
  [[noreturn]] void fail_at(std::size_t position, const std::string& text) const;

 private:
  template <class T>
  T raw() {
    item_ = at_;
    if (remaining() < sizeof(T)) fail_end();
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

  template <class T>
  T text_integer(const char* what) {
    const std::string_view text = word();
    T value{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc::result_out_of_range) fail_out_of_range(what, text);
    if (code != std::errc{} || end != text.data() + text.size()) fail_number(what, text);
    return value;
  }

  void skip_blanks();
  /// Behind the next whole word "$End<section>" that begins a line or, if so asked, stands anywhere; npos where there
  /// is none.
  std::size_t behind_section(std::string_view section, std::size_t from, bool anywhere) const;
  [[noreturn]] void fail_end() const;
  [[noreturn]] void fail_out_of_range(const char* what, std::string_view text) const;
  [[noreturn]] void fail_number(const char* what, std::string_view text) const;

  std::string_view bytes_;
  std::string name_;
  std::string_view section_;
  std::size_t at_ = 0;
  std::size_t item_ = 0;
  bool binary_ = false;
};

}  // namespace galerna::mesh
