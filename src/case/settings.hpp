/// \file
/// Everything a case file can say, typed and validated. docs/case-file.md describes each key; case/reader.cpp reads
/// them.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "case/formula.hpp"
#include "case/polytopic_settings.hpp"

namespace galerna::case_file {

using Point = std::array<double, 3>;

/// Where the keys of a section stand, for messages about what they say.
struct Places {
  SourcePlace section;
  std::map<std::string, SourcePlace> keys;
  /// The section's where it has no such key.
  const SourcePlace& of(const std::string& key) const {
    const auto found = keys.find(key);
    return found == keys.end() ? section : found->second;
  }
};

/// A circle in 2D; the true shape of a wall that the mesh only approximates.
struct Circle {
  Point centre{};
  double radius;
};

/// What nodes of a boundary move onto with mesh.snap = true.
struct Surface {
  std::string kind;   ///< circle | sphere | cylinder
  Point point{};      ///< the centre, or a point of the cylinder's axis
  Point direction{};  ///< cylinder: of its axis, of any length but 0
  double radius = 0;
};

/// [mesh.curve.BOUNDARY]: the true shape of a boundary, onto which the mesh is curved.
struct CurveSettings {
  std::string boundary;
  std::string shape;               ///< circle | naca4 | spline | sphere | cylinder | cad
  Point place_of{};                ///< centre, leading edge of the section, point of the axis
  Point direction{};               ///< cylinder: of its axis, of any length but 0
  double size = 1;                 ///< radius, chord
  std::string code;                ///< naca4: four digits
  bool closed = false;             ///< naca4: trailing edge; spline: goes on smoothly from its last point to its first
  std::vector<Point> points;       ///< spline
  std::filesystem::path file;      ///< spline: that the points were read from; empty: from none
  std::vector<std::string> faces;  ///< cad: by name or number; empty: the nearest of all
  SourcePlace place;
};

/// [mesh.cad]: the file that boundaries with the shape cad follow.
struct CadSettings {
  std::filesystem::path file;
  double scale = 1;  ///< of its lengths
  SourcePlace place;
};

/// [mesh.elasticity]: how the layers of elements at curved walls follow them.
struct ElasticitySettings {
  int layers = 2;
  double poisson = 0.3;
  bool split = true;  ///< elements with two sides on one smooth wall
};

/// [mesh]
struct MeshSettings {
  std::filesystem::path
      file;        ///< absolute, or relative to the working directory (resolved against the case file's folder)
  int refine = 0;  ///< uniform nested refinements
  /// Boundary name -> what its nodes are moved onto: mesh.snap = true with boundary.NAME.circle, sphere or cylinder.
  std::map<std::string, Surface> snap;
  std::map<std::string, Surface> round;  ///< boundary name -> circle, sphere or cylinder that its corners lie on
  int surface_order = 1;                 ///< of the elements at spheres and cylinders; 1: they are left as they are
  std::vector<CurveSettings> curves;
  int geometry_order = 2;  ///< of the elements at boundaries with a curve
  std::optional<CadSettings> cad;
  std::optional<ElasticitySettings> elasticity;  ///< in space there always is one
  struct PeriodicPair {
    std::string from, to;  ///< boundary names
    Point translation{};   ///< maps `from` onto `to`
    SourcePlace place;
  };
  std::vector<PeriodicPair> periodic;
  SourcePlace place;  ///< of mesh.file
};

/// [equations]
struct EquationSettings {
  std::string type = "euler";
  bool gas = true;                      ///< density, momentum and energy of a perfect gas
  bool viscous_flux = false;            ///< whether the definition's viscous_flux is computed
  bool source = false;                  ///< whether the definition has source(u, position, time)
  int dimension = 2;                    ///< 3 where [initial] has a third component, or as a user's case says
  std::vector<std::string> variables;   ///< conservative: density, momentum_x, …, energy
  std::vector<std::string> primitives;  ///< as states may be given instead: density, velocity_x, …, pressure
  std::vector<std::pair<std::string, double>> parameters;  ///< Parameters of kernels
  double gamma = 1.4;                                      ///< ratio of specific heats of a gas, > 1
  /// Of viscous gases; temperatures are p/ρ.
  struct Viscous {
    double prandtl = 0.72;
    double mu = 0;                      ///< viscosity, at the reference temperature where it depends on temperature
    bool sutherland = false;            ///< viscosity by Sutherland's formula; else constant
    double reference_temperature = 1;   ///< T_r
    double sutherland_temperature = 0;  ///< S
    std::optional<double> reynolds;     ///< where the case gives it in place of mu
  };
  std::optional<Viscous> viscous;
  /// Of equations in a C++ header of the user.
  struct User {
    std::filesystem::path header;  ///< absolute, or relative to the working directory
    bool found = true;             ///< whether the header is there; else `text` is a record of it, not to be compiled
    std::string text;
    std::string name;   ///< template <int dimension, class Parameters>
    SourcePlace place;  ///< of [equations]
  };
  std::optional<User> user;
};

/// [discretization]
struct DiscretizationSettings {
  int order = 1;                  ///< polynomial degree p, 0 … 6
  std::string riemann = "llf";    ///< a name of registry.hpp, fluxes()
  int volume_quadrature = -1;     ///< degree of exactness in elements; −1: 2p
  int face_quadrature = -1;       ///< degree of exactness on faces; −1: 2p + 1, in space 2p
  std::optional<double> penalty;  ///< η of viscous terms; if not given, the sides of an element
};

/// [solver], of time.scheme = "newton": steady states by Newton's method.
struct NewtonSettings {
  std::string preconditioner = "automatic";  ///< automatic | lines | blocks | none
  double first_cfl = 5;
};

/// [time]
struct TimeSettings {
  std::string scheme = "rk4";  ///< a name of time/schemes.hpp
  /// One of the three is set: cfl number, fixed step, tolerance of the error-controlled step; or none with positivity.
  std::optional<double> cfl, step, tolerance;
  /// Whether the step is the largest that keeps means positive.
  bool has_step_of_positivity() const { return !cfl && !step && !tolerance; }
  std::optional<double> end;           ///< end time; may be absent when `steady` is set
  std::optional<double> steady;        ///< tolerance of the steady-state stop
  std::string steady_norm = "update";  ///< update: max |c^{n+1} − c^n|; residual: largest L2 norm of (c^{n+1} − c^n)/dt
  std::optional<double> steady_residual;  ///< stop at this residual, relative to that of the first step
  std::optional<double> steady_forces;    ///< stop when the walls' force changes by less than this share of itself …
  long steady_window = 1000;              ///< … over so many steps
  /// Whether a steady state ends the run; the first criterion that is met does.
  bool seeks_steady() const { return steady || steady_residual || steady_forces; }
  bool local = false;  ///< every element takes its own largest stable step; needs a steady state to go to
  /// Lower degrees, rising, at each of which the flow becomes steady first; empty if there are none.
  std::vector<int> sequence;
  bool sequence_by_residual = false;      ///< of steps in time: the next one begins when its residual says so
  std::optional<double> sequence_steady;  ///< `steady` at these degrees
  std::optional<long> sequence_steps;     ///< most steps at each of them
  std::optional<long> max_steps;
  std::optional<NewtonSettings> newton;  ///< in place of steps in time; then local, scheme and cfl are those of its τ
  int recover = 0;  ///< how often a failed run goes back to its last good state and continues with half the step
};

/// The sensor of P.-O. Persson and J. Peraire (kernels/shock/persson_peraire.hpp).
struct PerssonPeraireSettings {
  std::optional<double> s0 = {};  ///< if not given, −4 log10 p
  double kappa = 4, epsilon0 = 0.3;
};

/// [shock]
struct ShockSettings {
  std::string method = "none";             ///< filter | limiter | viscosity | none; what automatic has become
  std::string why;                         ///< for people, where that was chosen
  std::string limiter = "none";            ///< none or a name of registry.hpp, limiters()
  std::string variables = "conservative";  ///< a name of registry.hpp, limited_variables()
  std::string neighbours = "face";         ///< face | vertex, where LimiterEntry::chooses
  bool positivity = true;
  std::optional<PerssonPeraireSettings> persson_peraire =
      {};              ///< finds shocks for viscosity; else the automatic sensor
  long freeze = 2000;  ///< steps without a smaller residual after which viscosity stays what it is; 0: never
};

/// A state by formulas of x, y, z, t: of the equations' primitives or of their conservative variables, in their order.
struct StateSettings {
  bool primitive = true;
  std::vector<Formula> formulas;
  SourcePlace place;
};

/// [boundary.NAME]; which members are used depends on the type, see case/registry.hpp.
struct BoundarySettings {
  std::string name;
  std::string type;                       ///< a name of boundary_types() in case/registry.hpp
  std::optional<StateSettings> state;     ///< supersonic-inflow, far-field, dirichlet
  std::map<std::string, Formula> values;  ///< by name, those that the type needs: pressure of subsonic-outflow, …
  std::string ghost;                      ///< user: a struct of the user's header
  std::optional<std::array<double, 2>> lift_centre;  ///< far-field: of the vortex of the walls' lift
  std::optional<Circle> circle;                      ///< slip-wall: true shape
  std::optional<Surface> surface;                    ///< sphere or cylinder, for mesh.snap
  bool has_shape = false;  ///< whether the case gives a circle, sphere or cylinder, right or wrong
  bool curved = false;     ///< slip-wall: normals reconstructed from the neighbouring wall faces
  bool plate = false;      ///< may lie upon itself or another such boundary: a plate of no thickness
  SourcePlace place;
};

/// When a file is written: every `interval` of simulated time and/or every `steps` steps; always at the end unless off.
struct Schedule {
  std::optional<double> interval;
  std::optional<long> steps;
};

/// [output]
struct OutputSettings {
  std::filesystem::path directory = "output";
  bool solution = true;                       ///< VTU + PVD
  Schedule solution_schedule;                 ///< [output.solution]
  std::string solution_precision = "single";  ///< single | double
  std::vector<std::string> solution_fields;   ///< in VTU files; empty: all but the ready-made ones
  Schedule checkpoint_schedule;               ///< [output.checkpoint]; one is always written at the end
  Schedule monitor_schedule;                  ///< [output.monitor]: residuals, conservation, forces
  struct Probe {
    std::string name;
    Point point{};             ///< a point, or the start of a line
    std::optional<Point> end;  ///< a line of `count` points
    int count = 1;
    std::vector<std::string> fields = {};  ///< empty: all but the ready-made ones
    Places places = {};
  };
  std::vector<Probe> probes;  ///< [output.probe.NAME]
  /// [output.forces]: what coefficients are formed with.
  struct Forces {
    double density = 1, velocity = 1, length = 1, pressure = 0;
    double angle_of_attack = 0;  ///< degrees
    Point moment_centre = {0, 0, 0};
    // In space:
    double area = 1;
    Point stream = {1, 0, 0}, up = {0, 0, 1};
  };
  std::optional<Forces> forces;
  std::optional<double> average_start;  ///< [output.averages]: time from which on time means are taken
  /// [output.entropy]: the state whose entropy the whole flow should have.
  struct Entropy {
    double density = 1, pressure = 1;
  };
  std::optional<Entropy> entropy;
  std::vector<Probe> bubbles;  ///< [output.bubble.NAME]: lines along which the length of reverse flow is measured
  struct Plane {
    Point point = {0, 0, 0}, normal = {0, 0, 1};  ///< of any length but 0
  };
  struct Picture {
    std::string name;                               ///< file picture_NAME.png
    std::string field;                              ///< the first variable if the case does not say
    std::string format = "png";                     ///< png | svg
    std::optional<std::array<double, 2>> range;     ///< of the colour bar
    std::optional<std::array<double, 3>> isolines;  ///< min, max, count
    std::optional<std::array<double, 4>> window;    ///< x0, x1, y0, y1
    bool mesh = false;
    int streamlines = 0;  ///< about so many across the picture
    // In space: a cut through `point` across `normal`, or `boundaries` and `planes` from a direction of view.
    std::optional<Point> normal, view;
    Point point = {0, 0, 0}, up = {0, 0, 1};
    std::vector<std::string> boundaries = {};
    std::vector<Plane> planes = {};
    int width = 1200;  ///< pixels
    Places places = {};
  };
  std::vector<Picture> pictures;  ///< [output.picture.NAME]
  /// [output.figure.NAME]: pictures side by side, file figure_NAME.png.
  struct Figure {
    std::string name, format = "png";
    std::vector<std::string> pictures;  ///< their names, row by row
    int columns = 2, width = 1600;      ///< pixels, of the whole
    Places places = {};
  };
  std::vector<Figure> figures;
  /// [output.section.NAME]: the curve in which a plane cuts a wall in space, files section_NAME.csv and .png.
  struct Section {
    std::string name, wall;
    Point point = {0, 0, 0}, normal = {0, 0, 1};  ///< of the plane; of any length but 0
    std::optional<std::array<Point, 2>> edges;    ///< leading and trailing: x/c is 0 and 1 there
    int points = 4;                               ///< on each face
    std::string format = "png";                   ///< png | svg
    int width = 1200;                             ///< pixels
    SourcePlace place;
  };
  std::vector<Section> sections;
  /// [output.fields], and ready-made ones: further fields by formulas of the solution, its gradient, x, y and t.
  struct Field {
    std::string name;
    Formula formula;
    bool listed = true;  ///< shown where no list of fields is given
    SourcePlace place = {};
  };
  std::vector<Field> fields;
  /// [output.integral.NAME]: the integral of a formula as a column of monitor.csv, over the domain, the elements of a
  /// region, or the sides of a boundary.
  struct Integral {
    std::string name;
    Formula formula;
    std::optional<std::string> region, boundary;
    SourcePlace place;
  };
  std::vector<Integral> integrals;
  SourcePlace solution_fields_place;
};

/// The whole case.
struct Settings {
  std::filesystem::path file;
  std::string title;
  MeshSettings mesh;
  EquationSettings equations;
  DiscretizationSettings discretization;
  std::optional<ShockSettings> shock;
  TimeSettings time;
  StateSettings initial;
  std::vector<BoundarySettings> boundaries;
  std::optional<StateSettings> exact;
  std::vector<Formula> source;  ///< [source], of each variable; they may use the solution's variables; empty: none
  OutputSettings output;
  /// Of advection, diffusion and reaction on polytopes: beside it only title, mesh, output.directory, output.solution
  /// and the boundaries' names have a meaning.
  std::optional<PolytopicSettings> polytopic;
  /// The resolved case as TOML, defaults filled in: stored in checkpoints, echoed in report.json.
  std::string resolved;
};

}  // namespace galerna::case_file
