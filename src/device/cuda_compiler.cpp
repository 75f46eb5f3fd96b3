#include "device/cuda_compiler.hpp"

#include <fmt/format.h>

#include <fstream>
#include <vector>

#include "base/error.hpp"
#include "device/cache.hpp"
#include "device/cuda_api.hpp"
#include "device/kernel_headers.hpp"

namespace galerna::device {
namespace {

std::string log_of(nvrtcProgram program) {
  std::size_t size = 0;
  nvrtc().get_log_size(program, &size);
  std::string log(size, '\0');
  nvrtc().get_log(program, log.data());
  while (!log.empty() && log.back() == '\0') log.pop_back();
  return log;
}

bool compile_text(const ProgramSource& source, const std::vector<std::string>& options,
                  const std::filesystem::path& file, const std::filesystem::path& log) {
  std::vector<std::string> header_texts, header_names;
  for (const EmbeddedFile& header : included_files(whole_text(source))) {
    header_texts.emplace_back(header.text);
    header_names.emplace_back(header.path);
  }
  for (const Header& header : source.headers) {
    header_texts.push_back(numbered_text(header));
    header_names.push_back(header.name);
  }
  std::vector<const char*> texts, names, words;
  for (const std::string& header : header_texts) texts.push_back(header.c_str());
  for (const std::string& name : header_names) names.push_back(name.c_str());
  for (const std::string& option : options) words.push_back(option.c_str());

  nvrtcProgram program = nullptr;
  nvrtcResult result = nvrtc().create_program(&program, source.text.c_str(), "program.cu",
                                              static_cast<int>(texts.size()), texts.data(), names.data());
  if (result == NVRTC_SUCCESS) result = nvrtc().compile_program(program, static_cast<int>(words.size()), words.data());
  std::ofstream(log) << log_of(program) << "\n" << nvrtc().get_error_string(result) << "\n";
  if (result == NVRTC_SUCCESS) {
    std::size_t size = 0;
    nvrtc().get_cubin_size(program, &size);
    std::string cubin(size, '\0');
    nvrtc().get_cubin(program, cubin.data());
    std::ofstream(file, std::ios::binary) << cubin;
  }
  nvrtc().destroy_program(&program);
  return result == NVRTC_SUCCESS;
}

struct Version {
  int major = 0, minor = 0;
};

Version nvrtc_version() {
  Version version;
  if (nvrtc().absence.empty()) nvrtc().version(&version.major, &version.minor);
  return version;
}

std::vector<std::string> options_for(const std::string& architecture, Effort effort) {
  std::vector<std::string> options = {"--std=c++20",     "--gpu-architecture=" + architecture,
                                      "-default-device", "--fmad=true",
                                      "-lineinfo",       "-diag-suppress=177"};
  if (effort == Effort::check && nvrtc_version().major >= 13) options.push_back("--Ofast-compile=max");
  return options;
}

Recipe recipe_of(const ProgramSource& source, const std::string& architecture, Effort effort) {
  const Version version = nvrtc_version();
  Recipe recipe;
  recipe.title = source.title;
  recipe.target = architecture;
  recipe.extension = ".cubin";
  recipe.asked = effort == Effort::check ? "check" : "";
  recipe.absence = nvrtc().absence;
  recipe.compiler = fmt::format("NVRTC {}.{}", version.major, version.minor);
  recipe.options = fmt::format("{}", fmt::join(options_for(architecture, effort), " "));
  recipe.text = whole_text(source);
  return recipe;
}

}  // namespace

TrustedFile compile_for_cuda(const ProgramSource& source, const std::string& architecture,
                             const std::filesystem::path& directory, Effort effort) {
  const auto compile = [&](const std::filesystem::path& program, const std::filesystem::path& log) {
    return compile_text(source, options_for(architecture, effort), program, log);
  };
  return obtain(recipe_of(source, architecture, effort), compile, directory);
}

void require_cuda_compilable(const std::vector<ProgramSource>& programs, const std::string& architecture) {
  for (const ProgramSource& program : programs) is_in_cache(recipe_of(program, architecture, Effort::full));
}

}  // namespace galerna::device
