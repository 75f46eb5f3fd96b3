/// \file
/// What a run is at one moment, for all that is written of it: of a flow (solver/outputs/snapshot.hpp) or of a solution
/// on polytopes (solver/polytopic/polytopic_moment.hpp).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/solution.hpp"
#include "analysis/walls.hpp"
#include "drawing/picture_frame.hpp"
#include "files/vtu.hpp"
#include "solver/outputs/captured_solution.hpp"

namespace galerna::solver {

class Moment {
 public:
  virtual ~Moment() = default;

  virtual double time() const = 0;
  virtual long step() const = 0;
  const analysis::Solution& solution() { return capture()->solution(); }
  /// The same for those who need it when the run has gone on.
  std::shared_ptr<const CapturedSolution> capture() {
    if (!captured_) captured_ = std::make_shared<CapturedSolution>(take());
    return captured_;
  }
  /// The solution on the elements with these [block] positions.
  virtual analysis::Solution part(const std::vector<std::vector<mesh::Index>>& positions) = 0;
  /// The time mean so far; nothing where none is taken.
  virtual std::optional<analysis::Solution> mean() { return {}; }
  /// The numbers of a row of monitor.csv, from the first to the last column.
  virtual std::vector<double> monitor_row() = 0;
  /// Elements that are treated for shocks; nothing where no case asks for that.
  struct Treated {
    double elements = 0, of = 0;
    bool adds_up = false;  ///< over stages so far, as limiters and filters count; else those of this moment
  };
  virtual std::optional<Treated> treated() { return {}; }
  /// The walls of a gas; none for other equations.
  virtual const std::vector<analysis::Wall>& walls() = 0;
  /// What VTU files have beside fields: options with cell data alone.
  virtual files::VtuOptions cell_data() { return {}; }
  /// What pictures in the plane have beside a field and the mesh.
  virtual std::vector<drawing::Segment> outlines() const { return {}; }

 private:
  /// Copies what the solution is made of. \returns what makes it, for CapturedSolution
  virtual std::function<analysis::Solution()> take() = 0;

  std::shared_ptr<const CapturedSolution> captured_;
};

}  // namespace galerna::solver
