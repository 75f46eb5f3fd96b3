#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/options.hpp"
#include "app/terminal.hpp"
#include "case/files_read.hpp"
#include "case/reader.hpp"
#include "files/atomic_file.hpp"
#include "solver/bench/bench.hpp"
#include "solver/polytopic/polytopic_bench.hpp"

namespace galerna::app {
namespace {

struct BenchWords {
  std::string file, device = "auto", precision = "double", structure, json;
  std::vector<std::string> set;
  bool structures = false;
  solver::BenchSettings settings;
};

}  // namespace

Action add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "Measure how fast a case runs, kernel by kernel");
  auto words = std::make_shared<BenchWords>();
  command->add_option("case", words->file, "the case file")->required()->type_name("CASE.toml");
  command->add_option("--device", words->device, "auto, cpu, cuda or cuda:N")->capture_default_str();
  command->add_option("--precision", words->precision, "double or single")
      ->check(CLI::IsMember({"double", "single"}))
      ->capture_default_str();
  command->add_option("--set", words->set, "replace a setting of the case file; with nothing behind =, take it out")
      ->type_name("section.key=value");
  command->add_option("--structure", words->structure, "row of `galerna structures` that is to compute, where it fits")
      ->type_name("NAME");
  command->add_flag("--structures", words->structures, "measure every row that fits and print them side by side");
  command
      ->add_option("--assembly", words->settings.assembly,
                   "of equations on polytopes: measure this way to assemble, and no solution")
      ->type_name("NAME");
  command
      ->add_option(
          "--exclusive", words->settings.exclusive,
          "of equations on polytopes: measure only while no other bench does that has this file, so that many can "
          "prepare their meshes side by side")
      ->type_name("FILE");
  add_threads(*command);
  command->add_option("--repetitions", words->settings.repetitions, "how often to measure")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--json", words->json, "also write the result to this file")->type_name("FILE");
  return [words] {
    solver::RunOptions options;
    options.device = words->device;
    options.structure = words->structure;
    options.writes = false;
    if (words->precision == "single") options.precision = device::Precision::single_precision;
    Terminal terminal(false);
    case_file::Settings settings = case_file::read_case(words->file, words->set);
    require_other_file("--json", words->json, case_file::files_read(settings));
    if (settings.polytopic) {
      if (words->structures || !words->structure.empty())
        throw InputError({words->file}, fmt::format("{} has one structure of kernels only: leave --structure and "
                                                    "--structures out",
                                                    case_file::polytopic_equations));
      const auto result = solver::bench_polytopic(settings, options, words->settings, terminal);
      fmt::print("{}", solver::to_text(result));
      if (!words->json.empty()) files::write_file(words->json, solver::to_json(result));
      return 0;
    }
    if (!words->settings.assembly.empty())
      throw InputError({words->file}, fmt::format("only equations of type \"{}\" are assembled: leave --assembly out",
                                                  case_file::polytopic_equations));
    settings.time.sequence.clear();  // the last degree is what takes time
    if (words->structures) {
      const auto comparison = solver::bench_structures(settings, options, words->settings, terminal);
      fmt::print("{}", solver::to_text(comparison));
      if (!words->json.empty()) files::write_file(words->json, solver::to_json(comparison));
      return 0;
    }
    solver::Simulation simulation(std::move(settings), options, terminal);
    const solver::BenchResult result = solver::bench(simulation, words->settings);
    fmt::print("{}", solver::to_text(result));
    if (!words->json.empty()) files::write_file(words->json, solver::to_json(result));
    return 0;
  };
}

}  // namespace galerna::app
