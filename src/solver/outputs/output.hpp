/// \file
/// One thing that a run writes beside its checkpoints and its report.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "case/settings.hpp"
#include "files/report.hpp"
#include "mesh/mesh.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/outputs/moment.hpp"
#include "solver/outputs/output_queue.hpp"
#include "solver/run/observer.hpp"

namespace galerna::solver {

using OutputFiles = files::Report::NamedFiles;

/// An output is made, and says what is wrong with it, before anything is computed: by `galerna check` and by every run
/// alike. What it needs besides its case and mesh, a solution, it gets when it writes.
class Output {
 public:
  /// Both must outlive it.
  Output(const case_file::Settings& settings, const mesh::Mesh& mesh) : settings_(settings), mesh_(mesh) {}
  virtual ~Output() = default;
  Output(const Output&) = delete;

  /// Everything for which it could not be written, whatever the solution, with the places in the case.
  virtual std::vector<Problem> problems() const = 0;
  /// Those that bear the name of something in the case or the mesh.
  virtual std::vector<OutputFiles> files() const { return {}; }

  /// When it writes, beside the end of the run; null: at the end alone.
  virtual const case_file::Schedule* schedule() const { return nullptr; }
  /// Called once, before it writes and before the first step. \param restart_time rows later than this are dropped from
  /// files that are continued
  virtual void open(std::optional<double> /*restart_time*/) {}
  /// In place of write() where files have this moment already, as those have that a restart continues.
  virtual void skip(Moment& /*now*/) {}
  /// Whether it has a file of the whole solution, which is written beside the run.
  virtual bool is_written_beside() const { return false; }
  /// Writes, or takes what it needs. \param last at the end of the run. \returns what is still to be written, by any
  /// thread; null if nothing is
  virtual OutputQueue::Job write(Moment& now, Observer& observer, bool last) = 0;

 protected:
  const case_file::OutputSettings& output() const { return settings_.output; }
  /// Whether the run has a time that goes on.
  bool in_time() const { return !settings_.polytopic || settings_.polytopic->slabs; }
  /// Whether a formula on polytopes, for which reading the case knows no dimension, uses what the plane does not have.
  bool is_of_space(const case_file::Formula& formula) const {
    constexpr std::size_t ddz = 3, normal_z = 6;  // in Formula::at_point()
    return settings_.polytopic && mesh_.dimension == 2 &&
           (formula.uses_values(ddz, ddz + 1) || formula.uses_values(normal_z, normal_z + 1));
  }

  const case_file::Settings& settings_;
  const mesh::Mesh& mesh_;
};

/// Gathers what is wrong with outputs.
class OutputProblems {
 public:
  explicit OutputProblems(const case_file::Settings& settings)
      : file_(settings.file.string()), periodic_(settings.mesh.periodic) {}

  void report(SourcePlace place, const std::string& text) {
    if (place.file.empty()) place.file = file_;
    list_.push_back({std::move(place), text});
  }
  /// Whether `name` is one of the known ones; else it is reported. \param what it is of, "field"
  bool require(const std::string& key, const std::string& what, const std::string& name,
               const std::vector<std::string>& known, const SourcePlace& place) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return true;
    if (what == "boundary" && std::any_of(periodic_.begin(), periodic_.end(),
                                          [&](const auto& pair) { return pair.from == name || pair.to == name; })) {
      report(place, key + ": boundary \"" + name + "\" is periodic, so that it lies inside the domain");
      return false;
    }
    if (const std::string needed = what == "field" ? needed_by_shock_field(name) : ""; !needed.empty()) {
      report(place, key + ": the field \"" + name + "\" tells of shocks: it needs " + needed);
      return false;
    }
    const std::string near = nearest_name(name, known);
    report(place, key + ": unknown " + what + " \"" + name + "\"" +
                      (near.empty() ? "" : "; did you mean \"" + near + "\"?") + "; there " +
                      (known.empty() ? "is none" : (known.size() == 1 ? "is " : "are ") + list_names(known, "and")));
    return false;
  }
  /// Fields of a file: known ones, and each of them once.
  void require_fields(const std::string& key, const std::vector<std::string>& names,
                      const std::vector<std::string>& known, const SourcePlace& place) {
    for (auto name = names.begin(); name != names.end(); ++name)
      if (require(key, "field", *name, known, place) && std::find(names.begin(), name, *name) != name)
        report(place, key + ": the field \"" + *name + "\" is named twice; name it once");
  }
  std::vector<Problem> take() { return std::move(list_); }

 private:
  std::string file_;
  std::vector<case_file::MeshSettings::PeriodicPair> periodic_;
  std::vector<Problem> list_;
};

}  // namespace galerna::solver
