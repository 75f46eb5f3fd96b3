/// \file
/// Writes the texts of dg/programs/simplex_programs.hpp and dg/programs/element_programs.hpp: what they have in common.
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "dg/blocks.hpp"
#include "dg/entry.hpp"
#include "dg/operators.hpp"
#include "dg/programs/entry_writer.hpp"
#include "dg/programs/program_equations.hpp"
#include "dg/spec.hpp"
#include "kernels/launch_sequence.hpp"

namespace galerna::dg {

/// Kernels of a step that ask for nothing of the elements' shape: error control, time means.
std::vector<Entry> state_entries(const Spec& spec);
/// The step's beginning and end, and the last step of integrals: of all sets of elements together. \param variables
/// their number, or what programs call it. \param by_error Spec::error_control
std::vector<Entry> control_entries(const std::string& variables, bool by_error);

/// Hexadecimal floating-point literal: exact.
std::string literal(double value);

/// Writes the text of one program.
class Writer : public EntryWriter {
 public:
  Writer(const Spec& spec, const Operators& operators, const device::Target& target)
      : EntryWriter(target), spec_(spec), operators_(operators) {}

  /// The system of equations and the numerical flux.
  void include_equations() {
    for (const std::string& header : equation_headers(spec_)) include(header);
    include(spec_.flux.header);
  }

  /// From here on tables of numbers are not put into constant memory, whose cache is too small for loops through them.
  void leave_constant_memory() { constant_bytes_ = constant_memory; }

  /// constexpr table; on the GPU in constant memory, as long as that has room and unless kernels go through it in
  /// loops.
  void table(const std::string& name, const std::vector<double>& values, const std::vector<std::size_t>& extents,
             bool in_loops = false) {
    const std::size_t bytes = values.size() * static_cast<std::size_t>(bytes_of(spec_.precision));
    const bool constant = !in_loops && constant_bytes_ + bytes <= constant_memory;
    if (constant) constant_bytes_ += bytes;
    if (!on_host()) text_ += constant ? "__constant__ " : "__device__ ";
    text_ += "constexpr Real ";
    text_ += name;
    for (std::size_t extent : extents) text_ += fmt::format("[{}]", extent);
    text_ += " = {";
    for (std::size_t i = 0; i < values.size(); ++i) text_ += (i ? ", " : "") + literal(values[i]);
    text_ += "};\n";
  }

  void matrices(const std::string& name, const std::vector<basis::Matrix>& matrices) {
    std::vector<double> values;
    for (const basis::Matrix& m : matrices) values.insert(values.end(), m.data(), m.data() + m.size());
    table(name, values, {matrices.size() * static_cast<std::size_t>(matrices[0].rows() * matrices[0].cols())});
  }

  /// [number]: on the GPU where kernels may choose among them.
  void integer_table(const std::string& name, const std::vector<int>& values) {
    line(fmt::format("{}constexpr int {}[{}] = {{{}}};", on_host() ? "" : "__constant__ ", name, values.size(),
                     fmt::join(values, ", ")));
  }

  /// Types and tables that all kernels share (program_tables.cpp).
  void common();
  /// The same for the kernels of boundary faces in space, of elements of any shape: of the rule on their sides.
  void face_tables(const basis::Quadrature& rule);

  /// The Config struct; `members` are further lines in it, `operators` the struct of tables.
  void config_struct(const std::vector<std::string>& members, const std::string& operators = "Tables") {
    line("struct Config {");
    line("  using Real = ::Real;");
    line("  using Value = ::Value;");
    line(fmt::format("  static constexpr int width = {};", target_.lanes));
    // On the GPU low degrees are unrolled completely (tables become constants in the instructions); higher ones would
    // spill; loops over modes in fives keep enough loads in flight, and two points at a time halve them (measured on an
    // H200).
    const bool low = operators_.degree <= 2;
    line(fmt::format("  static constexpr int unroll_points = {}, unroll_modes = {}, points_together = {};",
                     low ? operators_.volume.size() : 1, low ? operators_.modes : 5, low ? 1 : 2));
    line(fmt::format("  static constexpr bool local_steps = {};", spec_.local_steps));
    line("  using Equations = System;");
    line(fmt::format("  using Flux = {};", spec_.flux.type));
    line(fmt::format("  using Operators = {};", operators));
    for (const std::string& member : members) line("  " + member);
    line("};");
    line("}  // namespace");
  }

  /// An entry point that goes through launches of `entries` by itself (kernels/launch_sequence.hpp).
  void sequence_entry(const std::vector<Entry>& entries) {
    line("struct Kernels {");
    line("  static void run(int entry, const void* arguments, int thread) {");
    line("    switch (entry) {");
    for (std::size_t i = 0; i < entries.size(); ++i)
      line(fmt::format("      case {}: return galerna::kernels::{}(*static_cast<const {}*>(arguments), {});", i,
                       entries[i].function, entries[i].arguments, item(entries[i].threads)));
    line("    }");
    line("  }");
    line("};");
    write({"sequence", "SequenceArguments", std::to_string(kernels::sequence_group), "",
           "galerna::kernels::sequence<Kernels>(a);"});
  }

  std::vector<device::ProgramSource> finish(const std::string& what) {
    const bool single = spec_.precision == device::Precision::single_precision;
    device::ProgramSource source;
    source.title = fmt::format("{}, {} p = {}, {}, {}", spec_.title, galerna::name(operators_.shape), spec_.degree,
                               single ? "single" : "double", what);
    source.shares_stack = dimension(operators_.shape) == 2;
    if (spec_.equations.text) source.headers = {*spec_.equations.text};
    return EntryWriter::finish(source);
  }

 private:
  void types();
  void side_tables();
  void unlike_side_tables();

  const Spec& spec_;
  const Operators& operators_;
  static constexpr std::size_t constant_memory = 60'000;
  std::size_t constant_bytes_ = 0;
};

/// begin_step, end_step, next_step, integral_sums: the same for all flows of so many variables whose steps are judged
/// by their error, and for all others.
std::vector<device::ProgramSource> control_programs(const Spec& spec, const device::Target& target);

/// The kernels of kernels/formulas.hpp: project (if there is an initial state) and errors (if there is an exact one);
/// of kernels/formula_integrals.hpp those that the integrals of the spec take. \return entries
std::vector<Entry> write_formulas(Writer& out, const Spec& spec);
/// Their headers.
void include_formulas(Writer& out, const Spec& spec);

/// Tables for kernels/source.hpp. \return the members of Config that go with them.
/// \param geometry_order of the elements
std::vector<std::string> write_sources(Writer& out, const Spec& spec, const Operators& operators, int geometry_order);

/// The headers of the spec's boundary conditions.
void include_boundaries(Writer& out, const Spec& spec);

/// The data of the spec's boundary conditions. \return the members of Config that the kernels of boundary faces need.
/// \param stored_traces whether they find stored traces inside
std::vector<std::string> boundary_members(Writer& out, const Spec& spec, bool stored_traces);
/// The kernels of boundary faces: ghosts and, where they are needed, boundary_fluxes and boundary_means.
std::vector<Entry> boundary_entries(const Spec& spec, int dimension, bool stored_traces);

}  // namespace galerna::dg
