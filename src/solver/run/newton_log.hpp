/// \file
/// newton.csv: a row for each step of Newton's method.
#pragma once

#include <memory>

#include "files/csv.hpp"
#include "solver/outputs/snapshot.hpp"
#include "steady/newton.hpp"

namespace galerna::solver {

class NewtonLog {
 public:
  /// \param restart rows of later steps are dropped from a file that is continued
  NewtonLog(const case_file::Settings& settings, long restart);

  /// \param now after the step \param relative its residual, of the criterion \param norm of G after it, relative to
  /// the first one \param seconds of all steps so far
  void add(Snapshot& now, const steady::NewtonStep& step, double relative, double norm, double seconds);

 private:
  files::CsvMonitor file_;
};

}  // namespace galerna::solver
