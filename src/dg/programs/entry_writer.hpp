/// \file
/// Writes the texts of programs whose items are elements, in blocks of as many as the device has lanes.
#pragma once

#include <string>

#include "device/program_writer.hpp"
#include "dg/entry.hpp"

namespace galerna::dg {

class EntryWriter : public device::ProgramWriter {
 public:
  using ProgramWriter::ProgramWriter;

  void entry(const Entry& e) { write(point(e)); }
  void large_entry(const Entry& e) { write_apart(point(e)); }

 protected:
  /// What a thread of a GPU works on where so many share an element.
  std::string item(int threads) const;

 private:
  device::EntryPoint point(const Entry& e) const;
};

}  // namespace galerna::dg
