/// \file
/// Values of fields that are no finite numbers, found while they are shown.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "mesh/mesh.hpp"

namespace galerna::analysis {

class FieldFaults {
 public:
  struct Fault {
    double time;
    mesh::Point place;  ///< zero where the field does not look at it
    double value;
  };
  /// From any thread. Of each field the earliest one is kept, at the least place: whichever thread comes first.
  void add(const std::string& field, const Fault& fault);
  std::map<std::string, Fault> found() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Fault> found_;
};

}  // namespace galerna::analysis
