#include "dg/programs/program_equations.hpp"

#include <fmt/format.h>

#include "kernels/arguments.hpp"

namespace galerna::dg {
namespace {

using kernels::most_variables;

/// Static assertions that hold the definition against what the case says of it.
std::string checks(const Spec& spec) {
  const std::string& name = spec.equations.type;
  std::string text;
  const auto check = [&](const std::string& condition, const std::string& message) {
    text += fmt::format("static_assert({}, \"{}\");\n", condition, message);
  };
  check("HasVariables<Definition>", name + " needs static constexpr int variables, the number of its variables");
  // One for each number, since a message must be a literal.
  for (int n = 1; n <= most_variables; ++n)
    if (n != spec.variable_count())
      check(fmt::format("Definition::variables != {}", n),
            fmt::format("the case lists {} variable{} ({}), but {} has {}", spec.variable_count(),
                        spec.variable_count() == 1 ? "" : "s", fmt::join(spec.variables, ", "), name, n));
  check(fmt::format("Definition::variables == {}", spec.variable_count()),
        fmt::format("{} must have 1 to {} variables", name, most_variables));
  check(fmt::format("HasFlux<Definition, {}>", dimension(spec.shape)),
        name + " needs flux(u, a), the flux F(u)·a for any vector a");
  check("HasWaveSpeed<Definition>", name + " needs largest_wave_speed(u)");
  if (spec.equations.from_primitive)
    check("HasFromPrimitive<Definition>", name + " needs from_primitive(values), since the case lists primitives");
  if (spec.equations.source)
    check("HasSourceFunction<Definition>",
          name + " needs source(u, position, time), since the case says source = true");
  else
    check("!HasSourceFunction<Definition>", name + " has source(u, position, time): say source = true in [equations]");
  if (spec.viscous) {
    check(fmt::format("HasViscousFlux<Definition, {}>", dimension(spec.shape)),
          name + " needs viscous_flux(u, gradients, a), since the case says viscous = true");
    check("HasDiffusivity<Definition>", name + " needs largest_diffusivity(u), since the case says viscous = true");
  }
  return text;
}

}  // namespace

std::vector<std::string> equation_headers(const Spec& spec) {
  return {"kernels/physics/equation_system.hpp", spec.equations.header};
}

std::string equations_text(const Spec& spec) {
  std::string text = "struct Parameters {\n";
  for (const auto& [name, value] : spec.parameters)
    text += fmt::format("  static constexpr double {} = {:a};\n", name, value);
  text += "};\n";
  text += fmt::format("using Definition = {}<{}, Parameters>;\n", spec.equations.type, dimension(spec.shape));
  text += checks(spec);
  text += fmt::format("using System = EquationSystem<Definition, {}, {}>;\n", dimension(spec.shape), spec.viscous);
  return text +
         fmt::format(
             "static_assert(TakesEquations<{0}, System>, \"the numerical flux {0} is for gases: {1} needs gamma, "
             "primitive(u) with density, velocity and pressure, and sound_speed(w); or use riemann = 'llf'\");\n",
             spec.flux.type, spec.equations.type);
}

}  // namespace galerna::dg
