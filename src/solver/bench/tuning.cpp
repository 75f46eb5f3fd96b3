#include "solver/bench/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "dg/flow_operator.hpp"
#include "dg/programs/simplex_programs.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"

namespace galerna::solver {
namespace {

constexpr std::int64_t tuning_rounds = 6;

/// Without boundaries, formulas and limiter: they make no difference to the right-hand side.
dg::Spec bare(const dg::Spec& spec, const dg::Structure& structure) {
  dg::Spec result = spec;
  result.boundaries.clear();
  result.initial.reset();
  result.exact.reset();
  result.limiter.reset();
  result.structure = structure.name;
  return result;
}

/// Triangles on which the kernel with a thread for each of them works at once.
std::int64_t triangles_at_once(device::Device& device, const device::ProgramSource& threads) {
  const auto program = device.load(threads);
  return device.items_at_once(*device.kernel(*program, dg::residual_entry(1, 1)), {});
}

}  // namespace

TuningCells tuning_cells(std::int64_t at_once) {
  constexpr std::int64_t least = 98'304;
  const std::int64_t cells = std::max(tuning_rounds * at_once, least) / 2;
  const int nx = static_cast<int>(std::sqrt(static_cast<double>(cells) * 4 / 3));
  return {nx, static_cast<int>(cells / nx)};
}

mesh::Mesh tuning_mesh(const TuningCells& cells) {
  mesh::Mesh mesh = mesh::make_rectangle(cells.nx, cells.ny, {0, 0}, {4, 3}, mesh::CellStyle::random_triangles, 0.1);
  mesh::PrepareOptions options;
  options.periodic = {{"left", "right", {4, 0, 0}, {}}, {"bottom", "top", {0, 3, 0}, {}}};
  mesh::prepare(mesh, options);
  return mesh;
}

double time_residual(device::Device& device, const mesh::Mesh& mesh, const dg::Spec& spec,
                     const dg::Structure& structure) {
  const auto discretization = dg::make_flow_operator(device, mesh, bare(spec, structure), {}, {{1, 1}});
  const auto state = discretization->allocate_state("states"), result = discretization->allocate_state("states");
  device.clear(*state);
  kernels::Control control{};
  control.active = 1;
  discretization->write_control(control);
  const auto run = [&](int times) {
    for (int i = 0; i < times; ++i) discretization->stage({state.get(), {state.get()}, {result.get()}, {{1}}, {0}});
  };
  run(3);
  constexpr int repetitions = 5, launches = 10;
  double least = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repetitions; ++r) least = std::min(least, device.time([&] { run(launches); }) / launches);
  return least;
}

int fastest(const device::Recipe& recipe, const std::vector<int>& choices, const std::function<double(int)>& seconds,
            const std::filesystem::path& directory) {
  if (choices.size() == 1) return choices[0];
  const auto measure = [&](const std::filesystem::path& file, const std::filesystem::path& log) {
    std::ofstream notes(log);
    std::optional<int> best;
    std::optional<SystemError> failure;
    double least = std::numeric_limits<double>::infinity();
    for (int choice : choices) try {
        const double time = seconds(choice);
        notes << fmt::format("{}: {:.4g} s\n", choice, time);
        if (!best || time < least) best = choice;
        least = std::min(least, time);
      } catch (const SystemError& error) {
        notes << fmt::format("{}: {}\n", choice, error.what());
        if (!failure) failure = error;
      }
    if (!best) throw SystemError(*failure);
    std::ofstream(file) << *best << "\n";
    return true;
  };
  int choice = choices[0];
  std::istringstream(device::obtain(recipe, measure, directory).text()) >> choice;
  return std::find(choices.begin(), choices.end(), choice) == choices.end() ? choices[0] : choice;
}

std::vector<const dg::Structure*> timed_structures(const dg::Elements& elements, const dg::Spec& spec,
                                                   const device::Target& target) {
  std::vector<const dg::Structure*> rows;
  for (const dg::Structure* row : dg::fitting_structures(elements, spec, target))
    if (row->timed.what && row->timed.holds(elements, spec, target)) rows.push_back(row);
  return rows;
}

dg::Choice fastest_structure(device::Device& device, const dg::Spec& spec,
                             const std::vector<const dg::Structure*>& rows,
                             const std::function<std::vector<device::ProgramSource>()>& beside,
                             const std::filesystem::path& directory) {
  const device::Target target = device::target_of(device, spec.precision);
  const dg::Operators operators =
      dg::make_operators(spec.shape, spec.degree, spec.volume_quadrature, spec.face_quadrature);
  device::Recipe recipe;
  recipe.title = fmt::format("{} p = {}: which structure is fastest", spec.title, spec.degree);
  recipe.target = "choice";
  recipe.compiles = false;
  recipe.extension = ".choice";
  recipe.machine = device.name();
  recipe.text = fmt::format("{} rounds of threads\n", tuning_rounds);
  // The first one has the residual.
  const auto programs_of = [&](const dg::Structure& row) {
    return dg::simplex_core_programs(bare(spec, row), operators, row, target, {{1, 1}});
  };
  // The cache remembers a row by the size of its tiles.
  std::vector<int> choices;
  for (const dg::Structure* row : rows) {
    for (const device::ProgramSource& program : programs_of(*row)) recipe.text += device::whole_text(program);
    choices.push_back(row->tile);
  }
  const auto row_of = [&](int tile) -> const dg::Structure& {
    return **std::find_if(rows.begin(), rows.end(), [&](const dg::Structure* row) { return row->tile == tile; });
  };
  const auto compile = [&] {
    std::vector<device::ProgramSource> programs;
    for (const dg::Structure* row : rows) {
      for (device::ProgramSource& program : programs_of(*row)) programs.push_back(std::move(program));
      for (device::ProgramSource& program :
           dg::simplex_case_programs(bare(spec, *row), operators, target, row->stores_traces))
        programs.push_back(std::move(program));
    }
    for (device::ProgramSource& program : beside()) programs.push_back(std::move(program));
    try {
      device.compile_ahead(programs);
    } catch (const SystemError&) {
      // Its row says so when it is timed; the others can still be.
    }
  };
  std::optional<mesh::Mesh> mesh;
  const auto seconds = [&](int tile) {
    if (!mesh) {
      compile();
      const bool threads = std::find(choices.begin(), choices.end(), 0) != choices.end();
      mesh = tuning_mesh(tuning_cells(threads ? triangles_at_once(device, programs_of(row_of(0)).front()) : 0));
    }
    return time_residual(device, *mesh, spec, row_of(tile));
  };
  try {
    return {&row_of(fastest(recipe, choices, seconds, directory)),
            fmt::format("fastest of {} that were timed on this device", rows.size())};
  } catch (const SystemError&) {
    return {rows.front(), fmt::format("first of {}, which could not be timed", rows.size())};
  }
}

}  // namespace galerna::solver
