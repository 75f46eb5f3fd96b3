#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <set>

#include "app/commands.hpp"
#include "app/terminal.hpp"
#include "base/error.hpp"
#include "case/reader.hpp"
#include "device/cache.hpp"
#include "device/device.hpp"
#include "device/program.hpp"
#include "solver/case_programs.hpp"
#include "solver/problem.hpp"
#include "solver/user_errors.hpp"

namespace galerna::app {
namespace {

struct CacheOptions {
  std::vector<std::string> build;
  std::string target = "cpu";
  std::string precision = "double";
  std::filesystem::path directory;
  bool clear = false;
};

/// \param name cpu, or an architecture such as sm_90.
device::Target target_of(const std::string& name, device::Precision precision) {
  if (name == "cpu") return {device::Kind::host, device::open_device("cpu")->lanes(precision)};
  int capability = 0;
  const char* end = name.data() + name.size();
  const bool sm = name.starts_with("sm_") && std::from_chars(name.data() + 3, end, capability).ec == std::errc();
  if (!sm || capability < 1) throw InputError({"--target"}, fmt::format("\"{}\" is neither cpu nor sm_NN", name));
  return {device::Kind::cuda, device::cuda_lanes, capability >= 90};
}

/// Removes what an earlier version of galerna or of the cases left in a directory of programs.
void remove_others(const std::filesystem::path& directory, const std::set<std::string>& kept) {
  std::vector<std::filesystem::path> stale;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (entry.is_regular_file() && device::is_name_in_cache(entry.path().filename().string()) &&
        !kept.contains(entry.path().stem().string()))
      stale.push_back(entry.path());
  for (const auto& file : stale) std::filesystem::remove(file);
}

int build_programs(const CacheOptions& options) {
  const auto precision =
      options.precision == "single" ? device::Precision::single_precision : device::Precision::double_precision;
  const device::Target target = target_of(options.target, precision);
  catch_signals();
  const Terminal terminal(false);
  std::set<std::string> kept;
  for (const std::string& file : options.build) {
    const case_file::Settings settings = case_file::read_case(file);
    const auto programs = solver::make_programs(settings, target, precision);
    const auto compiled = solver::with_user_errors(
        settings, [&] { return device::compile_all(programs, options.target, options.directory); });
    for (std::size_t k = 0; k < programs.size(); ++k) {
      fmt::print("{}  {}\n", compiled[k].filename().string(), programs[k].title);
      kept.insert(compiled[k].stem().string());
    }
  }
  if (!options.directory.empty()) remove_others(options.directory, kept);
  return 0;
}

int show_cache() {
  fmt::print("{}\n", device::cache_directory().string());
  for (const device::CachedProgram& program : device::list_cache())
    fmt::print("{}  {:>6.0f} kB  {:12}  {}\n", program.key.substr(0, 16), static_cast<double>(program.bytes) / 1e3,
               program.target, program.title);
  return 0;
}

}  // namespace

Action add_cache(CLI::App& app) {
  CLI::App* command = app.add_subcommand("cache", "Show, fill or clear the cache of compiled kernels");
  auto options = std::make_shared<CacheOptions>();
  command->add_option("--build", options->build, "compile the kernels of these case files")->type_name("CASE.toml");
  command->add_option("--target", options->target, "cpu, or a GPU architecture such as sm_90")->capture_default_str();
  command->add_option("--precision", options->precision, "double or single")
      ->check(CLI::IsMember({"double", "single"}))
      ->capture_default_str();
  command->add_option("--directory", options->directory,
                      "put them here instead of the cache, and remove other kernels that are here");
  command->add_flag("--clear", options->clear, "remove all compiled kernels");
  return [options] {
    if (options->clear) {
      fmt::print("{} compiled programs removed from {}\n", device::clear_cache(), device::cache_directory().string());
      return 0;
    }
    return options->build.empty() ? show_cache() : build_programs(*options);
  };
}

}  // namespace galerna::app
