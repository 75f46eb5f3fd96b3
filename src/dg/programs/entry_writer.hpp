/// \file
/// Writes the texts of programs: headers, lines, then entry points.
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
  void entry(const Entry& e) { append(e, together_); }
  /// One that takes long to compile: on a GPU it is in a program of its own, so that all compile side by side. On a CPU
  /// the compiler reads headers for most of its time.
  void large_entry(const Entry& e) { append(e, on_host() ? together_ : apart_.emplace_back()); }

  /// What is written before entries, and all or one of them each. \param source what the programs have in common
  std::vector<device::ProgramSource> finish(device::ProgramSource source);

 protected:
  /// What a thread of a GPU works on where so many share an element.
  std::string item(int threads) const {
    return fmt::format("Item{{thread / {}, int(thread / {} % {}), int(thread % {})}}", target_.lanes * threads, threads,
                       target_.lanes, threads);
  }

  struct Entries {
    std::vector<std::string> names;
    std::string text;
  };

  const Target& target_;
  std::string text_;
  Entries together_;

 private:
  void append(const Entry& e, Entries& to) const;

  std::set<std::string> included_;
  std::vector<Entries> apart_;
};

}  // namespace galerna::dg
