/// \file
/// A solution on polytopes at one moment: at the end of a slab, at the beginning of the first one, or a stationary one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "solver/outputs/moment.hpp"
#include "solver/polytopic/polytopic_progress.hpp"

namespace galerna::solver {

/// The columns of a monitor.csv of runs on polytopes: what a slab has exchanged, then [output.integral.NAME].
std::vector<std::string> polytopic_columns(const case_file::Settings& settings, const mesh::Mesh& mesh);

class PolytopicMoment : public Moment {
 public:
  /// What does not change from moment to moment; all of it must outlive the moments.
  struct Case {
    const case_file::Settings& settings;
    const PolytopicMesh& mesh;
    const basis::BoxSpace& space;
    const std::vector<int>& degrees;
    std::shared_ptr<analysis::FieldFaults> faults = std::make_shared<analysis::FieldFaults>();
  };

  /// \param balance of the last slab; nothing where none was solved
  PolytopicMoment(const Case& of, const PolytopicProgress& progress, const polytopic::Balance& balance, double time)
      : case_(of), progress_(progress), balance_(balance), time_(time) {}

  double time() const override { return time_; }
  /// Slabs that were solved; a stationary solution is that of step 0.
  long step() const override { return case_.settings.polytopic->slabs ? progress_.slabs : 0; }
  analysis::Solution part(const std::vector<std::vector<mesh::Index>>& positions) override;
  std::vector<double> monitor_row() override;
  const std::vector<analysis::Wall>& walls() override { return walls_; }
  files::VtuOptions cell_data() override;
  std::vector<drawing::Segment> outlines() const override;
  /// [integral] values of [output.integral.NAME]
  const std::vector<double>& integrals();

 private:
  std::function<analysis::Solution()> take() override;
  analysis::Solution make(const std::optional<std::vector<mesh::Index>>& positions) const;

  const Case& case_;
  const PolytopicProgress& progress_;
  const polytopic::Balance& balance_;
  double time_;
  std::vector<analysis::Wall> walls_;
  std::optional<std::vector<double>> integrals_;
};

}  // namespace galerna::solver
