#include "solver/check_indices.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <regex>
#include <sstream>

#include "base/child_process.hpp"
#include "base/index.hpp"
#include "device/device.hpp"
#include "device/program.hpp"
#include "dg/programs/index_program.hpp"
#include "mesh/geometry.hpp"
#include "solver/given_state.hpp"
#include "solver/problem.hpp"

namespace galerna::solver {
namespace {

/// Seconds for what takes less than one.
constexpr int patience = 10;

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
  if (fault.size == dg::inadmissible_fault)
    return fmt::format("is false for the initial state at {}: give another state, or admit this one", place);
  return fmt::format("uses element [{}] of an array of {}: indices run from 0 to {}", fault.index, fault.size,
                     fault.size - 1);
}

/// The initial state in the middle of some elements.
struct States {
  std::vector<double> positions;  ///< [place][3]
  std::vector<double> values;     ///< [place][variable]
};

States sample(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  constexpr mesh::Index most = 200;
  const std::size_t variables = settings.equations.variables.size();
  const GivenState initial(settings.initial, settings.equations);
  States states;
  for (mesh::Index element = 0; element < mesh.element_count(); element += 1 + mesh.element_count() / most) {
    const mesh::Point x = mesh::centroid(mesh, element);
    states.positions.insert(states.positions.end(), x.begin(), x.end());
    states.values.resize(states.values.size() + variables);
    initial.evaluate(x, 0, states.values.data() + states.values.size() - variables);
  }
  return states;
}

/// How the functions ended.
struct Outcome {
  std::vector<dg::IndexFault> faults;  ///< of each
  int now = 0;                         ///< the last one that was called; -1 before the first one
  std::string trouble;                 ///< "" where it came back
};

/// What the header's code may do instead of coming back. \param status of the process that called it
std::string describe(const std::optional<int>& status) {
  if (!status) return fmt::format("does not end: it was stopped after {} s", patience);
  if (WIFSIGNALED(*status)) return fmt::format("crashes ({})", strsignal(WTERMSIG(*status)));
  return "ends the program or throws an exception, which it must not";
}

/// In a process of its own, since the header is anybody's. Nothing where no compiler takes it.
std::optional<Outcome> call(const dg::Spec& spec, const States& states) {
  const device::ProgramSource source = dg::index_program(spec);
  try {
    device::compile(source, "cpu");
  } catch (const SystemError&) {
    return {};
  }
  Outcome outcome{std::vector<dg::IndexFault>(dg::called_functions(spec).size()), -1, {}};
  const std::size_t bytes = outcome.faults.size() * sizeof(dg::IndexFault);
  const SharedMemory memory(bytes + 2 * sizeof(int));
  auto* faults = static_cast<dg::IndexFault*>(memory.address());
  int* now = reinterpret_cast<int*>(faults + outcome.faults.size());
  int* is_back = now + 1;
  *now = -1;
  const dg::IndexArguments arguments{static_cast<int>(states.positions.size() / 3), states.positions.data(),
                                     states.values.data(), faults, now};
  const auto status = run_in_child(
      [&] {
        try {
          const auto device = device::open_device("cpu");
          const auto program = device->load(source);
          device->launch(*device->kernel(*program, "call_equations"), {1}, &arguments, sizeof arguments);
          *is_back = 1;
        } catch (...) {
        }
        return 0;
      },
      patience);
  std::copy_n(faults, outcome.faults.size(), outcome.faults.begin());
  outcome.now = *now;
  if (*is_back == 0) outcome.trouble = describe(status);
  return outcome;
}

}  // namespace

void require_indices_in_range(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  if (!settings.equations.user || mesh.element_count() == 0) return;
  const case_file::EquationSettings::User& user = *settings.equations.user;
  const States states = sample(settings, mesh);
  const dg::Spec spec = make_spec(settings, mesh, device::Precision::double_precision);
  const std::optional<Outcome> outcome = call(spec, states);
  if (!outcome) return;
  const std::vector<std::string> functions = dg::called_functions(spec);
  std::vector<Problem> problems;
  const auto add = [&](const std::string& function, const std::string& what) {
    problems.push_back({{user.header.string(), line_of(user.text, function)}, function + " " + what});
  };
  for (std::size_t k = 0; k < functions.size(); ++k) {
    const dg::IndexFault& fault = outcome->faults[k];
    if (fault.size == 0) continue;
    mesh::Point place{};
    std::copy_n(states.positions.data() + 3 * fault.place, 3, place.begin());
    add(functions[k], describe(fault, mesh::to_text(place, mesh.dimension)));
  }
  if (!outcome->trouble.empty()) {
    if (outcome->now < 0)
      problems.push_back({{user.header.string()}, "the compiled header, when it is loaded, " + outcome->trouble});
    else
      add(functions[at(outcome->now)], outcome->trouble);
  }
  if (!problems.empty()) throw InputError(problems);
}

}  // namespace galerna::solver
