#include <fmt/format.h>

#include <filesystem>

#include "app/commands.hpp"
#include "case/reader.hpp"
#include "device/device.hpp"
#include "device/program.hpp"
#include "solver/problem.hpp"

namespace galerna::app {
namespace {

struct CacheOptions {
  std::string build;
  std::string target = "cpu";
  std::string precision = "double";
  std::filesystem::path directory;
  bool clear = false;
};

int lanes_of(const std::string& target, device::Precision precision) {
  return target == "cpu" ? device::open_device("cpu")->lanes(precision) : 32;
}

int build_programs(const CacheOptions& options) {
  const case_file::Settings settings = case_file::read_case(options.build);
  const auto precision =
      options.precision == "single" ? device::Precision::single_precision : device::Precision::double_precision;
  const auto kind = options.target == "cpu" ? device::Kind::host : device::Kind::cuda;
  for (const auto& program : solver::make_programs(settings, kind, lanes_of(options.target, precision), precision)) {
    const auto file = device::compile(program, options.target, options.directory);
    fmt::print("{}  {}\n", file.filename().string(), program.title);
  }
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
  command->add_option("--build", options->build, "compile the kernels of this case file")->type_name("CASE.toml");
  command->add_option("--target", options->target, "cpu, or a GPU architecture such as sm_90")->capture_default_str();
  command->add_option("--precision", options->precision, "double or single")
      ->check(CLI::IsMember({"double", "single"}))
      ->capture_default_str();
  command->add_option("--directory", options->directory, "where to put them instead of the cache");
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
