#include "device/cuda_compiler.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "base/interruption.hpp"
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

/// What NVRTC is given: a text, the headers that it includes by name, options.
struct Job {
  std::string text;
  std::vector<std::string> names, headers, options;
};

Job job_of(const ProgramSource& source, const std::vector<std::string>& options) {
  Job job{source.text, {}, {}, options};
  const auto add = [&](const std::string& name, const std::string& text) {
    job.names.push_back(name);
    job.headers.push_back(text);
  };
  for (const EmbeddedFile& header : included_files(whole_text(source)))
    add(std::string(header.path), std::string(header.text));
  for (const Header& header : source.headers) add(header.name, numbered_text(header));
  return job;
}

std::vector<const char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

/// By this process.
bool compile_here(const Job& job, const std::filesystem::path& file, const std::filesystem::path& log) {
  const std::vector<const char*> texts = pointers_to(job.headers), names = pointers_to(job.names),
                                 words = pointers_to(job.options);
  nvrtcProgram program = nullptr;
  nvrtcResult result = nvrtc().create_program(&program, job.text.c_str(), "program.cu", static_cast<int>(texts.size()),
                                              texts.data(), names.data());
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

std::vector<std::string>& compiler_command() {
  static std::vector<std::string> command;
  return command;
}

/// For compile_job(). Texts of users may be of any bytes, which CBOR takes as they are. \throws SystemError
void write_job(const Job& job, const std::filesystem::path& file) {
  const std::vector<std::uint8_t> bytes = nlohmann::json::to_cbor(
      {{"text", job.text}, {"names", job.names}, {"headers", job.headers}, {"options", job.options}});
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream)
    throw SystemError(fmt::format(
        "{}: cannot be written; free some space, or set GALERNA_CACHE to a directory that can", file.string()));
}

/// By a process of its own, if there is a command for that.
bool compile_apart(const Job& job, const std::filesystem::path& file, const std::filesystem::path& log) {
  std::vector<std::string> command = compiler_command();
  if (command.empty()) return compile_here(job, file, log);
  const std::filesystem::path written = file.string() + ".job";
  write_job(job, written);
  for (const std::filesystem::path& path : {written, file, log}) command.push_back(path.string());
  bool done = false;
  if (const File output(std::fopen(log.c_str(), "w")); output) done = run_program(command, output.get());
  std::error_code error;
  std::filesystem::remove(written, error);
  if (!done && !interrupted() && std::filesystem::file_size(log, error) == 0)
    std::ofstream(log) << "the compiler was ended before it said anything; the memory may be too small for it\n";
  return done;
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

void compile_for_cuda_by(std::vector<std::string> command) {
  compiler_command() = std::move(command);
}

bool compile_job(const std::filesystem::path& job, const std::filesystem::path& program,
                 const std::filesystem::path& log) {
  std::ifstream stream(job, std::ios::binary);
  const nlohmann::json json = nlohmann::json::from_cbor(stream);
  return compile_here({json.at("text"), json.at("names"), json.at("headers"), json.at("options")}, program, log);
}

TrustedFile compile_for_cuda(const ProgramSource& source, const std::string& architecture,
                             const std::filesystem::path& directory, Effort effort) {
  const auto compile = [&](const std::filesystem::path& program, const std::filesystem::path& log) {
    return compile_apart(job_of(source, options_for(architecture, effort)), program, log);
  };
  return obtain(recipe_of(source, architecture, effort), compile, directory);
}

void require_cuda_compilable(const std::vector<ProgramSource>& programs, const std::string& architecture) {
  for (const ProgramSource& program : programs) is_in_cache(recipe_of(program, architecture, Effort::full));
}

}  // namespace galerna::device
