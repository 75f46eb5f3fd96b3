#include "case/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "case/polytopic_settings.hpp"
#include "case/registry.hpp"

namespace galerna::case_file {
namespace {

std::vector<std::string> limiter_names() {
  std::vector<std::string> names = names_of(limiters());
  names.insert(names.begin(), "none");
  return names;
}

using enum KeyType;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<Key> positive(std::vector<Key> list) {
  for (Key& key : list)
    if (key.type == number && key.values.least == -infinity) {
      key.values = above(0);
    }
  return list;
}

/// [equations] of systems by the registry.
std::vector<Key> parameter_keys() {
  std::vector<Key> list;
  for (const EquationEntry& entry : equation_types())
    for (const ParameterEntry& parameter : entry.parameters)
      list.push_back(
          {parameter.name, number, parameter.fallback, "", fmt::format("{}: {}", entry.name, parameter.description)});
  return positive(in("equations", list));
}

/// Formulas of a state of a gas: primitive or conservative; case/read_state.cpp reads those of all equations.
std::vector<Key> state_keys(const std::string& section) {
  std::vector<Key> list;
  for (const char* name : {"density", "velocity_x", "velocity_y", "velocity_z", "pressure", "momentum_x", "momentum_y",
                           "momentum_z", "energy"})
    list.push_back({name, formula, "", "", "density, velocity_*, pressure; or density, momentum_*, energy"});
  return in(section, list);
}

/// Formulas that boundary conditions take beside states.
std::vector<Key> value_keys() {
  std::vector<Key> list;
  const auto known = [&](const std::string& name) {
    return std::any_of(list.begin(), list.end(), [&](const Key& key) { return key.name == name; });
  };
  for (const BoundaryEntry& entry : boundary_types())
    for (const ValueEntry& value : entry.values) {
      if (value.meaning.empty() || known(value.name)) continue;
      list.push_back({value.name, formula, "", "", value.meaning});
      if (value.name.ends_with("_y"))
        list.push_back(
            {value.name.substr(0, value.name.size() - 1) + "z", formula, "", "", value.meaning + ", in space"});
    }
  return in("boundary.NAME", list);
}

std::vector<Key> schedule_keys(const std::string& section, const std::string& what) {
  return positive(in(section, {{"interval", number, "never", "time", what + " every so much simulated time"},
                               {"steps", integer, "never", "steps", what + " every so many steps", at_least(1)}}));
}

/// True shapes of boundaries.
std::vector<Key> curve_keys() {
  const std::string section = "mesh.curve.NAME";
  return positive(
      in(section,
         {{"shape", text, "", "", "of the boundary NAME; the elements at it are curved to follow it",
           one_of({"circle", "naca4", "spline", "sphere", "cylinder", "cad"})},
          {"centre", numbers, "", "length", "circle: [x, y]; sphere: [x, y, z]"},
          {"radius", number, "", "length", "circle, sphere, cylinder"},
          {"point", numbers, "", "length", "cylinder: [x, y, z] of its axis"},
          {"direction", numbers, "", "", "cylinder: [x, y, z] along its axis"},
          {"code", text, "", "", "naca4: four digits, such as 0012"},
          {"chord", number, "1", "length", "naca4"},
          {"leading_edge", numbers, "[0, 0]", "length", "naca4: [x, y]; the chord runs along x"},
          {"trailing_edge", text, "blunt", "",
           "naca4: the thickness ends with −0.1015 x⁴ (blunt) or −0.1036 x⁴ (closed)", one_of({"blunt", "closed"})},
          {"points", points, "", "length", "spline: what it passes through"},
          {"file", path, "", "",
           "spline: text file of its points, x and y a line, in the order of the spline or in Lednicer's form, "
           "relative to the case file"},
          {"faces", names, "all", "", "cad: those that NAME follows, by name or number (galerna info lists them)"},
          {"closed", boolean, "false", "", "spline: goes on smoothly from the last point to the first"}}));
}

std::vector<std::string> types_of_equations() {
  std::vector<std::string> types = names_of(equation_types());
  types.emplace_back(polytopic_equations);
  return types;
}

std::vector<Key> make_keys() {
  std::vector<Key> all;
  const auto add = [&](const std::vector<Key>& list) { all.insert(all.end(), list.begin(), list.end()); };
  add(in("", {{"title", text, "the file's name", "", "shown in messages and pictures"}}));
  add(in("mesh", {{"file", path, "", "", "Gmsh mesh (MSH 2.2 or 4.1), relative to the case file"},
                  {"refine", integer, "0", "",
                   "uniform nested refinements: each triangle into four, each tetrahedron into eight", within(0, 10)},
                  {"snap", boolean, "false", "",
                   "move boundary nodes that refinement makes onto boundary.NAME.circle, sphere or cylinder; of curved "
                   "elements all nodes"},
                  {"periodic", tables, "none", "length",
                   "list of {from, to, translation = [dx, dy], in 3D [dx, dy, dz]}: boundary `from` moved by the "
                   "translation is boundary `to`"},
                  {"geometry_order", integer, "p, within 2 … 4", "",
                   "of the elements that [mesh.curve.NAME] curves, up to 6, up to 4 in space and with "
                   "[mesh.elasticity]; in space also of those that snap puts onto a sphere or cylinder, straight if "
                   "absent",
                   within(2, 6)}}));
  add(curve_keys());
  add(positive(in("mesh.cad", {{"file", path, "", "", "STEP, IGES or BREP file, relative to the case file"},
                               {"scale", number, "1", "", "of its lengths, which are in the file's own unit"}})));
  add(in("mesh.elasticity",
         {{"layers", integer, "2", "",
           "of elements at the walls of [mesh.curve.NAME] that follow as an elastic body; in space, and in the plane "
           "where this section is there",
           within(1, 100)},
          {"poisson", number, "0.3", "", "Poisson's ratio of that body", within(0, 0.49)},
          {"split", boolean, "true", "",
           "divide triangles and tetrahedra with two sides or all corners on one smooth wall; false: they are an "
           "error"}}));
  add(in("equations", {{"type", text, "", "", "the system of equations", one_of(types_of_equations())},
                       {"gamma", number, "1.4", "", "ratio of specific heats", within(1, 10, true)}}));
  add(viscosity_keys());
  add(parameter_keys());
  add(user_keys());
  add(in("equations.parameters",
         {{"NAME", number, "", "", "user: Parameters::NAME in the header; or a formula of constants"}}));
  add(in("discretization",
         {{"order", integer, "", "", "polynomial degree p", within(0, highest_degree)},
          {"riemann", text, "llf", "", "numerical flux", one_of(names_of(fluxes()))},
          {"volume_quadrature", integer, "2 p", "", "degree of exactness in elements; in 3D at most 14", within(0, 30)},
          {"face_quadrature", integer, "2 p + 1", "", "the same on faces; in space 2 p", within(0, 30)},
          {"penalty", number, "an element's sides", "", "η of viscous terms", within(1, 100)}}));
  add(in(
      "shock",
      {{"method", text, "", "",
        "automatic: filter for flow in time, viscosity where a steady state is sought; limiter, if not given beside "
        "a limiter, none beside positivity alone; user: filter needs entropy_ratio in the header",
        one_of(names_of(shock_methods()))},
       {"limiter", text, "none", "", "of slopes; barth-jespersen is for order 1", one_of(limiter_names())},
       {"variables", text, "conservative", "", "in which slopes are limited", one_of(names_of(limited_variables()))},
       {"neighbours", text, "", "",
        "whose means bound the slopes of barth-jespersen: face, or with viscosity vertex, if not given; "
        "hierarchical takes those around vertices",
        one_of({"face", "vertex"})},
       {"positivity", boolean, "true", "",
        "keep density and pressure positive at all quadrature points; user: false beside a limiter, or without a "
        "pressure in the header"},
       {"sensor", text, "", "",
        "viscosity, by what shocks are found: automatic, if not given, has no constant to set; persson-peraire is "
        "that of the paper, with the next three keys",
        one_of({"automatic", "persson-peraire"})},
       {"s0", number, "", "",
        "persson-peraire: log10 of the share of the highest modes in the energy of the density at which half of the "
        "viscosity is there; -4 log10 p, if not given"},
       {"kappa", number, "", "", "persson-peraire: half of the width over which it comes; 4, if not given", above(0)},
       {"epsilon0", number, "", "", "persson-peraire: largest viscosity, in units of λ h/p; 0.3, if not given",
        above(0)},
       {"freeze", integer, "", "",
        "viscosity, where local steps seek a steady state: steps without a smaller residual after which it stays "
        "what it is; 2000, if not given; 0: never",
        within(0, 1e9)}}));
  add(positive(
      in("time",
         {{"scheme", text, "rk4", "",
           "Runge–Kutta method (docs/theory.md lists them), or newton: steady states by Newton's method"},
          {"cfl", number, "", "",
           "step = cfl · min h / ((2p + 1) λ); one of cfl, step, tolerance; with shock.positivity and none of them "
           "that of the positivity bound"},
          {"step", number, "", "time", "fixed step"},
          {"tolerance", number, "", "", "largest error of a step, relative to the flow's scales (scheme ssprk43)"},
          {"end", number, "", "time", "end time; needed unless a steady state is sought", at_least(0)},
          {"steady", number, "", "", "stop when the change of a step falls to this"},
          {"steady_norm", text, "update", "", "update: max |c^{n+1} − c^n|; residual: largest L2 norm of Δu/Δt",
           one_of({"update", "residual"})},
          {"steady_residual", number, "", "",
           "stop when the L2 norm of the residual, relative to that of the run's first step, falls to this"},
          {"steady_forces", number, "", "",
           "stop when the force on all walls changes by less than this share of itself over steady_window"},
          {"steady_window", integer, "1000", "steps", "of steady_forces", at_least(10)},
          {"local", boolean, "false", "", "every element takes its own largest stable step; for steady states only"},
          {"sequence", numbers, "none", "",
           "lower degrees, rising, at each of which the flow becomes steady first; automatic: all from 1 on, each "
           "until the next one is due",
           one_of({"automatic", "none"})},
          {"sequence_steady", number, "steady", "", "as steady, at the degrees of sequence"},
          {"sequence_steps", integer, "none", "steps", "most steps at each degree of sequence", at_least(1)},
          {"max_steps", integer, "none", "steps", "stop after so many steps", at_least(1)},
          {"recover", integer, "0", "times",
           "when a run fails, go back to the last good state and halve the step for a while", within(0, 100)}})));
  add(positive(
      in("solver",
         {{"preconditioner", text, "automatic", "", "of scheme newton: what its linear systems are preconditioned by",
           one_of({"automatic", "ilu", "lines", "blocks", "none"})},
          {"first_cfl", number, "5", "", "of scheme newton: CFL number of its first step"},
          {"newton_steps", integer, "200", "steps", "of scheme newton: most steps in all", at_least(1)}})));
  add(state_keys("initial"));
  add(in("boundary.NAME",
         {{"type", text, "", "", "boundary condition", one_of(names_of(boundary_types()))},
          {"ghost", text, "", "", "user: struct of the header that gives the ghost state"},
          {"circle", circle, "none", "length", "slip-wall: true shape {centre = [x, y], radius = r}"},
          {"sphere", circle, "none", "length",
           "in space: {centre = [x, y, z], radius = r}, what mesh.snap moves nodes onto"},
          {"cylinder", cylinder, "none", "length",
           "in space: {point = [x, y, z], direction = [dx, dy, dz], radius = r}, its axis through the point; for "
           "mesh.snap"},
          {"curved", boolean, "false", "", "slip-wall in 2D: normals of a smooth curve through the wall's nodes"},
          {"plate", boolean, "false", "",
           "sides may lie upon those of this or another such boundary: a plate of no thickness"},
          {"lift_centre", numbers, "none", "length",
           "far-field: [x, y] of the vortex of the walls' lift, which the stream carries"}}));
  add(state_keys("boundary.NAME"));
  add(value_keys());
  add(state_keys("exact"));
  for (const char* name : {"density", "momentum_x", "momentum_y", "momentum_z", "energy"})
    add(in("source", {{name, formula, "", "per time",
                       "added to the right-hand side, 0 if absent; may use the solution's variables"}}));
  add(in("output", {{"directory", path, "output", "", "where files go, relative to the working directory"},
                    {"solution", boolean, "true", "", "write VTU files and solution.pvd"}}));
  add(schedule_keys("output.solution", "a VTU file"));
  add(in("output.solution", {{"precision", text, "single", "", "of numbers in VTU files", one_of({"single", "double"})},
                             {"fields", names, "all but ready-made ones", "", "names of the fields in VTU files"}}));
  add(schedule_keys("output.checkpoint", "a checkpoint"));
  add(schedule_keys("output.monitor", "a row of monitor.csv and of the probes' files"));
  add(in("output.averages", {{"start", number, "0", "time", "time means are taken from this time on", at_least(0)}}));
  add(in("output.probe.NAME",
         {{"point", numbers, "", "length", "place [x, y], in 3D [x, y, z]; the start of a line when `end` is given"},
          {"end", numbers, "none", "length", "end of the line [x, y], in 3D [x, y, z]"},
          {"points", integer, "2", "", "number of points on the line", within(2, 100000)},
          {"fields", names, "all but ready-made ones", "", "names of the fields in the file"}}));
  add(positive(
      in("output.forces", {{"density", number, "", "density", "of the stream, for coefficients"},
                           {"velocity", number, "", "velocity", "of the stream"},
                           {"length", number, "of the walls", "length",
                            "chord or diameter; if absent, the mean aerodynamic chord in 3D, the largest width in 2D"},
                           {"area", number, "of the walls", "area",
                            "in 3D: of the wing or cross-section; if absent, of the walls seen along up"}})));
  add(in("output.forces",
         {{"pressure", number, "", "pressure", "of the stream: cp = (p - pressure) / (½ρU²); forces hold the full p"},
          {"angle_of_attack", number, "0", "degrees", "drag is along the stream, lift across, upward"},
          {"moment_centre", numbers, "[0, 0]", "length", "of moments, nose up positive"},
          {"stream", numbers, "[1, 0, 0]", "", "in space: direction of the stream, and of drag"},
          {"up", numbers, "[0, 0, 1]", "",
           "in space: lift is across the stream towards it, the side force along up × stream"}}));
  add(positive(
      in("output.entropy", {{"density", number, "", "density", "of the state whose p/ρ^γ the whole flow should have"},
                            {"pressure", number, "", "pressure", "of that state"}})));
  add(in("output.bubble.NAME", {{"point", numbers, "", "length",
                                 "start [x, y], in space [x, y, z], of a line along which reverse flow is measured"},
                                {"end", numbers, "", "length", "its end, beyond the reverse flow"},
                                {"points", integer, "200", "", "looked at along it", within(2, 100000)}}));
  add(in("output.fields", {{"NAME", formula, "", "", "a further field: of the solution, its gradient, x, y and t"}}));
  add(in("output.integral.NAME",
         {{"formula", formula, "", "", "what is integrated: of the solution, its gradient, x, y, t"},
          {"region", text, "the domain", "", "physical group of elements over which: a surface, in 3D a volume"},
          {"boundary", text, "none", "",
           "boundary along which; then normal_x, normal_y and, in 3D, normal_z are known"}}));
  add(in("output.picture.NAME",
         {{"field", text, "the first variable", "", "what is shown"},
          {"format", text, "png", "", "file format", one_of({"png", "svg"})},
          {"range", numbers, "of the field", "", "[least, largest] value of the colours", of_pictures()},
          {"normal", numbers, "none", "", "in space: normal [x, y, z] of the plane that is shown"},
          {"point", numbers, "[0, 0, 0]", "length", "in space: a point of that plane"},
          {"view", numbers, "none", "", "in space: direction in which one looks at boundaries and planes"},
          {"up", numbers, "[0, 0, 1]", "", "in space: what points upward in that picture"},
          {"boundaries", names, "none", "", "in space: those that are looked at"},
          {"planes", tables, "none", "length",
           "in space: {point, normal} of each plane that is looked at, beside boundaries or alone"},
          {"isolines", isolines, "none", "", "{min, max, count}: lines of equal value", of_pictures()},
          {"window", numbers, "the mesh", "length", "[x0, x1, y0, y1]", of_pictures()},
          {"mesh", boolean, "false", "", "draw the mesh"},
          {"streamlines", integer, "0", "", "about so many across the longer side", within(0, 500)},
          {"width", integer, "1200", "pixels", "of the picture", within(200, 20000)}}));
  add(in("output.figure.NAME", {{"pictures", names, "", "", "those that stand side by side in it, row by row"},
                                {"columns", integer, "2", "", "pictures in a row", within(1, 10)},
                                {"format", text, "png", "", "file format", one_of({"png", "svg"})},
                                {"width", integer, "1600", "pixels", "of the figure", within(200, 20000)}}));
  add(in("output.section.NAME",
         {{"wall", text, "", "", "in space: the wall that a plane cuts"},
          {"normal", numbers, "", "", "normal [x, y, z] of the plane"},
          {"point", numbers, "[0, 0, 0]", "length", "a point of the plane"},
          {"leading_edge", numbers, "of the section", "length", "[x, y, z] where x/c is 0"},
          {"trailing_edge", numbers, "of the section", "length",
           "[x, y, z] where x/c is 1; if not given, x/c runs over the extent of the section along the stream"},
          {"points", integer, "p + 2, at least 4", "", "on each face that is cut", within(2, 1000)},
          {"format", text, "png", "", "of the plot", one_of({"png", "svg"})},
          {"width", integer, "1200", "pixels", "of the plot", within(200, 20000)}}));
  return all;
}

}  // namespace

const std::vector<Key>& viscosity_keys() {
  const std::string section = "equations";
  static const std::vector<Key> list = positive(
      in(section,
         {{"prandtl", number, "0.72", "", "navier-stokes: Prandtl number"},
          {"viscosity", text, "constant", "", "navier-stokes: how viscosity depends on temperature",
           one_of({"constant", "sutherland"})},
          {"mu", number, "", "", "navier-stokes: viscosity (at reference_temperature); or reynolds"},
          {"reynolds", number, "", "",
           "navier-stokes: mu = reference_density · reference_velocity · reference_length / reynolds"},
          {"reference_density", number, "", "density", "of reynolds"},
          {"reference_velocity", number, "", "velocity", "of reynolds"},
          {"reference_length", number, "", "length", "of reynolds"},
          {"reference_temperature", number, "", "p/ρ", "sutherland: temperature T_r at which viscosity is mu"},
          {"sutherland_ratio", number, "110.4/288.15", "", "sutherland: S/T_r; the default is air at 288.15 K"}}));
  return list;
}

const std::vector<Key>& user_keys() {
  const std::string section = "equations";
  static const std::vector<Key> list =
      in(section,
         {{"header", path, "", "", "user: the C++ header, relative to the case file; part of the program"},
          {"name", text, "", "", "user: struct in it, template <int dimension, class Parameters>"},
          {"variables", names, "", "", "user: names of the conservative variables"},
          {"primitives", names, "none", "", "user: names of what from_primitive takes, if states may be given so"},
          {"dimension", integer, "2", "", "user: of space; 3 for meshes of solids", within(2, 3)},
          {"source", boolean, "false", "", "user: the struct has source(u, position, time)"},
          {"viscous", boolean, "", "", "user: whether its viscous_flux is computed; needed if it has one"},
          {"header_text", text, "", "", "user: record of the header in resolved cases; never compiled"}});
  return list;
}

const std::vector<Key>& keys() {
  static const std::vector<Key> all = make_keys();
  return all;
}

std::vector<Key> keys_of(const std::string& section, const std::vector<Key>& all) {
  std::vector<Key> result;
  std::copy_if(all.begin(), all.end(), std::back_inserter(result),
               [&](const Key& key) { return key.section == section; });
  return result;
}

std::vector<std::string> sections() {
  std::vector<std::string> result = {"constants", "functions"};
  for (const Key& key : keys())
    if (!key.section.empty() && (result.empty() || result.back() != key.section)) result.push_back(key.section);
  return result;
}

std::string sections_with(const std::string& name, const std::string& section, const std::vector<Key>& all) {
  constexpr std::size_t most = 3;
  std::vector<std::string> found;
  for (const Key& key : all) {
    std::string there = key.section;
    if (key.name != name) {
      const std::size_t at = there.find("." + name), end = at + 1 + name.size();
      if (at == std::string::npos || (end < there.size() && there[end] != '.')) continue;
      there.resize(at);
    }
    if (there == section) return "";
    const std::string words = there.empty() ? "the top level" : "[" + there + "]";
    if (std::find(found.begin(), found.end(), words) == found.end()) found.push_back(words);
  }
  return found.size() > most ? "" : list_names(found, "and");
}

}  // namespace galerna::case_file
