/// \file
/// What a person sees of a run on several ranks: what the first of them says.
#pragma once

#include <string>

#include "parallel/team.hpp"
#include "solver/run/observer.hpp"

namespace galerna::app {

class RankObserver : public solver::Observer {
 public:
  /// Both must outlive it. \param inner of this rank
  RankObserver(solver::Observer& inner, parallel::Team& team) : inner_(inner), team_(team) {}

  void message(const std::string& text) override {
    if (team_.is_first()) inner_.message(text);
  }
  void error(const std::string& text) override {
    if (team_.is_first()) inner_.error(text);
  }
  void progress(const solver::Progress& progress) override {
    if (team_.is_first()) inner_.progress(progress);
  }
  void working(const std::string& what) override {
    if (team_.is_first()) inner_.working(what);
  }
  /// Whether any rank was: all must end at the same step.
  bool interrupted() override { return team_.any(inner_.interrupted()); }

 private:
  solver::Observer& inner_;
  parallel::Team& team_;
};

}  // namespace galerna::app
