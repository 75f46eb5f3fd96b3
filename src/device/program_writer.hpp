/// \file
/// Writes the texts of programs: headers, lines, then entry points for one kind of device.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "device/program.hpp"
#include "device/target.hpp"

namespace galerna::device {

/// An entry point and what it does, on either kind of device, with arguments `a`.
struct EntryPoint {
  std::string name, arguments;  ///< the arguments' type
  std::string bounds;           ///< Cuda: threads in a thread block and, if need be, thread blocks on a multiprocessor
  std::string host;             ///< a statement for `item`
  std::string cuda;             ///< statements of a thread
};

/// An entry point that calls function(a, item), on a GPU by a thread for each item.
struct ThreadEntry {
  const char *name, *arguments, *function;
  int threads = 128;  ///< of a thread block
};

class ProgramWriter {
 public:
  explicit ProgramWriter(const Target& target) : target_(target) {}

  bool on_host() const { return target_.kind == Kind::host; }

  /// Once, whether or not the header guards itself.
  void include(const std::string& header);
  void line(const std::string& text) { text_ += text + "\n"; }
  void write(const EntryPoint& e) { append(e, together_); }
  void write(std::span<const ThreadEntry> entries);
  /// One that takes long to compile: on a GPU it is in a program of its own, so that all compile side by side. On a CPU
  /// the compiler reads headers for most of its time.
  void write_apart(const EntryPoint& e) { append(e, on_host() ? together_ : apart_.emplace_back()); }

  /// What is written before entries, and all or one of them each. \param source what the programs have in common
  std::vector<ProgramSource> finish(ProgramSource source);
  /// The same without large entries. \param title for people
  ProgramSource finish(const std::string& title);

 protected:
  const Target target_;
  std::string text_;

 private:
  struct Entries {
    std::vector<std::string> names;
    std::string text;
  };
  void append(const EntryPoint& e, Entries& to) const;

  std::set<std::string> included_;
  Entries together_;
  std::vector<Entries> apart_;
};

}  // namespace galerna::device
