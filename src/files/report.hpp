/// \file
/// report.json: what a run did, for people and their scripts. Its names are stable.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/walls.hpp"
#include "base/phases.hpp"
#include "files/polytopic_report.hpp"

namespace galerna::files {

/// Why and where a simulation failed.
struct Failure {
  std::string what;                  ///< one line for people
  std::string variable;              ///< the variable that went bad, "" if none did
  std::array<double, 3> where = {};  ///< centroid of the element
  std::int64_t element = -1;         ///< number in the mesh file, −1 if no single element is to blame
  double time = 0;
  std::int64_t step = 0;
  int stage = 0, stages = 0;  ///< of the time scheme; 0 if it was not found
  /// The element at the beginning of the failing step: the means density, velocity_x, …, pressure, and the
  /// smallest_density and smallest_pressure at its quadrature points. Empty if that state was not found.
  std::map<std::string, double> values_before;
  double dt = 0;                    ///< of the failing step
  double local_step_limit = 0;      ///< h / ((2p + 1) λ) of the element at the beginning of the step; 0 if not found
  std::string step_set_by;          ///< what chose dt, for people
  std::vector<std::string> advice;  ///< what to try, most likely first
};

/// Members are written under their own names, in this order, unless noted. Numbers that are not finite are written as
/// null.
struct Report {
  std::string status;         ///< done | steady | interrupted | failed | step limit
  std::string case_file;      ///< "case"
  std::string resolved_case;  ///< "resolved_case": the case with its defaults, TOML
  std::string galerna_version, build;
  std::string device;
  std::string precision;
  int order = 0;

  // "mesh": file, elements, faces, boundaries
  std::string mesh_file;
  int dimension = 2;                             ///< not written
  std::map<std::string, std::int64_t> elements;  ///< by shape, in the plural
  std::int64_t faces = 0;
  std::map<std::string, std::int64_t> boundaries;  ///< name -> number of sides

  std::int64_t dof = 0;  ///< elements × modes × variables

  /// What computes a set of elements: a row of dg/structures.hpp, and why that one.
  struct Structure {
    std::string elements;  ///< "triangles of order 1"
    std::int64_t count = 0;
    std::string structure, why;
  };
  std::vector<Structure> structures;

  /// "ranks": of each number that of the rank which has most; left out on one rank.
  struct Ranks {
    std::int64_t count = 0, elements = 0, copies = 0, cut_sides = 0, neighbours = 0;
    std::string transport;
  };
  std::optional<Ranks> ranks;

  struct Time {
    double t = 0;
    std::int64_t steps = 0, rejected = 0, rhs_evaluations = 0;
    double dt = 0;         ///< the last step; with local steps the smallest of all elements
    bool accurate = true;  ///< false: elements had steps of their own, and t, the sum of dt, is no time of the flow
    /// Seconds since the program began, and the parts that add up to them (solver/run/wall_clock.hpp); "wall_setup" is
    /// the sum of read, refine, prepare and upload.
    double wall_total = 0, wall_start = 0, wall_read = 0, wall_refine = 0, wall_prepare = 0, wall_upload = 0,
           wall_compile = 0, wall_tuning = 0, wall_loop = 0, wall_watch = 0, wall_wait = 0, wall_output = 0,
           wall_finish = 0;
    double writing = 0;  ///< seconds that files took beside the rest
    /// "phases": what the program said it was doing, for how many seconds, and the most memory of the process until
    /// then
    std::vector<PastPhase> phases;
  } time;

  struct Performance {
    double dof_per_second = 0;
    std::int64_t device_memory_bytes = 0;
    /// "kernels.NAME", of one step at the end of the run; empty if none was measured
    struct Kernel {
      std::string name;
      double share = 0, seconds = 0;  ///< of and in that step, all launches together
    };
    std::vector<Kernel> kernels;
  } performance;

  std::vector<std::pair<std::string, std::int64_t>> memory;  ///< bytes of the device's arrays, by what they are for

  /// "conservation.VARIABLE"
  struct Conservation {
    std::string variable;
    double start = 0, end = 0;  ///< integral over the domain
    double boundary_flux = 0;   ///< time integral of what left through the boundary
    double defect = 0;          ///< end − start + boundary_flux; null where there is a source
    /// The same where there is a source: what it has added, up to rounding. Only written then.
    std::optional<double> source = {};
  };
  std::vector<Conservation> conservation;

  /// "errors.VARIABLE"; the maximum norm needs no normalization.
  struct ErrorNorms {
    std::string variable;
    double l1 = 0, l2 = 0, linf = 0;
    double l1_normalized = 0, l2_normalized = 0;  ///< divided by |Ω|, by |Ω|^(1/2)
  };
  std::vector<ErrorNorms> errors;

  std::vector<std::pair<std::string, double>> integrals;  ///< "integrals.NAME": of formulas; left out when empty
  std::optional<double> kinetic_energy;                   ///< of gases: ∫ ½ρ|v|² dx
  /// "entropy_error": norms of (p/ρ^γ) / (p_r/ρ_r^γ) − 1, r the case's reference state; left out when empty.
  std::map<std::string, double> entropy_error;

  std::map<std::string, double> residual;  ///< by variable, and "change"
  std::string steady_by;                   ///< what ended a steady run; left out when empty

  /// "forces.BOUNDARY": [x, y, z]; "force_parts.BOUNDARY": pressure, viscous, moment (in space [x, y, z]);
  /// "coefficients.BOUNDARY" and, of all walls together, "coefficients.all", where the case gives reference values;
  /// "separation.BOUNDARY": where friction changes sign, a list of kind, part, s, x, y.
  struct Force {
    std::string boundary;
    analysis::WallForce force = {};
    std::optional<analysis::ForceCoefficients> coefficients = {};
    std::vector<analysis::FlowPoint> separation = {};
  };
  std::vector<Force> forces;
  std::optional<analysis::ForceCoefficients> all_coefficients;
  std::string reference;  ///< "reference": what coefficients are formed with; left out when empty
  /// "averages": start, duration, and means over that time of "coefficients.BOUNDARY" and "coefficients.all", drag and
  /// lift, each with the root mean square of what it deviates from its mean.
  struct Averages {
    struct Moment {
      double mean = 0, rms = 0;
    };
    struct Coefficients {
      std::string boundary;
      Moment drag = {}, lift = {};
    };
    double start = 0, duration = 0;
    std::vector<Coefficients> coefficients = {};
  };
  std::optional<Averages> averages;
  std::map<std::string, double> bubbles;  ///< lengths of reverse flow by name; may be empty

  /// "files.KIND.NAME": the files, in the output directory, that a boundary or a section of [output] has; left out when
  /// empty.
  struct NamedFiles {
    std::string kind;  ///< wall, probe, picture, …: what the files begin with
    std::string name;  ///< in the case
    std::vector<std::string> files;
  };
  std::vector<NamedFiles> files;

  /// Shares of elements and stages: "slopes" limited, scaled for "positivity"; may be empty.
  std::map<std::string, double> limiter;
  /// "sequence": a list of order, steps, change (in the steady norm, at its end), rhs_evaluations; lower degrees before
  /// `order`, since the start or the restart. Left out when empty.
  struct Level {
    int order = 0;
    std::int64_t steps = 0;
    double change = 0;
    std::int64_t rhs_evaluations = 0;
  };
  std::vector<Level> levels;
  /// "newton", of runs by Newton's method.
  struct Newton {
    std::string preconditioner;  ///< of the last degree, and why
    /// "degrees": a list, since the start, before a restart too.
    struct Degree {
      int order = 0;
      std::int64_t steps = 0, rhs_evaluations = 0, block_evaluations = 0, gmres_iterations = 0;
    };
    std::vector<Degree> degrees;
    /// "seconds": of this run, in products J·v, in blocks, and in their elimination with what it solves.
    double products = 0, blocks = 0, preconditioning = 0;
  };
  std::optional<Newton> newton;
  int recoveries = 0;  ///< how often the run went back to its last good state
  /// "warnings": a list, empty where there is nothing to say; `numbers` stand beside name, where and message.
  struct Warning {
    std::string name;     ///< of its kind, stable
    std::string where;    ///< what part of the case it is about, such as boundary.left
    std::string message;  ///< for people, with a remedy
    std::map<std::string, double> numbers = {};
  };
  std::vector<Warning> warnings;
  std::optional<Failure> failure;
  /// In place of `order` and of all from `dof` on but `time`, `performance`, `memory`, `integrals`, `files` and what a
  /// failure was.
  std::optional<PolytopicReport> polytopic;
};

/// Where the wall time of a run went, the longest first, in a line.
std::string describe(const Report::Time& time);

/// The report as JSON, indented.
std::string to_json(const Report& report);

/// \throws SystemError when the file cannot be written.
void write_report(const Report& report, const std::filesystem::path& file);

}  // namespace galerna::files
