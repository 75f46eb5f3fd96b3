#include "solver/check_indices.hpp"

#include <fmt/format.h>

#include <regex>
#include <sstream>

#include "device/device.hpp"
#include "device/program.hpp"
#include "dg/programs/index_program.hpp"
#include "mesh/geometry.hpp"
#include "solver/given_state.hpp"
#include "solver/problem.hpp"

namespace galerna::solver {
namespace {

/// The first line of a header that names a function, 0 where none does. \param called "flux(u, a)", "Wall::ghost(…)"
int line_of(const std::string& text, const std::string& called) {
  std::string name = called.substr(0, called.find('('));
  if (const std::size_t scope = name.find("::"); scope != std::string::npos) name = name.substr(0, scope);
  const std::regex word("\\b" + name + "\\b");
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find("//") == std::string::npos && std::regex_search(line, word)) return number;
  }
  return 0;
}

/// \param place of the initial state that the function was given
std::string describe(const dg::IndexFault& fault, const std::string& place) {
  if (fault.size == dg::not_finite_fault)
    return "gives a number that is none or infinite for the initial state at " + place;
  if (fault.size == dg::negative_speed_fault)
    return fmt::format("is negative for the initial state at {}: give the absolute value", place);
  return fmt::format("uses element [{}] of an array of {}: indices run from 0 to {}", fault.index, fault.size,
                     fault.size - 1);
}

std::vector<dg::IndexFault> call(const dg::Spec& spec, std::vector<double> values) {
  const auto device = device::open_device("cpu");
  std::vector<dg::IndexFault> faults(dg::called_functions(spec).size());
  const dg::IndexArguments arguments{values.data(), faults.data()};
  const auto program = device->load(dg::index_program(spec));
  const auto kernel = device->kernel(*program, "call_equations");
  device->launch(*kernel, {1}, &arguments, sizeof arguments);
  device->synchronize();
  return faults;
}

}  // namespace

void require_indices_in_range(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  if (!settings.equations.user || mesh.element_count() == 0) return;
  const case_file::EquationSettings::User& user = *settings.equations.user;
  std::vector<double> values(settings.equations.variables.size());
  const mesh::Point place = mesh::centroid(mesh, 0);
  GivenState(settings.initial, settings.equations).evaluate(place, 0, values.data());
  const dg::Spec spec = make_spec(settings, mesh, device::Precision::double_precision);
  std::vector<dg::IndexFault> faults;
  try {
    faults = call(spec, values);
  } catch (const device::CompileError&) {
    return;
  }
  std::vector<Problem> problems;
  const std::vector<std::string> functions = dg::called_functions(spec);
  for (std::size_t k = 0; k < faults.size(); ++k)
    if (faults[k].size != 0)
      problems.push_back({{user.header.string(), line_of(user.text, functions[k])},
                          functions[k] + " " + describe(faults[k], mesh::to_text(place, mesh.dimension))});
  if (!problems.empty()) throw InputError(problems);
}

}  // namespace galerna::solver
