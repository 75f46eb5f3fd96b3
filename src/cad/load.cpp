#include "cad/load.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "base/module.hpp"
#include "base/temporary_folder.hpp"

namespace galerna::cad {
namespace {

namespace fs = std::filesystem;

constexpr const char* packages =
    "install libocct-data-exchange-dev and libocct-modeling-algorithms-dev (scripts/install-dependencies.sh does), "
    "configure and build anew; or curve the mesh elsewhere with galerna curve";

const GalernaCad& functions_of(const fs::path& module) {
  if (module.empty())
    throw SystemError(fmt::format("CAD files need OpenCASCADE, without which this program was built: {}", packages));
  return load_module<GalernaCad>(
      module, {.links = "OpenCASCADE", .symbol = "galerna_cad", .version = galerna_cad_version, .remedy = packages});
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// All of it, since any part may crash on a damaged file. Writes the text of an error, if there is one.
int try_to_read(const GalernaCad& functions, const fs::path& file, const TemporaryFolder& folder) {
  const char* error = functions.convert(file.c_str(), (folder / "shape").c_str(), (folder / "info").c_str());
  Geometry* geometry = nullptr;
  if (!error) error = functions.load((folder / "shape").c_str(), 1, &geometry);
  if (!error) Model(std::unique_ptr<Geometry>(geometry), "", "", {}).nearest({});
  if (error) std::ofstream(folder / "error") << error;
  return error ? 1 : 0;
}

void convert(const GalernaCad& functions, const fs::path& file, const TemporaryFolder& folder, int seconds) {
  const auto status = run_in_child([&] { return try_to_read(functions, file, folder); }, seconds);
  const auto fail = [&](const std::string& text) { throw InputError({file.string()}, text); };
  if (!status)
    fail(fmt::format("OpenCASCADE has not read this file after {} s: it may be damaged; write it anew", seconds));
  if (WIFSIGNALED(*status))
    fail(fmt::format("OpenCASCADE crashed on this file ({}): it may be damaged; write it anew",
                     strsignal(WTERMSIG(*status))));
  if (WEXITSTATUS(*status) == 0) return;
  const std::string error = text_of(folder / "error");
  fail(error.empty() ? "OpenCASCADE could not read this file" : error);
}

struct Info {
  std::string unit;
  double millimetres = 0;
  std::vector<std::string> face_names;
};

Info read_info(const fs::path& file) {
  std::ifstream stream(file);
  Info info;
  std::string line;
  std::getline(stream, info.unit);
  std::getline(stream, line);
  info.millimetres = std::strtod(line.c_str(), nullptr);
  while (std::getline(stream, line)) info.face_names.push_back(line);
  return info;
}

}  // namespace

fs::path find_cad_module() {
  return find_module("libgalerna_cad.so");
}

std::shared_ptr<const Model> load(const fs::path& file, const LoadOptions& options) {
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    throw InputError({file.string()}, fs::exists(file, error) ? "is no file" : "no such CAD file");
  const GalernaCad& functions = functions_of(options.module.empty() ? find_cad_module() : options.module);
  const TemporaryFolder folder;
  const auto megabytes = static_cast<int>(fs::file_size(file, error) >> 20);
  convert(functions, file, folder, options.seconds > 0 ? options.seconds : 50 + 10 * megabytes);
  Info info = read_info(folder / "info");
  const double unit = info.millimetres > 0 ? info.millimetres : 1;  // shapes come in mm
  Geometry* geometry = nullptr;
  if (const char* text = functions.load((folder / "shape").c_str(), options.scale / unit, &geometry))
    throw InputError({file.string()}, text);
  return std::make_shared<Model>(std::unique_ptr<Geometry>(geometry), file.string(), std::move(info.unit),
                                 std::move(info.face_names));
}

}  // namespace galerna::cad
