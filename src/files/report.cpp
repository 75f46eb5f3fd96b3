#include "files/report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "files/atomic_file.hpp"

namespace galerna::files {

using analysis::coefficients;
using analysis::FlowPoint;
using analysis::ForceCoefficients;
using analysis::WallForce;

namespace {

using Json = nlohmann::ordered_json;

/// JSON has no NaN and no infinity.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json triple(const std::array<double, 3>& values) {
  return {number(values[0]), number(values[1]), number(values[2])};
}

/// A map that is an object even when it is empty.
template <typename Value>
Json object(const std::map<std::string, Value>& values) {
  Json result = Json::object();
  for (const auto& [name, value] : values) {
    if constexpr (std::is_floating_point_v<Value>)
      result[name] = number(value);
    else
      result[name] = value;
  }
  return result;
}

Json time(const Report::Time& t) {
  Json phases = Json::array();
  for (const auto& [doing, seconds, memory] : t.phases)
    phases.push_back({{"doing", doing}, {"seconds", number(seconds)}, {"memory_bytes", memory}});
  return {{"t", number(t.t)},
          {"steps", t.steps},
          {"rejected", t.rejected},
          {"rhs_evaluations", t.rhs_evaluations},
          {"dt", number(t.dt)},
          {"accurate", t.accurate},
          {"wall_total", number(t.wall_total)},
          {"wall_start", number(t.wall_start)},
          {"wall_setup", number(t.wall_read + t.wall_refine + t.wall_prepare + t.wall_upload)},
          {"wall_read", number(t.wall_read)},
          {"wall_refine", number(t.wall_refine)},
          {"wall_prepare", number(t.wall_prepare)},
          {"wall_upload", number(t.wall_upload)},
          {"wall_compile", number(t.wall_compile)},
          {"wall_tuning", number(t.wall_tuning)},
          {"wall_loop", number(t.wall_loop)},
          {"wall_watch", number(t.wall_watch)},
          {"wall_wait", number(t.wall_wait)},
          {"wall_output", number(t.wall_output)},
          {"wall_finish", number(t.wall_finish)},
          {"writing", number(t.writing)},
          {"phases", phases}};
}

Json conservation(const Report& report) {
  Json result = Json::object();
  for (const Report::Conservation& c : report.conservation) {
    Json& entry = result[c.variable];
    entry = {{"start", number(c.start)},
             {"end", number(c.end)},
             {"boundary_flux", number(c.boundary_flux)},
             {"defect", c.source ? Json() : number(c.defect)}};
    if (c.source) entry["source"] = number(*c.source);
  }
  return result;
}

Json errors(const Report& report) {
  Json result = Json::object();
  for (const Report::ErrorNorms& e : report.errors)
    result[e.variable] = {{"l1", number(e.l1)},
                          {"l2", number(e.l2)},
                          {"linf", number(e.linf)},
                          {"l1_normalized", number(e.l1_normalized)},
                          {"l2_normalized", number(e.l2_normalized)}};
  return result;
}

Json parts(const WallForce& force, bool in_space) {
  std::array<double, 3> moment{};
  for (std::size_t k = 0; k < 3; ++k) moment[k] = force.pressure_moment[k] + force.viscous_moment[k];
  return {{"pressure", triple(force.pressure)},
          {"viscous", triple(force.viscous)},
          {"moment", in_space ? triple(moment) : number(moment[2])}};
}

Json coefficients(const ForceCoefficients& k) {
  Json result = {
      {"drag", number(k.drag)},    {"drag_pressure", number(k.drag_pressure)}, {"drag_viscous", number(k.drag_viscous)},
      {"lift", number(k.lift)},    {"lift_pressure", number(k.lift_pressure)}, {"lift_viscous", number(k.lift_viscous)},
      {"moment", number(k.moment)}};
  if (k.space) {
    result["side"] = number(k.space->side);
    result["moments"] = triple(k.space->moment);
  }
  return result;
}

Json separation(const std::vector<FlowPoint>& points) {
  Json list = Json::array();
  for (const FlowPoint& point : points)
    list.push_back({{"kind", point.kind == FlowPoint::Kind::separation ? "separation" : "attachment"},
                    {"part", point.part},
                    {"s", number(point.s)},
                    {"x", number(point.place[0])},
                    {"y", number(point.place[1])}});
  return list;
}

void write_forces(Json& json, const Report& r) {
  json["forces"] = Json::object();
  for (const Report::Force& f : r.forces) {
    json["forces"][f.boundary] = triple(f.force.total());
    json["force_parts"][f.boundary] = parts(f.force, r.dimension == 3);
  }
  for (const Report::Force& f : r.forces)
    if (f.coefficients) json["coefficients"][f.boundary] = coefficients(*f.coefficients);
  if (r.all_coefficients) json["coefficients"]["all"] = coefficients(*r.all_coefficients);
  if (!r.reference.empty()) json["reference"] = r.reference;
  for (const Report::Force& f : r.forces)
    if (!f.separation.empty()) json["separation"][f.boundary] = separation(f.separation);
}

Json averages(const Report::Averages& a) {
  const auto moment = [](const Report::Averages::Moment& m) {
    return Json{{"mean", number(m.mean)}, {"rms", number(m.rms)}};
  };
  Json result = {{"start", number(a.start)}, {"duration", number(a.duration)}};
  for (const auto& c : a.coefficients)
    result["coefficients"][c.boundary] = {{"drag", moment(c.drag)}, {"lift", moment(c.lift)}};
  return result;
}

Json warnings(const std::vector<Report::Warning>& warnings) {
  Json list = Json::array();
  for (const Report::Warning& warning : warnings) {
    list.push_back({{"name", warning.name}, {"where", warning.where}, {"message", warning.message}});
    for (const auto& [name, value] : warning.numbers) list.back()[name] = number(value);
  }
  return list;
}

Json newton(const Report::Newton& n) {
  Json degrees = Json::array();
  for (const Report::Newton::Degree& degree : n.degrees)
    degrees.push_back({{"order", degree.order},
                       {"steps", degree.steps},
                       {"rhs_evaluations", degree.rhs_evaluations},
                       {"block_evaluations", degree.block_evaluations},
                       {"gmres_iterations", degree.gmres_iterations}});
  return {{"preconditioner", n.preconditioner},
          {"degrees", degrees},
          {"seconds",
           {{"products", number(n.products)},
            {"blocks", number(n.blocks)},
            {"preconditioner", number(n.preconditioning)}}}};
}

Json failure(const Failure& f) {
  return {{"what", f.what},
          {"variable", f.variable.empty() ? Json(nullptr) : Json(f.variable)},
          {"where", {{"x", number(f.where[0])}, {"y", number(f.where[1])}, {"z", number(f.where[2])}}},
          {"element", f.element < 0 ? Json(nullptr) : Json(f.element)},
          {"time", number(f.time)},
          {"step", f.step},
          {"stage", f.stage > 0 ? Json(f.stage) : Json(nullptr)},
          {"stages", f.stages > 0 ? Json(f.stages) : Json(nullptr)},
          {"values_before", object(f.values_before)},
          {"dt", number(f.dt)},
          {"local_step_limit", f.local_step_limit > 0 ? number(f.local_step_limit) : Json(nullptr)},
          {"step_set_by", f.step_set_by.empty() ? Json(nullptr) : Json(f.step_set_by)},
          {"advice", f.advice}};
}

void write_run(Json& json, const Report& r) {
  json["status"] = r.status;
  json["case"] = r.case_file;
  json["galerna_version"] = r.galerna_version;
  json["build"] = r.build;
  json["device"] = r.device;
  json["precision"] = r.precision;
}

Json mesh(const Report& r) {
  return {{"file", r.mesh_file},
          {"elements", object(r.elements)},
          {"faces", r.faces},
          {"boundaries", object(r.boundaries)}};
}

Json memory(const Report& r) {
  Json result = Json::object();
  for (const auto& [array, bytes] : r.memory) result[array] = bytes;
  return result;
}

// File names need not be UTF-8; what is not is replaced rather than the report lost.
std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json solver(const PolytopicReport::Solver& s) {
  Json result = {
      {"type", s.type}, {"iterations", s.iterations}, {"residual", number(s.residual)}, {"residuals", Json::array()}};
  for (const double residual : s.residuals) result["residuals"].push_back(number(residual));
  for (const PolytopicReport::Solve& slab : s.slabs)
    result["slabs"].push_back(
        {{"iterations", slab.iterations}, {"first", number(slab.first)}, {"last", number(slab.last)}});
  return result;
}

Json conservation(const PolytopicReport::Conservation& c) {
  return {{"source", number(c.source)},
          {"consumed", number(c.consumed)},
          {"stored", number(c.stored)},
          {"outflow", number(c.outflow)},
          {"defect", number(c.defect)},
          {"largest_element_defect", number(c.largest_element_defect)},
          {"relative_element_defect", number(c.relative_element_defect)}};
}

std::string polytopic_json(const Report& r) {
  const PolytopicReport& p = *r.polytopic;
  Json json;
  write_run(json, r);
  json["order"] = {{"least", p.least_order}, {"largest", p.largest_order}};
  json["mesh"] = mesh(r);
  json["mesh"].update({{"polytopes", p.polytopes}, {"interfaces", p.interfaces}, {"facets", p.facets}});
  json["matrix"] = {{"dofs", p.matrix.dofs}, {"nonzeros", p.matrix.nonzeros}};
  json["penalty"] = {{"rule", p.penalty.rule},
                     {"factor", number(p.penalty.factor)},
                     {"least", number(p.penalty.least)},
                     {"largest", number(p.penalty.largest)}};
  json["solver"] = solver(p.solver);
  json["errors"] = Json::object();
  if (p.errors) {
    json["errors"] = {
        {"l2", number(p.errors->l2)}, {"h1_seminorm", number(p.errors->h1_seminorm)}, {"dg", number(p.errors->dg)}};
    if (p.errors->l2_end) json["errors"]["l2_end"] = number(*p.errors->l2_end);
  }
  json["fluxes"] = Json::object();
  for (const PolytopicReport::Flux& flux : p.fluxes)
    json["fluxes"][flux.boundary] = {{"diffusive", number(flux.diffusive)}, {"advective", number(flux.advective)}};
  json["conservation"] = conservation(p.conservation);
  json["integral"] = number(p.integral);
  json["energy"] = number(p.energy);
  for (const auto& [name, value] : r.integrals) json["integrals"][name] = number(value);
  for (const Report::NamedFiles& named : r.files) json["files"][named.kind][named.name] = named.files;
  if (p.slabs > 0) json["slabs"] = p.slabs;
  json["time"] = time(r.time);
  json["performance"] = {{"device_memory_bytes", r.performance.device_memory_bytes}};
  for (const auto& [phase, seconds] : p.phases) json["performance"]["phases"][phase] = number(seconds);
  json["memory"] = memory(r);
  json["warnings"] = warnings(r.warnings);
  if (r.failure) json["failure"] = {{"what", r.failure->what}};
  json["resolved_case"] = r.resolved_case;
  return text_of(json);
}

/// What of a report should be a number and is none, such as "errors.density.l2"; empty if nothing.
std::string missing_norm(const Report& r) {
  std::vector<std::pair<std::string, double>> norms;
  for (const Report::ErrorNorms& e : r.errors)
    for (const auto& [name, value] : {std::pair{"l1", e.l1}, {"l2", e.l2}, {"linf", e.linf}})
      norms.emplace_back("errors." + e.variable + "." + name, value);
  for (const auto& [name, value] : r.entropy_error) norms.emplace_back("entropy_error." + name, value);
  if (r.polytopic) {
    const PolytopicReport& p = *r.polytopic;
    norms.emplace_back("solver.residual", p.solver.residual);
    if (p.errors) {
      for (const auto& [name, value] :
           {std::pair{"l2", p.errors->l2}, {"h1_seminorm", p.errors->h1_seminorm}, {"dg", p.errors->dg}})
        norms.emplace_back(std::string("errors.") + name, value);
      if (p.errors->l2_end) norms.emplace_back("errors.l2_end", *p.errors->l2_end);
    }
    norms.emplace_back("integral", p.integral);
    norms.emplace_back("energy", p.energy);
    norms.emplace_back("conservation.defect", p.conservation.defect);
    norms.emplace_back("conservation.largest_element_defect", p.conservation.largest_element_defect);
  }
  for (const auto& [name, value] : norms)
    if (!std::isfinite(value)) return name;
  return "";
}

}  // namespace

std::string describe(const Report::Time& time) {
  std::vector<std::pair<double, std::string>> parts = {
      {time.wall_start, "start"},         {time.wall_read, "reading the mesh"},
      {time.wall_refine, "refining it"},  {time.wall_prepare, "preparing it"},
      {time.wall_upload, "set-up"},       {time.wall_compile, "compiling"},
      {time.wall_tuning, "choosing"},     {time.wall_loop, "steps"},
      {time.wall_watch, "watching them"}, {time.wall_wait, "waiting for files"},
      {time.wall_output, "output"},       {time.wall_finish, "finish"}};
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  double rest = 0;
  for (const auto& [seconds, name] : parts)
    if (seconds >= 0.02 * time.wall_total)
      text += fmt::format("{}{} {:.2f} s", text.empty() ? "" : ", ", name, seconds);
    else
      rest += seconds;
  text += fmt::format(", rest {:.2f} s", rest);
  return time.writing > 0 ? text + fmt::format("; beside it files {:.2f} s", time.writing) : text;
}

std::string to_json(const Report& r) {
  if (r.polytopic) return polytopic_json(r);
  Json json;
  write_run(json, r);
  json["order"] = r.order;
  json["mesh"] = mesh(r);
  json["dof"] = r.dof;
  json["structures"] = Json::array();
  for (const Report::Structure& s : r.structures)
    json["structures"].push_back(
        {{"elements", s.elements}, {"count", s.count}, {"structure", s.structure}, {"why", s.why}});
  if (r.ranks)
    json["ranks"] = {{"count", r.ranks->count},           {"elements", r.ranks->elements},
                     {"copies", r.ranks->copies},         {"cut_sides", r.ranks->cut_sides},
                     {"neighbours", r.ranks->neighbours}, {"transport", r.ranks->transport}};
  json["time"] = time(r.time);
  json["performance"] = {{"dof_per_second", number(r.performance.dof_per_second)},
                         {"device_memory_bytes", r.performance.device_memory_bytes}};
  for (const Report::Performance::Kernel& kernel : r.performance.kernels)
    json["performance"]["kernels"][kernel.name] = {{"share", number(kernel.share)},
                                                   {"seconds", number(kernel.seconds)}};
  json["memory"] = memory(r);
  json["conservation"] = conservation(r);
  json["errors"] = errors(r);
  for (const auto& [name, value] : r.integrals) json["integrals"][name] = number(value);
  if (r.kinetic_energy) json["kinetic_energy"] = number(*r.kinetic_energy);
  if (!r.entropy_error.empty()) json["entropy_error"] = object(r.entropy_error);
  json["residual"] = object(r.residual);
  if (!r.steady_by.empty()) json["steady_by"] = r.steady_by;
  write_forces(json, r);
  if (r.averages) json["averages"] = averages(*r.averages);
  if (!r.bubbles.empty()) json["bubbles"] = object(r.bubbles);
  for (const Report::NamedFiles& named : r.files) json["files"][named.kind][named.name] = named.files;
  if (!r.limiter.empty()) json["limiter"] = object(r.limiter);
  for (const Report::Level& level : r.levels)
    json["sequence"].push_back({{"order", level.order},
                                {"steps", level.steps},
                                {"change", number(level.change)},
                                {"rhs_evaluations", level.rhs_evaluations}});
  if (r.newton) json["newton"] = newton(*r.newton);
  if (r.recoveries > 0) json["recoveries"] = r.recoveries;
  json["warnings"] = warnings(r.warnings);
  if (r.failure) json["failure"] = failure(*r.failure);
  json["resolved_case"] = r.resolved_case;
  return text_of(json);
}

// A run that is done has all of its norms: without them its report says that it failed.
void write_report(const Report& report, const std::filesystem::path& file) {
  const std::string missing = report.status == "done" || report.status == "steady" ? missing_norm(report) : "";
  if (missing.empty()) return write_file(file, to_json(report));
  Report failed = report;
  failed.status = "failed";
  failed.failure.emplace().what = missing + " is not a number";
  write_file(file, to_json(failed));
  throw Error(ExitCode::simulation_failed, failed.failure->what + "; see " + file.string());
}

}  // namespace galerna::files
