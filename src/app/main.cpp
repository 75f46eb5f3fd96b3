// The program `galerna`: words in, exit code out. Everything that computes lives in the rooms below.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <map>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "app/command_table.hpp"
#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/interruption.hpp"
#include "base/phases.hpp"
#include "base/standard_streams.hpp"
#include "base/version.hpp"
#include "device/program.hpp"

namespace {

/// Not for users: how galerna starts itself as a compiler (device/program.hpp, compile_for_cuda_by()).
constexpr const char* compile_command = "compile-kernels-of-gpus";

int run_command(int argc, char** argv) {
  using namespace galerna;
  CLI::App app{"Galerna: discontinuous Galerkin flow solver on unstructured meshes, on GPUs and CPUs"};
  app.set_version_flag("--version", std::string("galerna ") + version_commit());
  app.require_subcommand(1);
  const std::map<std::string, app::Action> actions = {{"run", app::add_run(app)},
                                                      {"check", app::add_check(app)},
                                                      {"info", app::add_info(app)},
                                                      {"agglomerate", app::add_agglomerate(app)},
                                                      {"curve", app::add_curve(app)},
                                                      {"bench", app::add_bench(app)},
                                                      {"plot", app::add_plot(app)},
                                                      {"devices", app::add_devices(app)},
                                                      {"cache", app::add_cache(app)},
                                                      {"frequency", app::add_frequency(app)},
                                                      {"case-reference", app::add_case_reference(app)},
                                                      {"structures", app::add_structures(app)},
                                                      {"completion", app::add_completion(app)},
                                                      {"man", app::add_man(app)}};
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words.front() == "help") {  // galerna help run
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  app::check_words(app, words);
  try {
    if (argc > 0) app.name(argv[0]);
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app.parse(words);
  } catch (const CLI::ExtrasError&) {
    app::refuse_surplus(*app.get_subcommands().front(), app.remaining(true).front());
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : static_cast<int>(ExitCode::wrong_input);
  }
  return actions.at(app.get_subcommands().front()->get_name())();
}

}  // namespace

int main(int argc, char** argv) {
  // A file that would grow beyond `ulimit -f` is then an error of what writes it, and not the end of the program.
  std::signal(SIGXFSZ, SIG_IGN);
  galerna::open_standard_streams();
  try {
    if (argc == 5 && std::string(argv[1]) == compile_command)
      return galerna::device::compile_job(argv[2], argv[3], argv[4]) ? 0 : 1;
    galerna::device::compile_for_cuda_by({"/proc/self/exe", compile_command});
    const int code = run_command(argc, argv);
    galerna::finish_standard_output();
    return code;
  } catch (const galerna::InputError& error) {
    galerna::print_error(error.what() + std::string("\n"));
    return static_cast<int>(error.code());
  } catch (const galerna::Interruption& interruption) {
    galerna::print_error(interruption.what() + std::string("\n"));
    return static_cast<int>(interruption.code());
  } catch (const galerna::Error& error) {
    galerna::print_error(fmt::format("error: {}\n", error.what()));
    return static_cast<int>(error.code());
  } catch (const std::bad_alloc&) {
    const std::string phase = galerna::failed_phase();
    galerna::print_error(
        fmt::format("error: out of host memory{}; use a coarser mesh, a lower order or a machine with more memory\n",
                    phase.empty() ? "" : " (" + phase + ")"));
  } catch (const std::system_error& error) {
    galerna::print_error(fmt::format("error: the system failed: {}\n", error.what()));
  } catch (const std::exception& error) {
    galerna::print_error(fmt::format("error: unexpected: {}\n", error.what()));
  }
  return static_cast<int>(galerna::ExitCode::system_failure);
}
