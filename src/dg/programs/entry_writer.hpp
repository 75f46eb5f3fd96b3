/// \file
/// Writes the text of a program: headers, lines, entry points.
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device/program.hpp"
#include "dg/target.hpp"

namespace galerna::dg {

class EntryWriter {
 public:
  explicit EntryWriter(const Target& target) : target_(target) {}

  bool on_host() const { return target_.kind == device::Kind::host; }

  /// Once, whether or not the header guards itself.
  void include(const std::string& header) {
    if (included_.insert(header).second) text_ += fmt::format("#include \"{}\"\n", header);
  }
  void line(const std::string& text) { text_ += text + "\n"; }
  void entry(const Entry& e);

  device::ProgramSource finish(const std::string& title) {
    return {title, std::move(text_), std::move(entries_), {}, true};
  }

 protected:
  /// What a thread of a GPU works on where so many share an element.
  std::string item(int threads) const {
    return fmt::format("Item{{thread / {}, int(thread / {} % {}), int(thread % {})}}", target_.lanes * threads, threads,
                       target_.lanes, threads);
  }

  const Target& target_;
  std::string text_;
  std::vector<std::string> entries_;

 private:
  std::set<std::string> included_;
};

}  // namespace galerna::dg
